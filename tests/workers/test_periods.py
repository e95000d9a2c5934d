"""The regulator's calendar: which periods there are, their names, and when they are due."""

from datetime import UTC, date, datetime, timedelta

import pytest

from workers.reports.periods import (
    Unit,
    ending_with,
    of_day,
    of_life,
    of_month,
    of_year,
    read_period,
)

OCTOBER, MARCH = date(2026, 10, 7), date(2026, 3, 7)


@pytest.mark.parametrize(
    ("period", "name"),
    [
        (of_day(OCTOBER), "2026-10-07"),
        (of_month(OCTOBER), "2026-10"),
        (of_year(OCTOBER), "2026"),
        (of_life(OCTOBER), "life-2026-10-07"),
    ],
)
def test_a_period_is_read_back_from_its_name(period, name):
    """As files are named, so it is asked for."""
    assert name == period.name
    assert period == read_period(name)


@pytest.mark.parametrize(
    "name",
    ["", "26", "2026-1", "2026-13", "2026-02-30", "2026-10-7", "life", "life-2026", "life-2026-10",
     "2026-10-07\n", "٢٠٢٦", "20261007"],
)  # fmt: skip
def test_what_names_no_period_is_an_error(name):
    """Nothing is guessed."""
    with pytest.raises(ValueError):
        read_period(name)


@pytest.mark.parametrize(
    ("month", "begins", "hours"),
    [
        (OCTOBER, datetime(2026, 9, 30, 22, tzinfo=UTC), 31 * 24 + 1),
        (MARCH, datetime(2026, 2, 28, 23, tzinfo=UTC), 31 * 24 - 1),
        (date(2028, 2, 29), datetime(2028, 1, 31, 23, tzinfo=UTC), 29 * 24),
    ],
)
def test_s19_a_month_has_the_hours_that_its_clocks_give_it(month, begins, hours):
    """An hour more in October, one less in March, and a leap day."""
    days = of_month(month).days

    assert (begins, begins + timedelta(hours=hours)) == (days.begins, days.ends)


def test_s19_the_days_of_a_year_are_its_months_and_none_is_in_two():
    """Given every day of four years, then each month is its days, and each year its months."""
    days = [date(2026, 1, 1) + timedelta(days=n) for n in range(4 * 365 + 1)]
    ended = [period for day in days for period in ending_with(day)]

    by_unit = {unit: [p for p in ended if p.unit is unit] for unit in Unit}
    assert {Unit.DAY: 1461, Unit.MONTH: 48, Unit.YEAR: 4, Unit.LIFE: 48} == {
        unit: len(found) for unit, found in by_unit.items()
    }
    for unit in (Unit.DAY, Unit.MONTH, Unit.YEAR):
        found = by_unit[unit]
        assert [p.days.ends for p in found[:-1]] == [p.days.begins for p in found[1:]]
        assert (days[0], days[-1]) == (found[0].days.first, found[-1].days.last)


def test_each_period_falls_due_with_its_last_day():
    """The last of November, of a common February and of December; no other day is but a day."""
    assert [Unit.DAY] == [p.unit for p in ending_with(date(2026, 11, 29))]
    for end in (date(2026, 11, 30), date(2026, 2, 28)):
        assert [Unit.DAY, Unit.MONTH, Unit.LIFE] == [p.unit for p in ending_with(end)]
    assert [Unit.DAY] == [p.unit for p in ending_with(date(2028, 2, 28))]
    assert {*Unit} == {p.unit for p in ending_with(date(2026, 12, 31))}
