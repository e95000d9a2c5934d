"""The exact return, worked by hand: 36/37 for every kind of bet of the three families (C8)."""

from fractions import Fraction
from itertools import product

import pytest

from games.engine import Moments
from games.roulette.game import returns
from games.roulette.layout import chance, find
from games.roulette.rtp import moments
from tests.roulette_table import CLASSIC, ENGINE, PREMIUM, VIP, with_game

SHEETS = [CLASSIC, PREMIUM, VIP]
PAYS = ENGINE.read_sheet(CLASSIC).pays


@pytest.mark.parametrize("text", SHEETS, ids=["classic", "premium", "vip"])
def test_c8_every_kind_of_bet_returns_36_of_37(text):
    """Fifteen kinds, in the order of the layout."""
    table = returns(ENGINE.read_sheet(text))

    assert [each.kind for each in table] == [
        "straight", "split", "street", "trio", "corner", "first-four", "six-line", "dozen",
        "column", "red", "black", "even", "odd", "low", "high",
    ]  # fmt: skip
    assert {Fraction(36, 37)} == {each.expected for each in table}


@pytest.mark.parametrize(
    ("kind", "covered"), [("straight", 1), ("split", 2), ("corner", 4), ("dozen", 12), ("red", 18)]
)
def test_the_variance_is_that_of_a_prize_of_36_over_the_numbers_covered(kind, covered):
    """With n numbers: 36/n comes in n of 37 cases, so the variance is 36²(37 - n)/(37² n)."""
    table = {each.kind: each for each in returns(ENGINE.read_sheet(CLASSIC))}
    expected = Fraction(36 * 36 * (37 - covered), 37 * 37 * covered)

    assert expected == table[kind].variance


def test_the_deviation_of_a_straight_is_216_of_37():
    """36²·36/37² is (216/37)², about 5.84 units."""
    straight = returns(ENGINE.read_sheet(CLASSIC))[0]

    assert pytest.approx(straight.deviation, abs=1e-6) == 5.837838


def test_a_sheet_that_pays_less_returns_less():
    """34 to one on a straight is 35/37; only what is offered is listed."""
    sheet = ENGINE.read_sheet(with_game(pays={"straight": 34, "low": 1}, announced={}))

    assert [("straight", Fraction(35, 37)), ("low", Fraction(36, 37))] == [
        (each.kind, each.expected) for each in returns(sheet)
    ]


def test_bets_of_one_spin_fall_together():
    """A unit on red and one on black bring 2 in 36 of 37 cases: E = 72/37, V = 144/37²."""
    bets = [(chance("red"), 1), (chance("black"), 1)]

    assert Moments(Fraction(72, 37), Fraction(144, 1369)) == moments(PAYS, bets)


def test_a_straight_and_red_over_it_are_worked_out_together():
    """100 on 1 and 100 on red: 3800 at pocket 1, 200 at 17 others: E = 7200/37."""
    bets = [(find((1,)), 100), (chance("red"), 100)]
    expectation = Fraction(3800 + 17 * 200, 37)
    variance = Fraction(3800**2 + 17 * 200**2, 37) - expectation**2

    assert Moments(expectation, variance) == moments(PAYS, bets)


def test_all_numbers_alike_bring_the_same_at_every_pocket():
    """37 straights of one unit return 36 for certain."""
    bets = [(find((n,)), 1) for n in range(37)]

    assert Moments(Fraction(36), Fraction(0)) == moments(PAYS, bets)


def test_no_bets_bring_nothing():
    """An empty table has no expectation and no variance."""
    assert Moments(Fraction(0), Fraction(0)) == moments(PAYS, [])


def test_the_expectation_of_any_two_bets_is_36_of_37_of_their_stakes():
    """It adds up whatever the overlap, as the variance does not."""
    names = ("red", "even", "low")
    for one, two in product(names, names):
        both = moments(PAYS, [(chance(one), 50), (chance(two), 200)])

        assert Fraction(36, 37) * 250 == both.expectation
