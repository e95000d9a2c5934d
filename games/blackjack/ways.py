"""What each way to go on with a hand stakes and wins on average, against a card of the dealer.

Cards come without replacement from what the box does not see: the shoe without its own cards and
the dealer's first. Values are per unit of the box's bet.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from games.blackjack.compositions import (
    NOTHING,
    Composition,
    Floats,
    Hands,
    Ints,
    hands_with,
)
from games.blackjack.dealer import BLACKJACK_AT
from games.blackjack.hand import FIRST_CARDS
from games.blackjack.moments import Moments
from games.blackjack.plans import Plan, draws as draws_by
from games.blackjack.playing import BUST, Facing, one_last_card, played, standing, with_one_card
from games.blackjack.round import Action
from games.blackjack.splitting import DOUBLED, apart, means_apart


@dataclass(frozen=True, slots=True)
class Way:
    """One way to go on."""

    action: Action
    staked: float
    won: float


@dataclass(frozen=True, slots=True, eq=False)
class _Played:
    """Means over all hands: of what they win, or of its square."""

    stand: Floats
    """By each hand that stands."""
    bust: float
    values: Floats
    """By each hand that may be played on, and then by each bust."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """All hands of a box against the dealer's first card, by a plan or by the best play."""

    facing: Facing
    plan: Plan | None
    hands: Hands
    left: Ints
    """The shoe without the dealer's first card, as a single row."""
    ends: Floats
    """For each hand, the chances of the dealer's ends."""
    won: _Played
    squares: _Played

    def dealer_blackjack(self, hand: Composition) -> float:
        """How likely the dealer makes a Blackjack."""
        return float(self.ends[self.hands.places[hand], BLACKJACK_AT])


@lru_cache(maxsize=64)
def sight(facing: Facing, plan: Plan | None) -> Sight:
    """Everything that a box may come to against a card, once and for all."""
    hands, left = hands_with(NOTHING), np.array([facing.left])
    ends = facing.ends_of(NOTHING, facing.left)
    stand, squares = (standing(hands, ends, power) for power in (1, 2))
    draws = None if plan is None else draws_by(plan, hands, facing.up)
    values = played(hands, left, stand, BUST, draws)
    if draws is None:
        draws = values[: len(stand), 0] > stand[:, 0]
    squared = played(hands, left, squares, BUST**2, draws)
    won = _Played(stand, BUST, values)
    return Sight(facing, plan, hands, left, ends, won, _Played(squares, BUST**2, squared))


def offered(seen: Sight, hand: Composition) -> tuple[Action, ...]:
    """What may be done with the first two cards of a box, if they are no Blackjack.

    An insurance is left out: it is a bet of its own, beside all of these.
    """
    total = int(seen.hands.total[seen.hands.places[hand]])
    doubles = [Action.DOUBLE] * (total in seen.facing.rules.double_totals)
    splits = [Action.SPLIT] * (pair_of(hand) is not None)
    return (Action.STAND, Action.HIT, *doubles, *splits)


def way(seen: Sight, hand: Composition, action: Action) -> Way:
    """What an action that may be taken stakes and wins; a split's hands each for itself."""
    match action:
        case Action.SPLIT:
            return Way(action, *means_apart(seen.facing, _pair(hand), seen.plan))
        case Action.DOUBLE:
            return Way(action, DOUBLED, DOUBLED * _last_card(seen, seen.won, hand))
        case Action.HIT:
            return Way(action, 1.0, _hit(seen, seen.won, hand))
        case _:
            return Way(action, 1.0, _standing(seen, seen.won, hand))


def moments(seen: Sight, hand: Composition, action: Action) -> Moments:
    """The moments of a way to go on with the first two cards of a box."""
    if action is Action.SPLIT:
        return apart(seen.facing, _pair(hand), seen.plan)
    mean = {Action.STAND: _standing, Action.HIT: _hit, Action.DOUBLE: _last_card}[action]
    stake = DOUBLED if action is Action.DOUBLE else 1
    return single(mean(seen, seen.won, hand), mean(seen, seen.squares, hand), stake)


def single(won: float, square: float, stake: int = 1) -> Moments:
    """The moments of one hand that wins so much of each unit of its stake."""
    return Moments(
        staked=stake,
        won=stake * won,
        staked_staked=stake**2,
        staked_won=stake**2 * won,
        won_won=stake**2 * square,
    )


def pair_of(hand: Composition) -> int | None:
    """The place of the value that two cards share."""
    return hand.index(FIRST_CARDS) if sum(hand) == max(hand) == FIRST_CARDS else None


def _pair(hand: Composition) -> int:
    pair = pair_of(hand)
    assert pair is not None
    return pair


def _standing(seen: Sight, by: _Played, hand: Composition) -> float:
    return float(by.stand[seen.hands.places[hand], 0])


def _hit(seen: Sight, by: _Played, hand: Composition) -> float:
    at = np.array([seen.hands.places[hand]])
    return float(with_one_card(seen.hands, at, seen.left, by.values, by.bust)[0, 0])


def _last_card(seen: Sight, by: _Played, hand: Composition) -> float:
    at = np.array([seen.hands.places[hand]])
    return float(one_last_card(seen.hands, at, seen.left, by.stand, by.bust)[0, 0])
