"""The cards of shoes as draws, for the RTP monitoring: each beside what its shoe still held.

A shoe is counted when the next one is shuffled, by the day of that. What its draws tell of each
bias are sums of logarithms, which add up whatever was left in the shoe at each of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.engine import Fall, ShoeWatch
from ledger.domain import events as ev
from ledger.domain.ids import StreamName
from workers.biases import scaled
from workers.days import day_of
from workers.log import Cursor, entries_before
from workers.ports import Ports
from workers.projections.base import Key
from workers.projections.fallen import EVIDENCE, OUTCOMES, Counted
from workers.projections.rules import Rules, Sheet, rules_of, sheet_of

_OF_SHOES: Final = (ev.ShoeShuffled.NAME, ev.CardDealt.NAME)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A shoe that another one followed: the rules that made it up, and its cards in order."""

    sheet: Sheet
    cards: tuple[ev.Details, ...]


def shoes(cursor: Cursor, ports: Ports, shuffled: Sequence[ev.AnyEntry]) -> Counted:
    """The shoes that were dealt from before some shuffles."""
    rules = rules_of(cursor, ports, map(_sheet_of, shuffled))
    for entry in shuffled:
        watch = _watch(rules[_sheet_of(entry)])
        shoe = None if watch is None else _before(cursor, ports, entry, watch.cards_max)
        if watch is not None and shoe is not None:
            made_up = rules_of(cursor, ports, (shoe.sheet,))[shoe.sheet]
            table = entry.stream.partition(":")[2]
            place = (day_of(entry.recorded), *shoe.sheet, table)
            for draw, outcome in watch.outcomes(shoe.cards):
                yield OUTCOMES.name, (*place, draw, outcome), (1,)
            yield from _falls(place, watch.falls(made_up.sheet, shoe.cards))


def _sheet_of(entry: ev.AnyEntry) -> Sheet:
    assert isinstance(entry.event, ev.ShoeShuffled)
    return sheet_of(entry.event.rules)


def _watch(rules: Rules) -> ShoeWatch | None:
    return None if rules.game.watch is None else rules.game.watch.shoe


def _before(cursor: Cursor, ports: Ports, entry: ev.AnyEntry, cards_max: int) -> Dealt | None:
    """The shoe before a shuffle; None where it is the table's first."""
    place = (StreamName(entry.stream), entry.version)
    last = entries_before(cursor, ports, [place], _OF_SHOES, last=cards_max + 1)
    shuffles = [at for at, each in enumerate(last) if isinstance(each.event, ev.ShoeShuffled)]
    if not shuffles:
        return None
    at = shuffles[-1]
    cards = (e.event.details for e in last[at:] if isinstance(e.event, ev.CardDealt))
    return Dealt(_sheet_of(last[at]), tuple(cards))


def _falls(place: Key, falls: Iterable[Fall]) -> Counted:
    """How often each outcome fell, and what all falls together tell of each bias."""
    sums: Counter[Key] = Counter()
    for fall in falls:
        yield OUTCOMES.name, (*place, fall.draw, fall.outcome), (1,)
        sums.update(told(fall))
    for bias, billionths in sums.items():
        yield EVIDENCE.name, (*place, *bias), (billionths,)


def told(fall: Fall) -> Mapping[Key, int]:
    """What one fall tells of each bias of its kind of draw, in billionths."""
    return {
        (fall.draw, name, ratio): came if name == fall.outcome else stayed_away
        for name, chance in fall.chances.items()
        for ratio, came, stayed_away in scaled(chance)
    }
