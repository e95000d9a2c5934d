"""A session whose player does not come back, or whose time is over, ends by rule (C1, G9)."""

from datetime import timedelta

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.decider import NeedsDraw
from ledger.domain.leaving import expiry
from ledger.domain.refusals import Code
from tests.coin import ENGINES
from tests.given import NOON, given, on
from tests.scenes import (
    LOST,
    OPEN,
    OPEN_FOR_TWO,
    PLAYING,
    S1,
    SESSION,
    TWO,
    bet,
    closed,
    drawn,
    order,
    payout,
    requested,
    returned,
    round_opened,
    settled,
    uid,
    under,
)

HEADS, TAILS = b"\x02", b"\x03"
DUE = NOON + timedelta(minutes=20)


def expire():
    """The duty that ends a session whose player is gone."""
    return order(cmd.ExpireSession, session=S1)


def test_c1_a_session_expires_twenty_minutes_after_the_disconnection():
    """The posta goes to the conto; one microsecond earlier it does not."""
    history = given(*OPEN, LOST, engines=ENGINES)

    history.when(expire(), now=DUE - timedelta(microseconds=1)).then(Code.NOT_YET_DUE)
    history.when(expire(), now=DUE).then(
        on(SESSION, ev.SessionExpired(due=DUE), closed(5_000, "expired")), returned(5_000)
    )


def test_g9_a_round_that_was_accepted_is_completed_before_the_session_expires():
    """The rules make the toss; what it wins is part of the final posta."""
    history = given(*OPEN, PLAYING, LOST, engines=ENGINES)

    history.when(expire(), now=DUE).then(NeedsDraw(1))
    history.when(expire(), now=DUE, entropy=HEADS).then(
        on(
            SESSION,
            drawn("02", "heads"),
            payout(1, 100, 100),
            settled(staked=100, winnings=100, stake_returned=100, bets=1),
            ev.SessionExpired(due=DUE),
            closed(5_100, "expired"),
        ),
        returned(5_100),
    )


def test_g9_every_open_round_is_completed_with_entropy_of_its_own():
    """The first byte is for the first round, the second for the second."""
    second = on(SESSION, round_opened(uid(71)), bet(1, "tails", 30, uid(71)))
    both = (under(PLAYING, **TWO), under(second, **TWO))
    history = given(*OPEN_FOR_TWO, *both, LOST, engines=ENGINES)

    history.when(expire(), now=DUE, entropy=TAILS).then(NeedsDraw(1))
    ended = on(
        SESSION,
        drawn("03", "tails"),
        settled(staked=100, stakes_lost=100, bets=1),
        drawn("03", "tails", uid(71)),
        payout(1, 30, 30, uid(71)),
        settled(uid(71), staked=30, winnings=30, stake_returned=30, bets=1),
        ev.SessionExpired(due=DUE),
        closed(4_930, "expired"),
    )
    history.when(expire(), now=DUE, entropy=TAILS + TAILS).then(
        under(ended, **TWO), returned(4_930)
    )


def test_a_connected_session_does_not_expire():
    """However long it lasts."""
    given(*OPEN).when(expire(), now=NOON + timedelta(days=30)).then(Code.SESSION_CONNECTED)


def test_g9_a_session_does_not_expire_while_a_right_waits():
    """Its answer comes first; that is said even before the time is due."""
    waiting = on(SESSION, requested(500, uid(51), "further"))

    given(*OPEN, waiting, LOST).when(expire(), now=DUE).then(Code.PARTICIPATION_PENDING)
    given(*OPEN, waiting, LOST).when(expire(), now=NOON).then(Code.PARTICIPATION_PENDING)


OVER = NOON + timedelta(minutes=5)
"""When the time of play is over, by a limit that the player set."""
LIMITED = on(SESSION, ev.SessionTimeLimited(time_over=OVER))
TO_FINISH = OVER + timedelta(minutes=20)
"""Until when a round in play is the player's to finish: as long as a player may be away."""


def test_c1_a_session_whose_time_of_play_is_over_is_closed():
    """Its player is connected and has no round in play; a microsecond earlier it goes on."""
    history = given(*OPEN, LIMITED, engines=ENGINES)

    history.when(expire(), now=OVER - timedelta(microseconds=1)).then(Code.NOT_YET_DUE)
    history.when(expire(), now=OVER).then(
        on(SESSION, ev.SessionExpired(due=OVER, cause="time-over"), closed(5_000, "time-over")),
        returned(5_000),
    )


def test_g9_a_round_in_play_after_the_time_is_its_players_to_finish_and_then_the_rules():
    """For twenty minutes; then the toss is made, and what it wins is part of the final posta."""
    history = given(*OPEN, PLAYING, LIMITED, engines=ENGINES)

    early = TO_FINISH - timedelta(microseconds=1)
    history.when(expire(), now=early, entropy=HEADS).then(Code.NOT_YET_DUE)
    history.when(expire(), now=TO_FINISH, entropy=HEADS).then(
        on(
            SESSION,
            drawn("02", "heads"),
            payout(1, 100, 100),
            settled(staked=100, winnings=100, stake_returned=100, bets=1),
            ev.SessionExpired(due=TO_FINISH, cause="time-over"),
            closed(5_100, "time-over"),
        ),
        returned(5_100),
    )


@pytest.mark.parametrize(
    ("over", "history", "due", "cause"),
    [
        (OVER, (LOST,), OVER, "time-over"),
        (DUE + timedelta(seconds=1), (LOST,), DUE, None),
        (OVER, (PLAYING, LOST), DUE, None),
    ],
    ids=["nothing to come back to", "away comes first", "a round to come back to"],
)
def test_c1_a_session_whose_player_is_away_expires_by_what_comes_first(over, history, due, cause):
    """Given a time of play that ends at a moment, then that or the time away ends the session."""
    limited = on(SESSION, ev.SessionTimeLimited(time_over=over))
    state = given(*OPEN, *history, limited).state(SESSION)

    assert ev.SessionExpired(due=due, cause=cause) == expiry(state)


def test_g9_a_session_whose_time_is_over_waits_for_the_answer_to_its_right():
    """A right that was bought in time is answered first, whatever the answer."""
    waiting = on(SESSION, requested(500, uid(51), "further"))

    given(*OPEN, waiting, LIMITED).when(expire(), now=OVER).then(Code.PARTICIPATION_PENDING)
