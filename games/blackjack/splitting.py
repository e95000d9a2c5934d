"""Two hands of a split from one shoe: each played for itself, and both with all that is seen.

Played for itself, a hand goes by its own cards, the other hand's first card and the dealer's. The
cards of a round have the same law in whatever order they are told apart, so both hands then win as
much on average. The best play knows the other hand's cards too: the second hand has two when the
first is played, and the first has ended when the second is played (BJ3).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from games.blackjack.compositions import (
    ACE,
    Bools,
    Floats,
    Hands,
    Ints,
    hands_with,
    key_of,
    of_key,
    one,
    without,
)
from games.blackjack.dealer import AGAINST, falling
from games.blackjack.hand import BLACKJACK, TEN
from games.blackjack.moments import Moments
from games.blackjack.plans import Plan, does, draws as draws_by
from games.blackjack.playing import BUST, Facing, chances, one_last_card, played, standing
from games.blackjack.round import Action

DOUBLED: Final = 2
"""How many times the first stake is on a hand that was doubled."""


@dataclass(frozen=True, slots=True, eq=False)
class _Finals:
    """How one hand of a split can end without a bust: a row for each composition and stake."""

    drawn: Ints
    """What it draws after its first card."""
    orders: Floats
    """In how many orders."""
    total: Ints
    stake: Ints
    """2 where it was doubled."""


def apart(facing: Facing, pair: int, plan: Plan | None) -> Moments:
    """What the two hands stake and win together, each played for itself.

    `pair` is the place of their first cards' value.
    """
    finals = _finals(facing, pair, plan)
    left = np.array(facing.left) - 2 * np.array(one(pair))
    chance = finals.orders * _ways(left, finals.drawn)
    ends = facing.ends(left - finals.drawn)
    won = AGAINST[finals.total] * finals.stake[:, np.newaxis]
    mean, square = (ends * won).sum(axis=1), (ends * won**2).sum(axis=1)
    more, bust = finals.stake - 1, 1.0 - chance.sum()
    both = _both(facing, finals, left)
    lost = both.won_first - chance @ mean
    won_more = both.won_more - (chance @ more - both.more)
    won_won = both.won_won + 2 * lost + 1.0 - 2 * chance.sum() + both.chance
    staked, one_won = 1.0 + float(chance @ more), float(chance @ mean - bust)
    return Moments(
        staked=2 * staked,
        won=2 * one_won,
        staked_staked=2 * (3 * staked - 2) + 2 * (2 * staked - 1 + both.more_more),
        staked_won=2 * (chance @ (mean * finals.stake) - bust) + 2 * (one_won + won_more),
        won_won=2 * (chance @ square + bust) + 2 * won_won,
    )


@dataclass(frozen=True, slots=True)
class _Both:
    """Sums over what happens where neither hand busts."""

    chance: float
    won_first: float
    """What the first hand wins."""
    won_won: float
    more: float
    """The second hand's stake beyond 1."""
    won_more: float
    """What the first hand wins, times that."""
    more_more: float


def _both(facing: Facing, finals: _Finals, left: Ints) -> _Both:
    keys = key_of(finals.drawn)
    gone, at = np.unique(keys[:, np.newaxis] + keys, return_inverse=True)
    at = at.reshape(len(keys), len(keys))
    drawn = of_key(gone)
    ends = facing.ends(left - drawn)
    chance = np.outer(finals.orders, finals.orders) * _ways(left, drawn)[at]
    won = AGAINST[finals.total] * finals.stake[:, np.newaxis]
    more = (finals.stake - 1).astype(np.float64)
    first = np.stack([ends[row] @ each for row, each in zip(at, won, strict=True)])
    product = np.stack(
        [(ends[row] * won * each).sum(axis=1) for row, each in zip(at, won, strict=True)]
    )
    return _Both(
        chance=float(chance.sum()),
        won_first=float((chance * first).sum()),
        won_won=float((chance * product).sum()),
        more=float((chance @ more).sum()),
        won_more=float(((chance * first) @ more).sum()),
        more_more=float(more @ chance @ more),
    )


