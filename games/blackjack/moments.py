"""Stakes and winnings of a box together: their means, and those of their squares and product."""

from dataclasses import dataclass, fields
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Means over all that may happen, per unit of the box's first bet."""

    staked: float
    """All bets of the box: doubles, splits and insurances are among them (C4)."""
    won: float
    """What it wins net, less than 0 where it loses."""
    staked_staked: float
    staked_won: float
    won_won: float

    def __mul__(self, chance: float) -> Self:
        return type(self)(**{f.name: chance * getattr(self, f.name) for f in fields(self)})

    def __add__(self, other: Self) -> Self:
        return type(self)(
            **{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)}
        )
