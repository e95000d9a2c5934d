"""The double-up by enumeration: every shown card against every card left (rulings DW3, DW4)."""

from collections import Counter
from fractions import Fraction

import pytest

from games.cards import DECK
from games.deuces_wild.double_up import TIMES, Risk, judge, risk
from games.deuces_wild.sheet import read_sheet
from tests.deuces_table import DEUCES

SHEET = read_sheet(DEUCES)
ORDER = "3456789TJQKA2"
PAIRS = [(shown, picked) for shown in DECK for picked in DECK if shown != picked]


def test_dw3_higher_wins_equal_pushes_and_lower_loses_for_all_pairs_of_cards():
    """2,652 ordered pairs; the expected outcome compares places in the order 3 to ace, then 2."""
    for shown, picked in PAIRS:
        mine, other = ORDER.index(picked[0]), ORDER.index(shown[0])
        expected = "won" if mine > other else "lost" if mine < other else "pushed"
        assert expected == judge(SHEET, shown, picked), (shown, picked)


def test_dw3_the_double_up_returns_exactly_what_is_at_risk():
    """Each shown card meets 3 equals; over all, as many pairs win as lose: 1,248 of 2,652."""
    outcomes = Counter(judge(SHEET, shown, picked) for shown, picked in PAIRS)

    assert {"won": 1_248, "lost": 1_248, "pushed": 156} == outcomes
    assert 1 == Fraction(sum(TIMES[o] * n for o, n in outcomes.items()), len(PAIRS))


@pytest.mark.parametrize(
    ("win", "half", "at_risk", "kept"),
    [(200, False, 200, 0), (200, True, 100, 100), (125, True, 62, 63), (1, True, 0, 1)],
)
def test_dw4_half_of_an_odd_win_is_its_floor(win, half, at_risk, kept):
    """The odd cent is kept; nothing is lost in the split."""
    assert Risk(at_risk, kept) == risk(win, half=half)
