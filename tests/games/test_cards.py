"""Cards of all games: names, strict reading (fault S6), and an even deal from entropy (G7, S11)."""

from collections import Counter
from itertools import permutations, product

import pytest
from pydantic import TypeAdapter, ValidationError

from games.cards import DECK, Card, Dealt, deal, read_card, read_cards
from ledger.domain.refusals import Code, Refusal

HAND = ("2s", "Kc", "Jc", "2d", "Qc")


def test_the_deck_has_each_rank_in_each_suit_once_by_rank_then_suit():
    """Given thirteen ranks and four suits, then 52 cards, twos first and aces last."""
    assert (52, 52) == (len(DECK), len(set(DECK)))
    assert ("2c", "2d", "2h", "2s", "3c") == DECK[:5]
    assert ("Kh", "Ks", "Ac", "Ad", "Ah", "As") == DECK[-6:]


def test_a_card_on_record_is_one_of_the_deck_and_nothing_else():
    """Given all names of two characters that look like cards, then 52 are cards."""
    card = TypeAdapter(Card)
    read = []
    for name in map("".join, product("0123456789TJQKAtjqka", "cdhsCDHS")):
        try:
            read.append(card.validate_python(name, strict=True))
        except ValidationError:
            continue

    assert set(DECK) == set(read)


@pytest.mark.parametrize("size", [52, 47, 46, 5, 1])
def test_s11_one_card_comes_evenly_from_what_is_left(size):
    """Given every byte as entropy, then each card left comes of 256 // n of them, in deck order."""
    gone = DECK[size:]
    dealt = [deal(bytes([raw]), gone, 1) for raw in range(256)]
    counts = Counter(d.cards for d in dealt if d is not None)

    assert {(card,): 256 // size for card in DECK[:size]} == counts
    assert 256 % size == dealt.count(None)
    assert (DECK[0],) == dealt[0].cards


def test_s11_two_cards_of_three_come_evenly_in_every_order():
    """Given all pairs of bytes, then 255 * 256 / 6 of them bring each ordered pair.

    A first byte of 255 is rejected, and then the second brings one card, which is not enough.
    """
    left = DECK[10:13]
    gone = frozenset(DECK) - set(left)
    dealt = [deal(raw.to_bytes(2, "big"), gone, 2) for raw in range(65536)]
    counts = Counter(d.cards for d in dealt if d is not None)

    assert dict.fromkeys(permutations(left, 2), 255 * 256 // 6) == counts
    assert 256 == dealt.count(None)


def test_g7_each_card_is_counted_off_over_those_still_left():
    """Given bytes 0, 0, 51, 47, 48, then each is a place among 52, 51, .. 48 cards.

    Place 0 is 2c and then 2d; place 51 % 50 = 1 of 2h, 2s, 3c, .. is 2s; place 47 of the 49 left
    is Ah, as the aces end them and As is 48; place 48 % 48 = 0 is 2h.
    """
    dealt = deal(bytes([0, 0, 51, 47, 48]), (), 5)

    assert Dealt(("2c", "2d", "2s", "Ah", "2h"), bytes([0, 0, 51, 47, 48])) == dealt


def test_g7_rejected_bytes_are_used_and_later_ones_are_not():
    """Given 47 cards left, then 235 = 5 * 47 is rejected; 46 is the last, and 9 is not read."""
    gone = DECK[:5]

    assert Dealt(("As",), bytes([235, 46])) == deal(bytes([235, 46, 9]), gone, 1)


def test_g7_the_used_bytes_alone_deal_the_same_cards_again():
    """Given a deal of three beside five cards, when its bytes are mapped again, then the same."""
    dealt = deal(bytes([250, 3, 200, 255, 77, 1, 2]), HAND, 3)

    assert dealt == deal(dealt.used, HAND, 3)
    assert set() == set(dealt.cards) & set(HAND)


def test_g7_a_pool_that_runs_out_deals_nothing():
    """Given one byte too few, or only rejected ones, then None; no card at all needs no byte."""
    assert [None, None] == [deal(bytes([1, 2]), (), 3), deal(bytes([255, 255]), (), 1)]
    assert Dealt((), b"") == deal(b"", (), 0)


def test_the_whole_deck_can_be_dealt_and_each_card_comes_once():
    """Given 52 bytes of zero, then the cards come in the order of the deck."""
    assert DECK == deal(bytes(52), (), 52).cards


def test_cards_are_read_in_the_order_in_which_they_are_written():
    """Given a list of five names, then five cards; given one name, then one card."""
    assert HAND == read_cards(list(HAND), "The deal", 5)
    assert "Tc" == read_card("Tc", "The card shown")


@pytest.mark.parametrize(
    "document",
    [
        None, "2s", 5, {}, ("2s", "Kc"), [], ["2s"], ["2s", "Kc", "Jc"], ["2s", "2s"], ["2s", "2S"],
        ["2s", "1c"], ["2s", "10c"], ["2s", "Kx"], ["2s", " Kc"], ["2s", "Kc "], ["2s", "Kc\n"],
        ["2s", ""], ["2s", None], ["2s", 2], ["2s", True], ["2s", ["Kc"]], ["2s", "К\u200bc"],
    ],
    ids=repr,
)  # fmt: skip
def test_s6_what_is_no_list_of_two_different_cards_is_malformed(document):
    """Given another shape, length, name or a repeated card, then a refusal that names the place."""
    refusal = read_cards(document, "The draw", 2)

    assert isinstance(refusal, Refusal)
    assert Code.MALFORMED == refusal.code
    assert refusal.message.startswith("The draw: ")


@pytest.mark.parametrize("document", [None, 9, ["9h"], "9H", "h9", "9h9h", "9", "\ud800"])
def test_s6_what_is_no_card_is_malformed(document):
    """Given another shape or name, then a refusal that names the place."""
    refusal = read_card(document, "The card shown")

    assert Code.MALFORMED == refusal.code
    assert refusal.message.startswith("The card shown: ")


def test_s6_a_refusal_never_repeats_what_was_sent():
    """Given a name with a mark of its own, then the message holds no part of it."""
    assert "zebra" not in read_cards(["2s", "zebra"], "The draw", 2).message
    assert "zebra" not in read_card("zebra", "The card").message
