"""Sessions that ended by rule: none before its time, and each as it tells (rulings C1, G9).

A session expires when its player did not come back in the time that the sheet gave, or when its
time of play is over; a round that was in play then is its player's to finish for as long as a
player may be away. One that closed for an exclusion was excluded in the same save, or barred.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from ledger.domain import events as ev
from ledger.replay import Finding
from ledger.seal.plans import Plans

_BY_RULE: Final = ("expired", "time-over")
"""Reasons of a close that an expiry tells before."""


@dataclass(slots=True)
class _Playing:
    """What of a session tells when it may expire."""

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
    _excluded: dict[UUID, list[str]] = field(default_factory=dict)
    """Sessions closed for an exclusion, by the command of the save that must tell it."""
    _excluding: set[UUID] = field(default_factory=set)
    """Commands that exclude, while their saves are read: before the session's close or after it."""

    def see(self, _: int, entry: ev.AnyEntry) -> Iterator[Finding]:
        """Take in the next entry."""
        step = _STEPS.get(entry.event.NAME)
        if step is not None:
            yield from step(self, entry, entry.event)
        self._plans.see(entry)

    def opened(self, entry: ev.AnyEntry, _: ev.SessionOpened) -> Iterator[Finding]:
        """A session is played."""
        self._of(entry)
        return iter(())

    def lost(self, entry: ev.AnyEntry, event: ev.SessionDisconnected) -> Iterator[Finding]:
        """A player is away."""
        self._of(entry).away = event.at
        return iter(())

    def back(self, entry: ev.AnyEntry, _: ev.SessionReconnected) -> Iterator[Finding]:
        """A player came back."""
        self._of(entry).away = None
        return iter(())

    def begun(self, entry: ev.AnyEntry, event: ev.RoundOpened[Any]) -> Iterator[Finding]:
        """A round is in play."""
        self._of(entry).rounds.add(event.round)
        return iter(())

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
        self._of(entry).is_barred = True
        return iter(())

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
        """When it expires for the cause that is told; None where that cause never comes."""
        plan = self._plans.of(entry.stream)
        if event.cause is None:
            return None if playing.away is None else playing.away + plan.reconnect
        until = plan.plays_until
        had_rounds = bool(playing.rounds) or playing.ended_by == entry.command
        return None if until is None else until + (plan.reconnect if had_rounds else timedelta())

    def closed(self, entry: ev.AnyEntry, event: ev.SessionClosed) -> Iterator[Finding]:
        """A close by rule was told before, by the same cause."""
        playing = self._playing.pop(entry.stream, _Playing())
        if event.reason == "excluded" and not playing.is_barred:
            self._excluded.setdefault(entry.command, []).append(entry.stream)
        if event.reason not in _BY_RULE:
            return
        told = None if playing.expired is None else playing.expired.cause or "expired"
        if told != event.reason:
            yield _finding(entry, f"closed as {event.reason}, and told before is {told}")

    def excluded(self, entry: ev.AnyEntry, _: ev.ContoExcluded) -> Iterator[Finding]:
        """The save of an exclusion closes what its player played."""
        self._excluding.add(entry.command)
        return iter(())

    def answered(self, entry: ev.AnyEntry, _: ev.CommandAnswered) -> Iterator[Finding]:
        """At the end of a save its exclusion was told."""
        closed = self._excluded.pop(entry.command, ())
        if entry.command in self._excluding:
            self._excluding.remove(entry.command)
            return
        for stream in closed:
            yield Finding("expiries", stream, "closed as excluded, and nobody was excluded")

    def _of(self, entry: ev.AnyEntry) -> _Playing:
        return self._playing.setdefault(entry.stream, _Playing())

    def end(self) -> Iterator[Finding]:
        """Nothing more: sessions may go on, and duties may be late."""
        return iter(())


_STEPS: Final[dict[str, Callable[[ExpiryCheck, ev.AnyEntry, Any], Iterator[Finding]]]] = {
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
