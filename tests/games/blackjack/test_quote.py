"""Quote of Live Blackjack: scripts of actions, surplus ones, documents (S6, S12 to S14, BJ5)."""

import pytest

from games.blackjack.quote import quote
from tests.blackjack_table import ENGINE, FILE, ask, box, code_of


def credited(boxes, shoe):
    """What a round brings in all."""
    return ask(boxes, shoe)["credited"]


def outcomes(boxes, shoe):
    """How each hand ended, box by box."""
    return [[hand["outcome"] for hand in each["hands"]] for each in ask(boxes, shoe)["boxes"]]


# --- scripts -------------------------------------------------------------------------------------


def test_exhausted_actions_mean_stand_over_all_hands():
    """Given 8-8 split and nothing more, then both hands stand as they are told to in another."""
    shoe = "8h 6c 8d 3h Tc Ks 5d"

    assert ask([box("split")], shoe) == ask([box("split", "stand", "stand")], shoe)


def test_fields_that_are_left_out_mean_no_action_and_no_insurance():
    """Given a bet alone, then it is played as with an empty list and both choices false."""
    whole = box(insurance=False, even_money=False)

    assert ask([whole], "Tc Ad 8d 7s") == ask([{"bet": "10.00"}], "Tc Ad 8d 7s")


@pytest.mark.parametrize(
    ("actions", "shoe"),
    [
        (("hit", "stand"), "5c 6d 7c 9c Td Kd"),
        (("stand",), "Ac 6d Kc"),
        (("stand",), "Ac Kd Kc 2d"),
        (("double", "stand"), "5c 6d 6c Tc Td Kd"),
        (("split", "stand"), "Ac 6d Ad Kc 9c Td Kd"),
        (("split", "stand", "hit"), "Tc 6d Td Ac 9c 2c Td Kd"),
        (("split", "hit", "stand"), "Tc 6d Td 9c Ac 2c Td Kd"),
        (("split", "hit", "stand", "stand"), "Tc 6d Td 9c Ac 2c Td Kd"),
    ],
)
def test_bj5_a_stand_on_a_21_that_ended_by_itself_is_accepted(actions, shoe):
    """Given each 21, then the stand after it means it, and none needs to be told."""
    stands = [a for a in actions if a != "stand"]

    assert ask([box(*actions)], shoe) == ask([box(*stands)], shoe)


def test_bj5_even_money_and_a_stand_on_the_blackjack_go_together():
    """Given even money and a stand, then 20.00 as without the stand."""
    assert "20.00" == credited([box("stand", even_money=True)], "Ac Ad Kc")


@pytest.mark.parametrize(
    ("actions", "shoe"),
    [
        (("hit", "hit"), "5c 6d 7c 9c Td Kd"),
        (("hit", "stand", "stand"), "5c 6d 7c 9c Td Kd"),
        (("hit", "stand"), "Tc 6d 6d Kc"),
        (("stand", "stand"), "Tc 6d 7c Td Kd"),
        (("double", "stand"), "5c 6d 6c 2c Td Kd"),
        (("double", "hit"), "5c 6d 6c 2c Td Kd"),
        (("split", "stand"), "Ac 6d Ad 8c 9c Td Kd"),
        (("split", "stand", "stand", "stand"), "8c 6d 8d 2c 9c Td Kd"),
        (("hit",), "Ac 6d Kc 2c"),
        (("stand", "stand"), "Ac Ad Kc 2c"),
    ],
)
def test_an_action_that_no_hand_is_left_for_is_refused(actions, shoe):
    """Given one action more than the hands can take, then no other hand or box takes it."""
    assert "hand-ended" == code_of([box(*actions)], shoe)
    assert "hand-ended" == code_of([box(*actions), box()], _beside(shoe))


def _beside(shoe):
    """The same cards with a second box of T-T that stands, first cards going round."""
    first, dealer, second, *rest = shoe.split()
    return " ".join([first, "Th", dealer, second, "Ts", *rest])


