"""Exact theoretical return: every pocket enumerated, in fractions, from the sheet's own pays.

The same `payout` that settles a round is enumerated, so that the promise and the play cannot part.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from games.engine import Moments, Return
from games.roulette.layout import BY_KIND, Kind, RouletteBet
from games.roulette.payouts import payout
from games.roulette.wheel import POCKETS

Pays = Mapping[Kind, int]
"""How many times the stake a winning bet of each offered kind wins."""


def moments(pays: Pays, bets: Iterable[tuple[RouletteBet, int]]) -> Moments:
    """The exact moments of one spin of a whole set of bets and their amounts, taken together.

    Bets of one spin fall together, so their variances do not add: the set's total at each of the
    37 pockets is what is enumerated. A bet adds to it at the pockets that it names alone.
    """
    totals = [0] * len(POCKETS)
    for bet, amount in bets:
        for pocket in bet.numbers:
            totals[pocket] += payout(bet, pays[bet.kind], amount, pocket).credited
    expectation = Fraction(sum(totals), len(POCKETS))
    squares = Fraction(sum(total * total for total in totals), len(POCKETS))
    return Moments(expectation, squares - expectation**2)


def returns_of(pays: Pays) -> tuple[Return, ...]:
    """The return of each offered kind of bet, per unit; the least one where placements differ."""
    return tuple(_least(pays, kind) for kind in pays)


def _least(pays: Pays, kind: Kind) -> Return:
    each = [moments(pays, ((bet, 1),)) for bet in BY_KIND[kind]]
    least = min(each, key=lambda m: m.expectation)
    return Return(kind.value, least.expectation, least.variance)
