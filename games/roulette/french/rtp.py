"""Exact theoretical returns: each kind of bet, and simple chances by what is done in prison.

Every pocket is enumerated through the functions that settle a round and a prisoner, so that the
promise and the play cannot part. The prison is a Markov chain over its levels; moving a prisoner
changes nothing, since every simple chance has as many numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import get_args

from games.engine import Return
from games.roulette.french.positions import Position, settle
from games.roulette.french.prison import Fate, Prisoner, Terms, spin, withdraw
from games.roulette.layout import Chance, chance as placement
from games.roulette.rtp import Pays, returns_of as returns_of_kinds
from games.roulette.wheel import POCKETS

SIMPLE_CHANCE = "simple-chance"


@dataclass(frozen=True, slots=True)
class Policy:
    """What a player does in prison: withdraw on reaching a level, or leave the stake always.

    There are no others that return another amount: beyond the level of the first withdrawal
    nothing is ever reached.
    """

    withdraw_at: int | None

    @property
    def name(self) -> str:
        """As tables of returns name it."""
        if self.withdraw_at is None:
            return f"{SIMPLE_CHANCE}-left"
        return f"{SIMPLE_CHANCE}-withdrawn-at-{self.withdraw_at}"


def policies(terms: Terms) -> tuple[Policy, ...]:
    """Every policy: withdraw at once, at each further level, and never."""
    return (*(Policy(level) for level in terms.levels), Policy(None))


def returns_of(pays: Pays, terms: Terms) -> tuple[Return, ...]:
    """The return of each offered kind per unit, simple chances by policy.

    A simple chance's is that of the bet's whole life, from its spin to its end in prison.
    """
    chances = [name for name in get_args(Chance) if name in pays]
    others = {kind: times for kind, times in pays.items() if kind not in chances}
    if not chances:
        return returns_of_kinds(others)
    least = [
        min((chance_return(pays, terms, c, policy) for c in chances), key=lambda r: r.expected)
        for policy in policies(terms)
    ]
    return (*returns_of_kinds(others), *least)


def chance_return(pays: Pays, terms: Terms, chance: Chance, policy: Policy) -> Return:
    """The exact return of one simple chance under a policy."""
    unit = lcm(terms.divided.denominator, *(share.denominator for share in terms.worth))
    life = _Life(terms, chance, policy, unit)
    expected = _expected(pays, life, lambda credited: credited) / unit
    squares = _expected(pays, life, lambda credited: credited * credited) / unit**2
    return Return(policy.name, expected, squares - expected**2)


@dataclass(frozen=True, slots=True)
class _Life:
    """One bet on a simple chance whose stake every share of the prison divides evenly."""

    terms: Terms
    chance: Chance
    policy: Policy
    unit: int


def _expected(pays: Pays, life: _Life, of: Callable[[int], int]) -> Fraction:
    """The expectation, over the bet's whole life, of a function of what is credited in the end."""
    position = Position(placement(life.chance), life.unit)
    settled = [settle(pays, position, pocket) for pocket in POCKETS]
    ended = sum(of(s.payout.credited) for s in settled if s.held is None)
    imprisoned = sum(s.held is not None for s in settled)
    return (ended + imprisoned * _from_levels(life, of)[0]) / len(POCKETS)


def _from_levels(life: _Life, of: Callable[[int], int]) -> list[Fraction]:
    """The same for a prisoner at each level, from the first on."""
    size = len(life.terms.levels)
    chain, ended = [[0] * size for _ in range(size)], [0] * size
    for level in life.terms.levels:
        prisoner = Prisoner(life.unit, level, life.chance)
        for fate in _fates(life, prisoner):
            if fate.held is None:
                ended[level - 1] += of(fate.credited)
            else:
                chain[level - 1][fate.level - 1] += 1
    pockets = len(POCKETS)
    likely = [[Fraction(times, pockets) for times in row] for row in chain]
    return absorbed(likely, [Fraction(total, pockets) for total in ended])


def _fates(life: _Life, prisoner: Prisoner) -> list[Fate]:
    """What the policy makes of a prisoner at each pocket."""
    if prisoner.level == life.policy.withdraw_at:
        return [withdraw(life.terms, prisoner)] * len(POCKETS)
    return [spin(life.terms, prisoner, pocket) for pocket in POCKETS]


def absorbed(chain: list[list[Fraction]], ended: list[Fraction]) -> list[Fraction]:
    """Solve `v = chain v + ended` exactly, for a chain that ends with certainty.

    Gauss and Jordan's elimination; no pivot is zero, since a row of `chain` sums to less than one.
    """
    size = len(ended)
    rows = [
        [Fraction(int(i == j)) - chain[i][j] for j in range(size)] + [ended[i]] for i in range(size)
    ]
    for i in range(size):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[-1] for row in rows]
