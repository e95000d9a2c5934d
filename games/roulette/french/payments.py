"""In which order the winning bets of a whole table are paid.

Source: rules of French roulette, paragraph on payments: columns, dozens, simple chances, then the
multiple chances, each with its own order inside.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from games.roulette.layout import Kind, RouletteBet
from games.roulette.wheel import ZERO
from ledger.domain.events import Frozen

Side = Literal["left", "right"]
"""A side of the table, as the head of the table sees it."""


class First(StrEnum):
    """Who is paid first among bets of one group."""

    LARGEST = "largest"
    SMALLEST = "smallest"
    FARTHEST = "farthest"


class PaymentGroup(Frozen):
    """Kinds of bets that are paid together."""

    kinds: Annotated[tuple[Kind, ...], Field(min_length=1)]
    first: First


class Payer(Frozen):
    """The side of the croupier who pays, by the number that came."""

    even: Side
    odd: Side
    zero: Side


class Payment(Frozen):
    """What a sheet says of the order of payments."""

    groups: tuple[PaymentGroup, ...]
    payer: Payer
    seat_one: Side
    """The side at whose croupier seat 1 is; the seats are counted from there."""

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        kinds = [kind for group in self.groups for kind in group.kinds]
        if sorted(kinds) != sorted(Kind):
            raise ValueError("every kind of bet must be paid in one group")
        return self


@dataclass(frozen=True, slots=True)
class Due:
    """A bet that is to be paid, of whichever player."""

    seat: int
    """The player's seat, from 1."""
    bet: int
    """The index of the bet among that player's."""
    position: RouletteBet
    stake: int
    """Minor units of the bet that count."""


def in_order(payment: Payment, pocket: int, dues: Iterable[Due]) -> tuple[Due, ...]:
    """The bets in the order of their payment, the same for the same bets however they were given.

    A position is as large as all that its player has there, and its bets are paid together. Among
    equals the lower seat is paid first, and at one seat the position that was bet on first.
    """
    dues = sorted(dues, key=lambda due: (due.seat, due.bet))
    lies, first = _positions(dues)
    places = {kind: at for at, group in enumerate(payment.groups) for kind in group.kinds}
    away = -1 if _payer(payment.payer, pocket) == payment.seat_one else 1
    inside: Mapping[First, Callable[[Due], int]] = {
        First.LARGEST: lambda due: -lies[due.seat, due.position],
        First.SMALLEST: lambda due: lies[due.seat, due.position],
        First.FARTHEST: lambda due: away * due.seat,
    }

    def rank(due: Due) -> tuple[int, int, int, int]:
        place = places[due.position.kind]
        size = inside[payment.groups[place].first](due)
        return place, size, due.seat, first[due.seat, due.position]

    return tuple(sorted(dues, key=rank))


Lying = tuple[int, RouletteBet]
"""A position and the seat of who bet on it."""


def _positions(dues: Iterable[Due]) -> tuple[Mapping[Lying, int], Mapping[Lying, int]]:
    """What lies on each position of a player, and which bet was placed there first."""
    lies: dict[Lying, int] = {}
    first: dict[Lying, int] = {}
    for due in dues:
        at = due.seat, due.position
        lies[at] = lies.get(at, 0) + due.stake
        first.setdefault(at, due.bet)
    return lies, first


def _payer(payer: Payer, pocket: int) -> Side:
    if pocket == ZERO:
        return payer.zero
    return payer.odd if pocket % 2 else payer.even