def _finals(facing: Facing, pair: int, plan: Plan | None) -> _Finals:
    """Every way to play one hand for itself that ends without a bust."""
    hands = hands_with(one(pair))
    seconds = seconds_of(hands, pair)
    hand = _one_hand(facing, pair, plan)
    draws = hand.draws.copy()
    orders = np.zeros(len(hands.total) + len(hands.busts), np.int64)
    orders[seconds] = 1
    twice = np.zeros_like(orders)
    np.add.at(twice, hands.with_card[seconds[hand.doubles]], 1)
    assert not twice[len(hands.total) :].any(), "no hand that can bust with one card is doubled"
    draws[seconds[hand.doubles]] = False
    for layer in reversed(hands.layers):
        drawing = layer[draws[layer]]
        np.add.at(orders, hands.with_card[drawing], orders[drawing, np.newaxis])
    orders[seconds[hand.doubles]] = 0
    once = np.flatnonzero((orders[: len(hands.total)] > 0) & ~draws)
    again = np.flatnonzero(twice)
    rows = np.concatenate([once, again])
    return _Finals(
        drawn=hands.counts[rows] - np.array(one(pair)),
        orders=np.concatenate([orders[once], twice[again]]).astype(np.float64),
        total=hands.total[rows],
        stake=np.repeat([1, DOUBLED], [len(once), len(again)]),
    )


def means_apart(facing: Facing, pair: int, plan: Plan | None) -> tuple[float, float]:
    """What the two hands stake and win together on average, each played for itself."""
    hand = _one_hand(facing, pair, plan)
    likely = chances(np.array(facing.left) - 2 * np.array(one(pair)))
    return 2 * (1.0 + float(likely @ hand.doubles)), 2 * float(likely @ hand.won)


@dataclass(frozen=True, slots=True, eq=False)
class _OneHand:
    """How one hand is played for itself."""

    draws: Bools
    """Which hands draw."""
    doubles: Bools
    """With which second cards it is doubled."""
    won: Floats
    """What it wins with each second card."""


def _one_hand(facing: Facing, pair: int, plan: Plan | None) -> _OneHand:
    hands = hands_with(one(pair))
    seconds = seconds_of(hands, pair)
    shoe = without(facing.left, pair)
    left, stand = np.array([shoe]), standing(hands, facing.ends_of(one(pair), shoe))
    if stands_with_two(facing, pair):
        none = np.zeros(len(stand), np.bool_)
        return _OneHand(none, none[seconds], stand[seconds, 0])
    given = None if plan is None else draws_by(plan, hands, facing.up)
    values = played(hands, left, stand, BUST, given)[: len(stand), 0]
    twice = DOUBLED * one_last_card(hands, seconds, left, stand)[:, 0]
    if plan is None:
        doubles = twice > values[seconds]
    else:
        doubles = does(plan, Action.DOUBLE, hands.counts[seconds], facing.up)
    doubles &= may_double(facing, pair)
    draws = values > stand[:, 0] if given is None else given & (hands.total != BLACKJACK)
    draws[hands.places[one(pair)]] = False
    return _OneHand(draws, doubles, np.where(doubles, twice, values[seconds]))


def stands_with_two(facing: Facing, pair: int) -> bool:
    """Whether each hand gets one card and stands, as split aces do."""
    return pair == ACE and not facing.rules.split_aces_play


def may_double(facing: Facing, pair: int) -> Bools:
    """With which second cards a hand may be doubled."""
    hands = hands_with(one(pair))
    totals = hands.total[seconds_of(hands, pair)]
    offered = facing.rules.double_after_split and not stands_with_two(facing, pair)
    return np.isin(totals, list(facing.rules.double_totals)) & offered


def seconds_of(hands: Hands, pair: int) -> Ints:
    """The places of a hand's first card with each second card."""
    return np.asarray(hands.with_card[hands.places[one(pair)]])


def _ways(left: Ints, drawn: Ints) -> Floats:
    """The chance of one order of some cards, each row of them drawn from the same shoe."""
    most = int(drawn.sum(axis=1).max())
    ways = np.array(falling(left.astype(np.float64), most))
    deals = np.maximum(falling(left.sum(keepdims=True).astype(np.float64), most), 1.0)
    return np.asarray(np.prod(ways[drawn, np.arange(TEN)], axis=1) / deals[drawn.sum(axis=1), 0])
