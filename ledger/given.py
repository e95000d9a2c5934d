"""What players, tables and operators bring about must fit the round as it stood (S3).

It follows from no sheet, so that no engine can propose it again: what it takes back must be held,
and what is decided is never taken back.
"""

from collections.abc import Iterator

from ledger.domain.decider import RoundEvents
from ledger.domain.events import (
    BetPlaced,
    BetRefunded,
    OutcomeTold,
    RoundEvent,
    RoundOpened,
    RoundVoided,
    StakeImprisoned,
    StakeLeft,
    StakeLost,
    TableRoundJoined,
    WinHeld,
)


def misfits(event: RoundEvent, history: RoundEvents) -> Iterator[str]:
    """What is wrong with an event that a player, a table or an operator brought about.

    `history` is the round before it, from its opening on.
    """
    opened = history[0] if history else event
    assert isinstance(opened, RoundOpened)
    told = (event.game, event.rules, getattr(event, "currency", opened.currency))
    if told != (opened.game, opened.rules, opened.currency):
        yield "names another game, sheet or currency than its round"
    if isinstance(event, BetRefunded | RoundVoided):
        yield from _taken_back(event, history)


def _taken_back(event: BetRefunded | RoundVoided, history: RoundEvents) -> Iterator[str]:
    open_bets = _since_joined(history) if isinstance(event, BetRefunded) else history
    if open_bets is history and any(isinstance(earlier, WinHeld) for earlier in history):
        yield "the round has won, and its win can only be collected"
    if any(isinstance(earlier, OutcomeTold) for earlier in open_bets):
        yield "the table's outcome decided the round, and nothing goes back"
    held = _held(history)
    if isinstance(event, BetRefunded):
        if event.amount > held.get(event.bet, 0):
            yield f"more is refunded than bet {event.bet} holds"
        return
    if any(held.values()):
        yield "not every stake was refunded once"
    staked = sum(e.amount for e in history if isinstance(e, BetPlaced))
    if (event.refunded, event.bets) != (staked, len(held)):
        yield f"the round had {len(held)} bets of {staked} together"


def _since_joined(history: RoundEvents) -> RoundEvents:
    """What happened since stakes that won play on in a round of the table; all where none do."""
    joined = [at for at, e in enumerate(history) if isinstance(e, TableRoundJoined)]
    return history[joined[-1] :] if joined else history


def _held(history: RoundEvents) -> dict[int, int]:
    """What each bet of a round still holds of its stake, in minor units, as the session has it."""
    held: dict[int, int] = {}
    for event in history:
        match event:
            case BetPlaced(bet=bet, amount=amount):
                held[bet] = held.get(bet, 0) + amount
            case StakeLeft(bet=bet, left_as=left_as, amount=amount):
                held |= {bet: held.get(bet, 0) - amount, left_as: amount}
            case BetRefunded(bet=bet, amount=back) | WinHeld(bet=bet, stake_returned=back):
                held[bet] = held.get(bet, 0) - back
            case StakeLost(bet=bet, amount=gone) | StakeImprisoned(bet=bet, amount=gone):
                held[bet] = held.get(bet, 0) - gone
            case _:
                pass
    return held
