"""En prison as a chain, exhaustively: every chance, level, choice and pocket (FR1, S8)."""

from itertools import product

import pytest

from games.roulette.french.prison import (
    Fate,
    Prisoner,
    Result,
    imprison,
    move,
    spin,
    withdraw,
    worth,
)
from games.roulette.refusals import RouletteCode
from tests.french_table import CHANCES, COVERED, SHEET

TERMS = SHEET.prison
LEVELS = (1, 2, 3)
STAKES = (1, 2, 3, 7, 15, 16, 99, 1000, 1001, 10_003)


def part_of(stake, parts):
    """A part of a stake to the cent by long division: half a cent or more goes up."""
    whole, rest = divmod(stake, parts)
    return whole + (1 if 2 * rest >= parts else 0)


def expected_after(level, stake, pocket, numbers):
    """By the rule's words: result, level afterwards, credited and taken by the bank."""
    if pocket == 0:
        if level == 3:
            sixteenth = part_of(stake, 16)
            return "divided", 0, sixteenth, stake - sixteenth
        return "imprisoned", level + 1, 0, 0
    if pocket not in numbers:
        return "lost", 0, 0, stake
    return ("freed", 0, stake, 0) if level == 1 else ("stepped-back", level - 1, 0, 0)


def told(fate):
    """A fate in the words of `expected_after`."""
    return fate.result.value, fate.level, fate.credited, fate.to_bank


@pytest.mark.parametrize("chance", CHANCES)
def test_fr1_a_stake_that_is_left_fares_by_the_rule_at_every_level_and_pocket(chance):
    """Given each level and stake, then each of 37 pockets frees, steps back, keeps or ends it."""
    for level, stake, pocket in product(LEVELS, STAKES, range(37)):
        fate = spin(TERMS, Prisoner(stake, level, chance), pocket)

        assert expected_after(level, stake, pocket, COVERED[chance]) == told(fate)
        assert (fate.held is None) == (fate.credited + fate.to_bank == stake)
        if fate.held is not None:
            assert Prisoner(stake, fate.level, chance) == fate.held


@pytest.mark.parametrize(("chance", "to"), list(product(CHANCES, CHANCES)))
def test_fr1_a_stake_is_moved_to_another_chance_at_its_level_and_then_fares_there(chance, to):
    """Given each pair of chances, then the new one's numbers decide; to itself it does not move."""
    for level in LEVELS:
        moved = move(Prisoner(1000, level, chance), to)
        if chance == to:
            assert RouletteCode.NOT_ANOTHER_CHANCE == moved.code
            continue
        assert Prisoner(1000, level, to) == moved
        for pocket in range(37):
            fate = spin(TERMS, moved, pocket)

            assert expected_after(level, 1000, pocket, COVERED[to]) == told(fate)


@pytest.mark.parametrize("stake", STAKES)
def test_fr1_what_is_withdrawn_is_a_half_a_quarter_or_an_eighth_and_the_rest_the_banks(stake):
    """Given each level, then the worth is rounded once from the stake, and the bet is over."""
    for level, parts in ((1, 2), (2, 4), (3, 8)):
        prisoner = Prisoner(stake, level, "even")
        expected = part_of(stake, parts)

        assert expected == worth(TERMS, prisoner)
        assert Fate(Result.WITHDRAWN, None, expected, stake - expected) == withdraw(TERMS, prisoner)


@pytest.mark.parametrize(
    ("stake", "worths"),
    [
        (1000, (500, 250, 125, 63)),
        (1, (1, 0, 0, 0)),
        (3, (2, 1, 0, 0)),
        (7, (4, 2, 1, 0)),
        (9, (5, 2, 1, 1)),
        (1001, (501, 250, 125, 63)),
    ],
)
def test_c2_the_worth_is_rounded_half_up_once_and_not_from_level_to_level(stake, worths):
    """Given 0.09, then 4.5, 2.25, 1.125 and 0.5625 cents: 5, 2, 1 and 1.

    Halving what was rounded would give 3 cents at the second level.
    """
    at_levels = [worth(TERMS, Prisoner(stake, level, "red")) for level in LEVELS]
    divided = spin(TERMS, Prisoner(stake, 3, "red"), 0)

    assert worths == (*at_levels, divided.credited)


def test_s8_a_stake_withdrawn_at_the_first_zero_brings_half():
    """Given 10.00 on red and zero, when it is withdrawn, then 5.00 are credited."""
    held = imprison(1000, "red")

    assert Prisoner(1000, 1, "red") == held
    assert Fate(Result.WITHDRAWN, None, 500, 500) == withdraw(TERMS, held)


def test_fr1_zero_four_times_running_divides_what_is_in_play():
    """Given 16.00 and a fourth zero, then of the eighth in play half is the player's: 1.00."""
    held = imprison(1600, "low")
    for _ in range(2):
        held = spin(TERMS, held, 0).held

    assert Prisoner(1600, 3, "low") == held
    assert Fate(Result.DIVIDED, None, 100, 1500) == spin(TERMS, held, 0)


def test_fr1_a_stake_steps_back_win_by_win_until_it_is_free():
    """Given level 3 on odd, then 1, 3 and 5 bring it to 2, to 1 and back to its player whole."""
    held, fates = Prisoner(1001, 3, "odd"), []
    for pocket in (1, 3, 5):
        fates.append(spin(TERMS, held, pocket))
        held = fates[-1].held

    assert [
        ("stepped-back", 2, 0, 0),
        ("stepped-back", 1, 0, 0),
        ("freed", 0, 1001, 0),
    ] == list(map(told, fates))
