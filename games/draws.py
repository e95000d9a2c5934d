"""The one mapping from recorded entropy to an outcome: unbiased, and blind to the bets (G7, S11).

A raw value at or above the largest multiple of `n` is rejected and the next one is taken, so that
each outcome has exactly the same number of raw values. A remainder alone would favour the low ones.
"""

from dataclasses import dataclass
from typing import Final

ONE_BYTE: Final = 1 << 8
TWO_BYTES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Mapped:
    """An outcome `0 <= value < n`, and the bytes read for it, rejected ones included."""

    value: int
    used: bytes


def uniform(pool: bytes, n: int) -> Mapped | None:
    """Map the front of `pool` to one of `n` equally likely values; None when it runs out.

    Up to 256 values take one byte a try, up to 65,536 two bytes, big-endian.
    """
    assert 1 <= n <= TWO_BYTES
    width, size = (1, ONE_BYTE) if n <= ONE_BYTE else (2, TWO_BYTES)
    limit = size - size % n
    for end in range(width, len(pool) + 1, width):
        raw = int.from_bytes(pool[end - width : end], "big")
        if raw < limit:
            return Mapped(raw % n, pool[:end])
    return None
