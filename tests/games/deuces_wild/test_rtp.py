"""What a sheet of Deuces Wild returns (C8), and the double-up's own return of exactly 1 (DW3)."""

from fractions import Fraction

from games.deuces_wild.rtp import double_up_odds, double_up_return, returns_of
from games.deuces_wild.sheet import read_sheet
from games.sheets import packaged

(FILE,) = packaged("games.deuces_wild")
SHEET = read_sheet(FILE.text)


def test_dw3_a_double_up_returns_exactly_what_is_at_risk():
    """Given every shown card, then 3 of the 51 others are equal and the rest is even on average.

    By symmetry as many pairs are higher as are lower: 3/51 push, 24/51 win, 24/51 lose.
    """
    odds = {"won": Fraction(24, 51), "pushed": Fraction(3, 51), "lost": Fraction(24, 51)}

    assert odds == double_up_odds(SHEET)
    assert Fraction(1) == double_up_return(SHEET)


def test_c8_the_returns_of_a_sheet_are_those_of_each_number_of_coins_and_of_the_double_up():
    """Given the sheet, then one kind for each number of coins, then the double-up.

    A double-up returns 2, 1 or 0, so its variance is what is won or lost: 48/51.
    """
    told = {each.kind: (each.expected, each.variance) for each in returns_of(SHEET)}

    assert ["1-coin", "2-coins", "3-coins", "4-coins", "5-coins", "double-up"] == list(told)
    assert (Fraction(1), Fraction(48, 51)) == told["double-up"]
    assert (SHEET.returns[1], SHEET.variances[1]) == told["1-coin"]
    assert (SHEET.returns[5], SHEET.variances[5]) == told["5-coins"]
