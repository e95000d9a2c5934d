"""Forged rounds: one field of one event changed or left out, or one event dropped, twice, swapped.

The header of an entry is left alone: it is no matter of a game's rules.
"""

import copy
from functools import partial
from itertools import pairwise


def mutations(events):
    """Every forgery of a round: what was done, to which field of which event, and how to do it."""
    for at, event in enumerate(events):
        for path, value in _places(event["event"]):
            field = ".".join(part for part in path if isinstance(part, str))
            for how, other in _others(path, value):
                forged = partial(_with, events, at, path, other)
                yield (event["name"], field, how), forged
        yield (event["name"], "", "dropped"), partial(_joined, events[:at], events[at + 1 :])
        yield (event["name"], "", "twice"), partial(_joined, events[: at + 1], events[at:])
    for at, (one, two) in enumerate(pairwise(events)):
        if (one["name"], one["event"]) != (two["name"], two["event"]):
            swapped = partial(_joined, events[:at], [two, one], events[at + 2 :])
            yield (one["name"], "", f"after {two['name']}"), swapped


def _joined(*pieces):
    return [event for piece in pieces for event in piece]


def _with(events, at, path, value):
    forged = copy.deepcopy(events[at])
    _put(forged["event"], path, value)
    return [*events[:at], forged, *events[at + 1 :]]


def _places(value, path=()):
    """Every place inside a JSON value, lists and objects too."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*path, key), inner
        if isinstance(inner, dict | list):
            yield from _places(inner, (*path, key))


GONE = object()


def _others(path, value):
    """What stands in place of a value: nothing, another one of its kind, one of another kind."""
    yield "gone", GONE
    match value:
        case bool():
            yield "other", not value
        case int():
            yield from (("more", value + 1), ("less", value - 1), ("float", float(value)))
            yield "text", str(value)
        case str():
            yield from (("longer", value + "x"), ("other", _turned(path, value)))
        case list():
            yield from [("reversed", value[::-1])] * (value != value[::-1])
            yield from [("longer", value + value[:1])] * bool(value)
        case None:
            yield "other", "x"


def _turned(path, value):
    """Another text of the same form: entropy whose last byte shows another face, other letters."""
    if path[-1] == "entropy":
        return value[:-1] + "0123456789abcdef"[int(value[-1:] or "0", 16) - 1]
    return value.swapcase() if value.swapcase() != value else value[::-1] + "0"


def _put(fields, path, value):
    *way, last = path
    for part in way:
        fields = fields[part]
    if value is GONE:
        del fields[last]
    else:
        fields[last] = value
