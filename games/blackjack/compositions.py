"""Hands by what they are made of: how many cards of each value, whatever their order and suits.

A composition has ten places, from the ace to the ten; figures are tens. Arrays are loaded here, so
that whatever plays or judges a round stays away from this module.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.blackjack.hand import BLACKJACK, TEN, value
from games.cards import DECK, Card

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

Composition = tuple[int, ...]
"""How many cards of each value, from the ace to the ten."""

VALUES: Final = range(TEN)
"""The places of a composition: one less than what a card of the value counts as a hard card."""
NOTHING: Final[Composition] = (0,) * TEN
ACE: Final = 0
WORTH: Final[Ints] = np.arange(1, TEN + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """All hands up to 21 that hold some cards, each known by its place."""

    counts: Ints
    """A row of ten for each hand."""
    busts: Ints
    """The same for each hand that busts with its last card."""
    hard: Ints
    """What each hand counts with every ace as 1."""
    total: Ints
    """What each hand counts, an ace 11 where that does not bust it."""
    is_soft: Bools
    with_card: Ints
    """For each hand and value, the place of the hand with one such card more.

    The places of busts follow those of all hands.
    """
    layers: tuple[Ints, ...]
    """The places by hard total, from 21 downwards: each card more leads into a layer before."""
    places: Mapping[Composition, int]
    among_all: Ints
    """The place of each hand among all hands, whatever they hold."""


def of_cards(cards: Sequence[Card]) -> Composition:
    """What some cards are made of."""
    values = [value(card) - 1 for card in cards]
    return tuple(values.count(place) for place in VALUES)


def full_shoe(decks: int) -> Composition:
    """What a full shoe is made of."""
    return tuple(decks * count for count in of_cards(DECK))


def one(place: int) -> Composition:
    """One card of a value."""
    return plus(NOTHING, place)


def plus(composition: Composition, place: int) -> Composition:
    """A composition and one card of a value more."""
    return (*composition[:place], composition[place] + 1, *composition[place + 1 :])


def without(composition: Composition, place: int) -> Composition:
    """A composition and one card of a value less."""
    return (*composition[:place], composition[place] - 1, *composition[place + 1 :])


@cache
def hands_with(held: Composition) -> Hands:
    """Every hand up to 21 that holds the given cards among others."""
    found = sorted(_hands(held, 0, BLACKJACK - _hard(held)), key=_hard, reverse=True)
    places = {hand: place for place, hand in enumerate(found)}
    more = [[plus(hand, value) for value in VALUES] for hand in found]
    busts = sorted({hand for row in more for hand in row} - places.keys())
    places |= {hand: place for place, hand in enumerate(busts, len(found))}
    counts = np.array(found, np.int64)
    hard = counts @ WORTH
    is_soft = (counts[:, ACE] > 0) & (hard + TEN <= BLACKJACK)
    layers = tuple(np.flatnonzero(hard == total) for total in range(BLACKJACK, 0, -1))
    return Hands(
        counts=counts,
        busts=np.array(busts, np.int64),
        hard=hard,
        total=hard + TEN * is_soft,
        is_soft=is_soft,
        with_card=np.array([[places[hand] for hand in row] for row in more], np.int64),
        layers=tuple(layer for layer in layers if len(layer)),
        places=MappingProxyType(places),
        among_all=_among_all(found, held),
    )


def _among_all(found: Sequence[Composition], held: Composition) -> Ints:
    if held == NOTHING:
        return np.arange(len(found))
    places = hands_with(NOTHING).places
    return np.array([places[hand] for hand in found], np.int64)


def _hard(hand: Composition) -> int:
    return sum(count * worth for worth, count in enumerate(hand, 1))


def _hands(held: Composition, place: int, room: int) -> Iterator[Composition]:
    """The given cards with more cards, of the value at a place and higher ones, that have room."""
    yield held
    for further in range(place, min(TEN, room)):
        yield from _hands(plus(held, further), further, room - further - 1)


_BITS: Final = 6
"""Bits that hold how many cards there are of one value: two hands have fewer than 64."""
_SHIFTS: Final[Ints] = _BITS * np.arange(TEN)


def key_of(rows: Ints) -> Ints:
    """One number for each composition; that of two together is the sum of theirs."""
    return np.asarray((rows << _SHIFTS).sum(axis=-1))


def of_key(keys: Ints) -> Ints:
    """The compositions that have some numbers."""
    return np.asarray((keys[:, np.newaxis] >> _SHIFTS) & ((1 << _BITS) - 1))
