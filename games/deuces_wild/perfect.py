"""Perfect play: the exact return of every deal and of all ways to hold it, in whole numbers.

The cards that a hold throws away do not come again. So what a hold brings is counted from all hands
that contain the cards kept, less those that contain one thrown away besides, plus those that
contain two, and so on (inclusion and exclusion); `containing` tells each of them at one look.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, gcd, lcm
from types import MappingProxyType
from typing import Final

import numpy as np

from games.cards import DECK, Card
from games.deuces_wild.enumeration import (
    CATEGORIES,
    HANDS,
    HOLDS,
    Ints,
    all_categories,
    all_hands,
    containing,
    numbers_of,
    numbers_of_holds,
)
from games.deuces_wild.hand import HAND_SIZE
from games.deuces_wild.rtp import declared_return
from games.deuces_wild.sheet import Sheet, bet_kind
from games.engine import Progress, Return, Study, no_progress


@dataclass(frozen=True, slots=True)
class Advice:
    """One way to hold a dealt hand."""

    hold: tuple[int, ...]
    """The places of the cards to keep, from 1 in the order of the deal."""
    value: Fraction
    """Coins that it pays on average, for all the coins played."""


_PLACES: Final = range(HAND_SIZE)
_AT: Final = {held: at for at, held in enumerate(HOLDS)}


def _with(held: tuple[int, ...], more: Iterable[int]) -> int:
    """Where the hold stands that keeps some places besides."""
    return _AT[tuple(sorted((*held, *more)))]


_STEPS: Final = tuple(
    (at, _with(held, (place,)))
    for place in _PLACES
    for held, at in _AT.items()
    if place not in held
)
"""Place after place, each hold that throws it away and the one that keeps it besides.

To take the second's count from the first's, in this order, leaves in each hold what it alone
brings, with none of the cards thrown away.
"""

_TERMS: Final = tuple(
    tuple(
        (_with(held, more), (-1) ** size)
        for size in range(HAND_SIZE - len(held) + 1)
        for more in combinations([place for place in _PLACES if place not in held], size)
    )
    for held in HOLDS
)
"""For each hold the same written out: where the counts stand that add up to it, and their signs."""

_DRAWS: Final = tuple(comb(len(DECK) - HAND_SIZE, HAND_SIZE - len(held)) for held in HOLDS)
"""For each hold, how many replacements there are."""
COMMON: Final = lcm(*_DRAWS)
_SHARES: Final = np.array([COMMON // draws for draws in _DRAWS], np.int64)
"""What each replacement of a hold weighs over this common denominator."""


def study(sheet: Sheet, coins: int, progress: Progress = no_progress) -> Study:
    """Enumerate all deals and all 32 holds of each: some seconds, once for each pay table.

    The return is in coins paid for each coin played. Perfect play holds what pays most on average.
    Of equally good holds it takes the one that keeps more cards, and of as many the one whose cards
    come first in the deck's order. `progress` is told of the deals.
    """
    pays = _pays(sheet, coins)
    unit = gcd(*pays)
    counts = frequencies(tuple(pay // unit for pay in pays), progress)
    chances = [Fraction(count, HANDS * COMMON) for count in counts]
    expected = _mean(chances, pays) / coins
    squares = _mean(chances, [pay * pay for pay in pays]) / coins**2
    ends: Mapping[str, Fraction] = MappingProxyType(dict(zip(CATEGORIES, chances, strict=True)))
    found = Return(bet_kind(coins), expected, squares - expected**2)
    return Study(found, ends, declared_return(sheet, coins))


def advise(sheet: Sheet, coins: int, cards: Sequence[Card]) -> tuple[Advice, ...]:
    """All 32 ways to hold a dealt hand, best first, ties as perfect play breaks them.

    The first call in a process takes half a second more, for the categories of all hands.
    """
    assert len(cards) == len(set(cards)) == HAND_SIZE
    ordered = sorted(cards, key=DECK.index)
    paid = _finals(ordered) @ np.array(_pays(sheet, coins), np.int64)
    ways = [
        Advice(
            _as_dealt(cards, ordered, held),
            Fraction(int(paid[sum(1 << place for place in held)]), draws),
        )
        for held, draws in zip(HOLDS, _DRAWS, strict=True)
    ]
    return tuple(sorted(ways, key=lambda way: way.value, reverse=True))


def best_hold(sheet: Sheet, coins: int, cards: Sequence[Card]) -> tuple[int, ...]:
    """The places of the cards that perfect play keeps: the first that `advise` names.

    For whoever asks about many hands: two seconds at first, and then a look at what is counted.
    """
    ordered = sorted(cards, key=DECK.index)
    hand = np.array([[DECK.index(card) for card in ordered]], np.uint8)
    values = values_of(numbers_of(hand), _worth(_pays(sheet, coins)))
    held = HOLDS[int(values[:, 0].argmax())]
    return _as_dealt(cards, ordered, held)


def _as_dealt(
    cards: Sequence[Card], ordered: Sequence[Card], held: Iterable[int]
) -> tuple[int, ...]:
    """The places from 1 in the order of the deal, for places from 0 in the deck's order."""
    return tuple(sorted(cards.index(ordered[place]) + 1 for place in held))


