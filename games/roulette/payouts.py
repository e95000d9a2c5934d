"""What one bet brings at one pocket: the single rule behind settlement, quote and exact return.

Source: European Roulette rules, table of winnings at the end of each family: the prize is a
multiple of the stake and the stake comes back besides. Zero is a number like any other, so that
bets that do not name it lose in full (fault S7).
"""

from games.engine import LOST, Payout
from games.roulette.layout import RouletteBet


def payout(bet: RouletteBet, pays: int, amount: int, pocket: int) -> Payout:
    """The payout of `amount` minor units on a bet that pays `pays` to one."""
    return Payout(amount * pays, amount) if pocket in bet.numbers else LOST
