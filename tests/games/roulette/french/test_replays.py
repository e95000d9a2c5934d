"""Replays of announced bets out of what they brought (FR6)."""

import pytest

from games.roulette.french.calls import call_of
from games.roulette.french.replays import Replay, replay
from games.roulette.refusals import RouletteCode
from tests.french_table import SHEET, read

WINS = {1: 35, 2: 17, 3: 11, 4: 8}
CALLS = [
    *({"announced": name} for name in ("voisins", "serie", "orphelins", "nassa", "zero-spiel")),
    *({"announced": "sector", "number": number} for number in range(37)),
    *({"announced": "final", "digits": list(digits)} for digits in SHEET.finals),
]


def replayed(line, pocket, how):
    """A call with a chip of 1.00 replayed: credited, chip, staked, from the winnings, cash."""
    call = call_of(SHEET, read(line | {"chip": "1.00"}), "Bet 1")
    done = replay(SHEET, call, 100, pocket, how)
    if not hasattr(done, "staked"):
        return done.code
    return done.credited, done.chip, done.staked, done.from_payout, done.cash


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        (Replay.AGAIN, (1800, 100, 600, 600, 1200)),
        (Replay.COMPLETE, (1800, 100, 600, 500, 1200)),
        (Replay.WHOLE, (1800, 300, 1800, 1700, 0)),
    ],
)
def test_fr6_the_serie_on_5_brings_18_chips_and_is_replayed_in_three_ways(how, expected):
    """Given a split of six, then 17 are won and 1 stays.

    Again takes six of the 17; completing five, beside the one that stays; for the whole 17 and the
    one lie three on each split, and nothing is left.
    """
    assert expected == replayed({"announced": "serie"}, 5, how)


@pytest.mark.parametrize(
    ("pocket", "how", "expected"),
    [
        (4, Replay.WHOLE, (1800, 200, 1800, 1700, 0)),
        (29, Replay.WHOLE, (1800, 200, 1800, 1600, 0)),
        (0, Replay.WHOLE, (2400, 200, 1800, 1600, 600)),
        (0, Replay.COMPLETE, (2400, 100, 900, 700, 1500)),
        (0, Replay.AGAIN, (2400, 100, 900, 900, 1500)),
    ],
)
def test_fr6_the_voisins_double_and_what_cannot_be_placed_evenly_stays_as_cash(
    pocket, how, expected
):
    """Given two chips on 0-2-3, then zero brings 24, of which the double of nine lays 18."""
    assert expected == replayed({"announced": "voisins"}, pocket, how)


def test_fr6_both_splits_that_17_wins_stay_when_the_orphans_are_completed():
    """Given 14-17 and 17-20, then 36 chips come, two stay and three are added."""
    assert (3600, 100, 500, 300, 3100) == replayed({"announced": "orphelins"}, 17, Replay.COMPLETE)


@pytest.mark.parametrize("line", CALLS, ids=str)
def test_fr6_every_call_at_every_pocket_is_replayed_out_of_its_own_win(line):
    """Given each of 69 calls, then no replay takes more than was won, and not a cent is lost."""
    call = call_of(SHEET, read(line | {"chip": "1.00"}), "Bet 1")
    for pocket in range(37):
        winning = [p for p in call.parts if pocket in p.bet.numbers]
        stake = 100 * sum(p.chips for p in winning)
        won = 100 * sum(p.chips * WINS[len(p.bet.numbers)] for p in winning)
        laid = 100 * call.chips
        again = replayed(line, pocket, Replay.AGAIN)
        complete = replayed(line, pocket, Replay.COMPLETE)
        if not winning:
            assert RouletteCode.NOTHING_TO_REPLAY == again == complete
            continue

        assert (won + stake, 100, laid, laid, won + stake - laid) == again
        assert (won + stake, 100, laid, laid - stake, won + stake - laid) == complete
        assert laid <= won


@pytest.mark.parametrize("line", CALLS, ids=str)
def test_fr6_only_serie_and_voisins_are_replayed_for_the_whole(line):
    """Given each call and pocket, then three and two times the chip, and no other call is so."""
    times = {"serie": 3, "voisins": 2}.get(line["announced"])
    chips = {"serie": 6, "voisins": 9}.get(line["announced"])
    for pocket in range(37):
        whole = replayed(line, pocket, Replay.WHOLE)
        again = replayed(line, pocket, Replay.AGAIN)
        if times is None:
            assert RouletteCode.REPLAY_NOT_OFFERED == whole
        elif isinstance(again, tuple):
            assert (again[0], 100 * times, 100 * times * chips) == whole[:3]
            assert again[0] - 100 * times * chips == whole[4] >= 0
        else:
            assert RouletteCode.NOTHING_TO_REPLAY == whole
