"""Winnings that their players collect: held wins, and stakes that play on meanwhile (FR7, FR9).

A stake that won and is not collected plays on for as many rounds as the sheet gives its kind; what
it wins is held from its win on. Then, and for other kinds at once, the stake is held with it.
Source: rules of French roulette, paragraph on winnings that are not collected.
"""

from typing import Any

from games.engine import Payout, header
from games.roulette.french.ending import ended_or_not
from games.roulette.french.sheet import Sheet
from games.roulette.french.table import Table, limits_of, table_of
from games.roulette.refusals import RouletteCode
from ledger.domain.decider import RoundEvents, RoundView
from ledger.domain.events import (
    BetPlaced,
    PayoutCredited,
    StakeLeft,
    TableRoundJoined,
    WinCollected,
    WinHeld,
)
from ledger.domain.refusals import Code, Refusal


def next_bet(view: RoundView) -> int:
    """The index of the next bet of a round."""
    return 1 + sum(isinstance(event, BetPlaced | StakeLeft) for event in view.history)


def paid(view: RoundView, table: Table, bet: int, brought: Payout) -> PayoutCredited | WinHeld:
    """What a bet won: credited, or held; with its stake, or without one that plays on."""
    sheet: Sheet = view.sheet
    told: dict[str, Any] = {**_common(view), "bet": bet, "winnings": brought.winnings}
    if not sheet.collecting.is_manual:
        return PayoutCredited(**told, stake_returned=brought.stake_returned)
    lying = table.bets[bet]
    plays_on = lying.rounds < sheet.collecting.rounds_of(lying.placement.kind)
    return WinHeld(**told, stake_returned=0 if plays_on else brought.stake_returned)


def left(view: RoundView) -> RoundEvents:
    """What becomes of stakes that won when the table opens its next round.

    One plays on as a bet of that round; what lies on a position below its minimum, and all where
    none may play on, is held.
    """
    joined, table = view.history[-1], table_of(view)
    assert isinstance(joined, TableRoundJoined)
    least, sums = limits_of(view.sheet, table).min, table.sums_left
    events: list[StakeLeft | WinHeld] = []
    for bet, lying in table.left.items():
        if joined.plays_on and sums[lying.placement] >= least:
            number = next_bet(view) + sum(isinstance(e, StakeLeft) for e in events)
            told: dict[str, Any] = {"bet": bet, "left_as": number, "amount": lying.amount}
            events.append(StakeLeft(**_common(view), **told))
        else:
            events.append(_set_aside(view, bet, lying.amount))
    return tuple(events)


def collect(view: RoundView) -> RoundEvents | Refusal:
    """Take all that is held, with the stakes that lie between two rounds; not while bets lie."""
    table = table_of(view)
    if table.awaits_outcome:
        text = "Bets lie that wait for the number; withdraw them first, or wait for it."
        return Refusal(Code.TABLE_ROUND_IN_PLAY, text)
    if not table.win:
        return Refusal(RouletteCode.NOTHING_HELD, "Nothing is held for you in this round.")
    aside = [_set_aside(view, bet, lying.amount) for bet, lying in table.left.items()]
    amount = table.win + sum(each.stake_returned for each in aside)
    return ended_or_not(view, (*aside, WinCollected(**_common(view), amount=amount)))


def _set_aside(view: RoundView, bet: int, amount: int) -> WinHeld:
    return WinHeld(**_common(view), bet=bet, winnings=0, stake_returned=amount)


def _common(view: RoundView) -> dict[str, Any]:
    return header(view) | {"currency": view.currency}
