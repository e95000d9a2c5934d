"""Where a round of Deuces Wild stands: what lies on the table, folded from the round's events."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from games.cards import Card
from games.deuces_wild.hand import HAND_SIZE, Category
from ledger.domain.decider import RoundView
from ledger.domain.events import (
    BetPlaced,
    Count,
    Details,
    DoubleUpResolved,
    DoubleUpStaked,
    DrawRecorded,
    RoundEvent,
    WinHeld,
)
from ledger.domain.money import Amount

FACE_DOWN: Final = 4
"""Cards that lie face down in a double-up."""

Five = Annotated[tuple[Card, ...], Field(min_length=HAND_SIZE, max_length=HAND_SIZE)]
Four = Annotated[tuple[Card, ...], Field(min_length=FACE_DOWN, max_length=FACE_DOWN)]
Position = Annotated[int, Field(strict=True, ge=1, le=HAND_SIZE)]


class DeucesBet(Details):
    """So many coins of a value, in minor units."""

    type: Literal["deuces-bet"] = "deuces-bet"
    coins: Count
    coin: Amount


class DeucesDealt(Details):
    """The five cards as dealt, and the positions that the game proposes to hold."""

    type: Literal["deuces-dealt"] = "deuces-dealt"
    cards: Five
    proposed_hold: tuple[Position, ...]


class DeucesFinal(Details):
    """The five cards after the replacement, and what they make."""

    type: Literal["deuces-final"] = "deuces-final"
    cards: Five
    category: Category


class DeucesShown(Details):
    """The card to beat in a double-up."""

    type: Literal["deuces-shown"] = "deuces-shown"
    card: Card


class DeucesFour(Details):
    """The four cards that lay face down, and which of them was picked, from 1."""

    type: Literal["deuces-four"] = "deuces-four"
    cards: Four
    picked: Annotated[int, Field(strict=True, ge=1, le=FACE_DOWN)]


@dataclass(frozen=True, slots=True)
class Table:
    """What lies on the table; amounts in minor units, absent things None."""

    bet: DeucesBet | None = None
    dealt: DeucesDealt | None = None
    final: DeucesFinal | None = None
    win: int = 0
    """The held win that is on offer; 0 when there is none, or a double-up lost it."""
    double_ups: int = 0
    """How many double-ups were staked so far."""
    staked: DoubleUpStaked | None = None
    """The double-up in play."""
    shown: Card | None = None
    """The card to beat in the double-up in play."""


def table_of(view: RoundView) -> Table:
    """The table of a round as its events left it."""
    table = Table()
    for event in view.history:
        table = _seen(table, event)
    return table


def _seen(table: Table, event: RoundEvent) -> Table:
    match event:
        case BetPlaced(details=DeucesBet() as bet):
            return replace(table, bet=bet)
        case DrawRecorded(details=details):
            return _drawn(table, details)
        case WinHeld(winnings=winnings, stake_returned=returned):
            return replace(table, win=winnings + returned)
        case DoubleUpStaked(number=number):
            return replace(table, double_ups=number, staked=event)
        case DoubleUpResolved(returned=returned):
            assert table.staked is not None
            return replace(table, win=table.staked.kept + returned, staked=None, shown=None)
        case _:
            return table


def _drawn(table: Table, details: Any) -> Table:
    match details:
        case DeucesDealt():
            return replace(table, dealt=details)
        case DeucesFinal():
            return replace(table, final=details)
        case DeucesShown(card=card):
            return replace(table, shown=card)
        case _:
            return table
