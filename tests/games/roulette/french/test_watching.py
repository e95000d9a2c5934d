"""What a spin decides of a round of French roulette, by hand and over whole lives of bets."""

import random
from fractions import Fraction

import pytest

from games.roulette.french.rtp import Policy, chance_return
from games.roulette.french.watching import exposure
from ledger.domain import events as ev
from ledger.domain.decider import RoundView
from tests.french_pit import ENGINE, FrenchPit, on
from tests.french_table import COVERED, MANUAL, SHEET
from tests.scenes import EUR

REDS = sorted(COVERED["red"])
BLACKS = sorted(COVERED["black"])
WORTH = {1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 8)}
WIN, ZERO = Fraction(18, 37), Fraction(1, 37)


def exposed(pit, sheet=SHEET):
    """What the next spin decides of each of anna's rounds."""
    return [
        exposure(RoundView(played.round, played.rules, EUR, sheet, played.history))
        for played in pit.session().rounds
    ]


@pytest.fixture
def pit():
    """A table where winnings are credited at once."""
    return FrenchPit()


def test_a_spin_decides_all_bets_of_a_round_together(pit):
    """10.00 on red and 1.00 on 17, a black number: 20.00, 36.00, and at zero half of the 10.00."""
    pit.begin()
    pit.bet(on("red", 1_000), on([17], 100))
    ((stake, again, brings),) = [(e.stake, e.again, e.brings) for e in exposed(pit)]

    assert (1_100, False) == (stake, again)
    assert {**{str(n): 2_000 for n in REDS}, "17": 3_600, "0": 500} == brings


def test_fr3_what_stands_beyond_the_maximum_is_not_exposed(pit):
    """Given 120.00 on red by the chief's leave, where 100.00 is the most, then 100.00 count."""
    pit.begin()
    pit.bet(on("red", 12_000), leave="maria")
    (found,) = exposed(pit)

    assert 10_000 == found.stake
    assert {**{str(n): 20_000 for n in REDS}, "0": 5_000} == found.brings


@pytest.mark.parametrize(
    ("zeros", "wins", "loses", "at_zero"),
    [(1, 500, -500, -250), (2, 250, -250, -125), (3, 125, -125, -62)],
)
def test_fr1_a_prisoner_gains_and_loses_of_its_worth(pit, zeros, wins, loses, at_zero):
    """10.00 are worth 5.00, 2.50 and 1.25 by level.

    A win frees it or steps it back, at a zero it is worth the half, and at the last 0.63 of 1.25
    remain: a sixteenth of 10.00, rounded half up.
    """
    pit.imprisoned()
    for _ in range(zeros - 1):
        pit.begin()
        pit.spin(0)
    (found,) = exposed(pit)

    assert (1_000, True) == (found.stake, found.again)
    expected = {str(n): wins for n in REDS} | {str(n): loses for n in BLACKS} | {"0": at_zero}
    assert expected == found.brings


def test_what_is_decided_is_exposed_to_nothing_more():
    """Given a win that is held and no stake beside it, then the next spin decides nothing of it."""
    pit = FrenchPit(text=MANUAL)
    pit.begin()
    pit.bet(on([17], 100))
    pit.spin(17)

    assert [None] == exposed(pit, ENGINE.read_sheet(MANUAL))


def played_on(pit, dice):
    """A round of the table in which anna may bet and does something with what is in prison."""
    pit.begin()
    for played in pit.session().rounds:
        bets = [e.bet for e in played.history if isinstance(e, ev.StakeImprisoned)]
        choice = dice.choice(["leave", "leave", "withdraw"])
        pit.move(played.round, prison=[{"bet": bet, "choice": choice} for bet in bets])
    if dice.random() < 0.7:
        pit.bet(on("red", dice.randrange(100, 900)), on("even", 333), on([0, 1], 100))


