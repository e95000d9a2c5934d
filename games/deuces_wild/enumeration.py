"""Every hand in arrays: its cards, its category, and how many hands contain the same cards.

A card is its place in the deck, a category its place in `CATEGORIES`. A set of cards
c1 < c2 < .. < ck has the number C(c1, 1) + C(c2, 2) + .. + C(ck, k), which counts all sets of k
cards off without a gap (the combinatorial number system): an array has a place for each.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.cards import DECK, RANKS, SUITS
from games.deuces_wild.hand import DEUCE, HAND_SIZE, Category, category

Small = NDArray[np.uint8]
"""Cards, categories, sets of places."""
Ints = NDArray[np.int64]
"""Whatever is counted or multiplied: 64 bits hold every sum here, and nothing is rounded."""

HANDS: Final = comb(len(DECK), HAND_SIZE)
CATEGORIES: Final = tuple(Category)

HOLDS: Final = tuple(
    sorted(
        [held for size in range(HAND_SIZE + 1) for held in combinations(range(HAND_SIZE), size)],
        key=lambda held: (-len(held), held),
    )
)
"""The 32 ways to hold a hand, as places from 0 in the deck's order.

Of equally good holds the one that stands first here is played: it keeps more cards, and of as many
those that come first in the deck.
"""

_CHOOSE: Final = np.array(
    [[comb(card, size) for card in range(len(DECK))] for size in range(HAND_SIZE + 1)], np.int64
)
_AT_ONCE: Final = 1 << 13
"""Hands of a batch: few enough for its arrays to stay in the processor's cache."""


@cache
def all_hands() -> Small:
    """All hands by number, each a row of five cards in the deck's order.

    The sets whose highest card is c are all sets of one card less below c, which have the first
    C(c, size - 1) numbers.
    """
    sets = np.empty((1, 0), np.uint8)
    for size in range(1, HAND_SIZE + 1):
        lower = [sets[: comb(card, size - 1)] for card in range(len(DECK))]
        highest = [np.full((len(rows), 1), card, np.uint8) for card, rows in enumerate(lower)]
        sets = np.hstack((np.concatenate(lower), np.concatenate(highest)))
    return _kept(sets)


@cache
def all_categories() -> Small:
    """The category of each hand by number, as the function that settles a round says it.

    It is asked once for all hands of the same ranks whose naturals are of one suit, or are not.
    """
    kinds = _kinds(all_hands())
    example = np.full(kinds.max() + 1, -1)
    example[kinds] = np.arange(HANDS)
    made = np.zeros(len(example), np.uint8)
    for kind in np.flatnonzero(example >= 0):
        cards = [DECK[card] for card in all_hands()[example[kind]]]
        made[kind] = CATEGORIES.index(category(cards))
    return _kept(made[kinds])


@cache
def containing() -> tuple[Ints, ...]:
    """For none to four cards: by the number of a set, how many hands of each category contain it.

    Of a whole hand's five cards there is one hand, whose category `all_categories` tells.
    """
    width = len(CATEGORIES)
    counts = [np.zeros(comb(len(DECK), size) * width, np.int64) for size in range(HAND_SIZE)]
    for numbers, made in zip(numbers_of_holds(), _batches(all_categories()), strict=True):
        for held, row in zip(HOLDS, numbers, strict=True):
            if len(held) < HAND_SIZE:
                np.add.at(counts[len(held)], row * width + made, 1)
    return tuple(flat.reshape(-1, width) for flat in counts)


def numbers_of_holds() -> Iterator[Ints]:
    """All hands by number in batches: a row for each of `HOLDS`, the numbers of the cards held."""
    return map(numbers_of, _batches(all_hands()))


def numbers_of(hands: Small) -> Ints:
    """For some hands, each a row of five cards in the deck's order: a row for each of `HOLDS`."""
    cards = hands.T.astype(np.int64)
    numbers: dict[tuple[int, ...], Ints] = {(): np.zeros(len(hands), np.int64)}
    for held in reversed(HOLDS[:-1]):
        numbers[held] = numbers[held[:-1]] + _CHOOSE[len(held)][cards[held[-1]]]
    return np.stack([numbers[held] for held in HOLDS])


def _batches(array: Small) -> Iterator[Small]:
    """What an array tells of all hands, a batch of hands after the other."""
    for start in range(0, HANDS, _AT_ONCE):
        yield array[start : start + _AT_ONCE]


def _kinds(hands: Small) -> Ints:
    """One number for the ranks of a hand and whether its naturals are of one suit."""
    ranks, suits = np.divmod(hands, len(SUITS))
    natural = ranks != RANKS.index(DEUCE)
    seen = np.bitwise_or.reduce(np.where(natural, 1 << suits, 0), axis=1)
    kinds: Ints = (seen & (seen - 1) == 0).astype(np.int64)
    for column in ranks.T:
        kinds = kinds * len(RANKS) + column
    return kinds


def _kept(array: Small) -> Small:
    """An array that is remembered, and so may not be written to."""
    kept = np.ascontiguousarray(array)
    kept.flags.writeable = False
    return kept
