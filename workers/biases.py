"""The biases of a draw that are looked for, and what each makes of the likelihood of a draw."""

import math
from fractions import Fraction
from functools import lru_cache
from typing import Final

RATIOS: Final = (0.5, 0.8, 1.25, 2.0)
"""How many times more or less often than it should an outcome comes, in the biases looked for."""

SCALE: Final = 10**9
"""Sums of many logarithms are kept in billionths, so that they are the same in any order."""

_NONE: Final = (0.0, 0.0)


def is_possible(ratio: float, chance: float) -> bool:
    """Whether an outcome can come so many times as often; it would be certain otherwise."""
    return ratio * chance < 1 and chance < 1


@lru_cache(maxsize=4096)
def bias(ratio: float, chance: float) -> tuple[float, float]:
    """What a possible bias adds to the log likelihood when its outcome comes, and when not."""
    return math.log(ratio), math.log1p(-ratio * chance) - math.log1p(-chance)


@lru_cache(maxsize=65536)
def scaled(ratio: float, chance: Fraction) -> tuple[int, int]:
    """The same in billionths, rounded down, so that chance alone never gains by the rounding.

    Nothing where the bias is impossible at this draw.
    """
    share = float(chance)
    came, stayed_away = bias(ratio, share) if is_possible(ratio, share) else _NONE
    return math.floor(came * SCALE), math.floor(stayed_away * SCALE)
