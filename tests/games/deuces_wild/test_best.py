"""Best play as it is asked for from outside: advice on a hand, and the options of a study."""

import subprocess
import sys
from itertools import combinations

import pytest

from games.deuces_wild.best import advise, study
from games.deuces_wild.refusals import DeucesCode
from games.deuces_wild.sheet import read_sheet
from games.engine import no_progress
from ledger.domain.refusals import Code, Refusal
from tests.deuces_table import DEUCES, ENGINE, TRIPLE

HAND = ["Ts", "3h", "Js", "Qs", "Ks"]
"""Of the 47 others As makes a royal, 4000 coins of five; four deuces a wild royal, 125; 9s a
straight flush, 45; six spades a flush, 15; three aces and three nines a straight, 10."""
HELD_ROYAL = "4695/47"
"""4000 + 4 * 125 + 45 + 6 * 15 + 6 * 10 coins, of 47 draws."""


def ask(**document):
    """The answer to a document."""
    return advise(ENGINE, DEUCES, document)


def test_the_best_hold_is_told_with_its_exact_value_in_coins_and_what_a_coin_makes_of_it():
    """Given four cards of a royal and coins of 0.25, then 4695/47 coins, 24.9734 euro."""
    answer = ask(coins=5, coin="0.25", hand=HAND)

    assert ([1, 3, 4, 5], [], "nothing") == (
        answer["best_hold"],
        answer["proposed_hold"],
        answer["category"],
    )
    assert {
        "hold": [1, 3, 4, 5],
        "cards": ["Ts", "Js", "Qs", "Ks"],
        "fraction": HELD_ROYAL,
        "decimal": "99.893617",
        "amount": "24.9734",
    } == answer["ways"][0]
    assert (5, "0.25", "EUR") == (answer["coins"], answer["coin"], answer["currency"])
    assert "for all coins played" in answer["unit"]


def test_each_of_the_32_alternatives_stands_beside_the_best():
    """Given a dealt win, then every subset of the five places once, and to keep all pays the win.

    Three of a kind pays five coins for five, whatever else would be drawn.
    """
    answer = ask(coins=5, hand=TRIPLE)
    values = {tuple(way["hold"]): way["fraction"] for way in answer["ways"]}

    assert 32 == len(answer["ways"])
    assert {hold for size in range(6) for hold in combinations(range(1, 6), size)} == set(values)
    assert ("5/1", [1, 2, 3]) == (values[1, 2, 3, 4, 5], answer["best_hold"])


def test_without_the_value_of_a_coin_there_are_the_same_fractions_and_no_amounts():
    """Given the same hand with a coin and without, then the coins are the same."""
    bare, told = ask(coins=5, hand=HAND), ask(coins=5, coin="5.00", hand=HAND)

    assert [way["fraction"] for way in bare["ways"]] == [way["fraction"] for way in told["ways"]]
    assert {"coin", "currency"} == set(told) - set(bare)
    assert {"amount"} == set(told["ways"][0]) - set(bare["ways"][0])


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (None, Code.MALFORMED),
        ([5, HAND], Code.MALFORMED),
        ({}, Code.MALFORMED),
        ({"hand": HAND}, Code.MALFORMED),
        ({"coins": 5, "hand": HAND, "hold": [1]}, Code.MALFORMED),
        ({"coins": 5, "hand": HAND[:4]}, Code.MALFORMED),
        ({"coins": 5, "hand": [*HAND, "2c"]}, Code.MALFORMED),
        ({"coins": 5, "hand": [*HAND[:4], "Ts"]}, Code.MALFORMED),
        ({"coins": 5, "hand": [*HAND[:4], "10s"]}, Code.MALFORMED),
        ({"coins": 5, "hand": "Ts3hJsQsKs"}, Code.MALFORMED),
        ({"coins": 0, "hand": HAND}, Code.MALFORMED),
        ({"coins": True, "hand": HAND}, Code.MALFORMED),
        ({"coins": 5.0, "hand": HAND}, Code.MALFORMED),
        ({"coins": 5, "coin": 0.25, "hand": HAND}, Code.MALFORMED),
        ({"coins": 5, "coin": None, "hand": HAND}, Code.MALFORMED),
        ({"coins": 6, "hand": HAND}, DeucesCode.COINS_NOT_OFFERED),
        ({"coins": 6, "coin": "0.30", "hand": HAND}, DeucesCode.COINS_NOT_OFFERED),
        ({"coins": 5, "coin": "0.30", "hand": HAND}, DeucesCode.COIN_NOT_OFFERED),
    ],
    ids=repr,
)
def test_s6_a_hand_that_cannot_be_is_refused_as_in_play(document, code):
    """Given what play and quote refuse, then the same code, and no value."""
    answer = advise(ENGINE, DEUCES, document)

    assert isinstance(answer, Refusal)
    assert code == answer.code


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({}, Code.MALFORMED),
        ({"coins": "5", "strategy": "best"}, Code.MALFORMED),
        ({"coins": ""}, Code.MALFORMED),
        ({"coins": "0"}, Code.MALFORMED),
        ({"coins": "-1"}, Code.MALFORMED),
        ({"coins": "05"}, Code.MALFORMED),
        ({"coins": "5 "}, Code.MALFORMED),
        ({"coins": "5\n"}, Code.MALFORMED),
        ({"coins": "5.0"}, Code.MALFORMED),
        ({"coins": "٥"}, Code.MALFORMED),
        ({"coins": "9" * 5_000}, Code.MALFORMED),
        ({"coins": "6"}, DeucesCode.COINS_NOT_OFFERED),
        ({"coins": "999"}, DeucesCode.COINS_NOT_OFFERED),
    ],
    ids=range(13),
)
def test_s6_a_study_of_other_than_offered_coins_is_refused(options, code):
    """Given an option that is no number of coins of the sheet, then its code and no study."""
    answer = study(read_sheet(DEUCES), options, no_progress)

    assert isinstance(answer, Refusal)
    assert code == answer.code


def test_the_arrays_are_loaded_by_advice_and_by_no_refusal_quote_or_registry():
    """Given a process of its own, then numpy comes with the first advice and not before."""
    script = f"""
import sys
from games.registry import GAMES, SHEETS
game, text = next(g for g in GAMES if g.advise), SHEETS["deuces-wild"].text
game.quote(game.engine, text, {{"coins": 5, "coin": "0.25", "final": {HAND}}})
game.advise(game.engine, text, {{"coins": 6, "hand": {HAND}}})
game.study(game.engine.read_sheet(text), {{"coins": "6"}}, print)
print("numpy" in sys.modules)
game.advise(game.engine, text, {{"coins": 5, "hand": {HAND}}})
print("numpy" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )

    assert ["False", "True"] == done.stdout.split()
