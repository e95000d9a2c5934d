"""What a hand makes (fault S15, DW1, DW2), and which of its cards the deal proposes (DW5)."""

from itertools import combinations, permutations

import pytest

from games.cards import RANKS
from games.deuces_wild.hand import Category, category, proposed_hold
from tests.hands import suit_classes


@pytest.mark.parametrize(
    ("cards", "made"),
    [
        ("2s Kc Jc 2d Qc", Category.WILD_ROYAL),
        ("Ts Js Qs Ks As", Category.NATURAL_ROYAL),
        ("2s 2h 2d 2c 5s", Category.FOUR_DEUCES),
        ("2s 2h 9d 9c 9s", Category.FIVE_OF_A_KIND),
        ("2s 2h 2d 9c 9s", Category.FIVE_OF_A_KIND),
        ("2s 2h 2d Ac Kc", Category.WILD_ROYAL),
        ("2s 3d 4d 5d 6d", Category.STRAIGHT_FLUSH),
        ("2s Ad 3d 4d 5d", Category.STRAIGHT_FLUSH),
        ("2s Ac Ad Kc Kd", Category.FULL_HOUSE),
        ("2s 2h 5h 5d Kh", Category.FOUR_OF_A_KIND),
        ("2s 2h 2d 8h Qs", Category.FOUR_OF_A_KIND),
        ("2c 2d 4s 8s Js", Category.FLUSH),
        ("2h 2d 7c 9c Qd", Category.THREE_OF_A_KIND),
        ("2s 9h 9d 4c Kh", Category.THREE_OF_A_KIND),
        ("As Ad Kc Kd 7h", Category.NOTHING),
    ],
)
def test_s15_the_vectors_are_named_rightly_in_every_order(cards, made):
    """Given each of the fifteen hands, when its cards lie in any of 120 orders, then one name."""
    assert {made} == {category(order) for order in permutations(cards.split())}


@pytest.mark.parametrize(
    ("cards", "made"),
    [
        ("Jh Jd 5c 8s Kh", Category.NOTHING),
        ("2h Jd 5c 8s Kh", Category.NOTHING),
        ("Jh Jd Js 8s Kh", Category.THREE_OF_A_KIND),
        ("2h Jd Js 8s Kh", Category.THREE_OF_A_KIND),
    ],
)
def test_dw1_three_of_a_kind_is_the_lowest_win(cards, made):
    """Given a pair of jacks, with or without a deuce in it, then only three alike win."""
    assert made is category(cards.split())


@pytest.mark.parametrize(
    ("cards", "made"),
    [
        ("Ac 2d 3h 4s 5c", Category.STRAIGHT),
        ("Ac 2d 2h 4s 5c", Category.STRAIGHT),
        ("Ac Kd Qh Js Tc", Category.STRAIGHT),
        ("Ac Kd 2h Js 3c", Category.NOTHING),
        ("2c 3d 4h 5s 6c", Category.STRAIGHT),
        ("2c 3d 4h 5s 7c", Category.STRAIGHT),
        ("2c 3d 4h 5s 8c", Category.NOTHING),
        ("Ah 2d 2h 3h 5h", Category.STRAIGHT_FLUSH),
        ("Ah 2d 2h 2s 5h", Category.STRAIGHT_FLUSH),
        ("Ah 2d 2h 9h 5h", Category.FLUSH),
        ("Ah 2h 3h 4h 5h", Category.STRAIGHT_FLUSH),
    ],
)
def test_dw2_the_ace_ends_a_low_straight_too_and_a_deuce_is_any_card_of_it(cards, made):
    """Given ace, three, four, five and a deuce, then a straight; around the corner is none."""
    assert made is category(cards.split())