def _finals(ordered: Sequence[Card]) -> Ints:
    """By the set of places held, as bits: how many final hands there are of each category.

    Every hand of the deck comes of exactly one hold, of those dealt cards that it contains. So no
    replacement is tried: each hand is counted where it belongs.
    """
    marks = np.zeros(len(DECK), np.uint8)
    for place, card in enumerate(ordered):
        marks[DECK.index(card)] = 1 << place
    held = np.bitwise_or.reduce(marks[all_hands()], axis=1).astype(np.int64)
    kinds = held * len(CATEGORIES) + all_categories()
    return np.bincount(kinds, minlength=len(HOLDS) * len(CATEGORIES)).reshape(len(HOLDS), -1)


@lru_cache(maxsize=64)
def frequencies(pays: tuple[int, ...], progress: Progress) -> tuple[int, ...]:
    """How often perfect play ends in each category, out of all hands times `COMMON`.

    `pays` are the coins by category. What is paid is summed on two ways, which must agree.
    """
    worth = worth_of(pays)
    played = [np.zeros(len(sets), np.int64) for sets in worth]
    paid = done = 0
    for numbers in numbers_of_holds():
        values = values_of(numbers, worth)
        best = values.argmax(axis=0)
        paid += int(values.max(axis=0).sum())
        for at in range(len(HOLDS)):
            _count(played, numbers[:, best == at], at)
        done += len(best)
        progress(done, HANDS)
    counts = _made(played)
    assert sum(counts) == HANDS * COMMON
    assert sum(count * pay for count, pay in zip(counts, pays, strict=True)) == paid
    return counts


@lru_cache(maxsize=64)
def _worth(pays: tuple[int, ...]) -> tuple[Ints, ...]:
    return worth_of(pays)


def worth_of(pays: tuple[int, ...]) -> tuple[Ints, ...]:
    """For none to five cards: by the number of a set, what all hands that contain it pay."""
    paying = np.array(pays, np.int64)
    return (*(counts @ paying for counts in containing()), paying[all_categories()])


def values_of(numbers: Ints, worth: Sequence[Ints]) -> Ints:
    """What each hold of some hands pays on average, over `COMMON`: a row for each of `HOLDS`."""
    rows = zip(HOLDS, numbers, strict=True)
    values = np.stack([worth[len(held)][row] for held, row in rows])
    for thrown, kept in _STEPS:
        values[thrown] -= values[kept]
    values *= _SHARES[:, np.newaxis]
    return values


def _count(played: Sequence[Ints], numbers: Ints, at: int) -> None:
    """Count for each set of cards how often it adds to the hold that stands `at`, by some hands."""
    for term, sign in _TERMS[at]:
        np.add.at(played[len(HOLDS[term])], numbers[term], sign * _SHARES[at])


def _made(played: Sequence[Ints]) -> tuple[int, ...]:
    """The final hands by category, from how often each set of cards counts."""
    *parts, whole = played
    made = np.zeros(len(CATEGORIES), np.int64)
    for times, counts in zip(parts, containing(), strict=True):
        made += times @ counts
    np.add.at(made, all_categories(), whole)
    return tuple(map(int, made))


def _pays(sheet: Sheet, coins: int) -> tuple[int, ...]:
    assert 1 <= coins <= sheet.coins_max
    return tuple(sheet.pay(category, coins) for category in CATEGORIES)


def _mean(chances: Sequence[Fraction], values: Sequence[int]) -> Fraction:
    return sum((c * v for c, v in zip(chances, values, strict=True)), Fraction())
