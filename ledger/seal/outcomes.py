"""Outcomes of live tables: each round is told what was recorded for its table, and no bet is later.

Rounds are judged by what they were told elsewhere. Here that is held against the table's own
outcome, so that nobody is paid by a number that did not come (G7, FR8).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from ledger.domain import events as ev
from ledger.replay import Finding


@dataclass(slots=True)
class OutcomeCheck:
    """Holds every round that was bet at a table against the table's outcome."""

    _recorded: dict[UUID, tuple[str, ev.Details]] = field(default_factory=dict)
    """What each round of a table showed."""
    _waiting: dict[UUID, set[UUID]] = field(default_factory=dict)
    """The rounds of sessions that wait for the outcome, by the table's round."""
    _placed_in: dict[UUID, UUID] = field(default_factory=dict)
    """The table's round in which a round of a session was bet."""

    def see(self, _: int, entry: ev.AnyEntry) -> Iterator[Finding]:
        """Take in the next entry."""
        step = _STEPS.get(entry.event.NAME)
        if step is not None:
            yield from step(self, entry, entry.event)

    def recorded(self, entry: ev.AnyEntry, event: ev.OutcomeRecorded[Any]) -> Iterator[Finding]:
        """A table has an outcome, once."""
        if event.round in self._recorded:
            yield _finding(entry, "the table's round had an outcome already")
        self._recorded[event.round] = (event.shown, event.details)

    def opened(self, entry: ev.AnyEntry, event: ev.RoundOpened[Any]) -> Iterator[Finding]:
        """A round of a session is bet in a round of a table."""
        if event.table is not None:
            self._placed_in[event.round] = event.table.round
            self._waiting.setdefault(event.table.round, set()).add(event.round)
        yield from self._in_time(entry, event.table)

    def moved(self, entry: ev.AnyEntry, event: ev.MoveMade[Any]) -> Iterator[Finding]:
        """A further move is made in a round of a table."""
        yield from self._in_time(entry, event.table)

    def _in_time(self, entry: ev.AnyEntry, place: ev.TableRef | None) -> Iterator[Finding]:
        if place is not None and place.round in self._recorded:
            yield _finding(entry, "made after the table's outcome was recorded")

    def told(self, entry: ev.AnyEntry, event: ev.OutcomeTold[Any]) -> Iterator[Finding]:
        """A round of a session is told an outcome."""
        if self._recorded.get(event.table_round) != (event.shown, event.details):
            yield _finding(entry, "told another outcome than the table's")
        self._waiting.get(event.table_round, set()).discard(event.round)

    def voided(self, _: ev.AnyEntry, event: ev.RoundVoided) -> Iterator[Finding]:
        """A round of a session ends without an outcome."""
        self._waiting.get(self._placed_in.get(event.round, event.round), set()).discard(event.round)
        return iter(())

    def settled(self, entry: ev.AnyEntry, event: ev.TableRoundSettled) -> Iterator[Finding]:
        """A round of a table is paid: nobody who bet in it waits any more."""
        for left in sorted(self._waiting.pop(event.round, set())):
            yield _finding(entry, f"the round {left} was not told the outcome")

    def end(self) -> Iterator[Finding]:
        """Nothing more: a round of a table may be in play."""
        return iter(())


_STEPS: Final[dict[str, Callable[[OutcomeCheck, ev.AnyEntry, Any], Iterator[Finding]]]] = {
    ev.OutcomeRecorded.NAME: OutcomeCheck.recorded,
    ev.RoundOpened.NAME: OutcomeCheck.opened,
    ev.MoveMade.NAME: OutcomeCheck.moved,
    ev.OutcomeTold.NAME: OutcomeCheck.told,
    ev.RoundVoided.NAME: OutcomeCheck.voided,
    ev.TableRoundSettled.NAME: OutcomeCheck.settled,
}


def _finding(entry: ev.AnyEntry, found: str) -> Finding:
    return Finding("outcomes", f"{entry.stream} version {entry.version}", found)
