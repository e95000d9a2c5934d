"""What lies on each position, and what a pocket makes of it.

Source: rules of French roulette, on minimum and maximum, on the zero, and the table of winnings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import get_args

from games.engine import LOST, Payout, foremost
from games.ranges import Range
from games.roulette.french.prison import Prisoner, imprison
from games.roulette.laying import unbookable
from games.roulette.layout import Chance, RouletteBet
from games.roulette.payouts import payout
from games.roulette.ranges import above, below
from games.roulette.rtp import Pays
from games.roulette.wheel import ZERO
from ledger.domain.refusals import Refusal


@dataclass(frozen=True, slots=True)
class Position:
    """What a player has on one position when the ball falls, in minor units."""

    bet: RouletteBet
    amount: int
    excess: int = 0
    """The part beyond the table's maximum: it goes back whatever comes and is no turnover."""

    @property
    def counted(self) -> int:
        """The part that is at stake."""
        return self.amount - self.excess


class Outcome(StrEnum):
    """What a pocket made of a position."""

    WON = "won"
    LOST = "lost"
    IMPRISONED = "imprisoned"


@dataclass(frozen=True, slots=True)
class Settled:
    """A position after the pocket; what is imprisoned is neither paid nor lost yet."""

    position: Position
    outcome: Outcome
    payout: Payout
    held: Prisoner | None = None


def positions(
    pays: Pays, limits: Range, sums: Mapping[RouletteBet, int], *, force: bool = False
) -> tuple[Position, ...] | Refusal:
    """The positions of a player's sums, or the foremost limit that they break (fault S7).

    With `force` a sum beyond the maximum stands all the same, as one does that staff placed, that
    was left from the round before or that a lowered limit overtook; its excess is then refunded.
    """
    wrong = [below(limits, bet.kind) for bet, amount in sums.items() if amount < limits.min]
    if not force:
        wrong += [above(limits, bet.kind) for bet, amount in sums.items() if amount > limits.max]
    refusal = foremost((*wrong, *unbookable(pays, sums)))
    if refusal is not None:
        return refusal
    return tuple(Position(bet, n, max(0, n - limits.max)) for bet, n in sums.items())


def settle(pays: Pays, position: Position, pocket: int) -> Settled:
    """What a pocket makes of a position: zero imprisons simple chances and no other bets."""
    bet = position.bet
    brought = payout(bet, pays[bet.kind], position.counted, pocket)
    if brought is not LOST:
        return Settled(position, Outcome.WON, brought)
    if pocket == ZERO:
        for chance in get_args(Chance):
            if bet.kind == chance:
                held = imprison(position.counted, chance)
                return Settled(position, Outcome.IMPRISONED, LOST, held)
    return Settled(position, Outcome.LOST, LOST)
