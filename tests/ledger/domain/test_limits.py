"""The limits that a player plans for a session are kept: a loss and a time (rulings C1)."""

from datetime import timedelta

import pytest

from ledger.domain import commands as cmd
from ledger.domain.decider import NeedsDraw
from ledger.domain.refusals import Code, Refusal
from ledger.domain.session import Limits
from tests.coin import ENGINES, CoinToss
from tests.given import BEFORE, NOON, given, on
from tests.scenes import (
    ANNA,
    FURTHER,
    LOST,
    OPENED,
    RIGHT,
    ROUND,
    S1,
    SESSION,
    bet,
    coins,
    conto,
    funded,
    held,
    money,
    order,
    paid,
    payout,
    published,
    refunded,
    requested,
    round_opened,
    settled,
    validated,
    voided,
)

MOMENT = timedelta(microseconds=1)
END = BEFORE + timedelta(seconds=5_400)
"""An hour and a half after the opening, which all that is given has in common."""


def planned(loss=None, seconds=None, posta=5_000):
    """Anna's open session of 50.00 under a plan, and all that it stands on."""
    limits = {"limit_loss": loss, "limit_seconds": seconds}
    first = requested(posta).model_copy(update=limits)
    begun = on(SESSION, first, validated(posta), OPENED, funded(posta))
    return (conto(100_000), published(), paid(posta), begun)


def play(*lines, kind=cmd.PlayRound, number=70):
    """Bet and toss, or bet and leave the round open."""
    return order(kind, number, session=S1, move=coins(*lines))


def go_on(move):
    """The next move of the open round."""
    return order(cmd.ContinueRound, session=S1, round=ROUND, move=move)


def top_up(amount=500, **limits):
    """A further right, which may narrow the plan."""
    return cmd.RequestParticipation(
        id=FURTHER,
        actor=ANNA,
        session=S1,
        player=ANNA,
        sheet="coin-flip",
        **money(amount),
        channel="web",
        **limits,
    )


def lost_round(amount):
    """A round that was lost, on tails."""
    end = settled(staked=amount, stakes_lost=amount, bets=1)
    return on(SESSION, round_opened(), bet(1, "heads", amount), end)


def won_round(amount):
    """A round that doubled its stake."""
    end = settled(staked=amount, winnings=amount, stake_returned=amount, bets=1)
    return on(SESSION, round_opened(), bet(1, "heads", amount), payout(1, amount, amount), end)


@pytest.mark.parametrize(
    ("history", "most"),
    [
        ((), 2_000),
        ((lost_round(500),), 1_500),
        ((won_round(500),), 2_500),
        ((lost_round(2_000),), 0),
        ((lost_round(500), on(SESSION, funded(1_000, "further"))), 1_500),
        ((on(SESSION, funded(700, "bonus", "welcome")),), 2_000),
    ],
    ids=["at the start", "after a loss", "after a win", "at the end", "after a top-up", "bonus"],
)
def test_a_round_is_refused_whose_bets_could_lose_more_than_was_planned(history, most):
    """Of a planned loss of 20.00: what entered the posta less what is in it, and the new bets.

    A top-up is no win, nor is a bonus: it enters the posta as it enters the maximum.
    """
    seat = given(*planned(loss=2_000), *history, engines=ENGINES)

    seat.when(play(("heads", most + 1))).then(Code.LOSS_LIMIT_REACHED)
    if most:
        seat.when(play(("heads", most))).then(NeedsDraw(1))


def test_the_bets_of_a_round_count_together_towards_the_planned_loss():
    """8.00 and 12.01 are more than 20.00, whatever each of them is."""
    seat = given(*planned(loss=2_000), engines=ENGINES)

    seat.when(play(("heads", 800), ("tails", 1_201))).then(Code.LOSS_LIMIT_REACHED)
    seat.when(play(("heads", 800), ("tails", 1_200))).then(NeedsDraw(1))


def test_a_planned_loss_of_nothing_lets_a_player_bet_what_was_won():
    """Of 50.00 nothing is risked; once 5.00 are won, these are."""
    seat = given(*planned(loss=0), engines=ENGINES)

    seat.when(play(("heads", 1))).then(Code.LOSS_LIMIT_REACHED)
    won = given(*planned(loss=0), won_round(500), engines=ENGINES)
    won.when(play(("heads", 501))).then(Code.LOSS_LIMIT_REACHED)
    won.when(play(("heads", 500))).then(NeedsDraw(1))


def test_stakes_in_play_count_as_lost_until_they_come_back():
    """15.00 of 20.00 lie on the table: 5.00 more may follow; after a void 20.00 again."""
    table = on(SESSION, round_opened(), bet(1, "heads", 1_500))
    seat = given(*planned(loss=2_000), table, engines=ENGINES)
    over = on(SESSION, refunded(1, 1_500, "wheel broke"), voided(1_500, 1, "wheel broke"))
    free = given(*planned(loss=2_000), table, over, engines=ENGINES)

    seat.when(go_on(coins(("tails", 501)))).then(Code.LOSS_LIMIT_REACHED)
    assert isinstance(seat.when(go_on(coins(("tails", 500)))).decision, tuple)
    free.when(play(("heads", 2_000), number=71)).then(NeedsDraw(1))


