"""The record of a command: what it is about, and what was asked for when the answer is no (G3)."""

import hashlib

import pytest

from ledger.domain import commands as cmd
from ledger.domain.ids import SheetId, Word
from ledger.domain.refusals import Code, Refusal
from ledger.draft import answer_record
from tests.given import NOON
from tests.scenes import ANNA, EUR, S1, S2, coins, money, order, uid

NO = Refusal(Code.MALFORMED, "No.")
PAYMENT = {"reference": "pay-1", "channel": "card"}
ONE = f"session:{S1}"


class Noted(cmd.Command):
    """A command as it was at first."""

    KIND = "note"
    text: Word


class NotedLater(cmd.Command):
    """The same command once it could name a sheet too."""

    KIND = "note"
    sheet: SheetId | None = None
    text: Word


DAYS = {"first": NOON.date(), "last": NOON.date()}
WHY = {"root": "ab" * 32, "recipient": "the regulator", "reason": "inspection 7"}


def publishing(text):
    """The order to publish a text."""
    sheet = {"sheet": "coin-flip", "sheet_version": 1, "in_force_from": NOON}
    return order(cmd.PublishSheet, **sheet, text=text)


@pytest.mark.parametrize(
    ("command", "about"),
    [
        (order(cmd.OpenBook, book="contoposta", clock="simulated"), "book"),
        (order(cmd.DisclosePersonalData, **DAYS, **WHY), "book"),
        (publishing("{}"), "sheet:coin-flip"),
        (
            order(cmd.AnnounceMaintenance, starts=NOON, ends=NOON, reason="cleaning"),
            "maintenance",
        ),
        (order(cmd.EndMaintenance, notice=1), "maintenance"),
        (order(cmd.OpenConto, player=ANNA, currency=EUR, personal=()), "conto:anna-1"),
        (order(cmd.Deposit, player=ANNA, **money(1), **PAYMENT), "conto:anna-1"),
        (order(cmd.Withdraw, player=ANNA, **money(1), **PAYMENT), "conto:anna-1"),
        (order(cmd.SuspendConto, player=ANNA, reason="doubt"), "conto:anna-1"),
        (order(cmd.CloseConto, player=ANNA, reason="asked"), "conto:anna-1"),
        (
            order(
                cmd.RequestParticipation,
                session=S1,
                player=ANNA,
                sheet="coin-flip",
                channel="web",
                **money(500),
            ),
            ONE,
        ),
        (order(cmd.GrantBonus, session=S1, **money(1), reason="welcome"), ONE),
        (order(cmd.DisconnectSession, session=S1, at=NOON), ONE),
        (order(cmd.CloseSession, session=S1), ONE),
        (order(cmd.ExpireSession, session=S1), ONE),
        (order(cmd.PlayRound, session=S1, move=coins()), ONE),
        (order(cmd.OpenRound, session=S1, move=coins()), ONE),
        (order(cmd.ContinueRound, session=S1, round=uid(7), move=coins()), ONE),
        (order(cmd.RefundBets, session=S1, placed_by=uid(7), reason="late"), ONE),
        (
            order(
                cmd.VoidRounds,
                rounds=(
                    cmd.RoundRef(session=S1, round=uid(7)),
                    cmd.RoundRef(session=S2, round=uid(8)),
                ),
                reason="wheel broke",
            ),
            ONE,
        ),
    ],
    ids=lambda value: getattr(value, "KIND", None),
)
def test_a_record_names_what_its_command_is_about(command, about):
    """A session, a conto, a sheet, the notices or the book, whether the answer is yes or no."""
    assert [about] * 2 == [answer_record(command, (), no).about for no in (None, NO)]


def test_a_refusal_is_on_record_with_what_was_asked():
    """The kind and the fields, as canonical JSON; the digest is that of this very text."""
    command = order(cmd.PlayRound, session=S1, move=coins(("heads", 100)))
    asked = (
        '["play-round",{"actor":"anna-1","move":{"bets":[{"amount":100,"side":"heads"}],'
        '"type":"coin-bets"},"session":"00000000-0000-0000-0000-000000000001"}]'
    )
    record = answer_record(command, (), NO)

    assert (asked, hashlib.sha256(asked.encode()).hexdigest()) == (record.asked, record.digest)
    assert ("malformed", "No.") == (record.refusal, record.message)


def test_what_was_accepted_is_not_written_twice():
    """The events say what was asked; the digest is the same."""
    command = order(cmd.PlayRound, session=S1, move=coins(("heads", 100)))
    yes, no = (answer_record(command, (), refusal) for refusal in (None, NO))

    assert (None, no.digest) == (yes.asked, yes.digest)


def test_a_refused_command_that_is_very_long_is_kept_by_its_digest_alone():
    """8,000 bytes are kept, 8,001 are not."""
    bare = len(
        '["publish-sheet",{"actor":"anna-1","in_force_from":"2026-03-02T12:00:00Z",'
        '"sheet":"coin-flip","sheet_version":1,"text":""}]'
    )
    full, more = (publishing("x" * (size - bare)) for size in (8_000, 8_001))
    kept = answer_record(full, (), NO).asked

    assert kept is not None
    assert len(kept) == 8_000
    assert answer_record(more, (), NO).asked is None
    assert answer_record(more, (), NO).digest == cmd.digest(more)


def test_a_refusal_is_recorded_when_what_was_asked_is_in_any_script():
    """Counted in bytes, so that a record always fits."""
    command = order(cmd.SuspendConto, player=ANNA, reason="Иванов \"Forlì\" \\ '\u2028'")

    assert "Иванов" in (answer_record(command, (), NO).asked or "")


def test_g3_a_field_that_is_added_later_leaves_old_digests_as_they_are():
    """What does not use it is the same content; what uses it is another."""
    fields = {"id": uid(1), "actor": ANNA, "text": "seat 4"}
    old = '["note",{"actor":"anna-1","text":"seat 4"}]'
    commands = (Noted(**fields), NotedLater(**fields), NotedLater(**fields, sheet=None))

    assert [old.encode()] * 3 == [cmd.content(c) for c in commands]
    assert {hashlib.sha256(old.encode()).hexdigest()} == {cmd.digest(c) for c in commands}
    assert cmd.digest(NotedLater(**fields, sheet="coin-flip")) != cmd.digest(commands[0])


def test_g3_when_it_was_played_is_part_of_the_content():
    """A time that is given is content; one that is not given is none."""
    command = order(cmd.CloseSession, session=S1)
    earlier = command.model_copy(update={"played": NOON})

    assert b"played" not in cmd.content(command)
    assert b'"played":"2026-03-02T12:00:00Z"' in cmd.content(earlier)
