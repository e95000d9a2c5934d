"""What a hand of five cards makes with every two wild, and which of its cards make it.

Source: Deuces Wild rules, winning combinations and pay table. The lowest win is three of a kind,
and the ace also ends a low straight.
"""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import Final

from games.cards import RANKS, SUITS, Card


class Category(StrEnum):
    """What a hand makes, highest first; the names are on record and in answers."""

    NATURAL_ROYAL = "natural-royal"
    """Ten to ace of one suit without a deuce."""
    FOUR_DEUCES = "four-deuces"
    WILD_ROYAL = "wild-royal"
    """Ten to ace of one suit with one to three deuces."""
    FIVE_OF_A_KIND = "five-of-a-kind"
    STRAIGHT_FLUSH = "straight-flush"
    FOUR_OF_A_KIND = "four-of-a-kind"
    FULL_HOUSE = "full-house"
    FLUSH = "flush"
    STRAIGHT = "straight"
    THREE_OF_A_KIND = "three-of-a-kind"
    NOTHING = "nothing"


HAND_SIZE: Final = 5
DEUCE: Final = "2"
"""The rank that stands for any card."""

_HEIGHTS: Final = {rank: height for height, rank in enumerate(RANKS, start=2)}
_TEN: Final = _HEIGHTS["T"]
_ACE: Final = _HEIGHTS["A"]
_ACE_LOW: Final = 1


def category(cards: Sequence[Card]) -> Category:
    """The highest category that five different cards make, in whatever order they lie."""
    assert len(cards) == HAND_SIZE
    naturals = [card for card in cards if card[0] != DEUCE]
    heights = sorted([_HEIGHTS[card[0]] for card in naturals])
    return _category(tuple(heights), len({card[1] for card in naturals}))


@cache  # the hands of a whole deck come down to fewer than 20,000 such cases
def _category(heights: tuple[int, ...], suits: int) -> Category:
    """The category by the naturals' heights, ascending, and in how many suits they are."""
    deuces = HAND_SIZE - len(heights)
    alike = deuces + max(Counter(heights).values())
    three, four, five = (alike == count for count in (3, 4, 5))
    two_ranks = set(heights) == {heights[0], heights[-1]}
    suited, in_line = suits == 1, _in_line(heights)
    royal = suited and heights[0] >= _TEN
    made = {
        Category.NATURAL_ROYAL: royal and deuces == 0,
        Category.FOUR_DEUCES: deuces == len(SUITS),
        Category.WILD_ROYAL: royal and deuces > 0,
        Category.FIVE_OF_A_KIND: five,
        Category.STRAIGHT_FLUSH: suited and in_line,
        Category.FOUR_OF_A_KIND: four,
        Category.FULL_HOUSE: three and two_ranks,
        Category.FLUSH: suited,
        Category.STRAIGHT: in_line,
        Category.THREE_OF_A_KIND: three,
        Category.NOTHING: True,
    }
    return next(each for each, is_made in made.items() if is_made)


def _in_line(heights: tuple[int, ...]) -> bool:
    """Whether deuces can fill what these naturals lack of a straight; the ace ends it or begins."""
    low = tuple(_ACE_LOW if height == _ACE else height for height in heights)
    once = len(set(heights)) == len(heights)
    return once and any(max(line) - min(line) < HAND_SIZE for line in (heights, low))


def proposed_hold(cards: Sequence[Card]) -> tuple[int, ...]:
    """The places, from 1, of the fewest cards that make the hand's category; none without a win.

    Where deuces leave the choice of the natural beside them, it is the highest one.
    """
    ranks = _kept(category(cards), [card[0] for card in cards])
    return tuple(place for place, card in enumerate(cards, start=1) if card[0] in ranks)


def _kept(made: Category, ranks: Sequence[str]) -> frozenset[str]:
    """The ranks of the cards that make a category: other cards of these ranks there are none."""
    match made:
        case Category.NOTHING:
            return frozenset()
        case Category.FOUR_DEUCES:
            return frozenset({DEUCE})
        case Category.FOUR_OF_A_KIND | Category.THREE_OF_A_KIND:
            counts = Counter(rank for rank in ranks if rank != DEUCE)
            most = max(counts, key=lambda rank: (counts[rank], _HEIGHTS[rank]))
            return frozenset({DEUCE, most})
        case _:
            return frozenset(ranks)
