"""What Deuces Wild shows of chance alone: the first five cards, and how double-ups ended.

Which cards are held is the player's choice, and so is the final hand in part; neither the deal nor
a double-up depends on any.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from games.deuces_wild.hand import Category, category
from games.deuces_wild.rtp import double_up_odds
from games.deuces_wild.sheet import Sheet
from games.deuces_wild.table import DeucesDealt
from games.engine import Watch
from ledger.domain.decider import RoundView
from ledger.domain.events import DoubleUpResolved, DrawRecorded

DEAL: Final = "deal"
DOUBLE_UP: Final = "double-up"

HANDS: Final[Mapping[Category, int]] = MappingProxyType(
    {
        Category.NATURAL_ROYAL: 4,
        Category.FOUR_DEUCES: 48,
        Category.WILD_ROYAL: 480,
        Category.FIVE_OF_A_KIND: 624,
        Category.STRAIGHT_FLUSH: 2_068,
        Category.FOUR_OF_A_KIND: 31_552,
        Category.FULL_HOUSE: 12_672,
        Category.FLUSH: 14_472,
        Category.STRAIGHT: 62_232,
        Category.THREE_OF_A_KIND: 355_080,
        Category.NOTHING: 2_119_728,
    }
)
"""How many of the 2,598,960 hands make each category; a test enumerates them."""


def chances(sheet: Sheet) -> Mapping[str, Mapping[str, Fraction]]:
    """How likely each category is in the first deal, and each end of a double-up."""
    all_hands = sum(HANDS.values())
    odds = double_up_odds(sheet)
    return {
        DEAL: {made.value: Fraction(count, all_hands) for made, count in HANDS.items()},
        DOUBLE_UP: {str(end): chance for end, chance in odds.items()},
    }


def outcomes(view: RoundView) -> tuple[tuple[str, str], ...]:
    """What the first five cards of a round made, and how each double-up ended."""
    return tuple(_outcomes(view))


def _outcomes(view: RoundView) -> Iterator[tuple[str, str]]:
    for event in view.history:
        match event:
            case DrawRecorded(details=DeucesDealt(cards=cards)):
                yield DEAL, category(cards).value
            case DoubleUpResolved(outcome=outcome):
                yield DOUBLE_UP, outcome
            case _:
                pass


WATCH: Final = Watch(chances=chances, outcomes=outcomes)