def test_each_box_takes_its_own_actions_only():
    """Given box 1 with 12 that stands and box 2 with 12 that hits, then one card to box 2."""
    answer = ask([box("stand"), box("hit")], "Tc Ts 6d 2c 2s 9s Td Kh")

    assert [["Tc", "2c"], ["Ts", "2s", "9s"]] == [b["hands"][0]["cards"] for b in answer["boxes"]]


def test_cards_beyond_the_last_that_is_dealt_stay_in_the_shoe():
    """Given a Blackjack against 7, then the other sevens are not dealt and nothing is refused."""
    answer = ask([box()], "Ac 7d Kc 7h 7s")

    assert {"cards": ["7d"], "drawn": 0} == answer["dealer"]


def test_bj7_the_answer_tells_how_many_cards_the_dealer_drew():
    """Given no, an undecided and a live hand, then 0, 1 and 3 cards are drawn."""
    shoes = {"Tc 6d 5c Kc": 0, "Ac Td Kc 5d 6d": 1, "Tc 2d Ts 3d 4d Kd": 3}

    assert list(shoes.values()) == [
        ask([box(*["hit"] * (drawn == 0))], shoe)["dealer"]["drawn"]
        for shoe, drawn in shoes.items()
    ]


# --- faults --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shoe", "actions", "expected"),
    [
        ("Ac 7d Kc 7h 7s", (), "25.00"),
        ("7c Ad 7h 7s Kd", ("hit",), "0.00"),
        ("Ac Ad Kc Kd", (), "10.00"),
        ("Tc Ad Kc Kd", (), "0.00"),
        ("5c Ad 6c 9c Kd", ("double",), "0.00"),
        ("8c Ad 8d 3c 2c Kd", ("split",), "0.00"),
    ],
)
def test_s12_a_natural_is_no_21(shoe, actions, expected):
    """Given A-K, 7-7-7 or 20 against a dealer's hand, then as the rules pay it."""
    assert expected == credited([box(*actions)], shoe)


@pytest.mark.parametrize(
    ("shoe", "chosen", "money"),
    [
        ("Tc Ad 8c Kd", {"insurance": True}, ("15.00", "15.00")),
        ("Tc Ad 8c 6d", {"insurance": True}, ("15.00", "20.00")),
        ("Tc Ad 8c 9d", {"insurance": True}, ("15.00", "0.00")),
        ("Ac Ad Kc Kd", {"even_money": True}, ("10.00", "20.00")),
    ],
)
def test_s13_insurance_and_even_money_in_the_totals(shoe, chosen, money):
    """Given each, then what was staked and what was credited in all."""
    answer = ask([box(**chosen)], shoe)

    assert money == (answer["staked"], answer["credited"])


@pytest.mark.parametrize(
    ("shoe", "chosen", "code"),
    [
        ("Ac Ad Kc Kd", {"insurance": True}, "insurance-not-offered"),
        ("Tc Td 8c Kd", {"insurance": True}, "insurance-not-offered"),
        ("Ac Td Kc Kd", {"insurance": True}, "insurance-not-offered"),
        ("Ac Td Kc Kd", {"even_money": True}, "even-money-not-offered"),
        ("Tc Ad 8c Kd", {"even_money": True}, "even-money-not-offered"),
        ("Ac Ad Kc Kd", {"insurance": True, "even_money": True}, "insurance-not-offered"),
        ("Tc Ad 8c Kd", {"insurance": "5.01"}, "malformed"),
        ("Tc Ad 8c Kd", {"insurance": 1}, "malformed"),
    ],
)
def test_s13_insurance_where_there_is_none_is_refused(shoe, chosen, code):
    """Given a ten up, a Blackjack or an amount of one's own, then nothing is judged."""
    assert code == code_of([box(**chosen)], shoe)


def test_s13_the_refusal_of_insuring_a_blackjack_hints_to_even_money():
    """Given a Blackjack insured against an ace, then the message says what there is instead."""
    refusal = ask([box(insurance=True)], "Ac Ad Kc Kd")["refusal"]

    assert "even_money" in refusal["message"]
    assert "even_money" not in ask([box(insurance=True)], "Ac Td Kc Kd")["refusal"]["message"]


