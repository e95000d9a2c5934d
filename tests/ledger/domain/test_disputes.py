"""Disputes of a player: about what was played, in the open until decided, then final (FR11)."""

from typing import Any
from uuid import UUID

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.dispute import State
from ledger.domain.ids import player_stream
from ledger.domain.refusals import Code
from tests.given import Given, given, on
from tests.scenes import (
    ANNA,
    BRUNO,
    CONTO,
    OPEN,
    OTHER_SESSION,
    ROUND,
    S1,
    answered,
    conto,
    uid,
)

DISPUTE = uid(90)
STREAM = player_stream(ANNA)
PLAYED = answered(ROUND, "play-round")
"""The record of the command that played Anna's round."""


def text(letters: str = "AAAA") -> ev.ProtectedText:
    """What somebody said, as the vault gives it."""
    return ev.ProtectedText(key="anna.1", ciphertext=letters)


def order(kind: Any, command: UUID = DISPUTE, **fields: Any) -> Any:
    """A command about Anna's disputes."""
    return kind(**{"id": command, "actor": "clerk", "player": ANNA} | fields)


def opening(**fields: Any) -> cmd.OpenDispute:
    """The player's claim by mail, about the session unless a round is named."""
    told = {"session": S1, "round": None, "by": "player", "channel": "mail", "claim": text()}
    return order(cmd.OpenDispute, **{**told, **fields})


def opened(dispute: UUID = DISPUTE, **fields: Any) -> ev.DisputeOpened:
    """The event of that claim."""
    told = {"session": S1, "by": "player", "channel": "mail", "claim": text(), "player": ANNA}
    return ev.DisputeOpened(dispute=dispute, **{**told, **fields})


NOTE = {"by": "house", "channel": "phone", "note": text("BBBB")}
END = {"decider": "maria", "decision": "partly-upheld", "reason": text("CCCC")}


def noting(dispute: UUID = DISPUTE) -> cmd.AddToDispute:
    """The house's answer on the phone."""
    return order(cmd.AddToDispute, uid(91), dispute=dispute, **NOTE)


def closing(dispute: UUID = DISPUTE) -> cmd.CloseDispute:
    """Maria's decision."""
    return order(cmd.CloseDispute, uid(92), dispute=dispute, **END)


def decided(*more: ev.Event) -> Given:
    """A dispute that was opened, and what came then."""
    return given(*OPEN, on(STREAM, opened(), *more))


CLOSED = ev.DisputeClosed(player=ANNA, dispute=DISPUTE, **END)


def test_a_claim_about_a_session_opens_a_dispute_named_by_its_command():
    """Given a session of the player, when a claim comes, then it is a dispute of its own."""
    given(*OPEN).when(opening()).then(on(STREAM, opened()))


def test_a_claim_about_a_round_names_it():
    """Given a round of the session, then the dispute is about it."""
    given(*OPEN, PLAYED).when(opening(round=ROUND)).then(on(STREAM, opened(round=ROUND)))


@pytest.mark.parametrize(
    ("history", "fields", "code"),
    [
        ((), {}, Code.UNKNOWN_CONTO),
        (OPEN, {"session": uid(66)}, Code.UNKNOWN_SESSION),
        (OPEN, {"round": ROUND}, Code.UNKNOWN_ROUND),
        ((*OPEN, answered(ROUND, "deposit")), {"round": ROUND}, Code.UNKNOWN_ROUND),
        (
            (*OPEN, answered(ROUND, "play-round", OTHER_SESSION)),
            {"round": ROUND},
            Code.UNKNOWN_ROUND,
        ),
        (
            (*OPEN, answered(ROUND, "play-round", refusal="no-bet")),
            {"round": ROUND},
            Code.UNKNOWN_ROUND,
        ),
    ],
)
def test_a_claim_is_about_what_its_player_played(history, fields, code):
    """Given no such conto, session or round of the player, then no dispute is opened."""
    given(*history).when(opening(**fields)).then(code)


def test_a_claim_about_another_players_session_is_refused():
    """Given a session of Anna, when Bruno disputes it, then it is none of his."""
    given(*OPEN, conto(player=BRUNO)).when(opening(player=BRUNO)).then(Code.UNKNOWN_SESSION)


def test_a_dispute_can_be_opened_when_the_conto_is_closed():
    """Given a conto closed after play, then its holder is still heard."""
    over = on(CONTO, ev.ContoClosed(player=ANNA, reason="asked"))
    given(*OPEN, over).when(opening()).then(on(STREAM, opened()))


def test_a_player_who_was_forgotten_opens_no_dispute():
    """Given an erasure, then no key is there under which a claim could be kept."""
    gone = on(STREAM, ev.PlayerForgotten(player=ANNA, reason="time over"))
    given(*OPEN, gone).when(opening()).then(Code.PLAYER_FORGOTTEN)


def test_contacts_are_added_and_a_named_person_decides():
    """Given an open dispute, then contacts and one decision are recorded in its stream."""
    noted = ev.DisputeNoted(player=ANNA, dispute=DISPUTE, **NOTE)
    then = decided().when(noting()).then(on(STREAM, noted))
    assert then.when(closing()).then(on(STREAM, CLOSED)).state(STREAM) == State((), (DISPUTE,))


@pytest.mark.parametrize("command", [noting(), closing()])
def test_fr11_a_decision_is_final(command):
    """Given a decision, when anything more comes, then it is refused."""
    decided(CLOSED).when(command).then(Code.DISPUTE_CLOSED)


@pytest.mark.parametrize("command", [noting(uid(77)), closing(uid(77))])
def test_what_was_never_opened_is_unknown(command):
    """Given another dispute, then nothing is added to one that is not there."""
    decided().when(command).then(Code.UNKNOWN_DISPUTE)


def test_a_player_has_several_disputes_each_with_its_own_end():
    """Given two disputes and the end of the first, then the second is open."""
    two = decided(opened(uid(95)), CLOSED)

    assert State((uid(95),), (DISPUTE,)) == two.state(STREAM)
    two.when(noting(uid(95))).then(
        on(STREAM, ev.DisputeNoted(player=ANNA, dispute=uid(95), **NOTE))
    )
