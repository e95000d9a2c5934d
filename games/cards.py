"""Playing cards: their names, a player's list of them read strictly, and the deal from entropy.

A card is written as its rank and its suit: `Tc` is the ten of clubs, `2s` the two of spades.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from games.documents import malformed
from games.draws import uniform
from ledger.domain.refusals import Refusal

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

Card = Annotated[str, Field(pattern=r"^[2-9TJQKA][cdhs]$")]
"""A card's name; rank first, then suit."""

DECK: Final[tuple[Card, ...]] = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The 52 cards by rank, then by suit: the order that a draw is mapped to."""

_NAMES: Final = frozenset(DECK)
_DRAWN: Final = str.maketrans(dict(zip("T" + SUITS, ("10", *"♣♦♥♠"), strict=True)))


def drawn(cards: Sequence[Card]) -> tuple[str, ...]:
    """Cards in text, side by side in the order given: four lines, the last with their places."""
    faces = [f"{card.translate(_DRAWN):>3}" for card in cards]
    return (
        " ".join("┌────┐" for _ in cards),
        " ".join(f"│{face} │" for face in faces),
        " ".join("└────┘" for _ in cards),
        " ".join(f"{place:^6}" for place in range(1, len(cards) + 1)).rstrip(),
    )


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards in the order in which they came, and the bytes read for them."""

    cards: tuple[Card, ...]
    used: bytes


def deal(pool: bytes, gone: Collection[Card], count: int) -> Dealt | None:
    """Deal `count` cards, each evenly from what is then left of the deck; None if `pool` runs out.

    `gone` are the cards that cannot come. Each card takes up reading where the last one stopped.
    """
    left = [card for card in DECK if card not in gone]
    assert 0 <= count <= len(left)
    cards: list[Card] = []
    used = 0
    for _ in range(count):
        mapped = uniform(pool[used:], len(left))
        if mapped is None:
            return None
        cards.append(left.pop(mapped.value))
        used += len(mapped.used)
    return Dealt(tuple(cards), pool[:used])


def read_card(document: object, place: str) -> Card | Refusal:
    """Read one card; the refusal names `place` and never what was sent."""
    if isinstance(document, str) and document in _NAMES:
        return document
    return malformed(f'{place}: write a card as its rank and suit, such as "Tc" or "2s".')


def read_cards(document: object, place: str, count: int) -> tuple[Card, ...] | Refusal:
    """Read a list of exactly `count` cards, all different; the refusal names `place`."""
    if not isinstance(document, list) or len(document) != count:
        return malformed(f"{place}: write a list of as many cards as belong there, here {count}.")
    cards = [read_card(name, place) for name in document]
    for card in cards:
        if isinstance(card, Refusal):
            return card
    if len(set(document)) != count:
        return malformed(f"{place}: a card stands there twice.")
    return tuple(document)
