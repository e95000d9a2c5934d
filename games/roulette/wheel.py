"""The wheel: 37 pockets, and the red and black numbers that alternate around it.

Source: European Roulette rules, first section of each family ("37 caselle"). The range "0 a 37"
that its section on results prints would be 38 pockets and is an error of the text.
"""

from typing import Final, Literal

from ledger.domain.events import Details

ORDER: Final = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
    5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
)  # fmt: skip
"""The pockets clockwise from zero; from 32 on they are red and black in turn."""

POCKETS: Final = range(len(ORDER))

ZERO: Final = 0
"""The pocket that no simple chance, dozen or column covers."""

Colour = Literal["red", "black", "green"]

_COLOURS: Final[dict[int, Colour]] = {
    number: "green" if place == 0 else "red" if place % 2 else "black"
    for place, number in enumerate(ORDER)
}


class WheelOutcome(Details):
    """Where the ball came to rest."""

    type: Literal["wheel-outcome"] = "wheel-outcome"
    pocket: int
    colour: Colour


def outcome(pocket: int) -> WheelOutcome:
    """The outcome of a pocket, with its colour."""
    return WheelOutcome(pocket=pocket, colour=_COLOURS[pocket])


def neighbours(number: int, each_side: int) -> tuple[int, ...]:
    """A pocket with so many others to each side of it, in the order of the wheel.

    Source: rules of roulette with FairPlay, bets on neighbours, where 17 stands in 2/25/17/34/6.
    """
    place = ORDER.index(number)
    around = range(place - each_side, place + each_side + 1)
    return tuple(ORDER[at % len(ORDER)] for at in around)


def of_colour(colour: Colour) -> tuple[int, ...]:
    """The numbers of one colour, ascending."""
    return tuple(number for number in POCKETS if _COLOURS[number] == colour)
