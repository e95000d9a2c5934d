"""Events of the prison: stakes that an outcome neither won nor lost, and that a later one decides.

An imprisoned stake stands in `session:<id>:prison` whole, whatever it is worth at its level, until
its bet is over. What lost beside it goes to the bank at once, for its round goes on (rulings FR1).
"""

from typing import Generic, Literal

from pydantic import SerializeAsAny

from ledger.domain.events.base import Count, D
from ledger.domain.events.round import RoundEvent
from ledger.domain.money import Amount, AmountOrZero, Currency


class StakeImprisoned(RoundEvent):
    """A stake was imprisoned; it can be neither bet, transferred nor refunded meanwhile."""

    NAME = "stake-imprisoned"
    bet: Count
    amount: Amount
    level: Count
    currency: Currency


class PrisonerStepped(RoundEvent):
    """An imprisoned stake is at another level; no money moves."""

    NAME = "prisoner-stepped"
    bet: Count
    level: Count


class PrisonerMoved(RoundEvent, Generic[D]):
    """An imprisoned stake lies elsewhere, at the level that it has; no money moves."""

    NAME = "prisoner-moved"
    bet: Count
    details: SerializeAsAny[D]


class PrisonerReleased(RoundEvent):
    """The bet of an imprisoned stake is over: what its player has of it, and what the bank has."""

    NAME = "prisoner-released"
    bet: Count
    outcome: Literal["freed", "withdrawn", "divided", "lost"]
    returned: AmountOrZero
    to_bank: AmountOrZero
    currency: Currency


class StakeLost(RoundEvent):
    """A bet lost, and its round goes on: the stake is the bank's already."""

    NAME = "stake-lost"
    bet: Count
    amount: Amount
    currency: Currency
