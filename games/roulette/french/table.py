"""Where a player's round of French roulette stands, folded from the round's events."""

from collections.abc import Iterable
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
    StakeLeft,
    TableRef,
    TableRoundJoined,
    WinCollected,
    WinHeld,
)
from ledger.domain.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Lying:
    """A bet and what of it was not refunded, in minor units."""

    placement: RouletteBet
    amount: int
    rounds: int = 0
    """For how many rounds its stake has played on."""


@dataclass(slots=True)
class Table:
    """What a player has on the table, by the index of the bet."""

    bets: dict[int, Lying] = field(default_factory=dict)
    """The bets of the table's round that are not refunded whole."""
    left: dict[int, Lying] = field(default_factory=dict)
    """Those that won, were not collected, and play on in the next round."""
    win: int = 0
    """What is held, in minor units."""
    prisoners: dict[int, Prisoner] = field(default_factory=dict)
    told: int = 0
    """How many outcomes these bets were told: the first decides them, others the prisoners."""
    place: TableRef | None = None
    """The table's round in which the last move was made."""
    of: TableRef | None = None
    """The table's round whose bets they are."""

    @property
    def awaits_outcome(self) -> bool:
        """Whether bets lie that no outcome has decided."""
        return bool(self.bets) and not self.told

    @property
    def goes_on(self) -> bool:
        """Whether something is in prison, or held for its player."""
        return bool(self.prisoners or self.win)

    @property
    def sums(self) -> dict[RouletteBet, int]:
        """What lies on each position."""
        return _sums(self.bets.values())

    @property
    def sums_left(self) -> dict[RouletteBet, int]:
        """What would play on on each position."""
        return _sums(self.left.values())


def _sums(bets: Iterable[Lying]) -> dict[RouletteBet, int]:
    sums: dict[RouletteBet, int] = {}
    for lying in bets:
        sums[lying.placement] = sums.get(lying.placement, 0) + lying.amount
    return sums


def table_of(view: RoundView) -> Table:
    """The table of a round as its events left it."""
    return folded(view.history)


def folded(history: Iterable[RoundEvent]) -> Table:
    """The table as these events of a round leave it."""
    table = Table()
    for event in history:
        _see(table, event)
    return table


def _see(table: Table, event: RoundEvent) -> None:
    match event:
        case RoundOpened(table=place):
            table.place = table.of = place
        case MoveMade(table=place):
            table.place = place
        case BetPlaced(bet=bet, details=placement, amount=amount):
            table.bets[bet] = Lying(placement, amount)
        case BetRefunded(bet=bet, amount=amount):
            _take_back(table, bet, amount)
        case OutcomeTold():
            table.told += 1
        case WinHeld() | WinCollected() | TableRoundJoined() | StakeLeft():
            _see_win(table, event)
        case _:
            _see_prisoner(table, event)


def _see_win(table: Table, event: RoundEvent) -> None:
    match event:
        case WinHeld(bet=bet, winnings=won, stake_returned=returned):
            table.win += won + returned
            if returned:
                table.left.pop(bet, None)
            else:
                table.left[bet] = table.bets[bet]
        case WinCollected(amount=amount):
            table.win -= amount
        case TableRoundJoined(table=place, plays_on=True):
            table.of, table.bets, table.told = place, {}, 0
        case StakeLeft(bet=bet, left_as=left_as):
            lying = table.left.pop(bet)
            table.bets[left_as] = replace(lying, rounds=lying.rounds + 1)
        case _:
            pass


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


def limits_of(sheet: Sheet, table: Table) -> Range:
    """The limits that hold for the bets: those of the table's round, else the sheet's."""
    if table.of is None or table.of.limits is None:
        return sheet.limits
    limits = read_limits(table.of.limits)
    assert not isinstance(limits, Refusal)
    return limits


@lru_cache(maxsize=256)
def read_limits(text: str) -> Range | Refusal:
    """Read a table's limits such as `{"min": "1.00", "max": "100.00"}`."""
    document = read_json(text)
    return document if isinstance(document, Refusal) else read_range(document, '"limits"')
