"""Announced bets are laid chip by chip as European Roulette rules say (ER3)."""

import pytest

from tests.roulette_table import CLASSIC, PREMIUM, VIP, place

LAID = {
    "voisins": {
        (0, 2, 3): 2,
        (4, 7): 1,
        (12, 15): 1,
        (18, 21): 1,
        (19, 22): 1,
        (25, 26, 28, 29): 2,
        (32, 35): 1,
    },
    "serie": {(5, 8): 1, (10, 11): 1, (13, 16): 1, (23, 24): 1, (27, 30): 1, (33, 36): 1},
    "orphelins": {(1,): 1, (6, 9): 1, (14, 17): 1, (17, 20): 1, (31, 34): 1},
}


@pytest.mark.parametrize("text", [CLASSIC, PREMIUM, VIP], ids=["classic", "premium", "vip"])
@pytest.mark.parametrize("name", LAID)
def test_er3_each_announced_bet_lays_its_chips(name, text):
    """With a chip of 5.00, in every family."""
    placed = place([{"announced": name, "chip": "5.00"}], text)
    expected = {numbers: 500 * chips for numbers, chips in LAID[name].items()}

    assert expected == {e.details.numbers: e.amount for e in placed}


@pytest.mark.parametrize(("name", "chips"), [("voisins", 9), ("serie", 6), ("orphelins", 5)])
def test_er3_the_number_of_chips_is_nine_six_and_five(name, chips):
    """What a call costs is its chips times their worth."""
    placed = place([{"announced": name, "chip": "0.25"}])

    assert 25 * chips == sum(e.amount for e in placed)


def test_er3_the_kinds_of_the_neighbours_of_zero():
    """A trio, a corner and five splits."""
    placed = place([{"announced": "voisins", "chip": "1.00"}])

    assert [e.details.kind for e in placed] == [
        "trio",
        "split",
        "split",
        "split",
        "split",
        "corner",
        "split",
    ]


def test_er3_the_worth_of_a_chip_may_itself_be_several_chips():
    """1.75 is 1.00, 0.50 and 0.25 on each placement."""
    placed = place([{"announced": "orphelins", "chip": "1.75"}])

    assert [e.amount for e in placed] == [175] * 5