def test_a_win_that_is_held_is_not_lost():
    """10.00 were bet and 20.00 are held: the player is 10.00 ahead, wherever the money lies."""
    table = on(SESSION, round_opened(), bet(1, "heads", 1_000), held(1_000, 1_000))
    state = given(*planned(loss=2_000), table, engines=ENGINES).state(SESSION)

    assert (4_000, -1_000) == (state.posta, state.loss)


def test_a_round_in_play_ends_whatever_was_planned():
    """The toss places no bet, so that it is never refused for one."""
    table = on(SESSION, round_opened(), bet(1, "heads", 2_000))
    seat = given(*planned(loss=2_000, seconds=5_400), table, engines=ENGINES)
    tossed = seat.when(go_on(CoinToss()), now=END + timedelta(hours=9), entropy=b"\x03").decision

    assert settled(staked=2_000, stakes_lost=2_000, bets=1) == tossed[0].events[-1]


def test_the_planned_loss_is_named_before_the_posta():
    """Whoever has lost what was planned is not told to bring more money."""
    given(*planned(loss=2_000), engines=ENGINES).when(play(("heads", 5_001))).then(
        Code.LOSS_LIMIT_REACHED
    )
    given(*planned(loss=5_001), engines=ENGINES).when(play(("heads", 5_001))).then(
        Code.INSUFFICIENT_POSTA
    )


@pytest.mark.parametrize("kind", [cmd.PlayRound, cmd.OpenRound])
def test_no_round_begins_after_the_planned_time(kind):
    """Up to, not including, its end; it runs from the opening of the session."""
    seat = given(*planned(seconds=5_400), engines=ENGINES)
    command = play(("heads", 100), kind=kind)

    seat.when(command, now=END).then(Code.TIME_LIMIT_REACHED)
    assert not isinstance(seat.when(command, now=END - MOMENT).decision, Refusal)


def test_the_planned_time_runs_on_while_the_player_is_away():
    """Coming back does not begin it anew."""
    seat = given(*planned(seconds=5_400), LOST, engines=ENGINES)
    back = seat.when(order(cmd.ReconnectSession, session=S1), now=NOON + timedelta(minutes=19))

    back.given_now.when(play(("heads", 1)), now=END).then(Code.TIME_LIMIT_REACHED)


def test_no_money_enters_a_session_after_its_planned_time():
    """It could not be played; the connection is named first, by the published order."""
    seat = given(*planned(seconds=5_400), engines=ENGINES)
    away = given(*planned(seconds=5_400), LOST, engines=ENGINES)

    seat.when(top_up(), now=END).then(Code.TIME_LIMIT_REACHED)
    assert isinstance(seat.when(top_up(), now=END - MOMENT).decision, tuple)
    away.when(top_up(), now=END).then(Code.SESSION_DISCONNECTED)
    away.when(play(("heads", 1)), now=END).then(Code.SESSION_DISCONNECTED)


def test_g9_a_session_is_closed_whatever_was_planned():
    """The final posta goes back also after the time."""
    seat = given(*planned(loss=0, seconds=1), engines=ENGINES)

    assert isinstance(seat.when(order(cmd.CloseSession, session=S1), now=END).decision, tuple)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, Limits(2_000, 5_400)),
        ({"limit_loss": 1_999}, Limits(1_999, 5_400)),
        ({"limit_loss": 2_001, "limit_seconds": 5_401}, Limits(2_000, 5_400)),
        ({"limit_seconds": 60}, Limits(2_000, 60)),
        ({"limit_idle_seconds": 300}, Limits(2_000, 5_400, 300)),
    ],
)
def test_a_further_right_narrows_the_plan_and_never_widens_it(more, expected):
    """Of two limits the stricter one holds."""
    seat = given(*planned(loss=2_000, seconds=5_400), engines=ENGINES)

    assert expected == seat.when(top_up(**more)).given_now.state(SESSION).terms.limits


def test_a_further_right_may_bring_the_first_limit():
    """A session without a plan is given one."""
    seat = given(*planned(), engines=ENGINES).when(top_up(limit_loss=300)).given_now

    assert Limits(300, None) == seat.state(SESSION).terms.limits
    seat.when(play(("heads", 301))).then(Code.LOSS_LIMIT_REACHED)


def test_a_session_without_limits_is_played_for_ever_and_to_the_last_cent():
    """Nothing is planned for whoever plans nothing."""
    seat = given(*planned(), engines=ENGINES)

    seat.when(play(("heads", 5_000)), now=NOON + timedelta(days=30)).then(NeedsDraw(1))


def test_limits_that_wait_for_validation_hold_from_the_opening_on():
    """The plan comes with the request; its time runs from the central system's yes."""
    first = requested(5_000).model_copy(update={"limit_seconds": 60})
    yes = order(
        cmd.ValidateParticipation,
        session=S1,
        participation=RIGHT,
        ticket="T-1",
        count=1,
        total=5_000,
    )
    waiting = given(conto(100_000), published(), paid(), on(SESSION, first), engines=ENGINES)
    opened = waiting.when(yes, now=NOON).given_now

    opened.when(play(("heads", 1)), now=NOON + timedelta(seconds=59)).then(NeedsDraw(1))
    opened.when(play(("heads", 1)), now=NOON + timedelta(seconds=60)).then(Code.TIME_LIMIT_REACHED)
