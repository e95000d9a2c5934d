"""Voids and refunds: every stake goes back once, also before its bet came (S2, S3, G9)."""

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.refusals import Code
from tests.coin import ENGINES, CoinBets, CoinToss
from tests.given import given, on
from tests.scenes import (
    MOVE,
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
    common,
    drawn,
    moved,
    order,
    pending,
    refunded,
    round_opened,
    session,
    settled,
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


@pytest.mark.parametrize("placed_by", [ROUND, MOVE], ids=["opening", "further move"])
def test_g7_a_client_takes_no_bet_back_after_a_draw(placed_by):
    """Whoever saw what was drawn could take back just the bets that it is bad for."""
    further = on(SESSION, moved(("tails", 50)), bet(2, "tails", 50), drawn("03", "tails"))
    history = given(
        *OPEN, PLAYING, further, answered(ROUND, "open-round"), answered(MOVE, "continue-round")
    )

    history.when(refund(placed_by, 101)).then(Code.ROUND_DECIDED)


def test_s3_the_house_voids_a_round_after_a_draw():
    """A fault after the draw is the house's to judge: every stake goes back."""
    history = given(*OPEN, PLAYING, on(SESSION, drawn("03", "tails")))

    history.when(void((S1, ROUND))).then(
        on(SESSION, refunded(1, 100, "wheel broke"), voided(100, 1, "wheel broke"))
    )


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


FURTHER_BETS = on(
    SESSION, moved(("tails", 50), ("tails", 20)), bet(2, "tails", 50), bet(3, "tails", 20)
)
"""A further move in the open round: 0.50 and 0.20 on tails beside the 1.00 on heads."""
CONTINUED = answered(MOVE, "continue-round")


def refund_of_move(placed_by=MOVE):
    """Refund what a further move bet."""
    return refund(placed_by, number=110)


def test_s2_a_refund_of_a_further_move_gives_back_its_bets_and_leaves_the_others():
    """Of 1.70 go back 0.50 and 0.20; the toss decides the rest, and each stake is accounted for."""
    toss = order(cmd.ContinueRound, 111, session=S1, round=ROUND, move=CoinToss())
    tossed = ev.MoveMade(**common(), details=CoinToss(), made_by=uid(111))
    end = settled(staked=170, stakes_lost=100, refunded=70, bets=3)

    given(*OPEN, PLAYING, FURTHER_BETS, CONTINUED, engines=ENGINES).when(refund_of_move()).then(
        on(SESSION, refunded(2, 50, "lost answer"), refunded(3, 20, "lost answer"))
    ).when(toss, entropy=b"\x03").then(on(SESSION, tossed, drawn("03", "tails"), end))


def test_s2_a_refund_takes_back_one_move_of_several():
    """The bets before it and after it stay."""
    third = on(SESSION, moved(("heads", 5), made_by=uid(102)), bet(4, "heads", 5))
    history = given(*OPEN, PLAYING, FURTHER_BETS, third, CONTINUED)
    last = given(*OPEN, PLAYING, FURTHER_BETS, third, answered(uid(102), "continue-round"))

    history.when(refund_of_move()).then(
        on(SESSION, refunded(2, 50, "lost answer"), refunded(3, 20, "lost answer"))
    )
    last.when(refund_of_move(uid(102))).then(on(SESSION, refunded(4, 5, "lost answer")))


def test_s3_a_further_move_is_refunded_once_and_what_is_left_of_it():
    """0.10 of 0.50 went back before: 0.40 and 0.20 go back, and then nothing more."""
    part = on(SESSION, refunded(2, 10, "chip fell"))

    given(*OPEN, PLAYING, FURTHER_BETS, part, CONTINUED).when(refund_of_move()).then(
        on(SESSION, refunded(2, 40, "lost answer"), refunded(3, 20, "lost answer"))
    ).when(refund(MOVE, number=112)).then(Code.BET_ALREADY_REFUNDED)


def test_s3_the_refund_of_the_opening_takes_further_bets_with_it():
    """Without its first bets there is no round."""
    history = (*OPEN, PLAYING, FURTHER_BETS, answered(ROUND, "open-round"))

    given(*history).when(refund()).then(
        on(
            SESSION,
            refunded(1, 100, "lost answer"),
            refunded(2, 50, "lost answer"),
            refunded(3, 20, "lost answer"),
            voided(170, 3, "lost answer"),
        )
    )


def test_g9_a_round_whose_last_stake_is_refunded_is_void():
    """Nothing would be left to decide."""
    first = on(SESSION, refunded(1, 100, "chip fell"))

    given(*OPEN, PLAYING, first, FURTHER_BETS, CONTINUED).when(refund_of_move()).then(
        on(
            SESSION,
            refunded(2, 50, "lost answer"),
            refunded(3, 20, "lost answer"),
            voided(170, 3, "lost answer"),
        )
    )


def test_a_further_move_of_the_second_round_is_found_in_it():
    """Two rounds are in play; the refund touches the one that the move was made in."""
    second = on(
        SESSION,
        round_opened(uid(71)),
        bet(1, "heads", 30, uid(71)),
        moved(("tails", 7), round_id=uid(71)),
        bet(2, "tails", 7, uid(71)),
    )
    history = (*OPEN_FOR_TWO, under(PLAYING, **TWO), under(second, **TWO), CONTINUED)

    given(*history).when(refund_of_move()).then(
        under(on(SESSION, refunded(2, 7, "lost answer", uid(71))), **TWO)
    )


def test_a_further_move_without_a_bet_has_nothing_to_refund():
    """It moved, and placed none; the bets of the move before it are not its own."""
    idle = ev.MoveMade(**common(), details=CoinToss(), made_by=uid(102))
    history = (*OPEN, PLAYING, FURTHER_BETS, on(SESSION, idle))

    given(*history, answered(uid(102), "continue-round")).when(refund_of_move(uid(102))).then(
        Code.UNKNOWN_BET
    )


def test_s2_a_refund_of_a_further_move_that_has_not_come_leaves_a_tombstone():
    """As of any other bet."""
    tombstone = ev.CommandRevoked(by=uid(110), session=S1, reason="lost answer")

    given(*OPEN, PLAYING).when(refund_of_move()).then(on(f"command:{MOVE}", tombstone))


def test_a_further_move_recorded_before_moves_named_their_commands_is_still_read():
    """Its row has no such field; its bets go back with the round."""
    row = moved(("tails", 50)).model_dump_json(exclude={"made_by"})
    old = ev.MoveMade[CoinBets].model_validate_json(row)
    history = (*OPEN, PLAYING, on(SESSION, old, bet(2, "tails", 50)))

    assert old.made_by is None
    given(*history, answered(ROUND, "open-round")).when(refund()).then(
        on(
            SESSION,
            refunded(1, 100, "lost answer"),
            refunded(2, 50, "lost answer"),
            voided(150, 2, "lost answer"),
        )
    )


def test_a_refund_does_not_name_itself():
    """It would revoke its own record."""
    given(*OPEN).when(refund(uid(100), number=100)).then(Code.MALFORMED)


@pytest.mark.parametrize("kind", ["play-round", "open-round", "continue-round"])
def test_a_bet_of_a_round_that_has_ended_is_not_refunded(kind):
    """Its result stands."""
    given(*OPEN, answered(ROUND, kind)).when(refund()).then(Code.ROUND_ENDED)


@pytest.mark.parametrize(
    "history",
    [
        answered(ROUND, "play-round", refusal="no-bet"),
        answered(ROUND, "grant-bonus"),
        answered(ROUND, "play-round", stream=OTHER_SESSION),
        answered(ROUND, "continue-round", stream=OTHER_SESSION),
    ],
    ids=["refused", "no bet", "another session", "another session's move"],
)
def test_a_command_that_bet_nothing_here_has_nothing_to_refund(history):
    """Refused, not a bet, or a bet of another session."""
    given(*OPEN, history).when(refund()).then(Code.UNKNOWN_BET)


def test_a_refund_in_a_closed_session_is_refused():
    """Its accounts are at zero."""
    given(*OPEN, on(SESSION, closed(0)), answered(ROUND, "play-round")).when(refund()).then(
        Code.SESSION_CLOSED
    )
