"""Where a player's round of French roulette stands, folded from the round's events."""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from games.documents import read_json
from games.ranges import Range, read_range
from games.roulette.french.prison import Prisoner
from games.roulette.french.sheet import Sheet
from games.roulette.layout import RouletteBet
from ledger.domain.decider import RoundView
from ledger.domain.events import (
    BetPlaced,
    BetRefunded,
    MoveMade,
    OutcomeTold,
    PrisonerMoved,
    PrisonerReleased,
    PrisonerStepped,
    RoundEvent,
    RoundOpened,
    StakeImprisoned,
    TableRef,
)
from ledger.domain.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Lying:
    """A bet and what of it was not refunded, in minor units."""

    placement: RouletteBet
    amount: int


@dataclass(slots=True)
class Table:
    """What a player has on the table, by the index of the bet."""

    bets: dict[int, Lying] = field(default_factory=dict)
    """The bets that are not refunded whole."""
    prisoners: dict[int, Prisoner] = field(default_factory=dict)
    told: int = 0
    """How many outcomes the round was told: the first decides its bets, others its prisoners."""
    place: TableRef | None = None
    """The table's round in which the last move was made."""

    @property
    def sums(self) -> dict[RouletteBet, int]:
        """What lies on each position."""
        sums: dict[RouletteBet, int] = {}
        for lying in self.bets.values():
            sums[lying.placement] = sums.get(lying.placement, 0) + lying.amount
        return sums


def table_of(view: RoundView) -> Table:
    """The table of a round as its events left it."""
    table = Table()
    for event in view.history:
        _see(table, event)
    return table


def _see(table: Table, event: RoundEvent) -> None:
    match event:
        case RoundOpened(table=place) | MoveMade(table=place):
            table.place = place
        case BetPlaced(bet=bet, details=placement, amount=amount):
            table.bets[bet] = Lying(placement, amount)
        case BetRefunded(bet=bet, amount=amount):
            _take_back(table, bet, amount)
        case OutcomeTold():
            table.told += 1
        case _:
            _see_prisoner(table, event)


def _take_back(table: Table, bet: int, amount: int) -> None:
    left = table.bets[bet].amount - amount
    if left:
        table.bets[bet] = replace(table.bets[bet], amount=left)
    else:
        del table.bets[bet]


def _see_prisoner(table: Table, event: RoundEvent) -> None:
    match event:
        case StakeImprisoned(bet=bet, amount=amount, level=level):
            chance: Any = table.bets[bet].placement.kind.value
            table.prisoners[bet] = Prisoner(amount, level, chance)
        case PrisonerStepped(bet=bet, level=level):
            table.prisoners[bet] = replace(table.prisoners[bet], level=level)
        case PrisonerMoved(bet=bet, details=placement):
            table.prisoners[bet] = replace(table.prisoners[bet], chance=placement.kind.value)
        case PrisonerReleased(bet=bet):
            del table.prisoners[bet]
        case _:
            pass


def limits_of(view: RoundView) -> Range:
    """The limits that hold for the bets: those of the table's round, else the sheet's."""
    sheet: Sheet = view.sheet
    place = view.opening.table
    if place is None or place.limits is None:
        return sheet.limits
    limits = read_limits(place.limits)
    assert not isinstance(limits, Refusal)
    return limits


@lru_cache(maxsize=256)
def read_limits(text: str) -> Range | Refusal:
    """Read a table's limits such as `{"min": "1.00", "max": "100.00"}`."""
    document = read_json(text)
    return document if isinstance(document, Refusal) else read_range(document, '"limits"')
