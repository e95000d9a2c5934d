"""From lines to the sums on positions: what every game of roulette does before its own checks.

The sums count per position, however they came there (fault S7), and a position is one bet.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Protocol

from games.engine import foremost, header
from games.roulette.announced import Part, Stakes, expand
from games.roulette.bets import AnnouncedLine, ChanceLine, Line, NumbersLine
from games.roulette.layout import BY_KIND, Kind, RouletteBet, chance, find
from games.roulette.refusals import RouletteCode
from games.roulette.rtp import Pays
from games.roulette.wheel import POCKETS, neighbours
from ledger.domain.decider import RoundEvents, RoundView
from ledger.domain.events import BetPlaced
from ledger.domain.money import AMOUNT_MAX
from ledger.domain.refusals import Code, Refusal


class Offer(Protocol):
    """The part of a sheet that says which bets are taken."""

    @property
    def pays(self) -> Pays:
        """How many times the stake each offered kind wins."""

    @property
    def announced(self) -> Mapping[str, tuple[Part, ...]]:
        """The parts of each announced bet."""


def lay(offer: Offer, line: Line, place: str) -> Stakes | Refusal:
    """The placements that a line names with the minor units on each, or why it names none."""
    if isinstance(line, AnnouncedLine):
        parts = announced_parts(offer, line.announced, place)
        return parts if isinstance(parts, Refusal) else expand(parts, line.chip)
    bet = _named(line)
    if bet is None:
        return Refusal(
            RouletteCode.ILLEGAL_PLACEMENT, f"{place}: these numbers are no placement of the table."
        )
    if bet.kind not in offer.pays:
        return Refusal(
            RouletteCode.PLACEMENT_NOT_OFFERED, f"{place}: this table takes no {bet.kind}."
        )
    return ((bet, line.amount),)


def _named(line: NumbersLine | ChanceLine) -> RouletteBet | None:
    return chance(line.chance) if isinstance(line, ChanceLine) else find(line.numbers)


def announced_parts(offer: Offer, name: str, place: str) -> tuple[Part, ...] | Refusal:
    """The parts of an announced bet, or the refusal that lists those there are."""
    parts = offer.announced.get(name)
    if parts is None:
        names = ", ".join(sorted(offer.announced)) or "none"
        return Refusal(
            RouletteCode.ANNOUNCED_NOT_OFFERED, f"{place}: the announced bets here are: {names}."
        )
    return parts


def around(number: int, each_side: int, place: str) -> tuple[RouletteBet, ...] | Refusal:
    """The straights of a number and so many neighbours on each side of it on the wheel."""
    if number not in POCKETS:
        return Refusal(RouletteCode.ILLEGAL_PLACEMENT, f"{place}: the wheel has no such number.")
    return tuple(BY_KIND[Kind.STRAIGHT][each] for each in neighbours(number, each_side))


def all_laid(laid: Iterable[Stakes | Refusal]) -> list[Stakes] | Refusal:
    """What all lines lay, or the foremost refusal among them."""
    laid = list(laid)
    wrong = foremost(stakes for stakes in laid if isinstance(stakes, Refusal))
    return wrong or [stakes for stakes in laid if not isinstance(stakes, Refusal)]


def position_sums(laid: Iterable[Stakes]) -> dict[RouletteBet, int]:
    """The sum on each position, in the order in which the positions were first named."""
    positions: dict[RouletteBet, int] = {}
    for stakes in laid:
        for bet, amount in stakes:
            positions[bet] = positions.get(bet, 0) + amount
    return positions


def unbookable(pays: Pays, positions: Mapping[RouletteBet, int | Fraction]) -> list[Refusal]:
    """The refusal of bets that could win more than an amount may be; empty when they cannot."""
    if sum(amount * (pays[bet.kind] + 1) for bet, amount in positions.items()) <= AMOUNT_MAX:
        return []
    return [Refusal(Code.AMOUNT_TOO_LARGE, "The bets could win more than can be booked.")]


def placed(view: RoundView, positions: Mapping[RouletteBet, int]) -> RoundEvents:
    """One bet for each position."""
    common = header(view) | {"currency": view.currency}
    return tuple(
        BetPlaced(**common, bet=index, amount=amount, details=bet)
        for index, (bet, amount) in enumerate(positions.items(), 1)
    )
