"""Roulette by enumeration: every pocket times every placement, every set of up to six numbers.

The second method is a picture of the table (`tests.roulette_picture`); nothing of the layout's own
rules is used.
"""

from itertools import combinations

import pytest

from games.roulette.bets import Spin
from games.roulette.layout import PLACEMENTS, find
from ledger.domain.events import BetPlaced, DrawRecorded, PayoutCredited, RoundSettled
from ledger.domain.refusals import Refusal
from tests.roulette_picture import DRAWN, REDS, WINS, bordering
from tests.roulette_table import CLASSIC, ENGINE, PREMIUM, VIP, after, opened, place

COUNTS = {
    "straight": 37, "split": 60, "street": 12, "trio": 2, "corner": 22, "first-four": 1,
    "six-line": 11, "column": 3, "dozen": 3,
    "red": 1, "black": 1, "even": 1, "odd": 1, "low": 1, "high": 1,
}  # fmt: skip


def test_s9_the_table_has_157_placements_as_drawn():
    """Kind by kind the layout holds exactly the sets of the picture, in the known numbers."""
    layout = {kind: {frozenset(p.numbers) for p in PLACEMENTS if p.kind == kind} for kind in DRAWN}

    assert layout == DRAWN
    assert {kind: len(sets) for kind, sets in layout.items()} == COUNTS
    assert 157 == len(PLACEMENTS) == len({p.numbers for p in PLACEMENTS})


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (1, {"straight": 37}),
        (2, {"split": 60}),
        (3, {"street": 12, "trio": 2}),
        (4, {"corner": 22, "first-four": 1}),
        (5, {}),
        (6, {"six-line": 11}),
    ],
)
def test_s9_of_all_sets_of_up_to_six_numbers_only_the_drawn_ones_are_bets(size, expected):
    """All 2,834,930 sets are tried: each is the one bet that is drawn, or none."""
    found = {}
    for numbers in combinations(range(37), size):
        bet = find(numbers)
        if bet is not None:
            assert numbers == bet.numbers
            assert frozenset(numbers) in DRAWN[bet.kind]
            found[bet.kind.value] = found.get(bet.kind.value, 0) + 1

    assert expected == found


def test_s9_every_pair_of_numbers_is_placed_as_itself_or_refused():
    """Twice the same number and numbers off the wheel included, through the whole decision."""
    splits = bordering()
    for a in range(-1, 39):
        for b in range(-1, 39):
            answer = place([{"numbers": [a, b], "amount": "1.00"}])
            if frozenset((a, b)) in splits:
                assert [(min(a, b), max(a, b))] == [e.details.numbers for e in answer]
            else:
                assert isinstance(answer, Refusal)
                assert answer.code == "illegal-placement"


def played(bets, pocket, text):
    """The events of a whole round that ends in this pocket."""
    view = opened(text)
    placed = ENGINE.decide(view, ENGINE.parse({"bets": bets}), None)
    return *placed, *ENGINE.decide(after(view, placed), Spin(), bytes([pocket]))


@pytest.mark.parametrize("pocket", range(37))
def test_every_placement_pays_at_every_pocket_what_the_printed_table_says(pocket):
    """157 rounds of one bet in each of 37 pockets: winnings, stake and loss of each."""
    for kind, sets in DRAWN.items():
        for numbers in sets:
            bet = {"numbers": sorted(numbers, reverse=True), "amount": "2.50"}
            placed, drawn, *paid, end = played([bet], pocket, CLASSIC)
            wins = pocket in numbers
            winnings, returned = (250 * WINS[len(numbers)], 250) if wins else (0, 0)

            assert (BetPlaced, kind, tuple(sorted(numbers)), 250) == (
                type(placed), placed.details.kind, placed.details.numbers, placed.amount
            )  # fmt: skip
            assert (DrawRecorded, pocket) == (type(drawn), drawn.details.pocket)
            assert ([(1, winnings, returned)] if wins else []) == [
                (p.bet, p.winnings, p.stake_returned) for p in paid
            ]
            assert (RoundSettled, 250, winnings, returned, 250 - returned, 0, 1) == (
                type(end), end.staked, end.winnings, end.stake_returned, end.stakes_lost,
                end.refunded, end.bets,
            )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "chip"), [(CLASSIC, 25), (PREMIUM, 100), (VIP, 500)], ids=["classic", "premium", "vip"]
)
def test_a_table_full_of_bets_pays_each_as_if_it_lay_alone(text, chip):
    """All 157 placements with 157 different amounts in one round, at each of 37 pockets."""
    sets = [numbers for drawn in DRAWN.values() for numbers in drawn]
    amounts = [chip * place for place in range(1, len(sets) + 1)]
    bets = [
        {"numbers": list(numbers), "amount": f"{amount // 100}.{amount % 100:02}"}
        for numbers, amount in zip(sets, amounts, strict=True)
    ]
    for pocket in range(37):
        events = played(bets, pocket, text)
        expected = [
            (bet, amount * WINS[len(numbers)], amount)
            for bet, (numbers, amount) in enumerate(zip(sets, amounts, strict=True), 1)
            if pocket in numbers
        ]

        assert expected == [
            (e.bet, e.winnings, e.stake_returned) for e in events if isinstance(e, PayoutCredited)
        ]
        assert (sum(amounts), 157) == (events[-1].staked, events[-1].bets)


@pytest.mark.parametrize("text", [CLASSIC, PREMIUM, VIP], ids=["classic", "premium", "vip"])
def test_s7_er4_zero_takes_every_outside_bet_in_full(text):
    """Three dozens, three columns and six chances: twelve bets, nothing comes back."""
    outside = [numbers for drawn in DRAWN.values() for numbers in drawn if len(numbers) >= 12]
    bets = [{"numbers": list(numbers), "amount": "5.00"} for numbers in outside]
    end = played(bets, 0, text)[-1]

    assert len(outside) == 12
    assert (end.staked, end.winnings, end.stake_returned, end.stakes_lost) == (6000, 0, 0, 6000)


@pytest.mark.parametrize("pocket", range(37))
def test_er1_each_pocket_has_the_colour_of_the_table(pocket):
    """Zero is green; the eighteen red numbers are those of the printed table."""
    drawn = played([{"numbers": [0], "amount": "1.00"}], pocket, CLASSIC)[1]
    expected = "green" if pocket == 0 else "red" if pocket in REDS else "black"

    assert (expected, str(pocket)) == (drawn.details.colour, drawn.shown)
