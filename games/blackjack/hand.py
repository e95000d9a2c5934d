"""What a hand of Blackjack counts, by its cards alone.

Source: Live Blackjack rules, "Le carte" (figures count 10, an ace 1 or 11) and "La strategia della
casa" (soft and hard hands).
"""

from collections.abc import Sequence
from typing import Final

from games.cards import Card

ACE: Final = "A"
"""The rank that counts 1 or 11."""
TEN: Final = 10
BLACKJACK: Final = 21
"""The most that a hand can count; with its first two cards it is a Blackjack."""
FIRST_CARDS: Final = 2

_TENS: Final = "TJQK"


def value(card: Card) -> int:
    """What one card counts: 1 for an ace, 10 for a ten and for figures."""
    rank = card[0]
    if rank == ACE:
        return 1
    return TEN if rank in _TENS else int(rank)


def total(cards: Sequence[Card]) -> int:
    """What a hand counts, an ace 11 where that does not bust it: A-6 is 17, A-6-9 is 16."""
    hard = sum(map(value, cards))
    return hard + TEN if _has_ace(cards) and hard + TEN <= BLACKJACK else hard


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


def _has_ace(cards: Sequence[Card]) -> bool:
    return any(card[0] == ACE for card in cards)
