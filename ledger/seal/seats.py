"""Seats and limits of live tables: what a table announced, and who sat there when it was bet.

A bet is under the limits that the chief had announced when its round opened, of a session that sat
at the table then (FR3, FR9); both streams of a seat tell the same of it (G4).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from ledger.domain import events as ev
from ledger.domain.ids import session_stream, table_stream
from ledger.replay import Finding
from ledger.seal.plans import Plans

Seat = tuple[str, int]
"""A table's stream, and the number of a seat there."""


@dataclass(slots=True)
class _Announced:
    """What a table announced: its limits, how many rounds it opened, and the rules of the last."""

    limits: str | None
    rounds: int = 0
    rules: ev.SheetRef | None = None


@dataclass(slots=True)
class SeatCheck:
    """Holds rounds of tables against their announcements, and bets against the seats."""

    _announced: dict[str, _Announced] = field(default_factory=dict)
    """By table."""
    _own: dict[str, Seat] = field(default_factory=dict)
    """Where each session says that it sits."""
    _taken: dict[Seat, str] = field(default_factory=dict)
    """Who sits where, as the tables say."""
    _moved: dict[UUID, set[str]] = field(default_factory=dict)
    """The sessions that sat down or left in a save, by its command."""
    _plans: Plans = field(default_factory=Plans)

    def see(self, _: int, entry: ev.AnyEntry) -> Iterator[Finding]:
        """Take in the next entry."""
        self._plans.see(entry)
        step = _STEPS.get(entry.event.NAME)
        if step is not None:
            yield from step(self, entry, entry.event)

    def announced(
        self, entry: ev.AnyEntry, event: ev.TableOpened | ev.TableLimitsSet
    ) -> Iterator[Finding]:
        """A table has limits from its next round on."""
        known = self._announced.setdefault(entry.stream, _Announced(None))
        known.limits = event.limits
        return iter(())

    def begun(self, entry: ev.AnyEntry, event: ev.TableRoundOpened) -> Iterator[Finding]:
        """A table opens a round: the next, under what was announced."""
        known = self._announced.setdefault(entry.stream, _Announced(event.limits))
        known.rounds, known.rules = known.rounds + 1, event.rules
        if event.limits != known.limits:
            yield _finding(entry, "opened under other limits than were announced")
        if event.number != known.rounds:
            yield _finding(entry, f"this is round {known.rounds} of the table")

    def seated(self, entry: ev.AnyEntry, event: ev.SessionSeated) -> Iterator[Finding]:
        """A session says that it sits at a table."""
        self._own[entry.stream] = table_stream(event.table), event.seat
        return self._moves(entry, entry.stream)

    def unseated(self, entry: ev.AnyEntry, _: ev.SessionUnseated) -> Iterator[Finding]:
        """A session says that it sits nowhere."""
        self._own.pop(entry.stream, None)
        return self._moves(entry, entry.stream)

    def taken(self, entry: ev.AnyEntry, event: ev.SeatTaken) -> Iterator[Finding]:
        """A table says who sits down."""
        seat = entry.stream, event.seat
        if seat in self._taken:
            yield _finding(entry, f"the seat {event.seat} was taken already")
        self._taken[seat] = session_stream(event.session)
        yield from self._moves(entry, session_stream(event.session))

    def freed(self, entry: ev.AnyEntry, event: ev.SeatLeft) -> Iterator[Finding]:
        """A table says who leaves."""
        self._taken.pop((entry.stream, event.seat), None)
        return self._moves(entry, session_stream(event.session))

    def _moves(self, entry: ev.AnyEntry, session: str) -> Iterator[Finding]:
        self._moved.setdefault(entry.command, set()).add(session)
        return iter(())

    def answered(self, entry: ev.AnyEntry, _: ev.CommandAnswered) -> Iterator[Finding]:
        """At the end of a save its sessions and tables say the same of each seat."""
        for session in sorted(self._moved.pop(entry.command, ())):
            told = [seat for seat, who in self._taken.items() if who == session]
            own = [self._own[session]] if session in self._own else []
            if told != own:
                yield Finding("seats", session, "sits elsewhere than its table says")

    def bet(
        self, entry: ev.AnyEntry, event: ev.RoundOpened[Any] | ev.MoveMade[Any]
    ) -> Iterator[Finding]:
        """Bets are placed at a table by who sits there."""
        if event.table is not None:
            yield from self._sits(entry, event.table)

    def _sits(self, entry: ev.AnyEntry, place: ev.TableRef) -> Iterator[Finding]:
        at, _ = self._own.get(entry.stream, ("", 0))
        if at != table_stream(place.table):
            yield _finding(entry, f"its session does not sit at {place.table}")

    def joined(self, entry: ev.AnyEntry, event: ev.TableRoundJoined[Any]) -> Iterator[Finding]:
        """A stake plays on under its own rules, within the time that its player planned (FR7)."""
        yield from self._sits(entry, event.table)
        found = self._announced.get(table_stream(event.table.table), _Announced(None))
        over = self._plans.of(entry.stream).is_over(entry.recorded)
        if event.plays_on != (found.rules == event.rules and not over):
            yield _finding(entry, "plays on, or is set aside, against rules or planned time")

    def closed(self, entry: ev.AnyEntry, _: ev.SessionClosed) -> Iterator[Finding]:
        """A session that ends sits nowhere."""
        if entry.stream in self._own:
            yield _finding(entry, "closed while it sits at a table")

    def end(self) -> Iterator[Finding]:
        """Nothing more: sessions may sit at tables."""
        return iter(())


_STEPS: Final[dict[str, Callable[[SeatCheck, ev.AnyEntry, Any], Iterator[Finding]]]] = {
    ev.TableOpened.NAME: SeatCheck.announced,
    ev.TableLimitsSet.NAME: SeatCheck.announced,
    ev.TableRoundOpened.NAME: SeatCheck.begun,
    ev.SessionSeated.NAME: SeatCheck.seated,
    ev.SessionUnseated.NAME: SeatCheck.unseated,
    ev.SeatTaken.NAME: SeatCheck.taken,
    ev.SeatLeft.NAME: SeatCheck.freed,
    ev.CommandAnswered.NAME: SeatCheck.answered,
    ev.RoundOpened.NAME: SeatCheck.bet,
    ev.MoveMade.NAME: SeatCheck.bet,
    ev.TableRoundJoined.NAME: SeatCheck.joined,
    ev.SessionClosed.NAME: SeatCheck.closed,
}


def _finding(entry: ev.AnyEntry, found: str) -> Finding:
    return Finding("seats", f"{entry.stream} version {entry.version}", found)