@pytest.mark.parametrize("seed", range(4))
def test_g1_what_spins_brought_is_in_the_end_what_the_rounds_returned(pit, seed):
    """Given odd stakes, zeros and changing choices in prison, then every cent is in both sums."""
    dice, brought = random.Random(seed), 0
    for _ in range(40):
        played_on(pit, dice)
        pocket = dice.choice([0, 0, *range(37)])
        brought += sum(e.brings.get(str(pocket), 0) for e in exposed(pit))
        pit.spin(pocket)
    for played in pit.session().rounds:
        bets = [e.bet for e in played.history if isinstance(e, ev.StakeImprisoned)]
        pit.move(played.round, prison=[{"bet": bet, "choice": "withdraw"} for bet in bets])
    ends = [e.event for e in pit.book.entries if isinstance(e.event, ev.RoundSettled)]

    assert () == pit.session().rounds
    assert brought == sum(end.winnings + end.stake_returned for end in ends) > 0


def spin_of(level):
    """A unit on a simple chance at a level, 0 being the bet itself: (chance, level after, gain).

    The gain is what is credited and what the worth in prison grows by; a level of None ends it.
    """
    if level == 0:
        return [(WIN, None, Fraction(2)), (ZERO, 1, WORTH[1]), (WIN, None, Fraction(0))]
    now = WORTH[level]
    won = (WIN, None, 1 - now) if level == 1 else (WIN, level - 1, WORTH[level - 1] - now)
    zero = (ZERO, None, Fraction(1, 16) - now) if level == 3 else (ZERO, level + 1, -now / 2)
    return [won, zero, (WIN, None, -now)]


def moments_of(level):
    """The mean and variance of the gain of one spin."""
    mean = sum(chance * gain for chance, _, gain in spin_of(level))
    return mean, sum(chance * gain**2 for chance, _, gain in spin_of(level)) - mean**2


def lives(withdraw_at, spins):
    """Every life of a unit over so many spins: its chance, what it brought, means and variances."""
    alive, ended = [(Fraction(1), 0, Fraction(0), Fraction(0), Fraction(0))], []
    for _ in range(spins):
        following = []
        for likely, level, brought, means, variances in alive:
            mean, variance = moments_of(level)
            for chance, after, gain in spin_of(level):
                told = (brought + gain, means + mean, variances + variance)
                is_over = after is None or after == withdraw_at
                (ended if is_over else following).append((likely * chance, after, *told))
        alive = following
    return [(life[0], *life[2:]) for life in ended], sum((life[0] for life in alive), Fraction(0))


@pytest.mark.parametrize("withdraw_at", [1, 2, 3, None])
def test_under_every_policy_the_expectations_of_spins_add_up_to_the_return(withdraw_at):
    """By all lives of a unit: what they bring, and the means of their spins, are its return.

    What they bring departs from these means by a variance that is the mean of the spins' own, so
    that z counts true deviations whatever was done in prison. Lives that are not over after 14
    spins are rarer than 1 in 10^9.
    """
    ended, open_still = lives(withdraw_at, 14)
    theory = chance_return(SHEET.pays, SHEET.prison, "red", Policy(withdraw_at)).expected
    brought = sum(likely * returned for likely, returned, _, _ in ended)
    means = sum(likely * mean for likely, _, mean, _ in ended)
    departed = sum(likely * (returned - mean) ** 2 for likely, returned, mean, _ in ended)
    variances = sum(likely * variance for likely, *_, variance in ended)

    assert open_still < Fraction(1, 10**9)
    near = Fraction(1, 10**8)
    assert all(abs(each - theory) < near for each in (brought, means))
    assert abs(departed - variances) < near


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_the_moments_of_a_spin_are_those_of_its_exposure(pit, level):
    """16.00 on red, whose every worth is whole: 37 pockets beside the three ways of a unit."""
    pit.begin()
    pit.bet(on("red", 1_600))
    for _ in range(level):
        pit.spin(0)
        pit.begin()
    (found,) = exposed(pit)
    mean, variance = moments_of(level)
    amounts = [found.brings.get(str(pocket), 0) for pocket in range(37)]

    assert 1_600 * mean == Fraction(sum(amounts), 37)
    assert 1_600**2 * variance == Fraction(sum(a * a for a in amounts), 37) - (1_600 * mean) ** 2
