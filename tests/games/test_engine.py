"""What all engines share: every stake of a round is accounted for when it is settled (G9)."""

from fractions import Fraction

import pytest

from games.engine import (
    Payout,
    Return,
    Study,
    bets_in_play,
    decimal_of,
    foremost,
    placed_bets,
    ratio_of,
    settled,
)
from games.roulette.bets import Spin
from games.roulette.refusals import RouletteCode
from ledger.domain.events import BetRefunded, PayoutCredited, RoundSettled
from ledger.domain.refusals import Code, Refusal
from tests.roulette_table import ENGINE, after, with_bets

BETS = [
    {"numbers": [17], "amount": "1.00"},
    {"numbers": [1, 2], "amount": "5.00"},
    {"chance": "red", "amount": "10.00"},
]


def refunded(view, bet, amount=None):
    """The view after one of its bets was refunded, whole or by an amount."""
    placed = placed_bets(view)[bet - 1]
    refund = BetRefunded(
        round=placed.round,
        game=placed.game,
        rules=placed.rules,
        bet=bet,
        amount=amount or placed.amount,
        currency=placed.currency,
        reason="wheel stopped",
    )
    return after(view, (refund,))


def test_g9_a_settled_round_splits_its_stakes_into_lost_returned_and_refunded():
    """16.00 staked: 10.00 refunded, 1.00 returned with 35.00 won, 5.00 lost."""
    events = settled(refunded(with_bets(BETS), 3), {1: Payout(3500, 100)})

    assert [PayoutCredited, RoundSettled] == [type(e) for e in events]
    end = events[-1]
    assert (
        end.staked,
        end.winnings,
        end.stake_returned,
        end.stakes_lost,
        end.refunded,
        end.bets,
    ) == (1600, 3500, 100, 500, 1000, 3)


def test_g9_a_refunded_bet_is_no_longer_in_play():
    """It stays among the placed bets and leaves those that can win."""
    view = refunded(with_bets(BETS), 2)

    assert (
        [b.bet for b in placed_bets(view)],
        [b.bet for b in bets_in_play(view)],
    ) == ([1, 2, 3], [1, 3])


def test_g9_a_bet_of_which_a_part_was_refunded_is_in_play_with_the_rest():
    """Of 1.00, 5.00 and 10.00 went back 0.25 twice, all, and 9.75: 0.50 and 0.25 still lie."""
    view = with_bets(BETS)
    for bet, amount in ((1, 25), (2, 500), (1, 25), (3, 975)):
        view = refunded(view, bet, amount)

    assert [(1, 50), (3, 25)] == [(b.bet, b.amount) for b in bets_in_play(view)]
    assert [(1, 100), (2, 500), (3, 1000)] == [(b.bet, b.amount) for b in placed_bets(view)]


def test_g9_a_round_pays_the_rest_of_a_bet_of_which_a_part_was_refunded():
    """Black 17 on 0.50 of 1.00 wins 17.50; the split keeps 4.00 at stake, red 0.25, both lost."""
    view = with_bets(BETS)
    for bet, amount in ((1, 50), (2, 100), (3, 975)):
        view = refunded(view, bet, amount)
    _, paid, end = ENGINE.decide(view, Spin(), bytes([17]))

    assert (PayoutCredited, 1, 1750, 50) == (
        type(paid),
        paid.bet,
        paid.winnings,
        paid.stake_returned,
    )
    assert (1600, 1750, 50, 425, 1125, 3) == (
        end.staked,
        end.winnings,
        end.stake_returned,
        end.stakes_lost,
        end.refunded,
        end.bets,
    )


def test_payouts_are_credited_in_the_order_given():
    """The order in which a table pays is that of the events; what brings nothing is no event."""
    payouts = {3: Payout(1000, 1000), 2: Payout(0, 0), 1: Payout(3500, 100)}
    events = settled(with_bets(BETS), payouts)

    assert [e.bet for e in events if isinstance(e, PayoutCredited)] == [3, 1]


def test_the_foremost_refusal_is_the_first_by_precedence():
    """The ledger's reading, then the game's codes in order, then the bounds on money."""
    large = Refusal(Code.AMOUNT_TOO_LARGE, "a")
    chips = Refusal(RouletteCode.NOT_A_SUM_OF_CHIPS, "b")
    illegal = Refusal(RouletteCode.ILLEGAL_PLACEMENT, "c")
    malformed = Refusal(Code.MALFORMED, "d")

    assert malformed == foremost([large, chips, illegal, malformed])
    assert illegal == foremost([large, chips, illegal])
    assert chips == foremost([large, chips])


def test_of_equal_refusals_the_first_given_is_the_foremost():
    """Two bets wrong in the same way: the player is told of the earlier one."""
    first, second = (Refusal(RouletteCode.ILLEGAL_PLACEMENT, text) for text in ("first", "second"))

    assert first == foremost([first, second])


def test_without_refusals_there_is_no_foremost_one():
    """Nothing wrong is no refusal."""
    assert foremost([]) is None


@pytest.mark.parametrize(
    ("exact", "places", "written"),
    [
        (Fraction(36, 37), 4, "0.9730"),
        (Fraction(2, 3), 2, "0.67"),
        (Fraction(0), 2, "0.00"),
        (Fraction(1, 8), 2, "0.12"),
        (Fraction(3, 8), 2, "0.38"),
        (Fraction(999, 1000), 2, "1.00"),
        (Fraction(1, 100_000), 4, "0.0000"),
        (Fraction(10**30 + 1, 4), 3, "250000000000000000000000000000.250"),
        (Fraction(-1, 8), 2, "-0.12"),
        (Fraction(-1, 1000), 2, "0.00"),
    ],
)
def test_a_fraction_is_written_with_places_without_losing_a_digit(exact, places, written):
    """Rounded half to even, with zeros in front of and behind the digits, however large it is."""
    assert written == decimal_of(exact, places)


def test_a_ratio_is_written_in_lowest_terms():
    """Six twelfths are one half, and a whole number is over one."""
    assert ("1/2", "1/1") == (ratio_of(Fraction(6, 12)), ratio_of(Fraction(1)))


@pytest.mark.parametrize(
    ("declared", "agrees"),
    [
        (Return("all", Fraction(36, 37), Fraction(1)), True),
        (Return("all", Fraction(35, 37), Fraction(1)), False),
        (Return("all", Fraction(36, 37), Fraction(2)), False),
    ],
)
def test_c8_a_study_agrees_when_return_and_variance_are_both_those_declared(declared, agrees):
    """One of them alone is not enough."""
    found = Return("all", Fraction(36, 37), Fraction(1))

    assert agrees == Study(found, {"all": Fraction(1)}, declared).agrees
