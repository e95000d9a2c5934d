"""The return of Live Blackjack, against all orders of small shoes and against published figures."""

from dataclasses import astuple, replace
from fractions import Fraction

import numpy as np
import pytest

from games.blackjack.cells import cells
from games.blackjack.compositions import NOTHING, full_shoe, hands_with, of_cards, one, without
from games.blackjack.dealer import ends_from
from games.blackjack.playing import Facing
from games.blackjack.returns import begins, expected_of, knowing, totalled, variance_of
from games.blackjack.round import Action
from games.blackjack.strategy import printed
from games.blackjack.ways import sight, way
from games.engine import RETURN_MIN
from tests.blackjack_shoe import composition, dealt_out
from tests.blackjack_table import RULES, SHEET

OTHER_RULES = replace(RULES, hits_soft_17=True, double_after_split=True, split_aces_play=True)
SHOES = (
    {"Tc": 6, "9c": 2, "5c": 3},
    {"Tc": 5, "8c": 3, "Ac": 2},
    {"Tc": 6, "8c": 4, "3c": 1},
)
"""No round needs more cards than these have, however it is played; in the last one hands of a
split may have 11, which other rules let be doubled."""
ONE_DECK = {
    "A": (0.126128, 0.131003, 0.129486, 0.131553, 0.051565, 0.313725, 0.116540),
    "2": (0.138976, 0.131762, 0.131815, 0.123948, 0.120526, 0.0, 0.352973),
    "6": (0.166948, 0.106454, 0.107192, 0.100705, 0.097878, 0.0, 0.420823),
    "7": (0.372345, 0.138583, 0.077334, 0.078897, 0.072987, 0.0, 0.259854),
}
"""Published for one deck whose dealer stands on soft 17 and has not looked for a Blackjack: 17 to
21, Blackjack, bust (wizardofodds.com, Blackjack appendix 2B)."""
AGAINST_AN_ACE = {
    ("2c", "Ac"): (-0.722307, -0.378980, -1.024082),
    ("3c", "2c"): (-0.721955, -0.528987, -1.443909),
    ("6c", "5c"): (-0.721201, -0.235977, -0.537869),
    ("7c", "Ac"): (-0.465508, -0.420237, -0.908247),
}
"""Published for eight decks without a hole card, whose dealer hits soft 17 and which doubles any
two cards: stand, hit, double (the same, appendix 9)."""


@pytest.fixture(scope="module")
def best():
    """Every cell of the sheet's game by the best play."""
    return list(cells(RULES, full_shoe(SHEET.decks), None))


@pytest.fixture(scope="module")
def suggested():
    """Every cell of the sheet's game by the printed strategy."""
    return list(cells(RULES, full_shoe(SHEET.decks), printed))


@pytest.mark.parametrize("shoe", SHOES, ids=["9-9 and 5-5", "A-A and 8-8", "8-8 and 3"])
@pytest.mark.parametrize("rules", [RULES, OTHER_RULES], ids=["the sheet's", "others"])
def test_the_printed_strategy_brings_what_every_order_of_a_small_shoe_brings(shoe, rules):
    """Given a small shoe, when every order of it is dealt, then the same stakes, wins and squares.

    The orders go through the machine and the settlement of the table, in fractions.
    """
    made = totalled(list(cells(rules, composition(shoe), printed)))

    brought = dealt_out(rules, shoe, printed)
    assert [float(each) for each in vars(brought).values()] == pytest.approx(
        astuple(made), rel=0, abs=1e-12
    )


@pytest.mark.parametrize(
    ("rules", "shoe", "minded"),
    [
        (RULES, {"Tc": 6, "9c": 3, "8c": 2}, False),
        (RULES, SHOES[1], True),
        (OTHER_RULES, SHOES[2], False),
    ],
    ids=["apart", "together", "with 8-3 doubled after a split"],
)
def test_the_best_play_wins_what_the_best_of_all_choices_wins_in_a_small_shoe(rules, shoe, minded):
    """Given a small shoe, when each choice is tried to its end, then no play wins more or less.

    In the second one it matters that a hand of a split minds the cards of the other.
    """
    played = list(cells(rules, composition(shoe), None))
    apart = totalled(played).won
    more = sum(float(c.chance) * knowing(c) for c in played if c.pair is not None)

    assert float(dealt_out(rules, shoe).won) == pytest.approx(apart + more, rel=0, abs=1e-12)
    assert minded == (more > 1e-6)


def test_what_insurance_and_even_money_bring_is_counted_with_the_bet():
    """Given a shoe of tens and aces, when all orders are dealt, then both are taken and agree."""
    shoe = {"Tc": 9, "Ac": 2}
    played = list(cells(RULES, composition(shoe), None))

    assert [float(each) for each in vars(dealt_out(RULES, shoe)).values()] == pytest.approx(
        astuple(totalled(played)), rel=0, abs=1e-12
    )
    assert {True, False} == {cell.insured for cell in played}
    assert Action.EVEN_MONEY in {cell.way.action for cell in played}


