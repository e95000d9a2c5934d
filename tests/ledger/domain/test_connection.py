"""Disconnection, the way back, and the end of a session (rulings C1, G9)."""

from datetime import timedelta

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.refusals import Code
from tests.given import BEFORE, NOON, given, on
from tests.scenes import (
    LOST,
    OPEN,
    S1,
    SESSION,
    WAITING,
    bet,
    closed,
    money,
    order,
    returned,
    round_opened,
    settled,
)

MINUTES = timedelta(minutes=1)


def on_session(kind, **fields):
    """A command on anna's session."""
    return order(kind, session=S1, **fields)


def test_c1_a_connection_is_lost_at_its_moment():
    """The time to come back runs from there, not from the recording."""
    given(*OPEN).when(on_session(cmd.DisconnectSession, at=NOON - MINUTES)).then(
        on(SESSION, ev.SessionDisconnected(at=NOON - MINUTES))
    )


def test_a_connection_is_not_lost_in_the_future():
    """Whatever the session."""
    later = on_session(cmd.DisconnectSession, at=NOON + timedelta(microseconds=1))

    given(*OPEN).when(later).then(Code.MALFORMED)
    given().when(later).then(Code.MALFORMED)


def test_c1_a_connection_is_not_lost_before_the_session_began():
    """From its first microsecond on it may be; the minutes to come back are never over at once."""
    history = given(*OPEN)
    first, early = BEFORE, BEFORE - timedelta(microseconds=1)

    history.when(on_session(cmd.DisconnectSession, at=early)).then(Code.MALFORMED)
    history.when(on_session(cmd.DisconnectSession, at=first)).then(
        on(SESSION, ev.SessionDisconnected(at=first))
    )


def test_c1_a_late_duplicate_of_an_old_loss_does_not_end_a_session_that_came_back():
    """Lost at 12:00, back at 12:10; at 12:25 the old message comes again, as another command."""
    loss, way_back, now = NOON, NOON + 10 * MINUTES, NOON + 25 * MINUTES
    back = (
        given(*OPEN)
        .when(on_session(cmd.DisconnectSession, at=loss), now=loss)
        .given_now.when(on_session(cmd.ReconnectSession), now=way_back)
        .given_now
    )

    for late in (loss, way_back - timedelta(microseconds=1)):
        back.when(on_session(cmd.DisconnectSession, at=late), now=now).then(Code.MALFORMED)
    back.when(on_session(cmd.ExpireSession), now=now).then(Code.SESSION_CONNECTED)
    again = back.when(on_session(cmd.DisconnectSession, at=way_back), now=now)
    again.then(on(SESSION, ev.SessionDisconnected(at=way_back))).when(
        on_session(cmd.ExpireSession), now=way_back + 20 * MINUTES
    ).then(
        on(SESSION, ev.SessionExpired(due=way_back + 20 * MINUTES), closed(5_000, "expired")),
        returned(5_000),
    )


def test_c1_a_session_knows_since_when_its_player_is_there():
    """Opened at 11:00, then back at 12:10; what happens in between moves nothing."""
    lost = given(*OPEN).when(on_session(cmd.DisconnectSession, at=NOON)).given_now
    back = lost.when(on_session(cmd.ReconnectSession), now=NOON + 10 * MINUTES).given_now
    later = back.when(
        order(cmd.GrantBonus, 101, session=S1, **money(1), reason="welcome"),
        now=NOON + 11 * MINUTES,
    ).given_now
    states = [g.state(SESSION).since for g in (given(*OPEN), lost, back, later)]

    assert [BEFORE, BEFORE, NOON + 10 * MINUTES, NOON + 10 * MINUTES] == states


def test_a_connection_is_lost_once():
    """A later loss does not prolong the time to come back."""
    given(*OPEN, LOST).when(on_session(cmd.DisconnectSession, at=NOON)).then(
        Code.SESSION_DISCONNECTED
    )


def test_c1_a_player_comes_back_within_twenty_minutes():
    """Up to, not including, the moment at which the posta goes to the conto."""
    last = NOON + 20 * MINUTES - timedelta(microseconds=1)
    back = on_session(cmd.ReconnectSession)

    given(*OPEN, LOST).when(back, now=last).then(on(SESSION, ev.SessionReconnected()))


def test_c1_a_player_does_not_come_back_after_twenty_minutes():
    """From then on the session is to expire, even where nobody has recorded that yet."""
    back = on_session(cmd.ReconnectSession)

    given(*OPEN, LOST).when(back, now=NOON + 20 * MINUTES).then(Code.TOO_LATE_TO_RECONNECT)


def test_a_connected_player_does_not_come_back():
    """Neither one that never left nor one that is back."""
    returned_player = on(SESSION, ev.SessionReconnected())

    given(*OPEN).when(on_session(cmd.ReconnectSession)).then(Code.SESSION_CONNECTED)
    given(*OPEN, LOST, returned_player).when(on_session(cmd.ReconnectSession)).then(
        Code.SESSION_CONNECTED
    )


@pytest.mark.parametrize("reason", ["player", "operator"])
def test_g9_the_final_posta_goes_back_to_the_conto(reason):
    """All of it, in the save that closes the session."""
    given(*OPEN).when(on_session(cmd.CloseSession, reason=reason)).then(
        on(SESSION, closed(5_000, reason)), returned(5_000)
    )


def test_g9_an_empty_posta_closes_too():
    """A final transfer of zero tells the conto that the session is over."""
    lost = on(
        SESSION,
        round_opened(),
        bet(1, "heads", 5_000),
        settled(staked=5_000, stakes_lost=5_000, bets=1),
    )

    given(*OPEN, lost).when(on_session(cmd.CloseSession)).then(on(SESSION, closed(0)), returned(0))


def test_a_disconnected_session_can_be_closed():
    """The operator need not wait for the expiry."""
    given(*OPEN, LOST).when(on_session(cmd.CloseSession, reason="operator")).then(
        on(SESSION, closed(5_000, "operator")), returned(5_000)
    )


def test_g9_no_session_ends_while_a_right_waits():
    """Its money would be forgotten."""
    given(*OPEN, WAITING).when(on_session(cmd.CloseSession)).then(Code.PARTICIPATION_PENDING)


def test_g9_no_session_ends_while_a_round_is_in_play():
    """Its stake would be forgotten."""
    playing = on(SESSION, round_opened(), bet(1, "heads", 100))

    given(*OPEN, playing).when(on_session(cmd.CloseSession)).then(Code.ROUND_IN_PLAY)
