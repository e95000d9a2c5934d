"""Voids and refunds: every stake goes back once, also before its bet came (S2, S3, G9)."""

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.refusals import Code
from tests.given import given, on
from tests.scenes import (
    OPEN,
    OPEN_FOR_TWO,
    OTHER_SESSION,
    PLAYING,
    ROUND,
    S1,
    SESSION,
    TWO,
    answered,
    bet,
    closed,
    order,
    pending,
    refunded,
    round_opened,
    session,
    uid,
    under,
    voided,
)


def void(*rounds, reason="wheel broke"):
    """Void rounds of sessions."""
    refs = tuple(cmd.RoundRef(session=s, round=r) for s, r in rounds)
    return order(cmd.VoidRounds, rounds=refs, reason=reason)


def refund(placed_by=ROUND, number=100):
    """Refund what a command bet."""
    return order(cmd.RefundBets, number, session=S1, placed_by=placed_by, reason="lost answer")


def test_s3_a_void_refunds_every_stake_and_ends_the_round():
    """Refunds come first, the end of the round with the last of them."""
    history = on(SESSION, round_opened(), bet(1, "heads", 100), bet(2, "tails", 250))

    given(*OPEN, history).when(void((S1, ROUND))).then(
        on(
            SESSION,
            refunded(1, 100, "wheel broke"),
            refunded(2, 250, "wheel broke"),
            voided(350, 2, "wheel broke"),
        )
    )


def test_s3_a_stake_is_refunded_once():
    """One that went back before is counted but not paid again."""
    history = on(SESSION, bet(2, "tails", 250), refunded(2, 250, "chip fell"))

    given(*OPEN, PLAYING, history).when(void((S1, ROUND))).then(
        on(SESSION, refunded(1, 100, "wheel broke"), voided(350, 2, "wheel broke"))
    )


def test_g4_rounds_of_several_sessions_are_voided_together_or_not_at_all():
    """One that is not in play refuses the whole command."""
    second = uid(2)
    stream = on(f"session:{second}", *session().events, round_opened(uid(71)))
    other = on(stream.stream, bet(1, "tails", 30, uid(71)))
    history = given(*OPEN, PLAYING, stream, other)

    history.when(void((S1, ROUND), (second, uid(71)))).then(
        on(SESSION, refunded(1, 100, "wheel broke"), voided(100, 1, "wheel broke")),
        on(
            stream.stream,
            refunded(1, 30, "wheel broke", uid(71)),
            voided(30, 1, "wheel broke", uid(71)),
        ),
    )
    history.when(void((S1, ROUND), (second, uid(72)))).then(Code.UNKNOWN_ROUND)


def test_two_rounds_of_one_session_are_voided_in_one_change():
    """A session is one stream, written once in a save."""
    second = on(SESSION, round_opened(uid(71)), bet(1, "tails", 30, uid(71)))
    both = (under(PLAYING, **TWO), under(second, **TWO))
    ends = on(
        SESSION,
        refunded(1, 100, "wheel broke"),
        voided(100, 1, "wheel broke"),
        refunded(1, 30, "wheel broke", uid(71)),
        voided(30, 1, "wheel broke", uid(71)),
    )

    given(*OPEN_FOR_TWO, *both).when(void((S1, ROUND), (S1, uid(71)))).then(under(ends, **TWO))


def test_a_round_is_named_once_in_a_void():
    """Twice would refund it twice."""
    given(*OPEN, PLAYING).when(void((S1, ROUND), (S1, ROUND))).then(Code.MALFORMED)


@pytest.mark.parametrize(
    ("history", "code"),
    [
        ((), Code.UNKNOWN_SESSION),
        ((session(), on(SESSION, closed(5_000))), Code.SESSION_CLOSED),
        ((session(),), Code.UNKNOWN_ROUND),
        ((session(), answered(ROUND, "play-round", stream=OTHER_SESSION)), Code.UNKNOWN_ROUND),
        ((session(), answered(ROUND, "grant-bonus")), Code.UNKNOWN_ROUND),
        ((session(), answered(ROUND, "play-round")), Code.ROUND_ENDED),
    ],
)
def test_only_a_round_in_play_is_voided(history, code):
    """A result that stands is not taken back, and each session's rounds are its own."""
    given(*history).when(void((S1, ROUND))).then(code)


def test_s2_a_refund_of_a_bet_in_play_gives_its_stakes_back():
    """The round that the command opened is voided."""
    given(*OPEN, PLAYING, answered(ROUND, "open-round")).when(refund()).then(
        on(SESSION, refunded(1, 100, "lost answer"), voided(100, 1, "lost answer"))
    )


def test_s2_a_refund_that_comes_before_its_bet_leaves_a_tombstone():
    """On the stream of the command that is not to come any more."""
    tombstone = ev.CommandRevoked(by=uid(100), session=S1, reason="lost answer")

    given(*OPEN).when(refund()).then(on(f"command:{ROUND}", tombstone)).when(
        refund(number=101)
    ).then(Code.BET_ALREADY_REFUNDED)


def test_s2_a_refund_that_names_no_session_leaves_no_tombstone():
    """Whoever guesses at ids revokes nothing; a session that waits for its right is one."""
    tombstone = ev.CommandRevoked(by=uid(100), session=S1, reason="lost answer")

    given().when(refund()).then(Code.UNKNOWN_SESSION)
    given(answered(ROUND, "play-round")).when(refund()).then(Code.UNKNOWN_SESSION)
    given(pending()).when(refund()).then(on(f"command:{ROUND}", tombstone))


def test_s3_what_is_left_of_a_stake_is_refunded():
    """Of 1.00 went back 0.40: a void gives back 0.60, and a refund of the bet does the same."""
    history = (*OPEN, PLAYING, on(SESSION, refunded(1, 40, "chip fell")))

    given(*history).when(void((S1, ROUND))).then(
        on(SESSION, refunded(1, 60, "wheel broke"), voided(100, 1, "wheel broke"))
    )
    given(*history, answered(ROUND, "open-round")).when(refund()).then(
        on(SESSION, refunded(1, 60, "lost answer"), voided(100, 1, "lost answer"))
    )


def test_a_refund_does_not_name_itself():
    """It would revoke its own record."""
    given(*OPEN).when(refund(uid(100), number=100)).then(Code.MALFORMED)


@pytest.mark.parametrize("kind", ["play-round", "open-round"])
def test_a_bet_of_a_round_that_has_ended_is_not_refunded(kind):
    """Its result stands."""
    given(*OPEN, answered(ROUND, kind)).when(refund()).then(Code.ROUND_ENDED)


@pytest.mark.parametrize(
    "history",
    [
        answered(ROUND, "play-round", refusal="no-bet"),
        answered(ROUND, "grant-bonus"),
        answered(ROUND, "play-round", stream=OTHER_SESSION),
    ],
    ids=["refused", "no bet", "another session"],
)
def test_a_command_that_bet_nothing_here_has_nothing_to_refund(history):
    """Refused, not a bet, or a bet of another session."""
    given(*OPEN, history).when(refund()).then(Code.UNKNOWN_BET)


def test_a_refund_in_a_closed_session_is_refused():
    """Its accounts are at zero."""
    given(*OPEN, on(SESSION, closed(0)), answered(ROUND, "play-round")).when(refund()).then(
        Code.SESSION_CLOSED
    )
