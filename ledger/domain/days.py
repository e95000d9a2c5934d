"""Business days: midnight to midnight in Europe/Rome, 23 or 25 hours long where clocks change.

Weeks run from Monday to Sunday and months by the calendar, as limits of a conto count them (rules
of the Italian concession on account limits).
"""

from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

Period = Literal["day", "week", "month"]

ZONE: Final = "Europe/Rome"

YEARS: Final = range(1900, 3000)
"""Years that calendars and time zones can reckon with."""

_ROME: Final = ZoneInfo(ZONE)


def day_of(instant: datetime, zone: ZoneInfo = _ROME) -> date:
    """The business day of a moment (aware), or the day by another zone's midnights."""
    return instant.astimezone(zone).date()


def bounds(day: date, zone: ZoneInfo = _ROME) -> tuple[datetime, datetime]:
    """The first moment of a day and the first moment after it, in UTC."""
    return _midnight(day, zone), _midnight(day + timedelta(days=1), zone)


def first_of(period: Period, day: date) -> date:
    """The first day of the period that a day lies in."""
    if period == "day":
        return day
    return day.replace(day=1) if period == "month" else day - timedelta(days=day.weekday())


def next_first(period: Period, day: date) -> date:
    """The first day of the period after the one that a day lies in."""
    length = {"day": 1, "week": 7, "month": 31}[period]
    return first_of(period, first_of(period, day) + timedelta(days=length))


def months_after(instant: datetime, months: int) -> datetime:
    """The same time of Rome's clocks some months later, on the month's last day at most; in UTC."""
    local = instant.astimezone(_ROME)
    years, month = divmod(local.month - 1 + months, 12)
    year, day = local.year + years, local.day
    last = monthrange(year, month + 1)[1]
    return local.replace(year=year, month=month + 1, day=min(day, last)).astimezone(UTC)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
