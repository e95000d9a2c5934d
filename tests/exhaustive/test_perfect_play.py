"""The exact returns of Deuces Wild, all deals and all holds enumerated (C8), by three methods."""

from fractions import Fraction
from itertools import combinations, islice
from random import Random

import numpy as np
import pytest

from games.cards import DECK
from games.deuces_wild.enumeration import (
    CATEGORIES,
    HOLDS,
    all_categories,
    all_hands,
    numbers_of_holds,
)
from games.deuces_wild.hand import category
from games.deuces_wild.perfect import COMMON, advise, frequencies, study, values_of, worth_of
from games.deuces_wild.sheet import read_sheet
from games.engine import decimal_of
from games.sheets import packaged

FILES = packaged("games.deuces_wild")
SHEET = read_sheet(FILES[-1].text)

PRINTED = {1: ["97.69", "97.69", "97.69", "97.69", "98.91"]}
"""By the sheet's version: the percentages that its rules print for one coin, two, and so on."""


def test_s15_the_array_of_all_hands_holds_each_of_them_once():
    """Given the array, then 2,598,960 sets of five cards, all different, by their highest cards."""
    hands = all_hands()
    sets = np.bitwise_or.reduce(1 << hands.astype(np.int64), axis=1)

    assert (2_598_960, 5) == hands.shape
    assert (hands[:, :-1] < hands[:, 1:]).all()
    assert (sets[:-1] < sets[1:]).all()


def test_s15_each_hand_of_the_array_is_named_as_play_names_it():
    """Given a seeded sample of the array, then its categories are those that settle a round."""
    sample = Random(52).sample(range(len(all_hands())), 5_000)
    hands = [[DECK[card] for card in all_hands()[number]] for number in sample]

    assert [category(hand) for hand in hands] == [
        CATEGORIES[made] for made in all_categories()[sample]
    ]


@pytest.mark.parametrize("coins", range(1, 6))
@pytest.mark.parametrize("file", FILES, ids=[f"version {file.version}" for file in FILES])
def test_c8_perfect_play_returns_what_is_printed_and_exactly_what_every_sheet_declares(file, coins):
    """Given a packaged sheet and coins, when all is enumerated, then the fractions of the sheet."""
    sheet = read_sheet(file.text)
    made = study(sheet, coins)

    assert PRINTED[file.version][coins - 1] == decimal_of(100 * made.found.expected, 2)
    assert (sheet.returns[coins], sheet.variances[coins]) == (
        made.found.expected,
        made.found.variance,
    )
    assert made.agrees
    assert 1 == sum(made.frequencies.values())
    assert made.found.expected == sum(
        chance * sheet.pay(ends, coins) / coins for ends, chance in made.frequencies.items()
    )


def test_a_study_tells_its_progress_from_the_first_deals_to_the_last():
    """Given a pay table in which any win pays one coin, then rising counts up to all deals."""
    told = []
    frequencies((1,) * 10 + (0,), lambda done, total: told.append((done, total)))

    assert (2_598_960, 2_598_960) == told[-1]
    assert {2_598_960} == {total for _, total in told}
    assert sorted({done for done, _ in told}) == [done for done, _ in told]


def test_one_to_four_coins_are_the_same_game_and_five_is_another():
    """Given a royal that pays more with five coins only, then five coins reach it more often."""
    by_coins = {coins: study(SHEET, coins).frequencies for coins in range(1, 6)}

    assert by_coins[1] == by_coins[2] == by_coins[3] == by_coins[4]
    assert by_coins[1][CATEGORIES[0]] < by_coins[5][CATEGORIES[0]]


def test_all_deals_counted_together_and_one_deal_by_itself_give_the_same_values():
    """Given a seeded deal of every fortieth batch, then each of its 32 holds is worth the same."""
    dice = Random(7)
    worth = worth_of(tuple(SHEET.pay(made, 5) for made in CATEGORIES))
    together, alone = [], []
    for numbers in islice(numbers_of_holds(), 0, None, 40):
        one = numbers[:, [dice.randrange(numbers.shape[1])]]
        cards = [DECK[card] for card in all_hands()[one[0, 0]]]
        values = [Fraction(value, COMMON) for value in values_of(one, worth)[:, 0].tolist()]
        held = [tuple(place + 1 for place in hold) for hold in HOLDS]
        together.append(dict(zip(held, values, strict=True)))
        alone.append({way.hold: way.value for way in advise(SHEET, 5, cards)})

    assert together == alone
    assert 8 == len(alone)


@pytest.mark.parametrize(
    "deal", [["2s", "Kc", "Jc", "2d", "Qc"], ["7h", "7d", "8h", "9h", "3s"]], ids=" ".join
)
def test_a_value_is_the_mean_of_every_replacement_played_out(deal):
    """Given a deal, when all draws of up to two cards are settled one by one, then their mean."""
    told = {way.hold: way.value for way in advise(SHEET, 5, deal)}
    left = [card for card in DECK if card not in deal]
    played = {}
    for size in (3, 4, 5):
        for hold in combinations(range(1, 6), size):
            kept = [deal[place - 1] for place in hold]
            paid = [
                SHEET.pay(category([*kept, *drawn]), 5) for drawn in combinations(left, 5 - size)
            ]
            played[hold] = Fraction(sum(paid), len(paid))

    assert played == {hold: value for hold, value in told.items() if len(hold) >= 3}
