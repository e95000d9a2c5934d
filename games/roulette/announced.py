"""Announced bets: one call that lays chips on several placements, each a bet of its own.

Which chips a call lays is data of the sheet. Source: European Roulette rules, section "Puntate e
sistemi di gioco", where the neighbours of zero take nine chips, two of them on each placement of
more than two numbers.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from games.roulette.layout import Kind, RouletteBet, find
from ledger.domain.decider import SheetError
from ledger.domain.events import Frozen

Stakes = tuple[tuple[RouletteBet, int], ...]
"""Placements with the minor units on each."""


class PartDocument(Frozen):
    """One placement of an announced bet, as the sheet writes it."""

    numbers: Annotated[tuple[int, ...], Field(min_length=1, max_length=18)]
    chips: Annotated[int, Field(strict=True, ge=1, le=10)]


@dataclass(frozen=True, slots=True)
class Part:
    """One placement of an announced bet, and how many chips lie on it."""

    bet: RouletteBet
    chips: int


def read_part(part: PartDocument, offered: Collection[Kind]) -> Part:
    """Find the placement of a part; raise `SheetError` when the sheet offers none like it."""
    bet = find(part.numbers)
    if bet is None or bet.kind not in offered:
        raise SheetError(f"an announced bet lays chips on {part.numbers}, which is not offered")
    return Part(bet, part.chips)


def expand(parts: tuple[Part, ...], chip: int) -> Stakes:
    """Lay out an announced bet with a chip of this many minor units."""
    return tuple((part.bet, part.chips * chip) for part in parts)
