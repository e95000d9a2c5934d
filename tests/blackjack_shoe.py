"""Small shoes of Live Blackjack, dealt out in every order through the table's own machine."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from games.blackjack.compositions import of_cards
from games.blackjack.round import Action, Dealt, DealTo, Took, begin, evolve
from games.blackjack.settle import settle
from games.blackjack.turns import Turn, following

BET = 2
"""Of which three halves and a half are whole."""


@dataclass(frozen=True)
class Brought:
    """Exact means of what a box stakes and wins per unit of its bet, of squares and product."""

    staked: Fraction
    won: Fraction
    staked_staked: Fraction
    staked_won: Fraction
    won_won: Fraction

    def __mul__(self, chance):
        return Brought(*(chance * each for each in vars(self).values()))

    def __add__(self, other):
        return Brought(*map(sum, zip(vars(self).values(), vars(other).values(), strict=True)))


def composition(shoe: Mapping[str, int]) -> tuple[int, ...]:
    """What a shoe is made of, that has so many of each card."""
    return of_cards([card for card, count in shoe.items() for _ in range(count)])


def dealt_out(rules, shoe, plan=None) -> Brought:
    """What a box brings over every order of a shoe, by a plan, or by the choices that win most."""

    def value(played, left):
        waits = following(rules, played)
        if isinstance(waits, DealTo):
            cards = sum(left.values())
            ways = [
                value(evolve(played, Dealt(card, waits)), left | {card: count - 1})
                * Fraction(count, cards)
                for card, count in left.items()
                if count
            ]
            return sum(ways[1:], ways[0])
        if isinstance(waits, Turn):
            taken = [
                value(evolve(played, Took(waits.box, waits.hand, action)), left)
                for action in chosen(plan, played, waits)
            ]
            return max(taken, key=lambda brought: brought.won)
        return ended(rules, played)

    return value(begin({1: BET}), dict(shoe))


def chosen(plan, played, turn) -> tuple[Action, ...]:
    """The one action of a plan, or all that may be taken."""
    if plan is None:
        return turn.allowed
    cards = played.box(turn.box).hands[turn.hand - 1].cards
    return (plan(cards, played.dealer[0], turn.allowed),)


def ended(rules, played) -> Brought:
    """What a round brings that is over."""
    bets = settle(rules, played)
    staked = Fraction(sum(each.bet.amount for each in bets), BET)
    won = Fraction(sum(each.payout.credited for each in bets), BET) - staked
    return Brought(staked, won, staked * staked, staked * won, won * won)
