"""Hands of five cards up to the names of the suits, and a second reading of what a hand makes."""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod

from games.cards import RANKS, SUITS
from games.deuces_wild.hand import Category

SHAPES = [(5,), (4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1)]
"""How many of five cards can be in each suit."""


def suit_classes():
    """Each hand up to the names of the suits, once, with how many hands are like it.

    A hand is a set of ranks for each suit; what counts is which sets there are, not whose.
    """
    for shape in SHAPES:
        groups = [
            combinations_with_replacement(list(combinations(RANKS, size)), shape.count(size))
            for size in sorted(set(shape), reverse=True)
        ]
        for chosen in product(*groups):
            sets = [ranks for group in chosen for ranks in group]
            hand = tuple(r + s for s, ranks in zip(SUITS, sets, strict=False) for r in ranks)
            alike = Counter([*sets, *[()] * (len(SUITS) - len(sets))]).values()
            yield hand, factorial(len(SUITS)) // prod(map(factorial, alike))


STRAIGHTS = {frozenset(("A" + RANKS)[low : low + 5]) for low in range(10)}


@cache
def _without_wild(ranks, suited):
    """What five cards make when each is what it shows; the same card may be there twice."""
    alike = sorted(Counter(ranks).values(), reverse=True)
    straight = frozenset(ranks) in STRAIGHTS
    if straight and suited:
        royal = set(ranks) == set("TJQKA")
        return Category.NATURAL_ROYAL if royal else Category.STRAIGHT_FLUSH
    by_alike = {
        (5,): Category.FIVE_OF_A_KIND,
        (4, 1): Category.FOUR_OF_A_KIND,
        (3, 2): Category.FULL_HOUSE,
        (3, 1, 1): Category.THREE_OF_A_KIND,
    }
    made = [by_alike.get(tuple(alike), Category.NOTHING)]
    made += [Category.FLUSH] * suited + [Category.STRAIGHT] * straight
    return min(made, key=list(Category).index)


def by_substitution(hand):
    """The best of all hands in which each deuce is replaced by some card.

    A card in the suit of the first natural and one in another suit are tried at every rank: no
    combination asks for more than whether all suits are one.
    """
    naturals = [card for card in hand if card[0] != "2"]
    deuces = len(hand) - len(naturals)
    if deuces == 4:
        return Category.FOUR_DEUCES
    suit = naturals[0][1]
    other = SUITS[SUITS.index(suit) - 1]
    best = min(
        (
            _without_wild("".join(sorted(c[0] for c in cards)), len({c[1] for c in cards}) == 1)
            for wild in combinations_with_replacement(list(product(RANKS, (suit, other))), deuces)
            for cards in [(*naturals, *wild)]
        ),
        key=list(Category).index,
    )
    return Category.WILD_ROYAL if deuces and best is Category.NATURAL_ROYAL else best
