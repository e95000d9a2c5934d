"""What a hand of Blackjack counts, by its cards alone.

Source: Live Blackjack rules, "Le carte" (figures count 10, an ace 1 or 11) and "La strategia della
casa" (soft and hard hands).
"""

from collections.abc import Sequence
from typing import Final

from games.cards import DECK, RANKS, Card

ACE: Final = "A"
"""The rank that counts 1 or 11."""
TEN: Final = 10
BLACKJACK: Final = 21
"""The most that a hand can count; with its first two cards it is a Blackjack."""
FIRST_CARDS: Final = 2

_BY_RANK: Final = {rank: min(count, TEN) for count, rank in enumerate(RANKS, 2)} | {ACE: 1}
_VALUES: Final = {card: _BY_RANK[card[0]] for card in DECK}


def value(card: Card) -> int:
    """What one card counts: 1 for an ace, 10 for a ten and for figures."""
    return _VALUES[card]


def total(cards: Sequence[Card]) -> int:
    """What a hand counts, an ace 11 where that does not bust it: A-6 is 17, A-6-9 is 16."""
    values = [_VALUES[card] for card in cards]
    hard = sum(values)
    return hard + TEN if hard + TEN <= BLACKJACK and 1 in values else hard


def is_soft(cards: Sequence[Card]) -> bool:
    """Whether an ace of the hand counts 11."""
    return total(cards) != sum(map(value, cards))


def is_bust(cards: Sequence[Card]) -> bool:
    """Whether the hand counts more than 21."""
    return total(cards) > BLACKJACK


def is_blackjack(cards: Sequence[Card]) -> bool:
    """Whether two cards make 21; that the hand comes of no split is for its box to say."""
    return len(cards) == FIRST_CARDS and total(cards) == BLACKJACK


def may_become_blackjack(up: Card) -> bool:
    """Whether a dealer's first card can still become a Blackjack: an ace, a ten or a figure."""
    return value(up) in {1, TEN}
