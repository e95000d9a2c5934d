"""The rules that a house may choose, as the machine and the settlement need them.

A sheet holds them as data; the study of the returns varies them one by one.
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a round of Blackjack is dealt, played and paid."""

    hits_soft_17: bool
    """Whether the dealer takes a card on a soft 17; on other hands it stands from 17."""
    double_totals: frozenset[int]
    """With which totals of its first two cards a hand may be doubled; a soft one at its highest."""
    double_after_split: bool
    split_by_rank: bool
    """Whether only cards of one rank are split, and not all of one value, such as 10 and K."""
    split_aces_play: bool
    """Whether split aces are played on, and do not stand with one card each."""
    blackjack_pays: Fraction
    """Winnings of a Blackjack, for each unit of the bet; rounded half up to a minor unit."""
    insurance_share: Fraction
    """Which share of the bet an insurance is; rounded down, so that it is never more."""
    insurance_pays: Fraction
    """Winnings of an insurance, for each unit of it; rounded half up to a minor unit."""
