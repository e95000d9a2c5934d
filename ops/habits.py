"""How simulated players bet, by game: each habit writes the document that a client would send.

The dice here are the players' whims, seeded so that a run can be repeated; draws never are.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ledger.domain.money import format_amount


@dataclass(frozen=True, slots=True)
class Whim:
    """A player's dice and the smallest chip of the table, in minor units."""

    dice: random.Random
    chip: int

    def amount(self, chips_max: int) -> str:
        """Some chips of the smallest value."""
        return format_amount(self.chip * self.dice.randint(1, chips_max))


Habit = Callable[[Whim], dict[str, Any]]


def _singles(whim: Whim) -> dict[str, Any]:
    numbers = whim.dice.sample(range(37), 3)
    return {"bets": [{"numbers": [n], "amount": whim.amount(4)} for n in numbers]}


def _splits(whim: Whim) -> dict[str, Any]:
    first = whim.dice.randint(1, 33)
    pairs = [[first, first + 3], [0, whim.dice.choice([1, 2, 3])]]
    return {"bets": [{"numbers": pair, "amount": whim.amount(4)} for pair in pairs]}


def _quick(whim: Whim) -> dict[str, Any]:
    name = whim.dice.choice(["voisins", "serie", "orphelins"])
    return {"bets": [{"announced": name, "chip": format_amount(whim.chip)}]}


def _even(whim: Whim) -> dict[str, Any]:
    chance = whim.dice.choice(["red", "black", "even", "odd", "low", "high"])
    dozen = whim.dice.choice([1, 13, 25])
    twelve = list(range(dozen, dozen + 12))
    return {
        "bets": [
            {"chance": chance, "amount": whim.amount(8)},
            {"numbers": twelve, "amount": whim.amount(4)},
        ]
    }


def _careless(whim: Whim) -> dict[str, Any]:
    """Mostly an odd bet, now and then one that the table must refuse."""
    wrong = [{"numbers": [0, 4], "amount": whim.amount(1)}, {"chance": "red", "amount": "0.10"}]
    right = {"numbers": [1, 2, 3, 4, 5, 6], "amount": whim.amount(3)}
    return {"bets": [whim.dice.choice(wrong) if whim.dice.random() < 0.1 else right]}  # noqa: PLR2004 - one in ten


HABITS: Final[Mapping[str, tuple[Habit, ...]]] = {
    "roulette": (_singles, _splits, _quick, _even, _careless),
}
"""Habits by the name of the game; players take them in turn."""
