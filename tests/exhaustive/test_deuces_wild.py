"""Fault S15: every one of the 2,598,960 hands has its own category, and no hand another's."""

from collections import Counter
from random import Random

from games.cards import SUITS
from games.deuces_wild.hand import Category, category
from games.deuces_wild.watching import HANDS
from tests.hands import by_substitution, suit_classes

CLASSES = tuple(suit_classes())


def test_s15_the_classes_of_hands_are_all_hands():
    """Given hands up to the names of suits, then 134,459 of them stand for C(52, 5) hands."""
    assert 134_459 == len(CLASSES) == len({frozenset(hand) for hand, _ in CLASSES})
    assert 2_598_960 == sum(weight for _, weight in CLASSES)


def test_s15_each_category_has_exactly_its_hands():
    """Given every hand, then the categories have as many as combinatorics gives them."""
    counts = Counter()
    for hand, weight in CLASSES:
        counts[category(hand)] += weight

    assert counts == HANDS
    assert {
        Category.NATURAL_ROYAL: 4,
        Category.FOUR_DEUCES: 48,
        Category.WILD_ROYAL: 480,
        Category.FIVE_OF_A_KIND: 624,
        Category.STRAIGHT_FLUSH: 2_068,
        Category.FOUR_OF_A_KIND: 31_552,
        Category.FULL_HOUSE: 12_672,
        Category.FLUSH: 14_472,
        Category.STRAIGHT: 62_232,
        Category.THREE_OF_A_KIND: 355_080,
        Category.NOTHING: 2_119_728,
    } == counts


def test_s15_neither_order_nor_the_names_of_suits_matter():
    """Given each hand's class, when cards are shuffled and suits renamed, then it makes the same.

    One seeded shuffle and renaming for each class.
    """
    dice = Random(15)
    changed = []
    for hand, _ in CLASSES:
        renamed = dict(zip(SUITS, dice.sample(SUITS, len(SUITS)), strict=True))
        other = [card[0] + renamed[card[1]] for card in dice.sample(hand, len(hand))]
        if category(other) is not category(hand):
            changed.append((hand, other))

    assert [] == changed


def test_s15_each_hand_makes_the_best_of_all_its_substitutions():
    """Given a hand for each set of ranks and number of suits, then no replacement beats it."""
    kinds = {}
    for hand, _ in CLASSES:
        naturals = [card for card in hand if card[0] != "2"]
        kinds[tuple(sorted(card[0] for card in naturals)), len({c[1] for c in naturals})] = hand
    made = {hand: by_substitution(hand) for hand in kinds.values()}

    assert set(Category) == set(made.values())
    assert [] == [hand for hand, best in made.items() if category(hand) is not best]
