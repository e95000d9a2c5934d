"""The best hold of one hand beside all others, as a dispute asks for it; values worked by hand."""

from fractions import Fraction
from itertools import combinations

import pytest

from games.deuces_wild.perfect import Advice, advise, best_hold
from games.deuces_wild.sheet import read_sheet
from games.sheets import packaged

(FILE,) = packaged("games.deuces_wild")
SHEET = read_sheet(FILE.text)


@pytest.mark.parametrize(("coins", "royal", "times"), [(1, 250, 1), (4, 1000, 4), (5, 4000, 5)])
def test_four_cards_of_a_royal_are_worth_what_the_47_others_make_of_them(coins, royal, times):
    """Given Ts Js Qs Ks and 3h thrown away, then one card of 47 is drawn.

    As: royal. Four deuces: wild royal, 25. 9s: straight flush, 9. 3s to 8s: six flushes, 3. Three
    aces and three nines: straights, 2. The rest: nothing.
    """
    value = Fraction(royal + times * (4 * 25 + 9 + 6 * 3 + 6 * 2), 47)

    assert Advice((1, 3, 4, 5), value) == advise(SHEET, coins, ["Ts", "3h", "Js", "Qs", "Ks"])[0]


def test_every_way_to_hold_is_told_once_from_the_best_to_the_worst():
    """Given a hand, then 32 ways with falling values."""
    ways = advise(SHEET, 1, ["2h", "9d", "4c", "Kh", "9s"])

    assert {hold for size in range(6) for hold in combinations(range(1, 6), size)} == {
        way.hold for way in ways
    }
    assert sorted((way.value for way in ways), reverse=True) == [way.value for way in ways]
    assert 32 == len(ways)


def test_of_equal_values_more_cards_come_first_and_then_those_first_in_the_deck():
    """Given four deuces, then the fifth card changes nothing, and each triple of them is alike.

    Three deuces and a card thrown away leave 47: one deuce of them.
    """
    ways = advise(SHEET, 1, ["2s", "2h", "8c", "2d", "2c"])
    triples = [way for way in ways if len(way.hold) == 3 and 3 not in way.hold]

    assert [Advice((1, 2, 3, 4, 5), Fraction(200)), Advice((1, 2, 4, 5), Fraction(200))] == [
        *ways[:2]
    ]
    assert 1 == len({way.value for way in triples})
    assert [(2, 4, 5), (1, 4, 5), (1, 2, 5), (1, 2, 4)] == [way.hold for way in triples]


def test_places_are_those_of_the_deal_in_whatever_order_it_came():
    """Given the same cards in another order, then the same cards are held at the same values."""
    deal, other = ["7h", "2d", "8h", "Kc", "9h"], ["Kc", "9h", "7h", "8h", "2d"]

    def held(cards):
        return [
            ({cards[place - 1] for place in way.hold}, way.value) for way in advise(SHEET, 5, cards)
        ]

    assert held(deal) == held(other)


@pytest.mark.parametrize(
    "deal",
    [
        ["Ts", "3h", "Js", "Qs", "Ks"],
        ["2s", "2h", "8c", "2d", "2c"],
        ["Kc", "9h", "7h", "8h", "2d"],
        ["As", "Ah", "Kd", "Kc", "3s"],
        ["3c", "5d", "7h", "9s", "Jc"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("coins", [1, 5])
def test_the_best_hold_alone_is_the_first_of_all(coins, deal):
    """Given a deal, then what is counted for all hands names the same hold as that hand alone."""
    assert advise(SHEET, coins, deal)[0].hold == best_hold(SHEET, coins, deal)
