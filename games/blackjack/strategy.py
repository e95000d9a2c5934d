"""The strategy that the rules print for players, restricted to what may be done.

Source: Live Blackjack rules, "Strategia di gioco". The print is of a game with other rules: where
it doubles or splits what may not be, its next row counts, down to hit or stand. It says nothing of
insurance and even money, so it takes neither. A card of the dealer counts as in `hand.value`: an
ace 1, figures 10.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from games.blackjack.hand import is_soft, total, value
from games.blackjack.round import Action
from games.cards import Card

Ups = frozenset[int]


def _ups(first: int, last: int) -> Ups:
    return frozenset(range(first, last + 1))


ALWAYS: Final = _ups(1, 10)

SPLITS: Final[Mapping[int, Ups]] = {
    1: ALWAYS,
    2: _ups(4, 7),
    3: _ups(4, 7),
    6: _ups(3, 6),
    7: _ups(2, 7),
    8: ALWAYS,
    9: _ups(2, 6) | _ups(8, 9),
}
"""By the value of a pair, against which cards it is split; fours, fives and tens never."""

HARD_DOUBLES: Final[Mapping[int, Ups]] = {9: _ups(3, 6), 10: _ups(2, 9), 11: _ups(2, 10)}

SOFT_DOUBLES: Final[Mapping[int, Ups]] = {
    13: _ups(5, 6),
    14: _ups(5, 6),
    15: _ups(4, 6),
    16: _ups(4, 6),
    17: _ups(3, 6),
    18: _ups(3, 6),
}
"""The last row is printed as "soft 17 or 17"; soft 17 and 18 are meant, as where it comes from."""

HARD_STANDS: Final[Mapping[int, Ups]] = {12: _ups(4, 6)} | dict.fromkeys(range(13, 17), _ups(2, 6))
"""Below 12 a hard hand always takes a card, from 17 it always stands."""
HARD_STANDS_FROM: Final = 17

SOFT_STANDS: Final[Mapping[int, Ups]] = {18: _ups(2, 8)}
"""Up to 17 a soft hand always takes a card, from 19 it always stands."""
SOFT_STANDS_FROM: Final = 19


def printed(cards: Sequence[Card], up: Card, allowed: Collection[Action]) -> Action:
    """What the printed strategy does with a hand against the dealer's first card.

    `allowed` are the actions of the hand's turn. A Blackjack stands: it has a turn only where it
    could be paid evenly.
    """
    against = value(up)
    if Action.SPLIT in allowed and against in SPLITS.get(value(cards[0]), ()):
        return Action.SPLIT
    held, soft = total(cards), is_soft(cards)
    doubles = SOFT_DOUBLES if soft else HARD_DOUBLES
    if Action.DOUBLE in allowed and against in doubles.get(held, ()):
        return Action.DOUBLE
    stands, stands_from = (
        (SOFT_STANDS, SOFT_STANDS_FROM) if soft else (HARD_STANDS, HARD_STANDS_FROM)
    )
    stands_now = held >= stands_from or against in stands.get(held, ())
    return Action.STAND if stands_now else Action.HIT
