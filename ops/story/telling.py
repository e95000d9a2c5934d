"""An event in words: the clauses of a language, filled with what the event says."""

from collections.abc import Callable, Mapping
from datetime import datetime
from string import Formatter
from types import MappingProxyType
from typing import Any, Final

from games import registry
from games.words import amount_in
from ledger.domain.events import Details, Event
from ops.story.tongue import Tongue


def sentence(event: Event, tongue: Tongue) -> str:
    """What an event says, in one line."""
    clauses = tongue.clauses[event.NAME]
    return "".join(_filled(clause, event, tongue) for clause in clauses)


def drawing(event: Event) -> tuple[str, ...]:
    """What an event shows, in lines of text; none where there is nothing to draw."""
    details = getattr(event, "details", None)
    return registry.told(details).drawing if isinstance(details, Details) else ()


def moment(at: datetime) -> str:
    """A moment to the microsecond, in UTC."""
    return f"{at:%Y-%m-%d %H:%M:%S.%f} UTC"


def _filled(clause: str, event: Event, tongue: Tongue) -> str:
    """A clause with the event's fields in it; empty where one of them says nothing."""
    parts = []
    for literal, name, shown, _ in Formatter().parse(clause):
        parts.append(literal)
        if name is None:
            continue
        value = _value(event, name)
        if shown == "unless":
            if value is not None:
                return ""
            continue
        if value is None or value is False or value == ():
            return ""
        parts.append(SHOWN[shown or ""](value, tongue))
    return "".join(parts)


def _value(event: Event, name: str) -> Any:
    """A field, or one of what a field holds; None where there is none on the way."""
    value: Any = event
    for part in name.split("."):
        value = None if value is None else getattr(value, part)
    return value


Show = Callable[[Any, Tongue], str]

SHOWN: Final[Mapping[str, Show]] = MappingProxyType(
    {
        "": lambda value, _: str(value),
        "money": lambda value, tongue: amount_in(tongue.language, value),
        "names": lambda value, _: ", ".join(value),
        "said": lambda value, tongue: registry.told(value).said(tongue.language),
        "time": lambda value, _: moment(value),
        "unless": lambda _, __: "",
        "when": lambda _, __: "",
        "word": lambda value, tongue: tongue.words[value],
    }
)
"""How a field can be shown.

`when` shows nothing and leaves its clause out where the field is false, `unless` where it is there.
"""
