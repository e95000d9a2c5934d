"""When the monitoring looks at returns, and how the level of all its looks is spent, by hand."""

from datetime import date, timedelta
from fractions import Fraction

import numpy as np
import pytest

from workers.monitoring.looks import (
    EVIDENCE,
    THRESHOLDS,
    graded,
    is_end_of_window,
    look_of,
    spent,
    window_of,
)
from workers.monitoring.standing import Returns
from workers.monitoring.statistics import chance_beyond

FIRST = date(2026, 1, 1)


def test_windows_of_30_days_touch_and_never_share_a_day():
    """Given a book from 1 January on, then windows end on 30 January, 1 March, 31 March, .."""
    ends = [FIRST + timedelta(days=n) for n in range(90)]
    ends = [day for day in ends if is_end_of_window(FIRST, day)]

    assert [date(2026, 1, 30), date(2026, 3, 1), date(2026, 3, 31)] == ends
    assert [
        (date(2026, 1, 1), date(2026, 1, 30)),
        (date(2026, 1, 31), date(2026, 3, 1)),
        (date(2026, 3, 2), date(2026, 3, 31)),
    ] == [window_of(day) for day in ends]


@pytest.mark.parametrize(
    ("before", "rounds", "look"),
    [
        (0, 1_023, None), (0, 1_024, 1), (1_023, 1_025, 1), (1_024, 2_047, None),
        (2_047, 2_048, 2), (1_500, 5_000, 3), (5_000, 5_000, None), (0, 1_048_576, 11),
    ],
)  # fmt: skip
def test_a_look_is_due_when_the_rounds_have_doubled(before, rounds, look):
    """The first at 1,024 rounds; a day that doubles them twice is one look."""
    assert look == look_of(before, rounds)


@pytest.mark.parametrize("grade", ["warning", "alarm"])
def test_all_looks_for_ever_spend_the_level_once(grade):
    """1/2 + 1/6 + 1/12 + .. is 1: the first look has half of the level, n looks n/(n + 1)."""
    levels = [chance_beyond(spent(look)[grade]) for look in range(1, 31)]
    whole = chance_beyond(THRESHOLDS[grade])

    assert pytest.approx(whole / 2) == levels[0]
    assert pytest.approx(whole * 30 / 31) == sum(levels)


def test_a_value_has_the_gravest_grade_that_it_reaches_on_either_side():
    """1.96 warns and 2.576 alarms, themselves included."""
    values = (0.0, 1.959, 1.96, -1.96, 2.575, 2.576, -2.576)

    assert [None, None, "warning", "warning", "warning", "alarm", "alarm"] == [
        graded(value, THRESHOLDS) for value in values
    ]
    assert ["warning", "alarm"] == [graded(value, EVIDENCE) for value in (2.996, 4.606)]


def test_tolerance_is_z_times_deviation_over_turnover():
    """100 rounds of 1.00 with variance 1 a unit: 1.96 · 1 / √100 is 19.6 % of turnover."""
    stands = Returns(100, 10_000, 9_000, Fraction(10_000), Fraction(100 * 100**2))

    assert (-1.0, "few-rounds") == (stands.z, stands.state)
    assert pytest.approx(0.196) == stands.tolerance("warning")
    assert pytest.approx(0.2576) == stands.tolerance("alarm")
    assert Fraction(9, 10) == stands.actual


def test_without_turnover_there_is_no_return():
    """Nothing staked, nothing to divide by."""
    assert (None, None, None) == (Returns().actual, Returns().theoretical, Returns().z)


def test_fair_returns_raise_alarms_in_their_looks_no_more_often_than_the_level_says():
    """2,000 seeded sheets of reds and straights, looked at from 1,024 to 131,072 rounds.

    1 % of them may alarm at any of the 8 looks: 20, and 31 with 99 % certainty. Half of the rounds
    bet 1 on a straight (mean 36/37, variance 36²·36/37²), half 5 on red (180/37, 25·4·18·19/37²).
    """
    dice = np.random.default_rng(1960)
    alarmed = np.zeros(2_000, bool)
    straights, reds, rounds = np.zeros(2_000), np.zeros(2_000), 0
    for look in range(1, 9):
        more = 1_024 * 2 ** (look - 1) - rounds
        rounds += more
        straights += dice.binomial(more // 2, 1 / 37, 2_000)
        reds += dice.binomial(more // 2, 18 / 37, 2_000)
        expected = rounds / 2 * (36 + 180) / 37
        variance = rounds / 2 * (36**3 + 25 * 4 * 18 * 19) / 37**2
        z = (36 * straights + 10 * reds - expected) / np.sqrt(variance)
        alarmed |= np.abs(z) >= spent(look)["alarm"]

    assert 31 >= alarmed.sum()
