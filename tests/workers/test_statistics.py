"""The statistics beside published tables and sums worked by hand, and the promises on alarms."""

import math
from fractions import Fraction

import numpy as np
import pytest

from games.roulette.wheel import POCKETS
from workers.monitoring.looks import EVIDENCE
from workers.monitoring.statistics import (
    chance_beyond,
    chi_square,
    evidence,
    two_sided,
    upper_gamma,
    z_score,
)

EVEN = {str(pocket): Fraction(1, 37) for pocket in POCKETS}
FAIR = np.full(37, 1 / 37)
BIASED = np.array([1 / 30, *[29 / 30 / 36] * 36])
"""One pocket at 1/30, the others sharing the rest."""
LOOK_ROUNDS = 1_000
ALARM = EVIDENCE["alarm"]


@pytest.mark.parametrize(
    ("freedom", "critical", "level"),
    [
        (1, 3.841, 0.05), (1, 6.635, 0.01), (2, 5.991, 0.05), (2, 9.210, 0.01),
        (4, 9.488, 0.05), (10, 18.307, 0.05), (10, 23.209, 0.01), (10, 3.940, 0.95),
        (36, 50.998, 0.05), (36, 58.619, 0.01), (100, 124.342, 0.05), (100, 70.065, 0.99),
    ],
)  # fmt: skip
def test_the_tail_of_chi_square_is_that_of_the_published_tables(freedom, critical, level):
    """Critical values with three decimals (NIST/SEMATECH e-Handbook of Statistics, 1.3.6.7.4)."""
    assert pytest.approx(level, rel=0.002) == upper_gamma(freedom / 2, critical / 2)


@pytest.mark.parametrize("x", [0.0, 0.3, 1.9, 2.1, 7.0, 60.0])
def test_the_incomplete_gamma_function_of_whole_numbers_is_a_sum_of_poisson_terms(x):
    """Q(n, x) is the probability of fewer than n events where x are expected; n is 1, 2, 5."""
    for n in (1, 2, 5):
        poisson = sum(math.exp(-x) * x**k / math.factorial(k) for k in range(n))

        assert pytest.approx(poisson, rel=1e-12) == upper_gamma(n, x)


def test_chi_square_of_a_die_by_hand():
    """60 throws, 10 of each expected: (25 + 4 + 1 + 0 + 4 + 16) / 10 is 5 with 5 degrees."""
    counts = dict(zip("123456", (5, 8, 11, 10, 12, 14), strict=True))
    found = chi_square(counts, {face: Fraction(1, 6) for face in counts})

    assert (5.0, 5) == (found.value, found.freedom)
    assert pytest.approx(0.4159, abs=1e-4) == found.p


def test_an_outcome_that_never_came_is_a_class_too():
    """Of a coin's two sides one came four times: (2² + 2²) / 2 is 4 with 1 degree."""
    found = chi_square({"head": 4}, {"head": Fraction(1, 2), "tail": Fraction(1, 2)})

    assert (4.0, 1) == (found.value, found.freedom)


def test_z_counts_deviations_and_needs_some():
    """110 where 100 are expected with variance 16 are 2.5 deviations; without variance, none."""
    assert 2.5 == z_score(110, Fraction(100), Fraction(16))
    assert -2.5 == z_score(90, Fraction(100), Fraction(16))
    assert None is z_score(0, Fraction(0), Fraction(0))


def test_thresholds_and_levels_are_those_of_the_normal_distribution():
    """1.96 leaves 5 % outside and 2.576 leaves 1 %, on both sides together."""
    assert pytest.approx(0.05, abs=1e-4) == chance_beyond(1.96)
    assert pytest.approx(0.01, abs=1e-4) == chance_beyond(2.576)
    assert pytest.approx(1.96, abs=1e-3) == two_sided(0.05)
    assert pytest.approx(2.576, abs=1e-3) == two_sided(0.01)


def test_evidence_is_a_martingale_under_chance():
    """Averaged over every way that three draws of unequal chances fall, it is exactly 1.

    That is what Ville's inequality needs: no look at it gains or loses anything on average.
    """
    chances = {"a": Fraction(1, 6), "b": Fraction(1, 3), "c": Fraction(1, 2)}
    mean = 0.0
    for draws in [(x, y, z) for x in chances for y in chances for z in chances]:
        likely = math.prod(chances[name] for name in draws)
        counts = {name: draws.count(name) for name in chances}
        mean += float(likely) * math.exp(evidence(counts, chances))

    assert pytest.approx(1.0, abs=1e-12) == mean
    assert pytest.approx(0.0, abs=1e-12) == evidence({}, chances)


def first_alarm(dice: np.random.Generator, pockets: np.ndarray, rounds: int) -> int | None:
    """After how many rounds a look every 1,000 rounds first sees an alarm; None where none does."""
    counts = np.zeros(37, np.int64)
    for played in range(LOOK_ROUNDS, rounds + 1, LOOK_ROUNDS):
        counts += dice.multinomial(LOOK_ROUNDS, pockets)
        if evidence(dict(zip(EVEN, counts.tolist(), strict=True)), EVEN) >= ALARM:
            return played
    return None


def test_a_wheel_with_one_pocket_at_1_in_30_is_found_within_40_000_rounds():
    """Of 200 seeded wheels at least 95 % are found by then, and all of them by 60,000."""
    dice = np.random.default_rng(30)
    found = [first_alarm(dice, BIASED, 60_000) for _ in range(200)]

    assert None not in found
    assert 190 <= sum(rounds <= 40_000 for rounds in found)


def test_a_fair_wheel_raises_an_alarm_no_more_often_than_the_level_says():
    """Of 300 seeded wheels with 40 looks each, at most 1 % should: 3, and 8 with 99 % certainty.

    P(X > 8) is 0.4 % where X counts alarms of 300 wheels at 1 % each.
    """
    dice = np.random.default_rng(37)
    alarms = [first_alarm(dice, FAIR, 40_000) for _ in range(300)]

    assert 8 >= sum(rounds is not None for rounds in alarms)
