"""A stake divided evenly among the parts of a named bet, as the rules' examples divide it.

At the table a named bet takes one chip for each part, so this is for quotes alone. The parts are
exact fractions, and what is credited is rounded once, half up, on the bet's total (rulings C2).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from games.documents import read_amount
from games.engine import Payout
from games.roulette.announced import Part
from games.roulette.bets import Forms, Name, Number, read_name, read_number
from games.roulette.fairplay.bets import FORMS, FairPlayLine
from games.roulette.fairplay.sheet import Sheet
from games.roulette.laying import announced_parts, around
from games.roulette.layout import RouletteBet
from games.roulette.payouts import payout
from games.roulette.rtp import Pays
from ledger.domain.events import Frozen
from ledger.domain.money import Amount, half_up
from ledger.domain.refusals import Refusal


class AnnouncedStake(Frozen):
    """A named bet with a stake for all of its parts together, in minor units."""

    announced: Name
    stake: Amount


class NeighboursStake(Frozen):
    """A number and its neighbours with a stake for all of them together, in minor units."""

    neighbours: Number
    stake: Amount


StakeLine = AnnouncedStake | NeighboursStake


@dataclass(frozen=True, slots=True)
class Divided:
    """A named bet by its parts, and the whole stake in minor units."""

    name: str
    parts: tuple[Part, ...]
    stake: int

    @property
    def unit(self) -> Fraction:
        """What lies on one part, in minor units."""
        return Fraction(self.stake, sum(part.chips for part in self.parts))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that the bet covers, ascending."""
        return tuple(sorted({n for part in self.parts for n in part.bet.numbers}))

    def sums(self) -> tuple[tuple[RouletteBet, Fraction], ...]:
        """What lies on each placement, exactly."""
        return tuple((part.bet, part.chips * self.unit) for part in self.parts)

    def paid(self, pays: Pays, pocket: int) -> Payout:
        """What the whole bet brings; the winnings are what its credit has beyond the stake."""
        each = [payout(p.bet, pays[p.bet.kind], p.chips, pocket) for p in self.parts]
        credited = half_up(self.unit * sum(chips.credited for chips in each))
        returned = half_up(self.unit * sum(chips.stake_returned for chips in each))
        return Payout(credited - returned, returned)


def divide(sheet: Sheet, line: StakeLine, place: str) -> Divided | Refusal:
    """The parts among which a line divides its stake, or why it names none."""
    if isinstance(line, NeighboursStake):
        straights = around(line.neighbours, sheet.neighbours, place)
        if isinstance(straights, Refusal):
            return straights
        return Divided("neighbours", tuple(Part(bet, 1) for bet in straights), line.stake)
    parts = announced_parts(sheet, line.announced, place)
    return parts if isinstance(parts, Refusal) else Divided(line.announced, parts, line.stake)


def _announced(line: Mapping[str, Any], place: str) -> AnnouncedStake | Refusal:
    name = read_name(line["announced"], place)
    if isinstance(name, Refusal):
        return name
    stake = read_amount(line["stake"], place)
    return stake if isinstance(stake, Refusal) else AnnouncedStake(announced=name, stake=stake)


def _neighbours(line: Mapping[str, Any], place: str) -> NeighboursStake | Refusal:
    number = read_number(line["neighbours"], place)
    if isinstance(number, Refusal):
        return number
    stake = read_amount(line["stake"], place)
    return stake if isinstance(stake, Refusal) else NeighboursStake(neighbours=number, stake=stake)


QUOTED: Final[Forms[FairPlayLine | StakeLine]] = Forms(
    MappingProxyType(
        {
            **FORMS.readers,
            frozenset({"announced", "stake"}): _announced,
            frozenset({"neighbours", "stake"}): _neighbours,
        }
    ),
    f'{FORMS.told}, where a "stake" may stand for the "chip"',
)
"""The lines of a quote: those of play, and the two with a stake that is divided."""
