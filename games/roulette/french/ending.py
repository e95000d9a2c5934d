"""The end of a player's round of French roulette: when it comes, and what it says (G1, G9)."""

from games.engine import header
from games.roulette.french.table import folded
from ledger.domain.decider import RoundEvents, RoundView
from ledger.domain.events import (
    BetPlaced,
    BetRefunded,
    PayoutCredited,
    PrisonerReleased,
    RoundSettled,
    StakeLeft,
    StakeLost,
    WinHeld,
)


def ended_or_not(view: RoundView, events: RoundEvents) -> RoundEvents:
    """The events, and the settlement with them when nothing is in prison or held any more."""
    history = (*view.history, *events)
    return events if folded(history).goes_on else (*events, _ended(view, history))


def _ended(view: RoundView, history: RoundEvents) -> RoundSettled:
    bets = [e for e in history if isinstance(e, BetPlaced | StakeLeft)]
    paid = [e for e in history if isinstance(e, PayoutCredited | WinHeld)]
    released = [e for e in history if isinstance(e, PrisonerReleased)]
    lost = [e.amount for e in history if isinstance(e, StakeLost)]
    taken = sum(e.to_bank for e in released) + sum(lost)
    refunded = sum(e.amount for e in history if isinstance(e, BetRefunded))
    returned = sum(e.stake_returned for e in paid) + sum(e.returned for e in released)
    returned += sum(e.amount for e in history if isinstance(e, StakeLeft))
    staked = sum(e.amount for e in bets)
    return RoundSettled(
        **header(view),
        currency=view.currency,
        staked=staked,
        winnings=sum(e.winnings for e in paid),
        stake_returned=returned,
        stakes_lost=staked - refunded - returned - taken,
        refunded=refunded,
        bets=len(bets),
        taken=taken if released or lost else None,
    )