@pytest.mark.parametrize("up", ONE_DECK)
def test_the_dealer_ends_as_often_as_published(up):
    """Given one deck and the dealer's first card, then each end to six places."""
    place = of_cards([f"{up}c"]).index(1)

    (ends,) = ends_from(np.array([without(full_shoe(1), place)]), place, hits_soft_17=False)

    assert ONE_DECK[up] == pytest.approx(ends, rel=0, abs=1e-6)


@pytest.mark.parametrize("cards", AGAINST_AN_ACE)
def test_standing_hitting_and_doubling_are_worth_what_was_published(cards):
    """Given eight decks and an ace of the dealer, then the three values to six places."""
    rules = replace(RULES, hits_soft_17=True)
    seen = sight(Facing(rules, 0, without(full_shoe(8), 0)), None)

    made = [way(seen, of_cards(cards), a).won for a in (Action.STAND, Action.HIT, Action.DOUBLE)]

    assert AGAINST_AN_ACE[cards] == pytest.approx(made, rel=0, abs=1e-6)


def test_all_that_may_come_is_counted_once(best):
    """Given eight decks, then the chances of all cells are 1, and so are those of their ways."""
    blackjack = Fraction(2 * 32 * 128, 416 * 415)

    begun = begins(best)

    assert (1, 1) == (sum(cell.chance for cell in best), sum(begun.values()))
    assert blackjack == begun["blackjack"]


def test_c8_the_sheet_declares_what_the_printed_strategy_returns(suggested):
    """Given the printed strategy over the whole shoe, then return and variance to eight places."""
    made = totalled(suggested)

    declared = SHEET.returns["printed"]
    assert declared.expected == round(Fraction(expected_of(made)), 8)
    assert declared.variance == round(Fraction(variance_of(made)), 8)
    assert RETURN_MIN <= declared.expected


def test_c8_the_sheet_declares_what_the_best_play_returns(best):
    """Given the best play, then its return, to which only 2-2 against 4 adds what both hands see.

    There a hand of 12 is nearly as good to stand on as to hit. That no other pair adds anything
    is what the whole study finds, in a minute.
    """
    (close,) = (c for c in best if c.pair == 1 and c.seen.facing.up == 3)
    made = totalled(best)
    minded = replace(made, won=made.won + float(close.chance) * knowing(close))

    declared = SHEET.returns["best"]
    assert declared.expected == round(Fraction(expected_of(minded)), 8)
    assert declared.variance == round(Fraction(variance_of(minded)), 8)
    assert expected_of(made) < declared.expected


def test_the_best_play_loses_no_more_than_the_printed_strategy_in_any_cell(best, suggested):
    """Given every cell, then the best play wins at least what the printed strategy wins there."""
    assert len(best) == len(suggested)
    assert [] == [
        (cell.hand, cell.seen.facing.up)
        for cell, other in zip(best, suggested, strict=True)
        if cell.won < other.won - 1e-12
    ]
    assert not any(cell.insured for cell in best)


def test_tens_are_split_by_rank_where_the_rules_say_so():
    """Given tens that split by rank alone, then of all pairs of tens 31 in 127 may, less for a ten.

    Against a ten 32 * 31 * 3 + 31 * 30 of 127 * 126 pairs are of one rank.
    """
    by_rank = replace(RULES, split_by_rank=True)
    pairs = {
        (cell.seen.facing.up, cell.pair): cell.chance
        for cell in cells(by_rank, full_shoe(8), printed)
        if cell.hand == of_cards(["Tc", "Kc"])
    }

    for up, equal in ((4, Fraction(31, 127)), (9, Fraction(3 * 32 * 31 + 31 * 30, 127 * 126))):
        split, kept = pairs[up, 9], pairs[up, None]
        assert equal == split / (split + kept)


def test_every_hand_is_counted_and_leads_to_the_hand_with_one_card_more():
    """Given all hands up to 21, then 3,082 beside none, each total right, each card a step on.

    They are the partitions of 1 to 21 into parts of at most 10.
    """
    hands = hands_with(NOTHING)
    ways = [1] + [0] * 21
    for part in range(1, 11):
        for total in range(part, 22):
            ways[total] += ways[total - part]

    assert sum(ways) == len(hands.total)
    soft = hands.places[of_cards(["Ac", "6c"])]
    assert (17, True) == (hands.total[soft], bool(hands.is_soft[soft]))
    after = hands.with_card[soft, 8]
    assert (16, False) == (hands.total[after], bool(hands.is_soft[after]))
    assert len(hands_with(one(7)).total) < len(hands.total)
