"""The ways in which a player of French roulette names bets: the shared ones, sectors and finals.

Source: rules of French roulette, on announced bets, sectors of five numbers and finals.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final

from pydantic import Field

from games.documents import malformed, read_amount
from games.roulette.bets import (
    READERS,
    AnnouncedLine,
    ChanceLine,
    Forms,
    Number,
    NumbersLine,
    read_number,
)
from ledger.domain.events import Frozen
from ledger.domain.money import Amount
from ledger.domain.refusals import Refusal

DIGITS_MAX: Final = 2
"""Most final digits in one call."""

SECTOR: Final = "sector"
FINAL: Final = "final"


class SectorLine(Frozen):
    """A number and its neighbours on the wheel, with the worth of one chip, in minor units."""

    number: Number
    chip: Amount


class FinalLine(Frozen):
    """The numbers that end in these digits, with the worth of one chip, in minor units."""

    digits: Annotated[tuple[Number, ...], Field(min_length=1, max_length=DIGITS_MAX)]
    chip: Amount


CallLine = AnnouncedLine | SectorLine | FinalLine
"""A call that lays chips on several placements."""

FrenchLine = NumbersLine | ChanceLine | CallLine


def _sector(line: Mapping[str, Any], place: str) -> SectorLine | Refusal:
    if line["announced"] != SECTOR:
        return malformed(f'{place}: only the announced bet "{SECTOR}" has a "number".')
    number = read_number(line["number"], place)
    if isinstance(number, Refusal):
        return number
    chip = read_amount(line["chip"], place)
    return chip if isinstance(chip, Refusal) else SectorLine(number=number, chip=chip)


def _final(line: Mapping[str, Any], place: str) -> FinalLine | Refusal:
    if line["announced"] != FINAL:
        return malformed(f'{place}: only the announced bet "{FINAL}" has "digits".')
    digits = line["digits"]
    if not isinstance(digits, list) or not 1 <= len(digits) <= DIGITS_MAX:
        return malformed(f'{place}: write the "digits" as a list of one or two.')
    for digit in digits:
        number = read_number(digit, place)
        if isinstance(number, Refusal):
            return number
    chip = read_amount(line["chip"], place)
    return chip if isinstance(chip, Refusal) else FinalLine(digits=tuple(digits), chip=chip)


FORMS: Final[Forms[FrenchLine]] = Forms(
    MappingProxyType(
        {
            **READERS,
            frozenset({"announced", "number", "chip"}): _sector,
            frozenset({"announced", "digits", "chip"}): _final,
        }
    ),
    '"numbers" and "amount", "chance" and "amount", or "announced" and "chip", '
    'with "number" for a sector and "digits" for a final',
)
