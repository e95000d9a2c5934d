"""What a hand wins by drawing and standing, by the best play or by one that is given.

Rows are hands, columns are shoes: one where a hand is played for itself, many where the cards that
are gone besides differ. Values are what is won of each unit on the hand; a loss is less than 0.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from games.blackjack.compositions import VALUES, Bools, Composition, Floats, Hands, Ints, hands_with
from games.blackjack.dealer import AGAINST, ends_from
from games.blackjack.hand import BLACKJACK, TEN
from games.blackjack.rules import Rules

BUST: Final = -1.0


@dataclass(frozen=True, slots=True)
class Facing:
    """The dealer's first card as a box sees it."""

    rules: Rules
    up: int
    """The place of its value."""
    left: Composition
    """The shoe without it."""

    def ends(self, left: Ints) -> Floats:
        """The chance of each end of the dealer's hand from some shoes."""
        return ends_from(left, self.up, hits_soft_17=self.rules.hits_soft_17)

    def ends_of(self, held: Composition, left: Composition) -> Floats:
        """The same for each hand that holds some cards, from a shoe without any of its cards."""
        return ends_of(held, left, self.up, hits_soft_17=self.rules.hits_soft_17)


@lru_cache(maxsize=256)
def ends_of(held: Composition, left: Composition, up: int, *, hits_soft_17: bool) -> Floats:
    """What `Facing.ends_of` says, kept: of all rules the dealer goes by one alone."""
    rows = np.array(left) - hands_with(held).counts
    return ends_from(rows, up, hits_soft_17=hits_soft_17)


def standing(hands: Hands, ends: Floats, power: int = 1) -> Floats:
    """What each hand wins that stands, or the mean of a power of it, as a column."""
    return np.asarray((ends * AGAINST[hands.total] ** power).sum(axis=1, keepdims=True))


def chances(left: Ints) -> Floats:
    """How likely each value comes next from a shoe."""
    return np.asarray(np.maximum(left, 0) / max(int(left.sum()), 1))


def played(
    hands: Hands, left: Ints, stand: Floats, bust: Floats | float, draws: Bools | None = None
) -> Floats:
    """The value of each hand and then of each bust, from the fullest hand back to the emptiest.

    `left` are the shoes without the cards of the hand, `stand` is the value of each hand that
    stands, `bust` of each that busts. `draws` says which hands draw; without it the best does. A
    21 always stands (BJ5).
    """
    size = len(hands.total)
    values = np.empty((size + len(hands.busts), len(left)))
    values[size:] = bust
    for layer in hands.layers:
        standing = stand[layer]
        if hands.hard[layer[0]] == BLACKJACK:
            values[layer] = standing
            continue
        drawn = with_one_card(hands, layer, left, values, bust)
        better = drawn > standing if draws is None else draws[layer, np.newaxis]
        open_hands = hands.total[layer, np.newaxis] != BLACKJACK
        values[layer] = np.where(better & open_hands, drawn, standing)
    return values


def with_one_card(
    hands: Hands, which: Ints, left: Ints, values: Floats, bust: Floats | float
) -> Floats:
    """The mean of `values` over the next card, for some hands and all shoes.

    Where all busts are worth the same, the values that bust every hand are counted together.
    """
    room = TEN if isinstance(bust, np.ndarray) else BLACKJACK - int(hands.hard[which].min())
    shoes, held = left.astype(np.float64), hands.counts[which].astype(np.float64)
    cards = shoes.sum(axis=1) - held.sum(axis=1, keepdims=True)
    total, others = np.zeros_like(cards), cards.copy()
    for value in VALUES[:room]:
        coming = shoes[:, value] - held[:, value, np.newaxis]
        others -= coming
        total += coming * values[hands.with_card[which, value]]
    if not isinstance(bust, np.ndarray):
        total += bust * others
    return np.asarray(total / np.maximum(cards, 1.0))


def one_last_card(
    hands: Hands, which: Ints, left: Ints, stand: Floats, bust: float = BUST
) -> Floats:
    """What some hands win, of each unit on them, by one card on which they stand."""
    busts = np.full((len(hands.busts), stand.shape[1]), bust)
    return with_one_card(hands, which, left, np.concatenate([stand, busts]), bust)
