"""What Live Blackjack shows of chance alone: the cards, whatever is done with them.

A shoe's first card is each card of the deck equally often. Every other one depends on those before
it, but no more than by what they left in the shoe: of so many tens among so many cards.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from games.blackjack.moves import CARDS_MAX, BlackjackCard
from games.blackjack.sheet import Sheet
from games.cards import DECK, RANKS, SUITS
from games.engine import Fall, ShoeWatch, Watch
from ledger.domain.decider import RoundView
from ledger.domain.events import Details

FIRST_CARD: Final = "first-card"
RANK: Final = "rank"
"""Kinds of draws: the card that a shoe begins with, and the rank of each card."""

_EVEN: Final = MappingProxyType(
    {
        FIRST_CARD: MappingProxyType({card: Fraction(1, len(DECK)) for card in DECK}),
        RANK: MappingProxyType({rank: Fraction(1, len(RANKS)) for rank in RANKS}),
    }
)


def chances(_: Any) -> Mapping[str, Mapping[str, Fraction]]:
    """How often each card is the first and each rank comes, over all shoes of whole decks."""
    return _EVEN


def outcomes(_: RoundView) -> tuple[tuple[str, str], ...]:
    """None of a box: its cards are the table's."""
    return ()


def first_card(cards: Sequence[Details]) -> tuple[tuple[str, str], ...]:
    """The card that a shoe begins with, if any was dealt."""
    return tuple((FIRST_CARD, _name(card)) for card in cards[:1])


def ranks(sheet: Sheet, cards: Sequence[Details]) -> Iterator[Fall]:
    """Each card's rank, beside what its shoe still had of each rank."""
    left = Counter(dict.fromkeys(RANKS, sheet.decks * len(SUITS)))
    for card in cards:
        rank, total = _name(card)[0], left.total()
        yield Fall(RANK, rank, {name: Fraction(left[name], total) for name in RANKS})
        left[rank] -= 1


def _name(card: Details) -> str:
    assert isinstance(card, BlackjackCard)
    return card.card


WATCH: Final = Watch(
    chances=chances,
    outcomes=outcomes,
    shoe=ShoeWatch(outcomes=first_card, falls=ranks, cards_max=CARDS_MAX),
)
