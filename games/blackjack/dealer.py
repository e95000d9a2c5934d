"""How the dealer's hand ends, from any shoe: the chance of each end, over all ways to draw it.

The dealer draws by rule alone. So its hands are counted by what they are made of, with the orders
in which their cards can come, and the chance of one order is a product of what the shoe holds.
Source: Live Blackjack rules, "La strategia della casa".
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from games.blackjack.compositions import (
    NOTHING,
    VALUES,
    Composition,
    Floats,
    Hands,
    Ints,
    hands_with,
    one,
    plus,
)
from games.blackjack.hand import BLACKJACK, FIRST_CARDS
from games.blackjack.turns import DEALER_STANDS

TOTALS: Final = range(DEALER_STANDS, BLACKJACK + 1)
BLACKJACK_AT: Final = len(TOTALS)
BUST_AT: Final = BLACKJACK_AT + 1
ENDS: Final = BUST_AT + 1
"""The dealer's ends are columns: a total from 17 to 21, a Blackjack, bust."""

AGAINST: Final[Floats] = np.array(
    [
        [*(float(np.sign(held - total)) for total in TOTALS), -1.0, 1.0]
        for held in range(BLACKJACK + 1)
    ]
)
"""What a hand that stands wins of each unit, by its total and the dealer's end.

It is no Blackjack of its box, and a dealer's Blackjack takes every stake (BJ4).
"""

_AT_ONCE: Final = 1 << 13
"""Shoes of a batch: few enough for its arrays to stay in the processor's cache."""


class _Ending(NamedTuple):
    """The cards that a dealer's hand draws after its first, from the ace to the ten."""

    drawn: Composition
    same: int
    """How many of the first values it draws as often as the hand before it in the list."""
    orders: int
    """In how many orders these cards can come."""
    end: int


def ends_from(left: Ints, up: int, *, hits_soft_17: bool) -> Floats:
    """The chance of each end from some shoes, each a row of what is left after the first card.

    `up` is the place of that first card's value. A shoe must not run out of cards before the
    dealer stands.
    """
    endings = _endings(up, hits_soft_17=hits_soft_17)
    found = np.empty((len(left), ENDS))
    for start in range(0, len(left), _AT_ONCE):
        shoes = np.ascontiguousarray(left[start : start + _AT_ONCE].T, np.float64)
        found[start : start + _AT_ONCE] = _chances(endings, np.maximum(shoes, 0)).T
    return found


def _chances(endings: Sequence[_Ending], shoes: Floats) -> Floats:
    """The same for shoes in columns; hands that begin alike share the product of their beginnings.

    What does not stand is bust.
    """
    size = max(sum(ending.drawn) for ending in endings)
    ways = [falling(row, size) for row in shoes]
    products = [np.ones(shoes.shape[1])] * (len(VALUES) + 1)
    sums = np.zeros((size + 1, ENDS, shoes.shape[1]))
    for drawn, same, orders, end in endings:
        for place in VALUES[same:]:
            count = drawn[place]
            before = products[place]
            products[place + 1] = before * ways[place][count] if count else before
        sums[sum(drawn), end] += orders * products[-1]
    deals = np.maximum(falling(shoes.sum(axis=0), size), 1.0)
    chances = (sums / deals[:, np.newaxis]).sum(axis=0)
    chances[BUST_AT] = 1.0 - chances.sum(axis=0)
    return np.asarray(chances)


def falling(left: Floats, size: int) -> list[Floats]:
    """In how many ways none, one, two and more cards come one after the other."""
    ways = [np.ones_like(left)]
    for taken in range(size):
        ways.append(ways[-1] * np.maximum(left - taken, 0))
    return ways


@cache
def _endings(up: int, *, hits_soft_17: bool) -> tuple[_Ending, ...]:
    """Every hand that begins with a value and stands, in the order of what is drawn."""
    found = sorted(_standing(up, hits_soft_17=hits_soft_17))
    same = [0, *(_same(last, drawn) for (last, *_), (drawn, *_) in pairwise(found))]
    return tuple(
        _Ending(drawn, shared, orders, end)
        for shared, (drawn, orders, end) in zip(same, found, strict=True)
    )


def _same(one_hand: Composition, other: Composition) -> int:
    return next(place for place in VALUES if one_hand[place] != other[place])


def _standing(up: int, *, hits_soft_17: bool) -> Iterator[tuple[Composition, int, int]]:
    """What is drawn in every hand that stands, in how many orders, and the end."""
    hands = hands_with(one(up))
    drawing: Mapping[Composition, int] = {NOTHING: 1}
    while drawing:
        more: Counter[Composition] = Counter()
        for drawn, orders in drawing.items():
            more.update({plus(drawn, value): orders for value in VALUES})
        places = {drawn: hands.places[plus(drawn, up)] for drawn in more}
        ends = {
            drawn: _end(hands, at, hits_soft_17=hits_soft_17)
            for drawn, at in places.items()
            if at < len(hands.total)
        }
        yield from ((drawn, more[drawn], end) for drawn, end in ends.items() if end is not None)
        drawing = {drawn: more[drawn] for drawn, end in ends.items() if end is None}


def _end(hands: Hands, at: int, *, hits_soft_17: bool) -> int | None:
    """How a hand of the dealer that is not bust ends; None while it draws."""
    total = int(hands.total[at])
    if total == BLACKJACK and hands.counts[at].sum() == FIRST_CARDS:
        return BLACKJACK_AT
    draws = hits_soft_17 and total == DEALER_STANDS and bool(hands.is_soft[at])
    return None if draws or total < DEALER_STANDS else TOTALS.index(total)
