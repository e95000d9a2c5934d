"""The biases of a draw that are looked for, and what each makes of the likelihood of a draw."""

import math
from fractions import Fraction
from functools import lru_cache
from typing import Final

RATIOS: Final = (0.5, 0.8, 1.25, 2.0)
"""How many times more or less often than it should an outcome comes, in the biases looked for."""

SCALE: Final = 10**9
"""Sums of many logarithms are kept in billionths, so that they are the same in any order."""


def is_possible(ratio: float, chance: float) -> bool:
    """Whether an outcome can come so many times as often; it would be certain otherwise."""
    return ratio * chance < 1 and chance < 1


@lru_cache(maxsize=4096)
def bias(ratio: float, chance: float) -> tuple[float, float]:
    """What a possible bias adds to the log likelihood when its outcome comes, and when not."""
    return math.log(ratio), math.log1p(-ratio * chance) - math.log1p(-chance)


@lru_cache(maxsize=65536)
def scaled(chance: Fraction) -> tuple[tuple[str, int, int], ...]:
    """What each bias of an outcome adds when it comes, and when not, by its ratio's name.

    In billionths, rounded down, so that chance alone never gains by the rounding; nothing where the
    bias is impossible at this draw.
    """
    return tuple((str(ratio), *_floored(ratio, float(chance))) for ratio in RATIOS)


def _floored(ratio: float, chance: float) -> tuple[int, int]:
    if not is_possible(ratio, chance):
        return (0, 0)
    came, stayed_away = bias(ratio, chance)
    return math.floor(came * SCALE), math.floor(stayed_away * SCALE)
