"""Events of a held win: what a round has won and its player has not collected (rulings DW4).

It stands in `session:<id>:win`, is never part of the posta before it is collected, and is all that
a double-up can stake. At a live table a stake that won may play on while its winnings are held
(rulings FR7, FR9).
"""

from typing import Generic, Literal

from pydantic import SerializeAsAny

from ledger.domain.events.base import Count, D
from ledger.domain.events.round import RoundEvent, TableRef
from ledger.domain.money import Amount, AmountOrZero, Currency


class WinHeld(RoundEvent):
    """A bet won, and its payout waits to be collected: winnings and the returned stake apart."""

    NAME = "win-held"
    bet: Count
    winnings: AmountOrZero
    stake_returned: AmountOrZero
    currency: Currency


class DoubleUpStaked(RoundEvent):
    """The held win, or half of it, is at risk; fixed before any card is shown (rulings DW3)."""

    NAME = "double-up-staked"
    number: Count
    """Which double-up of the round it is, from 1."""
    half: bool
    at_risk: Amount
    kept: AmountOrZero
    """What stays in the held win meanwhile."""
    currency: Currency


class DoubleUpResolved(RoundEvent):
    """The double-up is decided: twice the amount at risk returns, or itself, or nothing."""

    NAME = "double-up-resolved"
    number: Count
    outcome: Literal["won", "pushed", "lost"]
    at_risk: Amount
    returned: AmountOrZero
    currency: Currency


class WinCollected(RoundEvent):
    """The player, or the rules at the end, took the held win into the posta."""

    NAME = "win-collected"
    amount: Amount
    currency: Currency


class TableRoundJoined(RoundEvent, Generic[D]):
    """The table opened a round, and stakes that won and were not collected play on in it."""

    NAME = "table-round-joined"
    table: TableRef
    plays_on: bool
    """Whether they may: else they are set aside, for rules or the planned time have changed."""
    details: SerializeAsAny[D]


class StakeLeft(RoundEvent):
    """A stake that won was left where it lies: it is a new bet there, of the table's next round."""

    NAME = "stake-left"
    bet: Count
    """The bet that won."""
    left_as: Count
    """The bet that it is now."""
    amount: Amount
    currency: Currency