@pytest.mark.parametrize(
    ("cards", "made"),
    [
        ("2s 2h 2d 2c Ks", Category.FOUR_DEUCES),
        ("2s Js Qs Ks As", Category.WILD_ROYAL),
        ("2s 2h Ts Ks As", Category.WILD_ROYAL),
        ("2s 2h 2d Ts As", Category.WILD_ROYAL),
        ("2s 2h 2d 9s Ks", Category.STRAIGHT_FLUSH),
        ("2s 2h 2d 9s As", Category.FOUR_OF_A_KIND),
        ("9s Ts Js Qs Ks", Category.STRAIGHT_FLUSH),
        ("2s 9c 9d 9h 9s", Category.FIVE_OF_A_KIND),
        ("3s 9c 9d 9h 9s", Category.FOUR_OF_A_KIND),
        ("3s 3c 9d 9h 9s", Category.FULL_HOUSE),
        ("2s 3c 9d 9h 9s", Category.FOUR_OF_A_KIND),
    ],
)
def test_dw2_the_upper_categories_take_the_hand_before_the_lower_ones(cards, made):
    """Given hands that make several categories, then each has the highest: S15's wrong pay row."""
    assert made is category(cards.split())


@pytest.mark.parametrize(
    ("cards", "hold"),
    [
        ("As Ad Kc Kd 7h", ()),
        ("2s 9h 4d Jc Kh", ()),
        ("Ts Js Qs Ks As", (1, 2, 3, 4, 5)),
        ("2s 2h 5s 2d 2c", (1, 2, 4, 5)),
        ("2s 2h 9d 9c 9s", (1, 2, 3, 4, 5)),
        ("2s Ac Ad Kc Kd", (1, 2, 3, 4, 5)),
        ("2c 2d 4s 8s Js", (1, 2, 3, 4, 5)),
        ("Ac 2d 3h 4s 5c", (1, 2, 3, 4, 5)),
        ("9c 4s 9d 9h 9s", (1, 3, 4, 5)),
        ("Kh 2s 5h 2h 5d", (2, 3, 4, 5)),
        ("8h 2s 2h Qs 2d", (2, 3, 4, 5)),
        ("Ah 2s 2h Qs 2d", (1, 2, 3, 5)),
        ("7h 2s 7c 7d Kh", (1, 2, 3, 4)),
        ("Kh 7s 7c 4d 7d", (2, 3, 5)),
        ("Kh 2s 9h 4c 9d", (2, 3, 5)),
        ("7c 2h 9c 2d Qd", (2, 4, 5)),
        ("7c 2h 3c 2d 9d", (2, 4, 5)),
        ("Ac 2h 9c 2d Kd", (1, 2, 4)),
    ],
)
def test_dw5_the_deal_proposes_the_fewest_cards_that_make_the_winning_hand(cards, hold):
    """Given a win, then the cards that make it; beside deuces the highest natural, ace high."""
    assert hold == proposed_hold(cards.split())


def held_by_trial(cards, made):
    """The cards to hold, by trying every choice of as many as the category is made of.

    They are of one rank, deuces beside; of several choices the one with the highest card.
    """
    size = {Category.FOUR_OF_A_KIND: 4, Category.THREE_OF_A_KIND: 3}[made]
    alike = [
        chosen
        for chosen in combinations(cards, size)
        if len({card[0] for card in chosen} - {"2"}) == 1
    ]
    return max(alike, key=lambda chosen: max(RANKS.index(card[0]) for card in chosen))


def test_dw5_every_proposal_makes_the_category_with_the_highest_cards_there_are():
    """Given all hands up to the names of suits, then no other choice is right.

    Without a win nothing is held, of four deuces they alone, three or four alike are tried out, and
    any other win takes all five cards.
    """
    wrong = []
    for cards, _ in suit_classes():
        made = category(cards)
        if made in {Category.FOUR_OF_A_KIND, Category.THREE_OF_A_KIND}:
            best = held_by_trial(cards, made)
        elif made is Category.FOUR_DEUCES:
            best = [card for card in cards if card[0] == "2"]
        else:
            best = () if made is Category.NOTHING else cards
        if set(best) != {cards[place - 1] for place in proposed_hold(cards)}:
            wrong.append(cards)

    assert [] == wrong
