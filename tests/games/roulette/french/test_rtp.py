"""Exact returns by prison policy, held against equations solved by hand and against all paths."""

from fractions import Fraction
from itertools import product

import pytest

from games.roulette.french.prison import Terms
from games.roulette.french.rtp import Policy, absorbed, chance_return, policies, returns_of
from games.roulette.french.sheet import read_sheet
from tests.french_table import CHANCES, COVERED, SHEET, with_game

WITHDRAWN = {None: (), 1: (1,), 2: (2,), 3: (3,)}
WORTH = {1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 8)}
WIN, ZERO = Fraction(18, 37), Fraction(1, 37)


def by_hand(withdraw_at):
    """The worth of a unit at level 1, from V1 = w + z V2, V2 = w V1 + z V3, V3 = w V2 + z/16.

    Put into each other: V2 = (w w + z V3) / (1 - w z) and V3 = w V2 + z/16, by two unknowns.
    """
    if withdraw_at == 1:
        return WORTH[1]
    if withdraw_at == 2:
        return WIN + ZERO * WORTH[2]
    if withdraw_at == 3:
        second = (WIN * WIN + ZERO * WORTH[3]) / (1 - WIN * ZERO)
    else:
        second = (WIN * WIN + ZERO * ZERO / 16) / (1 - 2 * WIN * ZERO)
    return WIN + ZERO * second


def after(level, pocket):
    """What a spin makes of a unit on red, level 0 being the bet itself: its end, or its level."""
    if pocket == 0:
        return (Fraction(1, 16), None) if level == 3 else (None, level + 1)
    if pocket not in COVERED["red"]:
        return Fraction(0), None
    if level <= 1:
        return Fraction(1 if level else 2), None
    return None, level - 1


def paths(withdraw_at, of, spins):
    """What a unit on red brings, over every run of wins, losses and zeros: a sum and its gap.

    A spin at a time all that is still in prison is carried on; what is left after the last spin
    could bring anything between nothing and a unit.
    """
    alive, total = {0: Fraction(1)}, Fraction(0)
    for _ in range(spins):
        following = dict.fromkeys((1, 2, 3), Fraction(0))
        for level, likely in alive.items():
            for pocket in range(37):
                end, held = after(level, pocket)
                if held == withdraw_at and held is not None:
                    end, held = WORTH[held], None
                if held is None:
                    total += likely / 37 * of(end)
                else:
                    following[held] += likely / 37
        alive = following
    return total, sum(alive.values())


@pytest.mark.parametrize("withdraw_at", WITHDRAWN)
@pytest.mark.parametrize("chance", CHANCES)
def test_c8_a_simple_chance_returns_what_its_equations_say(chance, withdraw_at):
    """Given a policy, then half of a zero in 37 and more comes back on top of 36/37."""
    expected = Fraction(36, 37) + ZERO * by_hand(withdraw_at)
    done = chance_return(SHEET.pays, SHEET.prison, chance, Policy(withdraw_at))

    assert expected == done.expected


def test_s8_withdrawn_at_the_first_zero_a_chance_returns_73_of_74():
    """Given 36/37 and half of a 37th, then 98.6486 %."""
    done = chance_return(SHEET.pays, SHEET.prison, "red", Policy(1))

    assert Fraction(73, 74) == done.expected
    assert "98.6486" == f"{float(100 * done.expected):.4f}"


@pytest.mark.parametrize("withdraw_at", WITHDRAWN)
def test_c8_returns_and_variances_are_those_of_all_paths(withdraw_at):
    """Given every path of eight spins, then the exact figures lie within what is still open."""
    done = chance_return(SHEET.pays, SHEET.prison, "red", Policy(withdraw_at))
    for exact, of in (
        (done.expected, lambda x: x),
        (done.variance + done.expected**2, lambda x: x * x),
    ):
        least, still_open = paths(withdraw_at, of, 8)

        assert least <= exact <= least + still_open
        assert still_open < Fraction(1, 10**6)


def test_c8_the_table_of_returns_has_each_kind_and_each_policy():
    """Given the sheet, then 36/37 for nine kinds, and simple chances by the four policies."""
    told = [(each.kind, each.expected) for each in returns_of(SHEET.pays, SHEET.prison)]
    kinds = (
        *("straight", "split", "street", "trio", "corner", "first-four", "six-line"),
        *("dozen", "column"),
    )

    assert [
        *((kind, Fraction(36, 37)) for kind in kinds),
        ("simple-chance-withdrawn-at-1", Fraction(73, 74)),
        ("simple-chance-withdrawn-at-2", Fraction(36, 37) + ZERO * by_hand(2)),
        ("simple-chance-withdrawn-at-3", Fraction(36, 37) + ZERO * by_hand(3)),
        ("simple-chance-left", Fraction(36, 37) + ZERO * by_hand(None)),
    ] == told


def test_c8_no_policy_returns_more_than_to_withdraw_at_once():
    """Given half a unit at the first level, then staying brings less: 18/37 and a little."""
    first, *others = [
        chance_return(SHEET.pays, SHEET.prison, "odd", policy).expected
        for policy in policies(SHEET.prison)
    ]

    assert 3 == len(others)
    assert all(first > other for other in others)


def test_c8_every_way_of_choosing_by_level_is_one_of_the_policies():
    """Given withdraw or stay at each of three levels, then only the first withdrawal matters."""
    named = {by_hand(withdraw_at) for withdraw_at in WITHDRAWN}
    for stays in product((True, False), repeat=3):
        chain, ended = [[Fraction(0)] * 3 for _ in range(3)], [Fraction(0)] * 3
        for at, stay in enumerate(stays):
            if not stay:
                ended[at] = WORTH[at + 1]
                continue
            ended[at] += WIN if at == 0 else 0
            ended[at] += ZERO / 16 if at == 2 else 0
            if at > 0:
                chain[at][at - 1] = WIN
            if at < 2:
                chain[at][at + 1] = ZERO

        assert absorbed(chain, ended)[0] in named


def test_c8_half_at_once_is_the_only_level_of_a_sheet_with_one():
    """Given a prison of one level that divides into quarters, then two policies."""
    terms = Terms((Fraction(1, 2),), Fraction(1, 4))
    told = [chance_return(SHEET.pays, terms, "low", policy) for policy in policies(terms)]

    assert [Fraction(73, 74), Fraction(36, 37) + ZERO * (WIN + ZERO / 4)] == [
        each.expected for each in told
    ]
    assert ["simple-chance-withdrawn-at-1", "simple-chance-left"] == [each.kind for each in told]


def test_the_returns_follow_the_sheets_own_shares():
    """Given a third at the first level, then 36/37 and a third of a 37th."""
    prison = {"worth": ["1/3", "1/9"], "divided": "1/81", "rounding": "half-up"}
    sheet = read_sheet(with_game(prison=prison))

    assert (
        Fraction(36, 37) + ZERO / 3
        == chance_return(sheet.pays, sheet.prison, "red", Policy(1)).expected
    )
