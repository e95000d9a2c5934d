"""Business days: midnight to midnight in Europe/Rome, 23 or 25 hours long where clocks change.

A round counts on the business day of its settlement, and a day's report is due some minutes after
the day's end (design of the book, settled question 8; fault S19).
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

ZONE: Final = "Europe/Rome"
REPORT_DELAY: Final = timedelta(minutes=5)
"""How long after its end a day is closed."""

_ROME: Final = ZoneInfo(ZONE)


@dataclass(frozen=True, slots=True)
class Days:
    """A period of business days, both ends included; from `date.min` on it has no beginning."""

    first: date
    last: date

    @property
    def begins(self) -> datetime:
        """The first moment of the period, in UTC."""
        if self.first == date.min:
            return datetime.min.replace(tzinfo=UTC)
        return _midnight(self.first)

    @property
    def ends(self) -> datetime:
        """The first moment after the period, in UTC."""
        return bounds(self.last)[1]


def day_of(instant: datetime) -> date:
    """The business day of a moment (aware)."""
    return instant.astimezone(_ROME).date()


def bounds(day: date) -> tuple[datetime, datetime]:
    """The first moment of a day and the first moment after it, in UTC."""
    return _midnight(day), _midnight(day + timedelta(days=1))


def closes_at(day: date) -> datetime:
    """The earliest moment at which a day may be closed, in UTC."""
    return bounds(day)[1] + REPORT_DELAY


def last_over(now: datetime) -> date:
    """The last day that may be closed at a moment."""
    return day_of(now - REPORT_DELAY) - timedelta(days=1)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), _ROME).astimezone(UTC)
