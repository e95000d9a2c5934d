"""A round by account type: what is placed, what is refused, and where its number comes from."""

import pytest

from games.roulette.bets import LINES_MAX
from games.roulette.fairplay.bets import FairPlayOutcome
from games.roulette.fairplay.round import shifted
from games.roulette.refusals import RouletteCode
from ledger.domain.decider import NeedsDraw
from ledger.domain.events import BetPlaced, Details, DrawRecorded, PayoutCredited, RoundSettled
from ledger.domain.refusals import Code
from tests.fairplay_table import (
    ENGINE,
    code_of,
    place,
    spin,
    with_bets,
)

RED = {"chance": "red", "amount": "50.00"}


# --- placing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "around"),
    [(17, {2, 25, 17, 34, 6}), (7, {12, 28, 7, 29, 18}), (0, {3, 26, 0, 32, 15})],
)
def test_hw1_neighbours_put_one_chip_on_each_of_five_numbers(number, around):
    """The number and two to each side of it on the wheel, as the rules print them for 17 and 7."""
    placed = place([{"neighbours": number, "chip": "10.00"}])

    assert dict.fromkeys(((n,) for n in around), 1000) == {
        e.details.numbers: e.amount for e in placed
    }


@pytest.mark.parametrize(
    ("name", "chips"), [("zero-spiel", 4), ("voisins", 9), ("orphelins", 5), ("serie", 6)]
)
def test_hw1_a_sector_puts_one_chip_on_each_part(name, chips):
    """Four, nine, five and six chips of 20.00."""
    placed = place([{"announced": name, "chip": "20.00"}])

    assert 2000 * chips == sum(e.amount for e in placed)


@pytest.mark.parametrize("number", [-1, 37, 999])
def test_s9_neighbours_of_a_number_that_is_not_on_the_wheel_are_refused(number):
    """They are turned into no other bet."""
    answer = place([RED, {"neighbours": number, "chip": "10.00"}])

    assert RouletteCode.ILLEGAL_PLACEMENT == code_of(answer)
    assert "Bet 2: the wheel has no such number." == answer.message


@pytest.mark.parametrize(
    "numbers",
    [
        [3, 4], [0, 4], [12, 16], [1, 36], [5, 5], [36, 37], list(range(1, 10)), [0, 1, 3],
        [2, 3, 4, 5, 6, 7], [], [-1], [37],
    ],
)  # fmt: skip
def test_s9_numbers_that_are_no_placement_are_refused_and_become_no_other_bet(numbers):
    """Neither the good bet before it nor anything like it is placed."""
    answer = place([RED, {"numbers": numbers, "amount": "10.00"}])

    assert RouletteCode.ILLEGAL_PLACEMENT == code_of(answer)


def test_hw3_streets_with_zero_are_taken_and_the_first_four_is_not():
    """0-1-2 and 0-2-3 are; 0-1-2-3 and a sector that the sheet does not have are not offered."""
    taken = place([{"numbers": [2, 1, 0], "amount": "10"}, {"numbers": [0, 3, 2], "amount": "10"}])
    first_four = place([{"numbers": [0, 1, 2, 3], "amount": "20.00"}])
    unknown = place([{"announced": "nassa", "chip": "10.00"}])

    assert [(0, 1, 2), (0, 2, 3)] == [e.details.numbers for e in taken]
    assert RouletteCode.PLACEMENT_NOT_OFFERED == code_of(first_four)
    assert RouletteCode.ANNOUNCED_NOT_OFFERED == code_of(unknown)
    assert "voisins" in unknown.message


@pytest.mark.parametrize("account", [None, "GOLD", "vip", "VIP-2"])
def test_hw4_a_round_needs_a_known_account_type(account):
    """The refusal lists them and says who sets it."""
    answer = place([RED], account)

    assert RouletteCode.UNKNOWN_ACCOUNT == answer.code
    assert "LITE, RESPECT, VIP" in answer.message
    assert "on the conto" in answer.message


def test_bets_are_placed_once_in_a_round_also_when_there_were_none():
    """A second move with bets is refused once anything followed the opening."""
    view = with_bets([RED])

    assert RouletteCode.BETS_CLOSED == ENGINE.decide(view, view.history[0].move, None).code


def test_bets_whose_winnings_could_not_be_booked_are_too_large():
    """Where own limits would allow them."""
    own = {"positions": {"straight": {"min": "1", "max": "99999999999"}}}
    own |= {"groups": {"inside": {"min": "1", "max": "99999999999"}}}
    answer = place([{"numbers": [17], "amount": "3000000000.00"}], limits=own)

    assert Code.AMOUNT_TOO_LARGE == code_of(answer)


def test_a_move_of_another_game_is_refused():
    """No engine guesses what another one's move might mean."""
    view = with_bets([RED])

    assert Code.WRONG_GAME == ENGINE.decide(view, Details(type="other"), None).code


