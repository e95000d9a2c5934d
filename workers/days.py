"""When a business day is closed: its report is due some minutes after its end (fault S19).

A round counts on the business day of its settlement (design of the book, settled question 8).
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from ledger.domain.days import ZONE, bounds, day_of

__all__ = ["REPORT_DELAY", "ZONE", "bounds", "closes_at", "day_of", "last_over"]

REPORT_DELAY: Final = timedelta(minutes=5)
"""How long after its end a day is closed."""


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
        return bounds(self.first)[0]

    @property
    def ends(self) -> datetime:
        """The first moment after the period, in UTC."""
        return bounds(self.last)[1]


def closes_at(day: date) -> datetime:
    """The earliest moment at which a day may be closed, in UTC."""
    return bounds(day)[1] + REPORT_DELAY


def last_over(now: datetime) -> date:
    """The last day that may be closed at a moment."""
    return day_of(now - REPORT_DELAY) - timedelta(days=1)
