"""Outcomes of live tables: each round is told what was recorded for its table, and no bet is later.

Rounds are judged by what they were told elsewhere. Here that is held against the table's own
outcome, so that nobody is paid by a number that did not come, or spared one that did (G7, FR8).
A round stands at its table until it ends: what zero imprisoned is told each outcome once (FR1).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from ledger.domain import events as ev
from ledger.domain.ids import table_stream
from ledger.replay import Finding


@dataclass(slots=True)
class _InPlay:
    """A table's round between its opening and its payments."""

    begun: ev.TableRoundOpened
    is_closed: bool = False
    deals: bool = False
    """Whether cards are dealt after the close, on which its boxes act."""
    outcome: tuple[str, ev.Details] | None = None
    """What it showed; None until it is recorded."""


@dataclass(slots=True)
class OutcomeCheck:
    """Holds every round that was bet at a table against the table's outcome."""

    _in_play: dict[str, _InPlay] = field(default_factory=dict)
    """The round in play at each table."""
    _places: dict[UUID, str] = field(default_factory=dict)
    """The table of each round of a session that has not ended."""
    _standing: dict[str, set[UUID]] = field(default_factory=dict)
    """The same by the table."""
    _waiting: dict[str, set[UUID]] = field(default_factory=dict)
    """Those that must be told the outcome of the round in play, by the table."""

    def see(self, _: int, entry: ev.AnyEntry) -> Iterator[Finding]:
        """Take in the next entry."""
        step = _STEPS.get(entry.event.NAME)
        if step is not None:
            yield from step(self, entry, entry.event)

    def begun(self, entry: ev.AnyEntry, event: ev.TableRoundOpened) -> Iterator[Finding]:
        """A table opens a round."""
        self._in_play[entry.stream] = _InPlay(event)
        return iter(())

    def closed(self, entry: ev.AnyEntry, event: ev.BetsClosed) -> Iterator[Finding]:
        """A table takes no more bets."""
        if entry.stream in self._in_play:
            found = self._in_play[entry.stream]
            found.is_closed, found.deals = True, event.deals is True
        return iter(())

    def recorded(self, entry: ev.AnyEntry, event: ev.OutcomeRecorded[Any]) -> Iterator[Finding]:
        """A table has an outcome, once; all that stands there waits for it."""
        found = self._played(entry.stream, event.round)
        if found is None:
            yield _finding(entry, "the table plays no such round")
            return
        if found.outcome is not None:
            yield _finding(entry, "the table's round had an outcome already")
        if event.feed is not None and event.feed.round not in {None, found.begun.number}:
            yield _finding(entry, "the feed told it of another round of the table")
        found.outcome = event.shown, event.details
        self._waiting[entry.stream] = set(self._standing.get(entry.stream, ()))

    def _played(self, stream: str, table_round: UUID) -> _InPlay | None:
        """A table's round, if it is in play."""
        found = self._in_play.get(stream)
        return found if found is not None and found.begun.round == table_round else None

    def opened(self, entry: ev.AnyEntry, event: ev.RoundOpened[Any]) -> Iterator[Finding]:
        """A round of a session is bet in a round of a table."""
        if event.table is not None:
            at = table_stream(event.table.table)
            self._places[event.round] = at
            self._standing.setdefault(at, set()).add(event.round)
            self._waiting.setdefault(at, set()).add(event.round)
            yield from self._in_time(entry, event.table)

    def moved(self, entry: ev.AnyEntry, event: ev.MoveMade[Any]) -> Iterator[Finding]:
        """A further move is made in a round of a table, or between two."""
        at = self._places.get(event.round)
        if event.table is not None:
            yield from self._in_time(entry, event.table, on_cards=event.seen is not None)
            if table_stream(event.table.table) != at:
                yield _finding(entry, "names another table than its round")
        elif at in self._in_play:
            yield _finding(entry, "made in a round of the table that it does not name")

    def joined(self, entry: ev.AnyEntry, event: ev.TableRoundJoined[Any]) -> Iterator[Finding]:
        """Stakes that won play on in a round of their table, from its opening on."""
        yield from self._in_time(entry, event.table)
        if entry.command != event.table.round:
            yield _finding(entry, "joined a round of the table that its command did not open")
        if table_stream(event.table.table) != self._places.get(event.round):
            yield _finding(entry, "names another table than its round")

    def _in_time(
        self, entry: ev.AnyEntry, place: ev.TableRef, *, on_cards: bool = False
    ) -> Iterator[Finding]:
        """A move names the round that its table plays, and comes before the close or by a leave.

        One on cards comes after the close, where cards are dealt.
        """
        found = self._played(table_stream(place.table), place.round)
        if found is None:
            yield _finding(entry, "the table plays no such round")
        elif found.outcome is not None:
            yield _finding(entry, "made after the table's outcome was recorded")
        elif found.begun.limits != place.limits:
            yield _finding(entry, "names other limits than the table's round")
        elif on_cards != found.deals:
            yield _finding(entry, "made on cards before the close, or after it on none")
        elif found.is_closed and not found.deals and place.leave is None:
            yield _finding(entry, "made after the close without a leave")

    def told(self, entry: ev.AnyEntry, event: ev.OutcomeTold[Any]) -> Iterator[Finding]:
        """A round of a session is told an outcome, once."""
        at = self._places.get(event.round, "")
        found = self._played(at, event.table_round)
        if found is None or found.outcome != (event.shown, event.details):
            yield _finding(entry, "told another outcome than the table's")
        elif event.round not in self._waiting[at]:
            yield _finding(entry, "told the table's outcome again")
        self._waiting.get(at, set()).discard(event.round)

    def ended(self, _: ev.AnyEntry, event: ev.RoundSettled | ev.RoundVoided) -> Iterator[Finding]:
        """A round of a session ends; a void one waits for no outcome."""
        at = self._places.pop(event.round, "")
        self._standing.get(at, set()).discard(event.round)
        if isinstance(event, ev.RoundVoided):
            self._waiting.get(at, set()).discard(event.round)
        return iter(())

    def settled(self, entry: ev.AnyEntry, _: ev.TableRoundSettled) -> Iterator[Finding]:
        """A round of a table is paid: nobody who stood there waits any more."""
        found = self._in_play.pop(entry.stream, None)
        if found is None or found.outcome is None:
            yield _finding(entry, "settled without an outcome")
        for left in sorted(self._waiting.pop(entry.stream, set())):
            yield _finding(entry, f"the round {left} was not told the outcome")

    def voided(self, entry: ev.AnyEntry, _: ev.TableRoundVoided) -> Iterator[Finding]:
        """A round of a table does not count: nobody waits for its outcome, for it has none."""
        found = self._in_play.pop(entry.stream, None)
        self._waiting.pop(entry.stream, None)
        if found is not None and found.outcome is not None:
            yield _finding(entry, "void after its outcome was recorded")

    def end(self) -> Iterator[Finding]:
        """Nothing more: a round of a table may be in play."""
        return iter(())


_STEPS: Final[dict[str, Callable[[OutcomeCheck, ev.AnyEntry, Any], Iterator[Finding]]]] = {
    ev.TableRoundOpened.NAME: OutcomeCheck.begun,
    ev.BetsClosed.NAME: OutcomeCheck.closed,
    ev.OutcomeRecorded.NAME: OutcomeCheck.recorded,
    ev.TableRoundSettled.NAME: OutcomeCheck.settled,
    ev.TableRoundVoided.NAME: OutcomeCheck.voided,
    ev.RoundOpened.NAME: OutcomeCheck.opened,
    ev.MoveMade.NAME: OutcomeCheck.moved,
    ev.TableRoundJoined.NAME: OutcomeCheck.joined,
    ev.OutcomeTold.NAME: OutcomeCheck.told,
    ev.RoundSettled.NAME: OutcomeCheck.ended,
    ev.RoundVoided.NAME: OutcomeCheck.ended,
}


def _finding(entry: ev.AnyEntry, found: str) -> Finding:
    return Finding("outcomes", f"{entry.stream} version {entry.version}", found)
