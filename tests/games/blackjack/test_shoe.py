"""The shoe: what is left of it, an even draw from that, and the cutting card (BJ1; G7, S11)."""

from collections import Counter

import pytest

from games.blackjack.shoe import CutPlaces, draw, most_cards, place_cut, shoe_of
from games.cards import DECK


def test_bj1_eight_decks_hold_each_card_eight_times_and_no_ninth():
    """Given eight eights of hearts dealt, then 408 cards are left and none of them is another."""
    seven, eight = shoe_of(8, ["8h"] * 7), shoe_of(8, ["8h"] * 8)

    assert (409, True) == (seven.left, seven.holds("8h"))
    assert (408, False) == (eight.left, eight.holds("8h"))
    assert eight.holds("8d")


@pytest.mark.parametrize(
    "gone",
    [(), ("8h",) * 8 + ("2c", "As"), tuple(DECK) * 3 + ("2c", "2d", "2h", "As")],
)
def test_s11_every_raw_value_maps_evenly_to_the_cards_that_are_left(gone):
    """Given all raw values, then each card comes as often as it is left, times the same number."""
    shoe, width = shoe_of(8, gone), 1 if 416 - len(gone) <= 256 else 2
    size = 256**width
    drawn = Counter(
        found.card for raw in range(size) if (found := draw(shoe, raw.to_bytes(width, "big")))
    )
    left = {card: 8 - gone.count(card) for card in DECK}

    assert {card: size // sum(left.values()) * n for card, n in left.items() if n} == drawn


def test_g7_a_rejected_value_is_read_over_and_what_was_read_is_told():
    """Given 65,535, which is beyond 157 times 416, then the next two bytes decide."""
    drawn = draw(shoe_of(8, ()), bytes([255, 255, 0, 8, 7]))

    assert ("2d", bytes([255, 255, 0, 8])) == (drawn.card, drawn.used)
    assert draw(shoe_of(8, ()), bytes([255, 255, 0])) is None


def test_s11_each_place_of_the_cutting_card_is_equally_likely():
    """Given 192 to 224 cards, then 256 raw bytes give each of 33 places seven times."""
    places = CutPlaces(192, 224)
    cuts = [place_cut(places, bytes([raw])) for raw in range(256)]

    assert dict.fromkeys(range(192, 225), 7) == Counter(cut.cards for cut in cuts if cut)
    assert 256 - 33 * 7 == cuts.count(None)


def test_the_most_cards_of_one_hand():
    """Given one deck, then four aces, four twos and three threes; given eight, then 21 aces."""
    assert [11, 21] == [most_cards(1, 1), most_cards(8, 1)]
