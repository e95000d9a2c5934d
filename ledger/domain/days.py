"""Business days: midnight to midnight in Europe/Rome, 23 or 25 hours long where clocks change.

Weeks run from Monday to Sunday and months by the calendar, as limits of a conto count them (rules
of the Italian concession on account limits).
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

Period = Literal["day", "week", "month"]

ZONE: Final = "Europe/Rome"

_ROME: Final = ZoneInfo(ZONE)


def day_of(instant: datetime) -> date:
    """The business day of a moment (aware)."""
    return instant.astimezone(_ROME).date()


def bounds(day: date) -> tuple[datetime, datetime]:
    """The first moment of a day and the first moment after it, in UTC."""
    return _midnight(day), _midnight(day + timedelta(days=1))


def first_of(period: Period, day: date) -> date:
    """The first day of the period that a day lies in."""
    if period == "day":
        return day
    return day.replace(day=1) if period == "month" else day - timedelta(days=day.weekday())


def next_first(period: Period, day: date) -> date:
    """The first day of the period after the one that a day lies in."""
    length = {"day": 1, "week": 7, "month": 31}[period]
    return first_of(period, first_of(period, day) + timedelta(days=length))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), _ROME).astimezone(UTC)
