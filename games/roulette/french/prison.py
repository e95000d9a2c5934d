"""En prison: what becomes of a stake on a simple chance from the zero that imprisoned it.

Before each spin its player withdraws what it is worth, leaves it, or moves it to another chance;
then the pocket decides. The stake is kept whole, so that its worth is rounded once and never twice.
Source: rules of French roulette, paragraph on the zero and the imprisoned stakes.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from games.roulette.layout import Chance, chance as placement
from games.roulette.refusals import RouletteCode
from games.roulette.wheel import ZERO
from ledger.domain.money import half_up
from ledger.domain.refusals import Refusal


class Result(StrEnum):
    """What became of an imprisoned stake."""

    FREED = "freed"
    STEPPED_BACK = "stepped-back"
    IMPRISONED = "imprisoned"
    LOST = "lost"
    WITHDRAWN = "withdrawn"
    DIVIDED = "divided"


class Choice(StrEnum):
    """What a player does with an imprisoned stake before a spin."""

    WITHDRAW = "withdraw"
    LEAVE = "leave"
    MOVE = "move"


@dataclass(frozen=True, slots=True)
class Terms:
    """What a sheet says of the prison, in shares of the stake as it was bet."""

    worth: tuple[Fraction, ...]
    """What a stake is worth at each level, from the first on; there are as many levels."""
    divided: Fraction
    """What its player receives when zero comes at the last level."""

    @property
    def levels(self) -> range:
        """The levels of the prison, from 1 on."""
        return range(1, len(self.worth) + 1)


@dataclass(frozen=True, slots=True)
class Prisoner:
    """An imprisoned stake: all of it in minor units, its level from 1 on, and where it lies."""

    stake: int
    level: int
    chance: Chance


@dataclass(frozen=True, slots=True)
class Fate:
    """What one choice or one spin made of an imprisoned stake.

    When the bet is over, what was credited and what the bank took are together the stake (G1).
    """

    result: Result
    held: Prisoner | None
    """The stake as it is imprisoned from now on; None when the bet is over."""
    credited: int = 0
    """Minor units of the stake that are the player's again."""
    to_bank: int = 0
    """Minor units of the stake that the bank took."""

    @property
    def level(self) -> int:
        """The level at which the stake is held now; 0 when it is in no prison any more."""
        return 0 if self.held is None else self.held.level


def imprison(stake: int, chance: Chance) -> Prisoner:
    """The prisoner that zero makes of a stake on a simple chance."""
    return Prisoner(stake, 1, chance)


def worth(terms: Terms, prisoner: Prisoner) -> int:
    """What may be withdrawn of a prisoner now, in minor units."""
    return half_up(prisoner.stake * terms.worth[prisoner.level - 1])


def withdraw(terms: Terms, prisoner: Prisoner) -> Fate:
    """Take the worth before the spin; the rest is the bank's, and the bet is over."""
    return _ended(Result.WITHDRAWN, prisoner, worth(terms, prisoner))


def move(prisoner: Prisoner, to: Chance) -> Prisoner | Refusal:
    """Move a prisoner to another simple chance, at the level that it has."""
    if to == prisoner.chance:
        text = f"The stake lies on {to} already; move it to another simple chance or leave it."
        return Refusal(RouletteCode.NOT_ANOTHER_CHANCE, text)
    return Prisoner(prisoner.stake, prisoner.level, to)


def spin(terms: Terms, prisoner: Prisoner, pocket: int) -> Fate:
    """What a pocket makes of a prisoner that was left or moved."""
    if pocket == ZERO:
        return _zero(terms, prisoner)
    if pocket not in placement(prisoner.chance).numbers:
        return _ended(Result.LOST, prisoner, 0)
    if prisoner.level == 1:
        return _ended(Result.FREED, prisoner, prisoner.stake)
    return _held(Result.STEPPED_BACK, prisoner, prisoner.level - 1)


def _zero(terms: Terms, prisoner: Prisoner) -> Fate:
    if prisoner.level < terms.levels[-1]:
        return _held(Result.IMPRISONED, prisoner, prisoner.level + 1)
    return _ended(Result.DIVIDED, prisoner, half_up(prisoner.stake * terms.divided))


def _held(result: Result, prisoner: Prisoner, level: int) -> Fate:
    return Fate(result, Prisoner(prisoner.stake, level, prisoner.chance))


def _ended(result: Result, prisoner: Prisoner, credited: int) -> Fate:
    return Fate(result, None, credited, prisoner.stake - credited)
