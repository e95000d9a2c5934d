"""Advice on a hand of Live Blackjack, and the options of its study, as they are asked for."""

import subprocess
import sys
from fractions import Fraction

import pytest

from games.blackjack.best import advise, study
from games.blackjack.refusals import BlackjackCode
from games.engine import no_progress
from ledger.domain.refusals import Code, Refusal
from tests.blackjack_table import ENGINE, FILE, SHEET


def ask(hand, dealer, **more):
    """The answer to a hand against a card."""
    return advise(ENGINE, FILE.text, {"hand": hand.split(), "dealer": dealer} | more)


def won(answer):
    """What each action wins, by its name."""
    return {way["action"]: Fraction(way["won"]) for way in answer["ways"]}


def test_a_pair_is_told_the_printed_move_and_the_value_of_each_the_best_one_first():
    """Given 8-8 against 6, then split, stand and hit in falling order, and no double of 16."""
    answer = ask("8h 8d", "6c", first=True)

    assert ("split", "split") == (answer["printed"], answer["best"])
    assert (16, False) == (answer["total"], answer["soft"])
    assert ["split", "stand", "hit"] == [way["action"] for way in answer["ways"]]
    assert sorted(won(answer).values(), reverse=True) == list(won(answer).values())
    assert ["2.000000", "1.000000", "1.000000"] == [way["staked"] for way in answer["ways"]]
    assert ask("8h 8d", "6c") == answer


def test_insurance_wins_by_the_tens_that_are_left():
    """Given 9-2 against an ace, then 128 of 413 cards win 2:1 of a half, beside the best action."""
    values = won(ask("9h 2d", "As"))

    insurance = Fraction(1, 2) * (3 * Fraction(128, 413) - 1)
    assert values["insurance"] - values["hit"] == pytest.approx(insurance, abs=1e-6)
    assert max(values, key=values.get) == "hit"


def test_a_blackjack_against_an_ace_may_be_paid_evenly():
    """Given A-10 against an ace, then 3:2 against all but 127 of 413 cards, or 1 at once."""
    values = won(ask("Ah Td", "As"))

    assert {"stand", "even-money"} == set(values)
    assert 1 == values["even-money"]
    assert Fraction(3, 2) * (1 - Fraction(127, 413)) == pytest.approx(values["stand"], abs=1e-6)


def test_a_hand_of_a_split_is_neither_split_nor_doubled_and_knows_its_pair():
    """Given 9-9 or 9-2 after a split, then hit or stand alone, worth other than before it.

    On 18 against a 7 a hand stands; with one nine less in the shoe not quite as well.
    """
    after, before = ask("9h 9d", "7c", first=False), ask("9h 9d", "7c")

    assert {"hit", "stand"} == set(won(after)) == set(won(ask("9h 2d", "7c", first=False)))
    assert {"hit", "stand", "split"} == set(won(before))
    assert {"hit", "stand", "double"} == set(won(ask("9h 2d", "7c")))
    assert won(after)["stand"] != won(before)["stand"]


def test_two_cards_that_stand_against_a_ten_are_worth_what_the_dealer_ends_say():
    """Given 20 against a ten, then stand is best and hit wins only by an ace.

    Of 413 cards 32 are aces; whoever hits them has 21 and is beaten by a Blackjack alone.
    """
    values = won(ask("Kh Qd", "Tc"))

    assert max(values, key=values.get) == "stand"
    assert -1 < values["hit"] < 2 * Fraction(32, 413) - 1
    assert values["split"] < values["stand"]


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"hand": ["Th", "6d", "5c"], "dealer": "6c"}, BlackjackCode.HAND_ENDED),
        ({"hand": ["Th", "6d", "9c"], "dealer": "6c"}, BlackjackCode.HAND_ENDED),
        ({"hand": ["Ah", "Td"], "dealer": "6c"}, BlackjackCode.HAND_ENDED),
        ({"hand": ["Ah", "5d"], "dealer": "6c", "first": False}, BlackjackCode.HAND_ENDED),
        ({"hand": ["Ac"] * 8, "dealer": "Ac"}, BlackjackCode.CARD_NOT_IN_SHOE),
        ({"hand": ["8h"], "dealer": "6c"}, Code.MALFORMED),
        ({"hand": ["8h", "8x"], "dealer": "6c"}, Code.MALFORMED),
        ({"hand": ["8h", 8], "dealer": "6c"}, Code.MALFORMED),
        ({"hand": "8h8d", "dealer": "6c"}, Code.MALFORMED),
        ({"hand": ["8h", "8d"], "dealer": "10c"}, Code.MALFORMED),
        ({"hand": ["8h", "8d"], "dealer": "6c", "first": 1}, Code.MALFORMED),
        ({"hand": ["8h", "8d"]}, Code.MALFORMED),
        ({"hand": ["8h", "8d"], "dealer": "6c", "bet": "1.00"}, Code.MALFORMED),
        ([], Code.MALFORMED),
    ],
)
def test_s6_a_hand_that_cannot_be_or_has_ended_is_refused(document, code):
    """Given a document that asks for no choice, then the code says why."""
    refusal = advise(ENGINE, FILE.text, document)

    assert isinstance(refusal, Refusal)
    assert code == refusal.code


@pytest.mark.parametrize(
    "options", [{}, {"strategy": "poor"}, {"coins": "5"}, {"strategy": "best", "coins": "5"}]
)
def test_a_study_of_no_declared_strategy_is_refused_with_those_that_are(options):
    """Given options that name no strategy of the sheet, then the refusal names them."""
    refusal = study(SHEET, options, no_progress)

    assert isinstance(refusal, Refusal)
    assert (Code.MALFORMED, True) == (refusal.code, "best or printed" in refusal.message)


def test_what_judges_does_not_load_the_arrays():
    """Given the registry and a refused question, then numpy is not loaded; given a hand, it is."""
    script = """
import sys
from games import registry
from games.blackjack.game import LIVE_BLACKJACK as game
text = game.sheets[0].text
game.advise(game.engine, text, {"hand": ["Th", "6d", "5c"], "dealer": "6c"})
before = "numpy" in sys.modules
game.advise(game.engine, text, {"hand": ["Th", "6d"], "dealer": "6c"})
print(before, "numpy" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )

    assert "False True\n" == done.stdout
