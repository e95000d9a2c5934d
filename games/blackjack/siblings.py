"""The best play of two hands of a split that know each other's cards, over every pair of hands.

While the first hand is played the second has two cards; while the second is played the first has
ended (BJ3). A hand that has ended wins the same on average however the other is played, since the
other's cards are drawn by what is seen. So the second hand is played for itself, from a shoe
without the first hand's cards; the first for what it wins and what it leaves to the second.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.blackjack.compositions import (
    WORTH,
    Bools,
    Floats,
    Hands,
    Ints,
    hands_with,
    key_of,
    of_key,
    one,
)
from games.blackjack.dealer import AGAINST
from games.blackjack.playing import BUST, Facing, one_last_card, played, with_one_card
from games.blackjack.splitting import DOUBLED, may_double, means_apart, seconds_of, stands_with_two
from games.blackjack.turns import DEALER_STANDS

_AT_ONCE: Final = 1 << 10
"""First hands of a batch."""
_LOW: Final[Bools] = WORTH <= 5  # noqa: PLR2004 - any place in the middle does
_LEAST: Final = DEALER_STANDS - 1
"""Every total below 17 stands like 16."""


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Every pair of hands that a split can come to, the first of them bust or not."""

    hands: Hands
    firsts: Ints
    """What the first hand is made of: hands, then busts, by their places."""
    gone: Ints
    """Every composition that two hands have together."""
    at: NDArray[np.int32]
    """Where that of a first and a second hand stands."""


@lru_cache(maxsize=1)
def _pairs(pair: int) -> _Pairs:
    """The pairs of one split; low and high values are looked up apart, since each has few sums."""
    hands = hands_with(one(pair))
    firsts = np.concatenate([hands.counts, hands.busts])
    low, low_at = _sums(firsts * _LOW, hands.counts * _LOW)
    high, high_at = _sums(firsts * ~_LOW, hands.counts * ~_LOW)
    at = low_at * np.int32(len(high)) + high_at
    used = np.zeros(len(low) * len(high), np.bool_)
    used[at] = True
    gone = of_key(np.add.outer(low, high).ravel()[used])
    return _Pairs(hands, firsts, gone, (np.cumsum(used, dtype=np.int32) - 1)[at])


def _sums(firsts: Ints, seconds: Ints) -> tuple[Ints, NDArray[np.int32]]:
    """The numbers of all that a first and a second have together, and where each pair's stands."""
    one_keys, one_at = np.unique(key_of(firsts), return_inverse=True)
    other_keys, other_at = np.unique(key_of(seconds), return_inverse=True)
    sums, at = np.unique(np.add.outer(one_keys, other_keys), return_inverse=True)
    shape = len(one_keys), len(other_keys)
    return sums, at.astype(np.int32).reshape(shape)[one_at[:, np.newaxis], other_at]


@lru_cache(maxsize=128)
def together(facing: Facing, pair: int) -> float:
    """What both hands win on average by the best play; `pair` is the place of their first value."""
    if stands_with_two(facing, pair):
        return means_apart(facing, pair, None)[1]
    pairs = _pairs(pair)
    hands, seconds, size = pairs.hands, seconds_of(pairs.hands, pair), len(pairs.hands.total)
    left = np.array(facing.left)
    stands = facing.ends(left - pairs.gone) @ AGAINST[_LEAST:].T
    totals = np.maximum(hands.total, _LEAST) - _LEAST
    second = np.empty((len(pairs.firsts), len(seconds)))
    for start in range(0, len(second), _AT_ONCE):
        batch = slice(start, start + _AT_ONCE)
        stand = stands[pairs.at[batch], totals].T
        second[batch] = _second(facing, pair, left - pairs.firsts[batch], stand).T
    alone = stands[pairs.at[:size, seconds], totals[:, np.newaxis]]
    shoes = left - hands.counts[seconds]
    values = played(hands, shoes, alone + second[:size], BUST + second[size:])[seconds]
    if may_double(facing, pair).any():
        twice = np.concatenate([DOUBLED * alone + second[:size], DOUBLED * BUST + second[size:]])
        one_more = with_one_card(hands, seconds, shoes, twice, twice[size:])
        values = _better(values, one_more, may_double(facing, pair))
    rest = left - 2 * np.array(one(pair))
    likely = np.outer(rest, rest) - np.diag(rest)
    return float((likely * values).sum() / likely.sum())


def _second(facing: Facing, pair: int, shoes: Ints, stand: Floats) -> Floats:
    """What the second hand wins by each of its second cards, from shoes without the first hand."""
    hands = hands_with(one(pair))
    seconds = seconds_of(hands, pair)
    values = played(hands, shoes, stand, BUST)[seconds]
    may = may_double(facing, pair)
    if not may.any():
        return values
    return _better(values, DOUBLED * one_last_card(hands, seconds, shoes, stand), may)


def _better(values: Floats, twice: Floats, may: Bools) -> Floats:
    return np.where(may[:, np.newaxis], np.maximum(values, twice), values)
