"""The least and the most of a box's bet, as its table shows them.

Source: Live Blackjack rules, "Limiti di puntata".
"""

from typing import Final

from games.blackjack.refusals import BlackjackCode
from games.documents import malformed
from games.ranges import Range, read_range
from ledger.domain.money import AMOUNT_MAX, format_amount
from ledger.domain.refusals import Refusal

BET_MAX: Final = AMOUNT_MAX // 100
"""Largest bet, in minor units: all that a box can stake or win upon it can be booked."""


def read_limits(document: object) -> Range | Refusal:
    """Read `{"min": "5.00", "max": "500.00"}`."""
    limits = read_range(document, '"limits"')
    if isinstance(limits, Range) and limits.max > BET_MAX:
        return malformed(f'"limits" has a "max" that is more than {format_amount(BET_MAX)}.')
    return limits


def out_of_limits(limits: Range, bet: int) -> Refusal | None:
    """Why a box may not bet an amount in minor units; None when it may."""
    if bet < limits.min:
        text = f"A bet here is at least {format_amount(limits.min)}."
        return Refusal(BlackjackCode.BET_BELOW_MINIMUM, text)
    if bet > limits.max:
        text = f"A bet here is at most {format_amount(limits.max)}."
        return Refusal(BlackjackCode.BET_ABOVE_MAXIMUM, text)
    return None
