"""What beat sends when, as data. A message that nobody takes in time is dropped, not heaped up."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from celery.schedules import crontab

from workers.days import REPORT_DELAY
from workers.projections.registry import PROJECTIONS


@dataclass(frozen=True, slots=True)
class Timed:
    """A task, its arguments, and its rhythm: an interval, or a time of the day in Europe/Rome."""

    task: str
    every: timedelta | crontab
    expires: float
    """Seconds after which the message is worth nothing, because the next one is there."""
    arguments: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The entry's name in beat."""
        return " ".join((self.task, *self.arguments))


_MINUTES: Final = int(REPORT_DELAY.total_seconds()) // 60

SCHEDULE: Final[tuple[Timed, ...]] = (
    Timed("seal", timedelta(seconds=1), expires=2),
    *(Timed("project", timedelta(seconds=2), 4, (p.name,)) for p in PROJECTIONS),
    Timed("expire_sessions", timedelta(seconds=30), expires=60),
    Timed("ask_pending_rights", timedelta(seconds=30), expires=60),
    Timed("finish_spins", timedelta(minutes=1), expires=60),
    Timed("pass_turns", timedelta(seconds=2), expires=4),
    Timed("disconnect_idle", timedelta(seconds=30), expires=60),
    Timed("expire_series", timedelta(hours=1), expires=3600),
    Timed("erase_forgotten", timedelta(hours=1), expires=3600),
    # The first run of a day falls on its predecessor's end and the delay of reports; the later ones
    # find nothing to do, or what was missed.
    Timed("report_days", crontab(minute=f"{_MINUTES}-59/{_MINUTES}"), expires=60 * _MINUTES),
    # A day's records a quarter of an hour after its closing; each hour for what was blocked then.
    Timed("release_records", crontab(minute="20"), expires=3600),
    Timed("reconcile_inside", crontab(minute="15", hour="4"), expires=3600),
    Timed("reconcile_central", crontab(minute="45", hour="4"), expires=3600),
    Timed("take_statements", timedelta(minutes=5), expires=300),
    Timed("watch_returns", crontab(minute=f"{2 * _MINUTES}-59/{_MINUTES}"), expires=60 * _MINUTES),
    Timed("take_snapshots", timedelta(minutes=10), expires=600),
)


def beat_schedule(prefix: str) -> dict[str, dict[str, Any]]:
    """The schedule as Celery's beat takes it, with the names of tasks under a prefix."""
    return {
        timed.name: {
            "task": prefix + timed.task,
            "schedule": timed.every,
            "args": timed.arguments,
            "options": {"expires": timed.expires},
        }
        for timed in SCHEDULE
    }
