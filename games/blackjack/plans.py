"""A way to play that goes by a hand's cards and the dealer's first, laid out for all hands at once.

Without a plan the best play is meant.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from games.blackjack.compositions import NOTHING, Bools, Hands, Ints, hands_with
from games.blackjack.round import Action
from games.cards import Card

Plan = Callable[[Sequence[Card], Card, Collection[Action]], Action]
"""What to do with a hand against the dealer's first card, of the actions that are allowed."""

CARDS: Final[tuple[Card, ...]] = ("Ac", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc")
"""A card of each value, by its place."""


def does(plan: Plan, action: Action, hands: Ints, up: int) -> Bools:
    """Which of some hands take an action that they may take, beside hit and stand."""
    allowed = {action, Action.HIT, Action.STAND}
    return np.array([plan(cards_of(hand), CARDS[up], allowed) is action for hand in hands])


def cards_of(hand: Iterable[int]) -> tuple[Card, ...]:
    """A hand that is made of so many cards of each value."""
    return tuple(card for card, count in zip(CARDS, hand, strict=True) for _ in range(count))


def draws(plan: Plan, hands: Hands, up: int) -> Bools:
    """Which hands take a card, once nothing else may be done than that or stand."""
    return _draws(plan, up)[hands.among_all]


@lru_cache(maxsize=64)
def _draws(plan: Plan, up: int) -> Bools:
    return does(plan, Action.HIT, hands_with(NOTHING).counts, up)
