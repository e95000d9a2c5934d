"""Limits of contos: nothing beyond what was in force, and none in force sooner than it may be.

So are bans: nothing is paid in or begun by a player who is excluded or suspended.

Each conto is folded again, and each step is held against the limits before it: deposits, transfers
to a posta, and when the time of play is over, which a session is told in the save of its conto.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from ledger.domain import conto, conto_limits, events as ev
from ledger.domain.ids import session_stream
from ledger.domain.refusals import Refusal
from ledger.domain.registry import kind_of
from ledger.replay import Finding


@dataclass(slots=True)
class _Told:
    """When play is over in the sessions of one save: as their conto says, and as they do."""

    by_conto: dict[str, datetime | None] = field(default_factory=dict)
    by_session: dict[str, datetime | None] = field(default_factory=dict)


@dataclass(slots=True)
class LimitCheck:
    """Holds contos and their sessions against the limits that their players set."""

    _contos: dict[str, conto.State] = field(default_factory=dict)
    _over: dict[str, datetime] = field(default_factory=dict)
    """When the time of play is over, by session that has not ended."""
    _told: dict[UUID, _Told] = field(default_factory=dict)
    """By the command of a save."""

    def see(self, _: int, entry: ev.AnyEntry) -> Iterator[Finding]:
        """Take in the next entry."""
        if kind_of(entry.stream) == "conto":
            yield from self._conto(entry)
            return
        step = _STEPS.get(entry.event.NAME)
        if step is not None:
            yield from step(self, entry, entry.event)

    def _conto(self, entry: ev.AnyEntry) -> Iterator[Finding]:
        state = self._contos.get(entry.stream, conto.START)
        if not isinstance(state, conto.Conto) and not isinstance(entry.event, ev.ContoOpened):
            return  # what other checks find: a conto that was never opened, or closed before
        step = _OF_CONTOS.get(entry.event.NAME)
        if step is not None:
            yield from step(self, entry, entry.event)
        self._contos[entry.stream] = conto.evolve(state, entry.event, entry.recorded)

    def _holder(self, entry: ev.AnyEntry) -> conto.Conto:
        state = self._contos[entry.stream]
        assert isinstance(state, conto.Conto)
        return state

    def deposited(self, entry: ev.AnyEntry, event: ev.FundsDeposited) -> Iterator[Finding]:
        """Money comes in within the limits on deposits."""
        holder = self._holder(entry)
        yield from _refused(entry, conto.at_liberty(holder, entry.recorded))
        yield from _refused(entry, holder.beyond("deposit", event.amount, entry.recorded))

    def transferred(
        self, entry: ev.AnyEntry, event: ev.FundsTransferredToPosta
    ) -> Iterator[Finding]:
        """Money goes to play within the limits on spend, and begins play in the time that is left.

        A session is told when the time is over.
        """
        holder = self._holder(entry)
        yield from _refused(entry, conto.at_liberty(holder, entry.recorded))
        yield from _refused(entry, holder.beyond("spend", event.amount, entry.recorded))
        first = event.session not in holder.sessions
        over = holder.time_over(entry.recorded) if first else None
        if event.time_over != over:
            yield _finding(entry, f"the time of play is over {over}, and not {event.time_over}")
        if over is not None and over <= entry.recorded:
            yield from _refused(entry, conto_limits.no_time_left(holder.limits, entry.recorded))
        told = self._told.setdefault(entry.command, _Told())
        told.by_conto[session_stream(event.session)] = event.time_over

    def limited(self, entry: ev.AnyEntry, event: ev.ContoLimitSet) -> Iterator[Finding]:
        """A limit is in force when it may be, and what is played is told when it stops by it."""
        now, holder = entry.recorded, self._holder(entry)
        asked = (event.limit, event.period, event.most)
        if event.asked != now:
            yield _finding(entry, f"asked for {event.asked}, and recorded {now}")
        begins = conto_limits.begins(holder.limits, asked, now)
        if event.in_force_from != begins:
            yield _finding(entry, f"in force from {event.in_force_from}, and not from {begins}")
        over, sessions = conto.stopped_by(holder, event, now)
        if event.time_over != over:
            yield _finding(entry, f"what is played stops {over}, and not {event.time_over}")
        told = self._told.setdefault(entry.command, _Told())
        told.by_conto |= {session_stream(s): event.time_over for s in sessions}

    def revoked(self, entry: ev.AnyEntry, event: ev.ExclusionRevoked) -> Iterator[Finding]:
        """An open-ended exclusion is revoked after its least time, and ends some days later."""
        since, now = self._holder(entry).excluded_since, entry.recorded
        if since is None or now < conto.revocable_from(since):
            yield _finding(entry, f"revoked {now} an exclusion that could not be")
        if event.until != now + conto.REVOKED_AFTER:
            yield _finding(entry, f"the exclusion ends {event.until}")

    def requested(self, entry: ev.AnyEntry, event: ev.ParticipationRequested) -> Iterator[Finding]:
        """A session is told with its first right when the time of play is over."""
        self._tell(entry, event.time_over)
        return iter(())

    def shortened(self, entry: ev.AnyEntry, event: ev.SessionTimeLimited) -> Iterator[Finding]:
        """A session is told that the time of play is over sooner."""
        self._tell(entry, event.time_over)
        return iter(())

    def _tell(self, entry: ev.AnyEntry, over: datetime | None) -> None:
        told = self._told.setdefault(entry.command, _Told())
        told.by_session[entry.stream] = over
        if over is not None:
            self._over[entry.stream] = over

    def answered(self, entry: ev.AnyEntry, _: ev.CommandAnswered) -> Iterator[Finding]:
        """At the end of a save its conto and its sessions say the same."""
        told = self._told.pop(entry.command, _Told())
        for stream in sorted(told.by_conto.keys() | told.by_session.keys()):
            if told.by_conto.get(stream) != told.by_session.get(stream):
                yield Finding("limits", stream, "its time of play is not over as its conto says")

    def begun(self, entry: ev.AnyEntry, _: ev.RoundOpened[Any]) -> Iterator[Finding]:
        """A round begins before the time of play is over."""
        over = self._over.get(entry.stream)
        if over is not None and entry.recorded >= over:
            yield _finding(entry, f"begun after the time of play was over, {over}")

    def closed(self, entry: ev.AnyEntry, _: ev.SessionClosed) -> Iterator[Finding]:
        """A session that ended is played no more."""
        self._over.pop(entry.stream, None)
        return iter(())

    def end(self) -> Iterator[Finding]:
        """Nothing more: saves are sealed whole."""
        return iter(())


_Steps = dict[str, Callable[[LimitCheck, ev.AnyEntry, Any], Iterator[Finding]]]

_OF_CONTOS: Final[_Steps] = {
    ev.FundsDeposited.NAME: LimitCheck.deposited,
    ev.FundsTransferredToPosta.NAME: LimitCheck.transferred,
    ev.ContoLimitSet.NAME: LimitCheck.limited,
    ev.ExclusionRevoked.NAME: LimitCheck.revoked,
}
"""Events that have a meaning in a conto's stream alone; elsewhere other checks find them."""

_STEPS: Final[_Steps] = {
    ev.ParticipationRequested.NAME: LimitCheck.requested,
    ev.SessionTimeLimited.NAME: LimitCheck.shortened,
    ev.CommandAnswered.NAME: LimitCheck.answered,
    ev.RoundOpened.NAME: LimitCheck.begun,
    ev.SessionClosed.NAME: LimitCheck.closed,
}


def _refused(entry: ev.AnyEntry, answer: Refusal | conto.Conto | None) -> Iterator[Finding]:
    """What should have been refused."""
    if isinstance(answer, Refusal):
        yield _finding(entry, f"accepted against the conto: {answer.message}")


def _finding(entry: ev.AnyEntry, found: str) -> Finding:
    return Finding("limits", f"{entry.stream} version {entry.version}", found)
