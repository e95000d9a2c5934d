"""The layout: the 157 placements, by rule from the grid of twelve rows of three beside the zero.

The numbers alone name a placement, so that a set of numbers is either one bet or none (fault S9).
Source: European Roulette rules, section "Puntate e sistemi di gioco" of each family.
"""

from collections.abc import Collection, Iterable, Iterator
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Literal

from games.roulette.wheel import of_colour
from ledger.domain.events import Details


class Kind(StrEnum):
    """The kinds of bets, inside bets first; their names are on record and in answers."""

    STRAIGHT = "straight"
    SPLIT = "split"
    STREET = "street"
    TRIO = "trio"
    CORNER = "corner"
    FIRST_FOUR = "first-four"
    SIX_LINE = "six-line"
    DOZEN = "dozen"
    COLUMN = "column"
    RED = "red"
    BLACK = "black"
    EVEN = "even"
    ODD = "odd"
    LOW = "low"
    HIGH = "high"


Chance = Literal["red", "black", "even", "odd", "low", "high"]
"""The simple chances: half of the numbers each, zero never."""


class RouletteBet(Details):
    """One placement: its kind and its numbers, ascending."""

    type: Literal["roulette-bet"] = "roulette-bet"
    kind: Kind
    numbers: tuple[int, ...]


_WIDTH: Final = 3
_NUMBERS: Final = range(1, 37)
_ROW_STARTS: Final = range(1, 37, _WIDTH)


def _has_right_neighbour(number: int) -> bool:
    return number % _WIDTH != 0


def _splits() -> Iterator[tuple[int, ...]]:
    yield from ((0, n) for n in range(1, _WIDTH + 1))
    yield from ((n, n + 1) for n in _NUMBERS if _has_right_neighbour(n))
    yield from ((n, n + _WIDTH) for n in _NUMBERS if n + _WIDTH in _NUMBERS)


def _corners() -> Iterator[tuple[int, ...]]:
    for n in _NUMBERS:
        if _has_right_neighbour(n) and n + _WIDTH in _NUMBERS:
            yield (n, n + 1, n + _WIDTH, n + _WIDTH + 1)


def _runs(starts: Iterable[int], length: int) -> Iterator[tuple[int, ...]]:
    return (tuple(range(start, start + length)) for start in starts)


def _placements() -> Iterator[tuple[Kind, Iterable[tuple[int, ...]]]]:
    yield Kind.STRAIGHT, _runs((0, *_NUMBERS), 1)
    yield Kind.SPLIT, _splits()
    yield Kind.STREET, _runs(_ROW_STARTS, _WIDTH)
    yield Kind.TRIO, ((0, 1, 2), (0, 2, 3))
    yield Kind.CORNER, _corners()
    yield Kind.FIRST_FOUR, ((0, 1, 2, 3),)
    yield Kind.SIX_LINE, _runs(_ROW_STARTS[:-1], 2 * _WIDTH)
    yield Kind.DOZEN, _runs((1, 13, 25), 12)
    yield Kind.COLUMN, (tuple(_NUMBERS[first::_WIDTH]) for first in range(_WIDTH))
    yield Kind.RED, (of_colour("red"),)
    yield Kind.BLACK, (of_colour("black"),)
    yield Kind.EVEN, (tuple(_NUMBERS[1::2]),)
    yield Kind.ODD, (tuple(_NUMBERS[0::2]),)
    yield Kind.LOW, (tuple(_NUMBERS[:18]),)
    yield Kind.HIGH, (tuple(_NUMBERS[18:]),)


PLACEMENTS: Final = tuple(
    RouletteBet(kind=kind, numbers=numbers) for kind, sets in _placements() for numbers in sets
)
"""All 157 placements, in the order of their kinds."""

BY_KIND: Final = MappingProxyType(
    {kind: tuple(p for p in PLACEMENTS if p.kind is kind) for kind in Kind}
)

_BY_NUMBERS: Final = {p.numbers: p for p in PLACEMENTS}


def find(numbers: Collection[int]) -> RouletteBet | None:
    """The placement that covers exactly these numbers, in whatever order; None if there is none."""
    return _BY_NUMBERS.get(tuple(sorted(numbers)))


def chance(name: Chance) -> RouletteBet:
    """The placement of a simple chance."""
    return BY_KIND[Kind(name)][0]
