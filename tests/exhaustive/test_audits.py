"""The second method against the engines where all there is can be tried."""

import random
from itertools import combinations

import pytest

from games.cards import DECK
from games.deuces_wild import audit as deuces
from games.deuces_wild.hand import category, proposed_hold
from games.roulette.audit import makes
from games.roulette.auditing import WHEEL, kind_of, prize
from games.roulette.chips import chips_of
from games.roulette.layout import PLACEMENTS, find
from games.roulette.payouts import payout
from games.roulette.wheel import POCKETS, neighbours
from tests.audit_rounds import Parlour, audit, rounds_of
from tests.french_pit import FrenchPit
from tests.french_table import FRENCH, SHEET
from tests.roulette_table import CLASSIC

PAYS = {kind.value: times for kind, times in SHEET.pays.items()}


def test_every_bet_at_every_pocket_is_paid_alike_by_both_methods():
    """Given 157 placements by 37 pockets, then 5,809 times the same winnings and stake."""
    for bet in PLACEMENTS:
        for pocket in POCKETS:
            brought = payout(bet, PAYS[bet.kind], 75, pocket)
            expected = (brought.winnings, brought.stake_returned)

            assert expected == prize({"pays": PAYS}, bet.numbers, 75, pocket)
            assert 36 // len(bet.numbers) * 75 * (pocket in bet.numbers) == sum(expected)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_s9_every_set_of_up_to_four_numbers_is_the_same_bet_by_both_methods_or_none(size):
    """Given all 73,815 sets, then one kind each, told from the shape and from the layout."""
    for numbers in combinations(POCKETS, size):
        bet = find(numbers)

        assert (None if bet is None else bet.kind) == kind_of.__wrapped__(numbers)


def test_s9_larger_bets_are_told_from_their_neighbours_by_shape():
    """Given each larger placement, then it is one; with a number exchanged it is none, or another.

    All that a block of the same size could be mistaken for lies one number away.
    """
    for bet in (p for p in PLACEMENTS if len(p.numbers) > 4):
        for gone in bet.numbers:
            for come in POCKETS:
                numbers = tuple(sorted({*bet.numbers, come} - {gone}))
                found = find(numbers)

                assert (None if found is None else found.kind) == kind_of.__wrapped__(numbers)


def test_a_round_on_the_whole_table_is_right_at_every_pocket():
    """Given a chip on each of 157 placements, when each number comes, then nothing is found."""
    entropy = []
    parlour = Parlour(CLASSIC, lambda _: entropy.pop())
    bets = [{"numbers": list(bet.numbers), "amount": "0.25"} for bet in PLACEMENTS]
    for pocket in POCKETS:
        entropy.append(bytes([pocket]))
        parlour.bet({"bets": bets})

    rounds = parlour.rounds()

    assert len(POCKETS) == len(rounds)
    assert [] == [found for events in rounds for found in audit(parlour.text, events)]


CALLS = [
    *({"announced": name, "chip": "1.00"} for name in SHEET.announced),
    *({"announced": "sector", "number": number, "chip": "1.00"} for number in POCKETS),
    *({"announced": "final", "digits": list(digits), "chip": "1.00"} for digits in SHEET.finals),
]
"""All 69 announced bets of French roulette: 5, 37 sectors and 27 finals."""


@pytest.mark.parametrize("pocket", POCKETS)
def test_every_announced_bet_is_right_at_every_pocket(pocket):
    """Given all calls in one round at a table, when a number comes, then nothing is found."""
    pit = FrenchPit()
    pit.begin()
    assert pit.bet(*CALLS).refusal is None
    pit.spin(pocket)

    assert 69 == len(CALLS)
    assert [] == [
        found for events in rounds_of(pit.book.entries) for found in audit(FRENCH, events)
    ]


def test_sectors_are_the_same_run_of_the_wheel_by_both_methods():
    """Given each number, then the same neighbours, where the wheel begins again too."""
    assert [neighbours(n, 2) for n in WHEEL] == [
        tuple((WHEEL * 2)[at % 37 + by] for by in (0, 1, 2, 3, 4)) for at in range(-2, 35)
    ]


@pytest.mark.parametrize("chips", [(25, 50, 100, 500, 1000), (500, 2500), (7, 11, 13), (6, 10, 15)])
def test_er4_every_amount_is_made_of_the_same_chips_by_both_methods(chips):
    """Given each amount up to 3,000 cents, then chips make it by both methods or by none."""
    known = chips_of(chips)

    assert [known.make(n) for n in range(1, 3_001)] == [makes(chips, n) for n in range(1, 3_001)]


def test_s15_each_hand_is_named_and_held_alike_by_both_methods():
    """Given 20,000 hands from a seed, in any order, then none differs."""
    dice = random.Random(15)
    for _ in range(20_000):
        hand = dice.sample(DECK, 5)
        told = deuces.category(hand), tuple(deuces.to_hold(hand))

        assert (category(hand), proposed_hold(hand)) == told, hand


def test_s15_each_hand_with_three_or_four_deuces_is_named_and_held_alike():
    """Given all 4,560 hands that a sample seldom has, then both methods say the same."""
    twos = [card for card in DECK if card[0] == "2"]
    others = [card for card in DECK if card[0] != "2"]
    hands = [(*three, *two) for three in combinations(twos, 3) for two in combinations(others, 2)]
    hands += [(*twos, other) for other in others]

    assert 4 * 1_128 + 48 == len(hands)
    assert [(category(h), proposed_hold(h)) for h in hands] == [
        (deuces.category(h), tuple(deuces.to_hold(h))) for h in hands
    ]


@pytest.mark.parametrize(
    ("cards", "made", "held"),
    [
        ("2s Kc Jc 2d Qc", "wild-royal", [1, 2, 3, 4, 5]),
        ("Ts Js Qs Ks As", "natural-royal", [1, 2, 3, 4, 5]),
        ("2s 2h 2d 2c 5s", "four-deuces", [1, 2, 3, 4]),
        ("2s 2h 9d 9c 9s", "five-of-a-kind", [1, 2, 3, 4, 5]),
        ("2s 2h 2d Ac Kc", "wild-royal", [1, 2, 3, 4, 5]),
        ("2s 3d 4d 5d 6d", "straight-flush", [1, 2, 3, 4, 5]),
        ("2s Ad 3d 4d 5d", "straight-flush", [1, 2, 3, 4, 5]),
        ("2s Ac Ad Kc Kd", "full-house", [1, 2, 3, 4, 5]),
        ("2s 2h 2d 8h Qs", "four-of-a-kind", [1, 2, 3, 5]),
        ("2c 2d 4s 8s Js", "flush", [1, 2, 3, 4, 5]),
        ("2h 2d 7c 9c Qd", "three-of-a-kind", [1, 2, 5]),
        ("2s 9h 9d 4c Kh", "three-of-a-kind", [1, 2, 3]),
        ("As Ad Kc Kd 7h", "nothing", []),
        ("2s 3c 4d 5h 6s", "straight", [1, 2, 3, 4, 5]),
    ],
)
def test_s15_the_second_method_names_and_holds_what_the_rules_print(cards, made, held):
    """Given a hand of each combination, then its name, and the places of the cards that make it."""
    assert (made, held) == (deuces.category(cards.split()), deuces.to_hold(cards.split()))