def test_the_longest_document_is_placed():
    """Five hundred lines of 0.10 on one number are 50.00 on it."""
    placed = place([{"numbers": [17], "amount": "0.10"}] * LINES_MAX)

    assert [5000] == [e.amount for e in placed]


# --- spinning ------------------------------------------------------------------------------------


def test_g7_without_a_series_the_number_is_drawn_after_the_bets():
    """Bets need no draw; the spin asks for 32 bytes, and for more when all are rejected."""
    view = with_bets([RED])
    rejected = bytes([222]) * 32

    assert all(isinstance(e, BetPlaced) for e in view.history[1:])
    assert NeedsDraw(32) == spin(view)
    assert NeedsDraw(32) == spin(view, rejected)
    drawn = spin(view, rejected + bytes([38, 0]))[0]
    assert ("de" * 32 + "26", "1", FairPlayOutcome(number=1, offset=0, pocket=1, colour="red")) == (
        drawn.entropy,
        drawn.shown,
        drawn.details,
    )


def test_g7_the_offset_moves_a_series_number_on_and_the_entropy_stays_the_numbers():
    """Seven moved on by thirty is zero, whose neighbours win."""
    view = with_bets([{"neighbours": 0, "chip": "10.00"}, RED], offset=30)
    drawn, paid, end = spin(view, bytes([255, 44, 3]))

    assert (DrawRecorded, "ff2c", "0") == (type(drawn), drawn.entropy, drawn.shown)
    assert FairPlayOutcome(number=7, offset=30, pocket=0, colour="green") == drawn.details
    assert (PayoutCredited, 35000, 1000) == (type(paid), paid.winnings, paid.stake_returned)
    assert (RoundSettled, 10000, 35000, 1000, 9000, 6) == (
        type(end),
        end.staked,
        end.winnings,
        end.stake_returned,
        end.stakes_lost,
        end.bets,
    )


def test_hw6_with_the_offset_zero_the_number_of_a_series_is_the_pocket():
    """As after each opening of a session."""
    drawn = spin(with_bets([RED], offset=0), bytes([36]))[0]

    assert FairPlayOutcome(number=36, offset=0, pocket=36, colour="red") == drawn.details


@pytest.mark.parametrize("held", [{}, {"offset": 5}])
def test_hw5_a_spin_without_a_bet_is_played_and_recorded_as_such(held):
    """Its outcome is drawn and shown, and the round settles with no bet."""
    view = with_bets([], **held)
    drawn, end = spin(view, bytes([12 if held else 17]))

    assert "17" == drawn.shown
    assert () == view.history[0].move.lines
    assert (RoundSettled, 0, 0, 0, 0, 0) == (
        type(end),
        end.staked,
        end.winnings,
        end.stake_returned,
        end.stakes_lost,
        end.bets,
    )


def test_hw1_seventeen_is_won_by_two_splits_of_the_orphans():
    """14-17 and 17-20: twice 17 to 1 on 10.00."""
    events = spin(with_bets([{"announced": "orphelins", "chip": "10.00"}]), bytes([17]))
    paid = [e for e in events if isinstance(e, PayoutCredited)]

    assert [(17000, 1000)] * 2 == [(e.winnings, e.stake_returned) for e in paid]


def test_g9_the_move_that_the_rules_make_is_the_spin_and_bets_lie_until_it():
    """At expiry a round that has its bets is spun and settled."""
    view = with_bets([RED])
    events = ENGINE.decide(view, ENGINE.next_move(view), bytes(32))

    assert ENGINE.waits(view)
    assert RoundSettled is type(events[-1])


# --- offsets -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "offsets", "pockets"),
    [
        ((12, 7, 22, 3, 27), (0, 30, 5, 15, 36), (12, 0, 27, 18, 26)),
        ((12, 17, 22, 3, 27), (18, 13, 8, 27, 3), (30, 30, 30, 30, 30)),
    ],
)
def test_hw6_offsets_move_the_numbers_on_as_the_rules_work_it_out(numbers, offsets, pockets):
    """Both examples of the rules."""
    came = [shifted(number, offset) for number, offset in zip(numbers, offsets, strict=True)]

    assert list(pockets) == [outcome.pocket for outcome in came]
    assert list(zip(numbers, offsets, strict=True)) == [(o.number, o.offset) for o in came]


def test_s11_whatever_the_offset_each_pocket_comes_from_exactly_one_number():
    """So an even draw stays even, and an even choice of offsets makes any number even."""
    for fixed in range(37):
        assert set(range(37)) == {shifted(number, fixed).pocket for number in range(37)}
        assert set(range(37)) == {shifted(fixed, offset).pocket for offset in range(37)}
