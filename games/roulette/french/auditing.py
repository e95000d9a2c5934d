"""A player's round of French roulette as its audit reads it: what lies, what is in prison, held."""

from dataclasses import dataclass, field, replace
from typing import Any

from games.auditing import Fields, Trail
from games.roulette.auditing import Numbers, Sums, kind_of, placed
from games.roulette.french.table_audit import limits_of


@dataclass(frozen=True, slots=True)
class Lying:
    """A stake on a placement, and for how many rounds it has played on there."""

    numbers: Numbers
    amount: int
    rounds: int = 0


@dataclass(slots=True)
class Prisoner:
    """A stake in prison: all of it, its level from 1, and the chance that it lies on."""

    stake: int
    level: int
    chance: str


@dataclass(slots=True)
class Colpo:
    """A player's round as far as it was read; amounts in minor units, bets by their number."""

    trail: Trail
    place: Fields
    """The round of the table whose bets these are, as the round names it."""
    lying: dict[int, Lying] = field(default_factory=dict)
    """The bets that wait for a number, less what was given back of them."""
    left: dict[int, Lying] = field(default_factory=dict)
    """Stakes that won and were not collected, until the table's next round."""
    moves: list[range] = field(default_factory=list)
    """The bets that each move placed."""
    prison: dict[int, Prisoner] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    """The rounds of the table whose outcomes were told."""
    bets: int = 0
    staked: int = 0
    refunded: int = 0
    winnings: int = 0
    returned: int = 0
    win: int = 0
    """What is held."""
    taken: int | None = None
    """What the bank has before the round ends; None where it has nothing."""
    is_over: bool = False

    @property
    def limits(self) -> dict[str, int]:
        """What may lie on a position: by the table's own limits, else by the sheet's."""
        return limits_of(self.trail, self.place["limits"])

    def lay(self, fresh: Sums) -> None:
        """Bets that follow those there are."""
        first = self.bets + 1
        placed(self.trail, fresh, first)
        self.lying |= {bet: Lying(*laid) for bet, laid in enumerate(fresh.items(), first)}
        self.moves.append(range(first, first + len(fresh)))
        self.bets += len(fresh)
        self.staked += sum(fresh.values())

    def refund(self, bet: int, amount: int, reason: Any) -> None:
        """A stake, or a part of it, goes back."""
        self.trail.expect("bet-refunded", bet=bet, amount=amount, reason=reason)
        held = self.lying.pop(bet)
        if held.amount > amount:
            self.lying[bet] = replace(held, amount=held.amount - amount)
        self.refunded += amount

    def pay(self, bet: int, winnings: int) -> None:
        """A bet won: credited with its stake, or held, where its player collects it.

        A stake that may play on is not held with its winnings.
        """
        won = self.lying.pop(bet)
        collecting = self.trail.game["collecting"]
        if collecting["mode"] == "at-once":
            prize = {"winnings": winnings, "stake_returned": won.amount}
            self.trail.expect("payout-credited", bet=bet, **prize)
            self.winnings += winnings
            self.returned += won.amount
        elif won.rounds < collecting["rounds"].get(kind_of(won.numbers), 0):
            self.hold(bet, winnings, 0)
            self.left[bet] = won
        else:
            self.hold(bet, winnings, won.amount)

    def hold(self, bet: int, winnings: int, stake: int) -> None:
        """Winnings, a stake or both wait for their player."""
        self.trail.expect("win-held", bet=bet, winnings=winnings, stake_returned=stake)
        self.winnings += winnings
        self.returned += stake
        self.win += winnings + stake

    def play_on(self, bet: int) -> None:
        """A stake that won is a new bet where it lies: returned, and staked again."""
        lying = self.left.pop(bet)
        self.bets += 1
        told = {"left_as": self.bets, "amount": lying.amount}
        self.trail.expect("stake-left", bet=bet, **told)
        self.lying[self.bets] = replace(lying, rounds=lying.rounds + 1)
        self.returned += lying.amount
        self.staked += lying.amount

    def lose(self, bet: int, amount: int) -> None:
        """A stake is the bank's before the round ends."""
        self.trail.expect("stake-lost", bet=bet, amount=amount)
        self.taken = (self.taken or 0) + amount

    def release(self, bet: int, outcome: str, returned: int) -> None:
        """A prisoner's bet is over: its player has so much of the stake, and the bank the rest."""
        to_bank = self.prison.pop(bet).stake - returned
        ends = {"outcome": outcome, "returned": returned, "to_bank": to_bank}
        self.trail.expect("prisoner-released", bet=bet, **ends)
        self.returned += returned
        self.taken = (self.taken or 0) + to_bank

    def settle(self) -> None:
        """The round ends when nothing of it is in prison or held."""
        if self.prison or self.win:
            return
        taken = {} if self.taken is None else {"taken": self.taken}
        self.trail.expect(
            "round-settled",
            staked=self.staked,
            winnings=self.winnings,
            stake_returned=self.returned,
            stakes_lost=self.staked - self.refunded - self.returned - (self.taken or 0),
            refunded=self.refunded,
            bets=self.bets,
            **taken,
        )
        self.is_over = True


def sums_of(stakes: dict[int, Lying]) -> Sums:
    """What stakes come to on each position."""
    sums: Sums = {}
    for lying in stakes.values():
        sums[lying.numbers] = sums.get(lying.numbers, 0) + lying.amount
    return sums
