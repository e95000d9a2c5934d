"""What players planned for their sessions, and until when each may play, folded from the events."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from ledger.domain import events as ev
from ledger.domain.terms import Limits


@dataclass(slots=True)
class Plan:
    """The limits that a session's player planned, when it opened, and when its time is over."""

    limits: Limits = field(default_factory=Limits)
    opened: datetime | None = None
    time_over: datetime | None = None
    reconnect: timedelta = timedelta()
    """How long its player may be away."""

    @property
    def plays_until(self) -> datetime | None:
        """From when on no bet may begin; None where neither plan nor limit says."""
        if self.opened is None or self.limits.seconds is None:
            return self.time_over
        planned = self.opened + timedelta(seconds=self.limits.seconds)
        return planned if self.time_over is None else min(planned, self.time_over)

    def is_over(self, now: datetime) -> bool:
        """Whether no bet may begin any more."""
        until = self.plays_until
        return until is not None and now >= until


_NONE: Final = Plan()


@dataclass(slots=True)
class Plans:
    """The plans of sessions that have not ended, as of the entries seen so far."""

    _plans: dict[str, Plan] = field(default_factory=dict)

    def of(self, stream: str) -> Plan:
        """The plan of a session; an empty one where nothing was seen of it."""
        return self._plans.get(stream, _NONE)

    def see(self, entry: ev.AnyEntry) -> None:
        """Take in the next entry; after its close nothing is known of a session."""
        event = entry.event
        if isinstance(event, ev.ParticipationRequested):
            plan = self._plans.setdefault(entry.stream, Plan())
            plan.limits = plan.limits.narrowed(Limits(event.limit_loss, event.limit_seconds))
            plan.time_over = event.time_over or plan.time_over
            plan.reconnect = timedelta(seconds=event.reconnect_seconds)
        elif isinstance(event, ev.SessionTimeLimited):
            self._plans.setdefault(entry.stream, Plan()).time_over = event.time_over
        elif isinstance(event, ev.SessionOpened):
            self._plans.setdefault(entry.stream, Plan()).opened = entry.recorded
        elif isinstance(event, ev.SessionClosed):
            self._plans.pop(entry.stream, None)
