"""Cards of a shoe as draws: each rank beside what the shoe still had of it."""

from fractions import Fraction

from games.blackjack.moves import BlackjackCard
from games.blackjack.watching import WATCH
from games.cards import DECK, RANKS
from tests.blackjack_pit import ENGINE, SHEET

READ = ENGINE.read_sheet(SHEET.text)


def falls(*cards):
    """The draws of a shoe of eight decks."""
    return list(WATCH.shoe.falls(READ, [BlackjackCard(card=card) for card in cards]))


def test_each_card_is_beside_what_its_shoe_still_held():
    """Given two aces and a ten of 416 cards, then 30 aces, 31 tens, 32 of the others in 413."""
    *_, last = falls("As", "Ad", "Tc", "2h")

    assert ("rank", "2") == (last.draw, last.outcome)
    assert {"A": Fraction(30, 413), "T": Fraction(31, 413)} == {
        name: chance for name, chance in last.chances.items() if name in "AT"
    }
    assert {Fraction(32, 413)} == {last.chances[name] for name in RANKS if name not in "AT"}


def test_a_rank_that_has_left_the_shoe_cannot_come():
    """Given all 32 aces dealt, then an ace has no chance, and the others share all of it."""
    *_, last = falls(*[f"A{suit}" for suit in "cdhs"] * 8, "2h")

    assert 0 == last.chances["A"]
    assert 1 == sum(last.chances.values())


def test_a_shoe_begins_with_each_card_of_the_deck_equally_often():
    """One in 52, told once a shoe, and not where nothing was dealt; each rank is one in 13."""
    cards = [BlackjackCard(card=card) for card in ("9d", "9h")]
    chances = WATCH.chances(READ)

    assert (("first-card", "9d"),) == WATCH.shoe.outcomes(cards)
    assert () == WATCH.shoe.outcomes([])
    assert dict.fromkeys(DECK, Fraction(1, 52)) == chances["first-card"]
    assert dict.fromkeys(RANKS, Fraction(1, 13)) == chances["rank"]
