"""The return of the game from a full shoe without replacement, by the best play and by a plan.

Chances are floats: each figure is made of sums of products of a few dozen factors, every one
rounded to 53 bits, so that none is off by `ERROR`; what is declared is rounded to far fewer places.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from operator import add
from types import MappingProxyType
from typing import Final

from games.blackjack.cells import Cell, cells
from games.blackjack.compositions import full_shoe
from games.blackjack.moments import Moments
from games.blackjack.plans import Plan
from games.blackjack.rtp import declared_return
from games.blackjack.rules import Rules
from games.blackjack.sheet import Sheet, Strategy
from games.blackjack.siblings import together
from games.blackjack.strategy import printed
from games.engine import Bounds, Progress, Return, Study, Variant, no_progress

ERROR: Final = Fraction(1, 10**10)
"""More than any return here is off by."""
PLACES: Final = 8
"""Decimal places of a declared return or variance."""

PLANS: Final[Mapping[Strategy, Plan | None]] = MappingProxyType({"best": None, "printed": printed})
"""How each strategy that a sheet can declare plays."""
OWN_RULES: Final = "the rules of the sheet"
BLACKJACK: Final = "blackjack"

_ANY_TOTAL: Final = frozenset(range(21))
_CHANGES: Final[Mapping[str, Callable[[Rules], Rules]]] = MappingProxyType(
    {
        "dealer hits soft 17": partial(replace, hits_soft_17=True),
        "double on 10 and 11 only": partial(replace, double_totals=frozenset({10, 11})),
        "double on any total": partial(replace, double_totals=_ANY_TOTAL),
        "double after a split": partial(replace, double_after_split=True),
        "split aces are played on": partial(replace, split_aces_play=True),
        "Blackjack pays 6 to 5": partial(replace, blackjack_pays=Fraction(6, 5)),
    }
)
"""What a house may choose otherwise; a change that a sheet has made already is no variant of it."""


def study(sheet: Sheet, strategy: Strategy, progress: Progress = no_progress) -> Study:
    """Enumerate every round of a box under a sheet; the best play takes a minute, once.

    The return is what is credited of each unit bet, doubles, splits and insurances among the bets
    (C4). The variance is that of what a round brings beyond this return of its bets, over the mean
    square of its bets; hands of a split count in it as played each for itself. So they do in the
    variants. `progress` is told of the cells of which the best play minds both hands of a split
    together, and then of the variants.
    """
    plan, shoe = PLANS[strategy], full_shoe(sheet.decks)
    own = list(cells(sheet.rules, shoe, plan))
    pairs = [cell for cell in own if plan is None and cell.pair is not None]
    changed = _changed(sheet.rules)
    total, made = len(pairs) + len(changed), totalled(own)
    for done, cell in enumerate(sorted(pairs, key=lambda cell: cell.pair or 0), 1):
        made = replace(made, won=made.won + float(cell.chance) * knowing(cell))
        progress(done, total)
    rows = [_variant(OWN_RULES, own)]
    for done, (name, rules) in enumerate(changed.items(), len(pairs) + 1):
        rows.append(_variant(name, list(cells(rules, shoe, plan))))
        progress(done, total)
    expected = Fraction(expected_of(made))
    found = Return(strategy, round(expected, PLACES), round(Fraction(variance_of(made)), PLACES))
    declared = declared_return(sheet, strategy)
    return Study(found, begins(own), declared, _bounds(expected), tuple(rows))


def begins(played: Iterable[Cell]) -> Mapping[str, Fraction]:
    """How often the turn of a box begins with each action, or is over with a Blackjack."""
    chances: dict[str, Fraction] = {}
    for cell in played:
        name = BLACKJACK if cell.has_blackjack else cell.way.action.value
        chances[name] = chances.get(name, Fraction()) + cell.chance
    return MappingProxyType(dict(sorted(chances.items(), key=lambda row: row[1], reverse=True)))


def _changed(rules: Rules) -> Mapping[str, Rules]:
    changed = {name: change(rules) for name, change in _CHANGES.items()}
    return {name: made for name, made in changed.items() if made != rules}


def _variant(name: str, played: Sequence[Cell]) -> Variant:
    won = sum(float(cell.chance) * cell.won for cell in played)
    staked = Fraction(sum(float(cell.chance) * cell.staked for cell in played))
    return Variant(name, 1 + Fraction(won) / staked, staked)


def _bounds(expected: Fraction) -> Bounds:
    unit = 10 * ERROR
    low, high = math.floor((expected - ERROR) / unit), math.ceil((expected + ERROR) / unit)
    return Bounds(low * unit, high * unit)


def expected_of(made: Moments) -> float:
    """What is credited of each unit bet."""
    return 1.0 + made.won / made.staked


def variance_of(made: Moments) -> float:
    """The variance of a round against that return, for bets whose mean square is 1."""
    mean = made.won / made.staked
    beyond = made.won_won - 2 * mean * made.staked_won + mean**2 * made.staked_staked
    return beyond / made.staked_staked


def totalled(played: Sequence[Cell]) -> Moments:
    """The moments of a whole round of a box."""
    return reduce(add, (cell.moments() * float(cell.chance) for cell in played))


def knowing(cell: Cell) -> float:
    """What the best play wins more in a cell by minding both hands of its split together."""
    assert cell.pair is not None
    return max(0.0, together(cell.seen.facing, cell.pair) - cell.way.won)
