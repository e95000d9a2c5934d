"""What the game returns: the sheet's declared returns under perfect play, and the double-up's own.

A double-up is a bet of its own, outside of the base game's return. The same `judge` that decides
one is enumerated, so that the promise and the play cannot part.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations

from games.cards import DECK
from games.deuces_wild.double_up import TIMES, Outcome, judge
from games.deuces_wild.sheet import Sheet, bet_kind
from games.engine import Return


def double_up_odds(sheet: Sheet) -> Mapping[Outcome, Fraction]:
    """How likely a double-up is won, pushed and lost: every shown card against every other one.

    Each of the four cards face down is as likely to be any of the 51 left, so that nothing depends
    on the pick.
    """
    counts = Counter(judge(sheet, shown, picked) for shown, picked in permutations(DECK, 2))
    return {outcome: Fraction(counts[outcome], counts.total()) for outcome in TIMES}


def double_up_return(sheet: Sheet) -> Fraction:
    """What a double-up returns of each unit at risk."""
    return _double_up(sheet).expected


def returns_of(sheet: Sheet) -> tuple[Return, ...]:
    """The return of each number of coins, for each coin, and that of the double-up.

    The base game's are those that the sheet declares for perfect play.
    """
    return (*(declared_return(sheet, coins) for coins in sheet.returns), _double_up(sheet))


def declared_return(sheet: Sheet, coins: int) -> Return:
    """What the sheet declares for perfect play with so many coins, for each coin."""
    return Return(bet_kind(coins), sheet.returns[coins], sheet.variances[coins])


def _double_up(sheet: Sheet) -> Return:
    odds = double_up_odds(sheet).items()
    expected = sum((chance * TIMES[outcome] for outcome, chance in odds), Fraction())
    squares = sum((chance * TIMES[outcome] ** 2 for outcome, chance in odds), Fraction())
    return Return("double-up", expected, squares - expected**2)
