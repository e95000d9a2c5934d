"""The shoe: which cards have left it, one more drawn from those left, and its cutting card.

Nothing is shuffled beforehand: each card is drawn when it is dealt, every card that is left being
equally likely, so that no undealt card exists anywhere (G7, G10). By a studio's feed cards come
from a real shoe, and this one tells which can still come. Source: Live Blackjack rules, "Le carte".
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from games.blackjack.hand import BLACKJACK, value
from games.cards import DECK, Card
from games.draws import uniform
from ledger.domain.decider import NeedsDraw

POOL: Final = NeedsDraw(32)
"""Enough for one card, or for the place of the cutting card, all but always."""


@dataclass(frozen=True, slots=True)
class CutPlaces:
    """How many cards may lie before the cutting card, the fewest and the most."""

    fewest: int
    most: int


@dataclass(frozen=True, slots=True)
class Shoe:
    """A shoe since its last shuffle."""

    decks: int
    gone: tuple[int, ...]
    """How many of each card have been dealt, in the order of the deck."""

    @property
    def left(self) -> int:
        """How many cards have not been dealt."""
        return self.decks * len(DECK) - sum(self.gone)

    def holds(self, card: Card) -> bool:
        """Whether a card can still come."""
        return self.gone[DECK.index(card)] < self.decks


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card, and the bytes that it was mapped from."""

    card: Card
    used: bytes


@dataclass(frozen=True, slots=True)
class Cut:
    """How many cards lie before the cutting card, and the bytes that this was mapped from."""

    cards: int
    used: bytes


def shoe_of(decks: int, gone: Iterable[Card]) -> Shoe:
    """The shoe of so many decks once these cards are dealt."""
    counts = Counter(gone)
    return Shoe(decks, tuple(counts[card] for card in DECK))


def draw(shoe: Shoe, pool: bytes) -> Drawn | None:
    """Map entropy to one of the cards that are left, each equally likely; None when it runs out."""
    mapped = uniform(pool, shoe.left)
    if mapped is None:
        return None
    nth = mapped.value
    for card, gone in zip(DECK, shoe.gone, strict=True):
        nth -= shoe.decks - gone
        if nth < 0:
            return Drawn(card, mapped.used)
    raise AssertionError(nth)


def place_cut(places: CutPlaces, pool: bytes) -> Cut | None:
    """Map entropy to a place of the cutting card, each equally likely; None when it runs out."""
    mapped = uniform(pool, places.most - places.fewest + 1)
    return None if mapped is None else Cut(places.fewest + mapped.value, mapped.used)


def most_cards(decks: int, hands: int) -> int:
    """No fewer cards than so many hands can take of full decks, however they are played.

    A hand takes a card only while it counts less than 21; so its cards but the last count at most
    20 together, an ace 1, and with the smallest cards they are the most.
    """
    points, cards = hands * (BLACKJACK - 1), hands
    for each in sorted(map(value, DECK * decks)):
        if each > points:
            break
        points, cards = points - each, cards + 1
    return cards
