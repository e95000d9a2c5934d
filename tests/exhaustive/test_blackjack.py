"""Live Blackjack's small spaces in full: counts of hands, what two cards may do (BJ1 to BJ6)."""

from itertools import combinations_with_replacement, product

from games.blackjack.hand import is_bust, is_soft, total
from games.blackjack.round import Action
from games.blackjack.turns import Turn, following
from games.cards import RANKS
from tests.blackjack_oracle import counts
from tests.blackjack_table import RULES, table

PIPS = dict(zip(RANKS, (*range(2, 11), 10, 10, 10, 11), strict=True))


def test_every_hand_of_up_to_five_cards_counts_the_best_of_its_sums():
    """Given all 8,567 hands by rank, then the highest sum up to 21; above it the least."""
    hands = [
        [rank + "c" for rank in ranks]
        for size in range(1, 6)
        for ranks in combinations_with_replacement(RANKS, size)
    ]

    assert 8567 == len(hands)
    for cards in hands:
        within = [count for count in counts(cards) if count <= 21]
        assert (max(within, default=min(counts(cards))), not within) == (
            total(cards),
            is_bust(cards),
        )
        assert (bool(within) and max(within) != min(counts(cards))) is is_soft(cards)


def test_every_two_cards_against_every_card_may_do_what_the_rules_say():
    """Given all 2,197 deals to one box, then the actions that BJ2, BJ3, BJ5 and BJ6 give it."""
    for first, up, second in product(RANKS, repeat=3):
        waits = following(RULES, table(f"{first}c {up}d {second}h"))
        pips = PIPS[first] + PIPS[second]
        expected = {Action.HIT, Action.STAND}
        expected |= {Action.DOUBLE} if pips in (9, 10, 11) else set()
        expected |= {Action.SPLIT} if PIPS[first] == PIPS[second] else set()
        expected |= {Action.INSURANCE} if up == "A" else set()
        if pips == 21:
            expected = {Action.STAND, Action.EVEN_MONEY} if up == "A" else set()

        assert expected == set(waits.allowed if isinstance(waits, Turn) else ())
