"""Disconnection, the way back, and the end of a session (rulings C1, G9)."""

from datetime import timedelta

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.refusals import Code
from tests.given import NOON, given, on
from tests.scenes import (
    LOST,
    OPEN,
    S1,
    SESSION,
    WAITING,
    bet,
    closed,
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
