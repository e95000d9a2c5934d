"""Sessions that ended by rule: none before its time, and each as it tells (rulings C1, G9).

A session expires when its player did not come back in the time that the sheet gave, or when its
time of play is over; a round that was in play then is its player's to finish for as long as a
player may be away. One that closed for an exclusion was barred before, or is of a player who was
excluded in the same save.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from ledger.domain import events as ev
from ledger.domain.ids import conto_stream
from ledger.replay import Finding
from ledger.seal.plans import Plans

_BY_RULE: Final = ("expired", "time-over")
"""Reasons of a close that an expiry tells before."""


@dataclass(slots=True)
class _Playing:
    """What of a session tells when it may expire."""

    player: str = ""
    since: datetime | None = None
    """When it opened, or its player last came back."""
    away: datetime | None = None
    """When its connection was lost, while it is."""
    rounds: set[UUID] = field(default_factory=set)
    """Those in play."""
    ended_by: UUID | None = None
    """The command that ended its last round."""
    expired: ev.SessionExpired | None = None
    is_barred: bool = False


@dataclass(slots=True)
class ExpiryCheck:
    """Holds each end by rule against the session's own plan, connection and rounds."""

    _plans: Plans = field(default_factory=Plans)
    _playing: dict[str, _Playing] = field(default_factory=dict)
    """By session that has not ended."""
    _ended: dict[UUID, list[tuple[str, str]]] = field(default_factory=dict)
    """Sessions closed or barred for an exclusion with their players, by the command of its save."""
    _excluded: dict[UUID, set[str]] = field(default_factory=dict)
    """The players whom a save excludes: before what it ends or after it, by its command."""

    def see(self, _: int, entry: ev.AnyEntry) -> Iterator[Finding]:
        """Take in the next entry."""
        step = _STEPS.get(entry.event.NAME)
        if step is not None:
            yield from step(self, entry, entry.event)
        self._plans.see(entry)

    def requested(self, entry: ev.AnyEntry, event: ev.ParticipationRequested) -> Iterator[Finding]:
        """A session is of a player."""
        self._of(entry).player = event.player
        return iter(())

    def opened(self, entry: ev.AnyEntry, _: ev.SessionOpened) -> Iterator[Finding]:
        """A session is played."""
        self._of(entry).since = entry.recorded
        return iter(())

    def lost(self, entry: ev.AnyEntry, event: ev.SessionDisconnected) -> Iterator[Finding]:
        """A player is away, since a moment of the session."""
        playing = self._of(entry)
        if playing.since is None or not playing.since <= event.at <= entry.recorded:
            yield _finding(entry, f"lost its connection at {event.at}, when that could not be")
        playing.away = event.at

    def back(self, entry: ev.AnyEntry, _: ev.SessionReconnected) -> Iterator[Finding]:
        """A player came back in time."""
        playing = self._of(entry)
        until = self._back_until(entry.stream, playing)
        if until is None or entry.recorded >= until:
            yield _finding(entry, f"came back, and may have until {until}")
        playing.away, playing.since = None, entry.recorded

    def _back_until(self, stream: str, playing: _Playing) -> datetime | None:
        """Until when a player who is away may come back."""
        return None if playing.away is None else playing.away + self._plans.of(stream).reconnect

    def begun(self, entry: ev.AnyEntry, event: ev.RoundOpened[Any]) -> Iterator[Finding]:
        """A round is in play, of a player who is there."""
        playing = self._of(entry)
        if playing.away is not None:
            yield _finding(entry, "a round begins while its player is away")
        playing.rounds.add(event.round)

    def over(
        self, entry: ev.AnyEntry, event: ev.RoundSettled | ev.RoundVoided
    ) -> Iterator[Finding]:
        """A round is in play no more."""
        playing = self._of(entry)
        playing.rounds.discard(event.round)
        playing.ended_by = entry.command
        return iter(())

    def barred(self, entry: ev.AnyEntry, _: ev.SessionBarred) -> Iterator[Finding]:
        """A session is to end for an exclusion, later than the exclusion."""
        playing = self._of(entry)
        playing.is_barred = True
        self._ends(entry, playing)
        return iter(())

    def _ends(self, entry: ev.AnyEntry, playing: _Playing) -> None:
        self._ended.setdefault(entry.command, []).append((entry.stream, playing.player))

    def expired(self, entry: ev.AnyEntry, event: ev.SessionExpired) -> Iterator[Finding]:
        """A session expires when it is due, once."""
        playing = self._of(entry)
        if playing.expired is not None:
            yield _finding(entry, "expired a second time")
        playing.expired = event
        due = self._due(entry, playing, event)
        if event.due != due:
            yield _finding(entry, f"was due {event.due}, and by its events {due}")
        elif entry.recorded < event.due:
            yield _finding(entry, f"expired before it was due, {event.due}")

    def _due(
        self, entry: ev.AnyEntry, playing: _Playing, event: ev.SessionExpired
    ) -> datetime | None:
        """When it expires for the cause that is told; None where that one does not come first.

        A table's round that ends tells the time away alone, though time of play may be over too.
        """
        away = self._back_until(entry.stream, playing)
        if event.cause is None:
            return away
        plan = self._plans.of(entry.stream)
        had_rounds = bool(playing.rounds) or playing.ended_by == entry.command
        if plan.plays_until is None:
            return None
        over = plan.plays_until + (plan.reconnect if had_rounds else timedelta())
        return over if away is None or over < away else None

    def closed(self, entry: ev.AnyEntry, event: ev.SessionClosed) -> Iterator[Finding]:
        """A close by rule was told before, by the same cause."""
        playing = self._playing.pop(entry.stream, _Playing())
        if event.reason == "excluded" and not playing.is_barred:
            self._ends(entry, playing)
        if event.reason not in _BY_RULE:
            return
        told = None if playing.expired is None else playing.expired.cause or "expired"
        if told != event.reason:
            yield _finding(entry, f"closed as {event.reason}, and told before is {told}")

    def excluded(self, entry: ev.AnyEntry, event: ev.ContoExcluded) -> Iterator[Finding]:
        """The save of an exclusion closes what its player played, or bars it."""
        if entry.stream == conto_stream(event.player):
            self._excluded.setdefault(entry.command, set()).add(event.player)
        return iter(())

    def answered(self, entry: ev.AnyEntry, _: ev.CommandAnswered) -> Iterator[Finding]:
        """At the end of a save the exclusion of each player whose session it ends was told."""
        excluded = self._excluded.pop(entry.command, ())
        for stream, player in self._ended.pop(entry.command, ()):
            if player not in excluded:
                yield Finding(
                    "expiries", stream, "ends by an exclusion that its save does not tell"
                )

    def _of(self, entry: ev.AnyEntry) -> _Playing:
        return self._playing.setdefault(entry.stream, _Playing())

    def end(self) -> Iterator[Finding]:
        """Nothing more: sessions may go on, and duties may be late."""
        return iter(())


_STEPS: Final[dict[str, Callable[[ExpiryCheck, ev.AnyEntry, Any], Iterator[Finding]]]] = {
    ev.ParticipationRequested.NAME: ExpiryCheck.requested,
    ev.SessionOpened.NAME: ExpiryCheck.opened,
    ev.SessionDisconnected.NAME: ExpiryCheck.lost,
    ev.SessionReconnected.NAME: ExpiryCheck.back,
    ev.RoundOpened.NAME: ExpiryCheck.begun,
    ev.RoundSettled.NAME: ExpiryCheck.over,
    ev.RoundVoided.NAME: ExpiryCheck.over,
    ev.SessionBarred.NAME: ExpiryCheck.barred,
    ev.SessionExpired.NAME: ExpiryCheck.expired,
    ev.SessionClosed.NAME: ExpiryCheck.closed,
    ev.ContoExcluded.NAME: ExpiryCheck.excluded,
    ev.CommandAnswered.NAME: ExpiryCheck.answered,
}


def _finding(entry: ev.AnyEntry, found: str) -> Finding:
    return Finding("expiries", f"{entry.stream} version {entry.version}", found)
