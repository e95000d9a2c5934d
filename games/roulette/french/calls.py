"""Announced bets of French roulette by what was called: their parts, their name, their chips."""

from collections.abc import Iterable
from dataclasses import dataclass

from games.ranges import Range
from games.roulette.announced import Part, Stakes, expand
from games.roulette.bets import AnnouncedLine, ChanceLine, NumbersLine
from games.roulette.french.bets import CallLine, FinalLine, FrenchLine, SectorLine
from games.roulette.french.finals import digits_text
from games.roulette.french.names import Name, called
from games.roulette.french.positions import Position, positions
from games.roulette.french.sheet import Sheet
from games.roulette.laying import all_laid, announced_parts, around, lay, position_sums
from games.roulette.refusals import RouletteCode
from ledger.domain.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Call:
    """An announced bet as the croupier repeats it."""

    name: Name
    parts: tuple[Part, ...]
    announced: str | None = None
    """Its name among the sheet's announced bets; None for a sector and a final."""

    @property
    def chips(self) -> int:
        """How many chips it takes."""
        return sum(part.chips for part in self.parts)


def call_of(sheet: Sheet, line: CallLine, place: str) -> Call | Refusal:
    """The announced bet that a line names, or why there is none."""
    match line:
        case AnnouncedLine():
            parts = announced_parts(sheet, line.announced, place)
            if isinstance(parts, Refusal):
                return parts
            return Call(sheet.names.announced[line.announced], parts, line.announced)
        case SectorLine():
            return _sector(sheet, line, place)
        case FinalLine():
            return _final(sheet, line, place)


def lay_line(sheet: Sheet, line: FrenchLine, place: str) -> Stakes | Refusal:
    """The placements that a line names with the minor units on each, or why it names none."""
    if isinstance(line, NumbersLine | ChanceLine):
        return lay(sheet, line, place)
    call = call_of(sheet, line, place)
    return call if isinstance(call, Refusal) else expand(call.parts, line.chip)


def lay_bets(
    sheet: Sheet, limits: Range, lines: Iterable[FrenchLine], *, force: bool = False
) -> tuple[Position, ...] | Refusal:
    """What lies on each position when all lines are laid, or the foremost refusal."""
    laid = all_laid(lay_line(sheet, line, f"Bet {at}") for at, line in enumerate(lines, 1))
    if isinstance(laid, Refusal):
        return laid
    return positions(sheet.pays, limits, position_sums(laid), force=force)


def _sector(sheet: Sheet, line: SectorLine, place: str) -> Call | Refusal:
    straights = around(line.number, sheet.sector_neighbours, place)
    if isinstance(straights, Refusal):
        return straights
    name = called(sheet.names.sector, str(line.number))
    return Call(name, tuple(Part(bet, 1) for bet in straights))


def _final(sheet: Sheet, line: FinalLine, place: str) -> Call | Refusal:
    digits = tuple(sorted(line.digits))
    final = sheet.finals.get(digits)
    if final is None:
        offered = ", ".join(map(digits_text, sheet.finals))
        return Refusal(
            RouletteCode.ANNOUNCED_NOT_OFFERED, f"{place}: the finals here are: {offered}."
        )
    return Call(called(sheet.names.finals[final.shape], digits_text(digits)), final.parts)
