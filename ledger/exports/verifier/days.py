"""Business days: midnight to midnight in Rome, by which reports count."""

from datetime import date, datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

_ROME: Final = ZoneInfo("Europe/Rome")
_HOUR: Final = len("2026-11-30T23")


def day_of(recorded: str) -> date:
    """The business day of a stored time, such as `2026-11-30T23:06:00.5Z`."""
    return _day_of_hour(recorded[:_HOUR])


@lru_cache(maxsize=4096)
def _day_of_hour(hour: str) -> date:
    """Rome's midnight is a whole hour in UTC, so that an hour lies in one day."""
    return datetime.fromisoformat(f"{hour}:00:00+00:00").astimezone(_ROME).date()
