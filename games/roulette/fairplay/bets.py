"""The moves of a round of roulette by account type, and a player's document (fault S6).

A move is the bets and nothing else. Account type, own limits and the number of a series are what
the house holds of a player: they stand in the round's opening, where no document reaches.
"""

from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import Field

from games.documents import malformed
from games.roulette.bets import (
    LINES_MAX,
    READERS,
    AnnouncedLine,
    ChanceLine,
    Forms,
    NeighboursLine,
    NumbersLine,
    read_lines,
    read_neighbours,
)
from games.roulette.wheel import POCKETS, Colour
from ledger.domain.events import Details
from ledger.domain.refusals import Refusal

FairPlayLine = NumbersLine | ChanceLine | AnnouncedLine | NeighboursLine
Pocket = Annotated[int, Field(ge=POCKETS[0], le=POCKETS[-1])]
"""A number of the wheel, a number of a series, or an offset."""


class FairPlayBets(Details):
    """Place these bets, or none: the opening move of a round."""

    type: Literal["fairplay-bets"] = "fairplay-bets"
    lines: Annotated[tuple[FairPlayLine, ...], Field(max_length=LINES_MAX)]


class FairPlaySpin(Details):
    """Close the bets and spin."""

    type: Literal["fairplay-spin"] = "fairplay-spin"


class FairPlayOutcome(Details):
    """Where the ball came to rest: the number, drawn or from a series, moved on by the offset."""

    type: Literal["fairplay-outcome"] = "fairplay-outcome"
    number: Pocket
    offset: Pocket
    pocket: Pocket
    colour: Colour


SPIN: Final = FairPlaySpin()

FORMS: Final[Forms[FairPlayLine]] = Forms(
    MappingProxyType({**READERS, frozenset({"neighbours", "chip"}): read_neighbours}),
    '"numbers" and "amount", "chance" and "amount", "announced" and "chip", '
    'or "neighbours" and "chip"',
)


def parse(document: object) -> FairPlayBets | Refusal:
    """Read `{"bets": [line, ..]}`, which may be none."""
    if not isinstance(document, dict) or set(document) != {"bets"}:
        return malformed('Write one object with the bets, which may be none: {"bets": [..]}.')
    lines = read_lines(document["bets"], FORMS)
    return lines if isinstance(lines, Refusal) else FairPlayBets(lines=lines)
