"""Limits and what a pocket makes of each position (FR2, FR3, S7, S8)."""

import pytest

from games.engine import LOST, Payout
from games.ranges import Range
from games.roulette.french.positions import Outcome, Position, positions, settle
from games.roulette.french.prison import Prisoner
from games.roulette.refusals import RouletteCode
from ledger.domain.refusals import Code
from tests.french_table import BY_NUMBERS, CHANCES, COVERED, SHEET

WINS = {1: 35, 2: 17, 3: 11, 4: 8, 6: 5, 12: 2, 18: 1}
"""The printed table: how many numbers are covered, and what one unit wins."""

LIMITS = Range(min=100, max=10_000)
RED = BY_NUMBERS[tuple(sorted(COVERED["red"]))]


def stands(sums, *, force=False):
    """The positions of some sums, or the code of their refusal."""
    found = positions(SHEET.pays, LIMITS, sums, force=force)
    return found if isinstance(found, tuple) else found.code


@pytest.mark.parametrize("pocket", range(37))
def test_fr2_every_placement_at_every_pocket_brings_what_the_printed_table_says(pocket):
    """Given all 157 placements with 2.50, then what covers the number wins by how much it covers.

    On zero the six simple chances are imprisoned, and whatever else does not cover it is lost.
    """
    assert 157 == len(BY_NUMBERS)
    for numbers, bet in BY_NUMBERS.items():
        settled = settle(SHEET.pays, Position(bet, 250), pocket)
        if pocket in numbers:
            expected = (Outcome.WON, Payout(250 * WINS[len(numbers)], 250), None)
        elif pocket == 0 and len(numbers) == 18:
            chance = next(name for name in CHANCES if COVERED[name] == set(numbers))
            expected = (Outcome.IMPRISONED, LOST, Prisoner(250, 1, chance))
        else:
            expected = (Outcome.LOST, LOST, None)

        assert expected == (settled.outcome, settled.payout, settled.held)


def test_s8_a_losing_chance_brings_nothing_back_but_on_zero():
    """Given 10.00 on red, then 4 takes it, 3 brings 20.00, and 0 imprisons it; a column loses."""
    at = {pocket: settle(SHEET.pays, Position(RED, 1000), pocket) for pocket in (4, 3, 0)}
    column = settle(SHEET.pays, Position(BY_NUMBERS[tuple(range(1, 37, 3))], 1000), 0)

    assert (Outcome.LOST, 0) == (at[4].outcome, at[4].payout.credited)
    assert (Outcome.WON, 2000) == (at[3].outcome, at[3].payout.credited)
    assert (Outcome.IMPRISONED, 0) == (at[0].outcome, at[0].payout.credited)
    assert (Outcome.LOST, 0) == (column.outcome, column.payout.credited)


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (99, RouletteCode.POSITION_BELOW_MINIMUM),
        (100, (Position(RED, 100),)),
        (10_000, (Position(RED, 10_000),)),
        (10_001, RouletteCode.POSITION_ABOVE_MAXIMUM),
    ],
)
def test_s7_minimum_and_maximum_bind_and_are_allowed_themselves(amount, expected):
    """Given 1.00 to 100.00 a position, then a cent less or more is refused."""
    assert expected == stands({RED: amount})


def test_s7_the_limits_hold_for_every_position_and_not_for_all_together():
    """Given 100.00 on each of three positions, then all stand; with 100.01 on one, none does."""
    three = [BY_NUMBERS[numbers] for numbers in ((17,), (17, 20), (0, 1, 2))]

    assert 3 == len(stands(dict.fromkeys(three, 10_000)))
    sums = dict.fromkeys(three, 10_000) | {three[2]: 10_001}
    assert RouletteCode.POSITION_ABOVE_MAXIMUM == stands(sums)


def test_fr3_a_standing_excess_is_apart_from_what_counts():
    """Given 150.00 that stands though 100.00 is the most, then 50.00 of it is refunded."""
    (position,) = stands({RED: 15_000}, force=True)

    assert (15_000, 10_000, 5_000) == (position.amount, position.counted, position.excess)


@pytest.mark.parametrize("pocket", range(37))
def test_fr3_winnings_count_up_to_the_maximum_whatever_comes(pocket):
    """Given 150.00 on red and on 17, then each is settled at every pocket as 100.00 would be."""
    seventeen = BY_NUMBERS[(17,)]
    for position in stands({RED: 15_000, seventeen: 15_000}, force=True):
        alone = settle(SHEET.pays, Position(position.bet, 10_000), pocket)
        settled = settle(SHEET.pays, position, pocket)

        assert (alone.outcome, alone.payout, alone.held) == (
            settled.outcome,
            settled.payout,
            settled.held,
        )
        assert 5_000 == settled.position.excess


def test_fr3_force_is_for_the_maximum_alone():
    """Given too little on a position, then it is refused; the maximum itself has no excess."""
    assert RouletteCode.POSITION_BELOW_MINIMUM == stands({RED: 99}, force=True)
    assert (Position(RED, 10_000, 0),) == stands({RED: 10_000}, force=True)


def test_bets_whose_winnings_could_not_be_booked_are_too_large():
    """Given a forced straight of three thousand million, then it is beyond an amount."""
    sums = {BY_NUMBERS[(17,)]: 300_000_000_000}

    assert Code.AMOUNT_TOO_LARGE == stands(sums, force=True)