def test_s14_a_split_after_a_third_card_is_refused():
    """Given 4-4 and a king, then no split; and none of a hand of a split."""
    assert "split-not-offered" == code_of([box("hit", "split")], "4c 6d 4d Kc Td Ts 2c")
    assert "split-not-offered" == code_of([box("split", "split")], "8c 6d 8d 8s 9c Td Kd")


def test_bj3_a_ten_and_a_king_are_split_and_each_is_its_own_hand():
    """Given T-K split into 19 and 21 against 20, then one is lost and the other is won 1 to 1."""
    assert [["lost", "won"]] == outcomes([box("split")], "Tc Td Kc 9c Ac Kd")


# --- documents -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"boxes": [box()]},
        {"boxes": [box()], "shoe": ["8h"], "posta": "1.00"},
        {"boxes": box(), "shoe": []},
        {"boxes": [box()] * 8, "shoe": []},
        {"boxes": [{"actions": []}], "shoe": []},
        {"boxes": [box(stake="1.00")], "shoe": []},
        {"boxes": [box(bet=10)], "shoe": []},
        {"boxes": [box(bet="-1.00")], "shoe": []},
        {"boxes": [box(bet="0.00")], "shoe": []},
        {"boxes": [box("surrender")], "shoe": []},
        {"boxes": [box("insurance")], "shoe": []},
        {"boxes": [box("even-money")], "shoe": []},
        {"boxes": [box(7)], "shoe": []},
        {"boxes": [box(["hit"])], "shoe": []},
        {"boxes": [box(*["hit"] * 51)], "shoe": []},
        {"boxes": [box() | {"actions": "hit"}], "shoe": []},
        {"boxes": [box(even_money=None)], "shoe": []},
        {"boxes": [box()], "shoe": "8h"},
        {"boxes": [box()], "shoe": ["8H"]},
        {"boxes": [box()], "shoe": ["10h"]},
        {"boxes": [box()], "shoe": [["8h"]]},
        {"boxes": [box()], "shoe": ["8h"] * 417},
        {"boxes": [box()], "shoe": ["8h", "6c", "7d"]},
        {"boxes": [box()], "shoe": [], "limits": {"min": "1.00"}},
        {"boxes": [box()], "shoe": [], "limits": {"min": "1.00", "max": "99999999999.00"}},
    ],
)
def test_s6_a_document_that_cannot_be_read_is_malformed(document):
    """Given each, then a refusal that never repeats what was sent, and no error."""
    answer = quote(ENGINE, FILE.text, document)

    assert "malformed" == answer["refusal"]["code"]
    assert "surrender" not in answer["refusal"]["message"]


def test_a_round_without_a_box_has_no_bet():
    """Given no box, then the code that all games have for it."""
    assert "no-bet" == code_of([])


@pytest.mark.parametrize(
    ("bet", "code"), [("4.99", "bet-below-minimum"), ("50.01", "bet-above-maximum")]
)
def test_a_bet_beyond_the_limits_of_the_table_is_refused_with_its_box(bet, code):
    """Given 5.00 to 50.00, then neither less nor more, and both ends are taken."""
    limits, shoe = {"min": "5.00", "max": "50.00"}, "Ac Ts 6d Kc 9s Td Kd"

    assert code == code_of([box(), box(bet=bet)], shoe, limits=limits)
    assert "Box 2" in ask([box(), box(bet=bet)], shoe, limits=limits)["refusal"]["message"]
    assert ask([box(bet="5.00"), box(bet="50.00")], shoe, limits=limits)["accepted"]


def test_the_sheets_limits_hold_where_the_table_has_none():
    """Given no limits, then 0.01 to 1,000.00."""
    shoe = "Ac 6d Kc"
    taken = [ask([box(bet=bet)], shoe)["accepted"] for bet in ("0.01", "1000.00", "1000.01")]

    assert [True, True, False] == taken


def test_bj1_a_ninth_card_of_a_name_is_in_no_shoe():
    """Given nine eights of hearts, then the ninth is refused, though it would not be dealt."""
    eights = " ".join(["8h"] * 9)

    assert "card-not-in-shoe" == code_of([box("split", "stand", "stand")], eights)
    assert ask([box()], "Ac 6d Kc " + " ".join(["8h"] * 8))["accepted"]
