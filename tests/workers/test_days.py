"""Business days of Europe/Rome, on days of 23, 24 and 25 hours."""

from datetime import UTC, date, datetime, timedelta

import pytest

from workers.days import bounds, closes_at, day_of, last_over

OCTOBER, MARCH = date(2026, 10, 25), date(2026, 3, 29)


@pytest.mark.parametrize(
    ("instant", "day"),
    [
        (datetime(2026, 10, 24, 22, 30, tzinfo=UTC), OCTOBER),
        (datetime(2026, 10, 25, 22, 30, tzinfo=UTC), OCTOBER),
        (datetime(2026, 10, 25, 23, 30, tzinfo=UTC), date(2026, 10, 26)),
        (datetime(2026, 3, 29, 21, 30, tzinfo=UTC), MARCH),
        (datetime(2026, 3, 29, 22, 30, tzinfo=UTC), date(2026, 3, 30)),
    ],
)
def test_s19_a_moment_belongs_to_the_day_that_rome_has_then(instant, day):
    """The clock change neither loses nor doubles an hour."""
    assert day == day_of(instant)


@pytest.mark.parametrize(("day", "hours"), [(OCTOBER, 25), (MARCH, 23), (date(2026, 11, 30), 24)])
def test_s19_a_day_is_as_long_as_its_clocks_make_it(day, hours):
    """25 hours in October, 23 in March, 24 otherwise."""
    begins, ends = bounds(day)

    assert timedelta(hours=hours) == ends - begins


def test_s19_days_follow_each_other_without_gap_or_overlap():
    """Every day of a year ends where the next begins, and holds its first and last moment."""
    for number in range(366):
        day = date(2026, 1, 1) + timedelta(days=number)
        begins, ends = bounds(day)

        assert bounds(day + timedelta(days=1))[0] == ends
        assert day == day_of(begins)
        assert day == day_of(ends - timedelta(microseconds=1))


def test_a_day_may_be_closed_five_minutes_after_its_end():
    """The last day over changes at exactly that moment."""
    closes = datetime(2026, 10, 25, 23, 5, tzinfo=UTC)

    assert closes == closes_at(OCTOBER)
    assert OCTOBER == last_over(closes)
    assert date(2026, 10, 24) == last_over(closes - timedelta(microseconds=1))
