"""Finals: the numbers that end in one digit, or in two that lie side by side on the layout.

Which placements a final lays is data of the sheet, one chip on each. Source: rules of French
roulette, table of the finals and the paragraphs on them.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from games.roulette.announced import Part, PartDocument, read_part
from games.roulette.layout import Kind
from ledger.domain.decider import SheetError
from ledger.domain.events import Frozen

Digit = Annotated[int, Field(strict=True, ge=0, le=12)]


class Shape(StrEnum):
    """How a final is laid: on straights, or on splits across or along the layout."""

    FULL = "full"
    HORIZONTAL = "horizontal"
    VERTICAL = "vertical"


class FinalDocument(Frozen):
    """One final as the sheet writes it: its digits, and the numbers under each of its chips."""

    digits: Annotated[tuple[Digit, ...], Field(min_length=1, max_length=2)]
    laid: Annotated[tuple[tuple[int, ...], ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class FinalBet:
    """One final: how it is laid, and on which placements."""

    shape: Shape
    parts: tuple[Part, ...]


Finals = Mapping[tuple[int, ...], FinalBet]
"""The finals that are offered, by their digits from the lowest."""


def read_finals(
    finals: Mapping[Shape, Iterable[FinalDocument]], offered: Collection[Kind]
) -> Finals:
    """Find the placements of all finals; raise `SheetError` where one is wrong."""
    read: dict[tuple[int, ...], FinalBet] = {}
    for shape, documents in finals.items():
        for document in documents:
            digits = document.digits
            if digits in read or any(a >= b for a, b in pairwise(digits)):
                raise SheetError(f"the final {digits} must ascend and stand once")
            laid = [PartDocument(numbers=numbers, chips=1) for numbers in document.laid]
            read[digits] = FinalBet(shape, tuple(read_part(part, offered) for part in laid))
    return MappingProxyType(read)


def digits_text(digits: Iterable[int]) -> str:
    """Digits as a person reads them: `3-6`."""
    return "-".join(map(str, digits))
