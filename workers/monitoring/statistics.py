"""The statistics of the monitoring, each a pure function of counts and sums.

Floats appear here and in what people read: money stays in whole minor units, and the moments that
a statistic is made of are exact until the last division.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Final

from workers.biases import RATIOS, bias, is_possible

NORMAL: Final = NormalDist()

_TERMS_MAX: Final = 10_000
_ENOUGH: Final = 1e-15
_TINY: Final = 1e-300


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """Pearson's statistic of counts, its degrees of freedom, and how likely so much or more is."""

    value: float
    freedom: int
    p: float


def z_score(actual: int, expected: Fraction, variance: Fraction) -> float | None:
    """How many standard deviations an amount is above its expectation; None without variance."""
    return float(actual - expected) / math.sqrt(variance) if variance else None


def two_sided(level: float) -> float:
    """The z that a normal variable passes on either side with a probability of `level`."""
    return NORMAL.inv_cdf(1 - level / 2)


def chance_beyond(threshold: float) -> float:
    """The probability with which a normal variable passes a threshold on either side."""
    return math.erfc(threshold / math.sqrt(2))


def chi_square(counts: Mapping[str, int], chances: Mapping[str, Fraction]) -> ChiSquare:
    """Pearson's chi-square of counts beside how likely each outcome is; all outcomes are classes.

    The chances together are 1, and there is one count at least.
    """
    total = sum(counts.values())
    value = sum(
        (counts.get(name, 0) - total * chance) ** 2 / (total * chance)
        for name, chance in chances.items()
    )
    freedom = len(chances) - 1
    return ChiSquare(float(value), freedom, upper_gamma(freedom / 2, float(value) / 2))


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x), for a > 0 and x >= 0.

    Below a + 1 by the series of P, above by the continued fraction (DLMF 8.11.4 and 8.9.2), each
    where it converges fast.
    """
    if x == 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1 - scale * _series(a, x) if x < a + 1 else scale * _fraction(a, x)


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    for n in range(1, _TERMS_MAX):
        term *= x / (a + n)
        total += term
        if term < total * _ENOUGH:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """The continued fraction, from its beginning (Lentz)."""
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value = d
    for n in range(1, _TERMS_MAX):
        step = -n * (n - a)
        b += 2
        d, c = 1 / (step * d + b), b + step / c
        value *= c * d
        if abs(c * d - 1) < _ENOUGH:
            break
    return value


def evidence(counts: Mapping[str, int], chances: Mapping[str, Fraction]) -> float:
    """The natural logarithm of the evidence against chance that counts of outcomes hold.

    It is the likelihood of the counts if one outcome is biased, averaged over all outcomes and
    ratios, beside their likelihood if none is. While chance alone is at work this is a martingale
    that begins at 1: that it ever reaches 1/level has at most the probability `level`, however
    often one looks and whenever one stops (Ville's inequality). It grows fastest, on average,
    where some outcome is about as biased as a ratio says.
    """
    total = sum(counts.values())
    return mixed(
        counts.get(name, 0) * more + (total - counts.get(name, 0)) * less
        for name, chance in chances.items()
        for more, less in _biases(float(chance))
    )


def mixed(logs: Iterable[float]) -> float:
    """The logarithm of the mean of what logarithms are given of; at least one is."""
    known = tuple(logs)
    most = max(known)
    return most + math.log(sum(math.exp(each - most) for each in known) / len(known))


def _biases(chance: float) -> tuple[tuple[float, float], ...]:
    """What each bias of an outcome adds to its log likelihood when it comes, and when it does not.

    A ratio that would make it certain, or more, is left out.
    """
    return tuple(bias(ratio, chance) for ratio in RATIOS if is_possible(ratio, chance))
