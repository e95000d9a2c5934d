"""A session whose player does not come back ends by rule (rulings C1, G9)."""

from datetime import timedelta

from ledger.domain import commands as cmd, events as ev
from ledger.domain.decider import NeedsDraw
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
