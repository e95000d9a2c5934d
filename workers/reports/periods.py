"""The periods of reports by the regulator's calendar: a day, a month, a year, and life to date."""

import calendar
import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from workers.days import Days


class Unit(StrEnum):
    """How long a period is."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    LIFE = "life"
    """From the book's opening to a day's end."""


@dataclass(frozen=True, slots=True)
class Period:
    """What a report is about; it can be told when its last day is closed."""

    unit: Unit
    days: Days

    @property
    def name(self) -> str:
        """As files are named: `2026-11-30`, `2026-11`, `2026`, or `life-2026-11-30`."""
        last = self.days.last.isoformat()
        length = {Unit.MONTH: 7, Unit.YEAR: 4}.get(self.unit, len(last))
        return f"life-{last}" if self.unit is Unit.LIFE else last[:length]


def of_day(day: date) -> Period:
    """The period of one business day."""
    return Period(Unit.DAY, Days(day, day))


def of_month(day: date) -> Period:
    """The calendar month that a day is in."""
    last = calendar.monthrange(day.year, day.month)[1]
    return Period(Unit.MONTH, Days(day.replace(day=1), day.replace(day=last)))


def of_year(day: date) -> Period:
    """The calendar year that a day is in."""
    return Period(Unit.YEAR, Days(date(day.year, 1, 1), date(day.year, 12, 31)))


def of_life(last: date) -> Period:
    """All of the book's life to the end of a day."""
    return Period(Unit.LIFE, Days(date.min, last))


def read_period(name: str) -> Period:
    """The period of a name; raise `ValueError` for what is none."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"{name} names no period")
    life, year, month, day = match.groups()
    found = date(int(year), int(month or 1), int(day or 1))
    if life:
        return of_life(found)
    if day:
        return of_day(found)
    return of_month(found) if month else of_year(found)


def ending_with(day: date) -> tuple[Period, ...]:
    """The periods that end with a business day: itself, and at a month's end what ends then.

    Life to date is told at each month's end.
    """
    month, year = of_month(day), of_year(day)
    monthly = (month, of_life(day)) if month.days.last == day else ()
    yearly = (year,) if year.days.last == day else ()
    return (of_day(day), *monthly, *yearly)


_NAME: Final = re.compile(r"(?:(life)-(?=\d{4}-\d\d-))?(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)
