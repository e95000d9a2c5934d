"""A story told again from what is on record: balances, judgements, cuts, and every difference."""

import builtins
import os
import random
import secrets
import socket
import time
from uuid import UUID

import pytest

from games.deuces_wild.table import DeucesFour
from ledger.domain import commands as cmd, events as ev
from ledger.domain.ids import session_stream, sheet_stream
from ledger.domain.registry import kind_of
from ledger.replay import state_at
from ops.story.comparing import consequences, flows
from ops.story.document import document
from ops.story.pages import pages
from ops.story.plain import plain
from ops.story.story import Case, Story, Until, tell
from ops.story.tongue import ENGLISH, ITALIAN
from tests.deuces_table import NOTHING, SESSION, TRIPLE, Seat
from tests.french_pit import FrenchPit, on
from tests.scenes import uid

END = Until()
FOUR = ["Kd", "4c", "5c", "6c"]


def case(entries: list[ev.AnyEntry], session: UUID, round_id: UUID | None = None) -> Case:
    """What is on record in a book in memory."""
    return Case(session, round_id, tuple(entries))


def forged(entries: list[ev.AnyEntry], name: str, **fields: object) -> list[ev.AnyEntry]:
    """The entries with other fields in the last event of a name."""
    place = max(at for at, e in enumerate(entries) if e.event.NAME == name)
    event = entries[place].event.model_copy(update=fields)
    changed = entries[place].model_copy(update={"event": event})
    return [*entries[:place], changed, *entries[place + 1 :]]


def without(entries: list[ev.AnyEntry], name: str) -> list[ev.AnyEntry]:
    """The entries without the last event of a name."""
    place = max(at for at, e in enumerate(entries) if e.event.NAME == name)
    return [*entries[:place], *entries[place + 1 :]]


def doubled() -> Seat:
    """Three of a kind won 1.25, half of it was doubled up and won; all was collected."""
    seat = Seat()
    seat.win()
    seat.double("9h", half=True)
    seat.pick("9h", FOUR)
    seat.move({"collect": True})
    return seat


def prison() -> FrenchPit:
    """Anna's 10.00 on red are imprisoned, and come free by the next red; her 17 loses."""
    pit = FrenchPit()
    pit.begin()
    pit.bet(on("red", 1_000), on([17], 200))
    pit.spin(0)
    pit.begin()
    pit.spin(3)
    return pit


def words(story: Story) -> str:
    """The story in English, as it is printed."""
    return plain(pages(story, ENGLISH))


# --- what is told --------------------------------------------------------------------------------


def test_every_step_begins_with_the_balances_that_the_last_one_left():
    """Given a hand with a double-up, then win, stakes and posta follow the postings."""
    story = tell(case(doubled().book.entries, SESSION), END)

    assert all(a.after == b.before for a, b in zip(story.steps, story.steps[1:], strict=False))
    told = {s.entry.event.NAME: s.after for s in story.steps}
    parts = ("conto", "posta", "stakes", "win", "prison")
    assert (40_000, 49_875, 125, 0, 0) == tuple(told["bet-placed"][p] for p in parts)
    assert (40_000, 49_875, 0, 125, 0) == tuple(told["win-held"][p] for p in parts)
    assert (40_000, 49_875, 62, 63, 0) == tuple(told["double-up-staked"][p] for p in parts)
    assert (40_000, 49_875, 0, 187, 0) == tuple(told["double-up-resolved"][p] for p in parts)
    assert (40_000, 50_062, 0, 0, 0) == tuple(told["win-collected"][p] for p in parts)


def test_a_hand_is_told_with_its_cards_and_choices():
    """Given the same hand, then cards are drawn in text, and choices are in words."""
    told = words(tell(case(doubled().book.entries, SESSION), END))

    for said in (
        "REPLAY · Replay of session",
        "5 coins of 0.25",
        "move: hold 1, 2, 3",
        "│ 3♣ │ │ 3♦ │ │ 3♥ │ │ 5♠ │ │ 7♣ │",
        "3c 3d 3h 5s 7c: three of a kind",
        "move: half double-up",
        "card to beat 9h",
        "Kd 4c 5c 6c; number 1 was picked: Kd",
        "double-up 1 won: 1.24 EUR returned",
        "posta 498.75 → 500.62",
        "Outcome, payouts and postings are those that the rules give.",
    ):
        assert said in told, said


def test_the_same_story_in_italian():
    """Given the same hand, then amounts have a comma, and the words are Italian."""
    told = plain(pages(tell(case(doubled().book.entries, SESSION), END), ITALIAN))

    for said in ("REPLICA", "5 monete da 0,25", "mossa: tenere 1, 2, 3", "posta 498,75 → 500,62"):
        assert said in told, said
    assert "REPLAY" not in told


def test_each_heading_says_that_it_is_a_replay():
    """Given a story of several rounds, then no part of it could be taken for a game in play."""
    told = words(tell(case(prison().book.entries, uid(1)), END)).splitlines()
    headings = [told[at - 1] for at, line in enumerate(told) if line and set(line) <= {"=", "-"}]

    assert len(headings) >= 5
    assert [] == [line for line in headings if "replay" not in line.lower()]


def test_g9_a_stake_in_prison_is_told_until_it_is_free():
    """Given zero and then red, then 10.00 go to prison and come back, and 2.00 are lost."""
    story = tell(case(prison().book.entries, uid(1)), END)
    after = {s.entry.event.NAME: s.after for s in story.steps}

    assert (1_000, 48_800) == (after["stake-imprisoned"]["prison"], after["stake-lost"]["posta"])
    assert (0, 49_800) == (after["round-settled"]["prison"], after["round-settled"]["posta"])
    assert story.holds
    table = [s.entry.event.NAME for s in story.steps if kind_of(s.entry.stream) == "table"]
    assert ["table-round-opened", "bets-closed", "outcome-recorded", "table-round-settled"] * 2 == (
        table
    )


def test_a_round_alone_is_told_with_its_table_and_nothing_else():
    """Given two rounds of a session at a table, then the first is told without the second."""
    pit = prison()
    first = next(e.event.round for e in pit.book.entries if e.event.NAME == "round-opened")
    pit.begin()
    pit.bet(on("black", 100))
    pit.spin(2)

    story = tell(case(pit.book.entries, uid(1), first), END)

    assert [first] == [verdict.round for verdict in story.verdicts]
    rounds = {s.entry.event.round for s in story.steps if kind_of(s.entry.stream) == "session"}
    assert {first} == rounds
    assert 2 == sum(s.entry.event.NAME == "outcome-recorded" for s in story.steps)


# --- up to a moment ------------------------------------------------------------------------------


def test_a_story_can_be_told_up_to_a_version():
    """Given a hand that was dealt, then at that version it is in play and not judged."""
    entries = doubled().book.entries
    stream = session_stream(SESSION)
    dealt = next(e.version for e in entries if e.event.NAME == "draw-recorded")

    story = tell(case(entries, SESSION), Until(version=dealt))

    assert dealt == max(s.entry.version for s in story.steps if s.entry.stream == stream)
    assert [True] == [verdict.is_open for verdict in story.verdicts]
    assert story.holds
    assert "there is nothing to judge yet" in words(story)


def test_a_story_can_be_told_up_to_a_moment():
    """Given a moment before the session, then nothing is told, and the story says so."""
    seat = doubled()
    before = tell(case(seat.book.entries, SESSION), Until(at=seat.now.replace(year=2000)))
    after = tell(case(seat.book.entries, SESSION), Until(at=seat.now))

    assert () == before.steps
    assert "There is nothing on record up to there." in words(before)
    assert tell(case(seat.book.entries, SESSION), END).steps == after.steps


# --- judged again --------------------------------------------------------------------------------


def test_g8_a_round_is_judged_by_the_sheet_of_its_day():
    """Given a later version that pays another win, then the round stands by the first."""
    seat = doubled()
    (first,) = state_at(
        sheet_stream("deuces-wild"),
        (e for e in seat.book.entries if e.stream == "sheet:deuces-wild"),
    ).state.versions
    text = first.text.replace('"version":1', '"version":2').replace('"limit":100000', '"limit":100')
    later = {"sheet": "deuces-wild", "sheet_version": 2, "in_force_from": seat.now, "text": text}
    seat.book.handle(cmd.PublishSheet(id=uid(77), actor="test", **later), seat.now)

    (verdict,) = tell(case(seat.book.entries, SESSION), END).verdicts

    assert ([], 1) == (verdict.findings, verdict.published.ref.version)


def test_a_win_that_was_booked_too_high_is_named_with_its_postings():
    """Given 1.50 instead of 1.25, then both stand side by side, and the flows differ."""
    entries = forged(doubled().book.entries, "win-held", winnings=25)

    story = tell(case(entries, SESSION), END)

    assert not story.holds
    (verdict,) = story.verdicts
    won = [c for c in consequences(verdict.judged) if c.event.NAME == "win-held"]
    assert [(0, False, True), (25, True, False)] == [
        (c.event.winnings, c.is_booked, c.is_due) for c in won
    ]
    bank = [f for f in flows(SESSION, verdict.judged) if f.source == "house:deuces-wild:bank"]
    assert [(62 + 25, 62)] == [(f.booked, f.due) for f in bank]
    assert "DIFFERENCES" in words(story)


def test_an_outcome_that_its_entropy_does_not_give_is_named():
    """Given another card picked than was drawn, then the draw differs."""
    four = DeucesFour(cards=("Kd", "4c", "5c", "7c"), picked=1)
    entries = forged(doubled().book.entries, "draw-recorded", details=four)

    (verdict,) = tell(case(entries, SESSION), END).verdicts

    drawn = [c for c in consequences(verdict.judged) if c.event.NAME == "draw-recorded"]
    assert [True, True, True, True, False] == [c.is_due for c in drawn]
    assert verdict.findings


@pytest.mark.parametrize("name", ["win-collected", "double-up-resolved", "win-held"])
def test_an_event_that_is_missing_is_named(name):
    """Given a round without one of its consequences, then the rules' own is not booked."""
    entries = without(doubled().book.entries, name)

    story = tell(case(entries, SESSION), END)

    missing = [
        c.event.NAME
        for verdict in story.verdicts
        for c in consequences(verdict.judged)
        if not c.is_booked
    ]
    assert name in missing
    assert not story.holds


def test_a_choice_that_was_never_asked_for_is_named():
    """Given other cards held than the command asked, then the digest on record tells."""
    seat = Seat()
    seat.deal(NOTHING)
    seat.hold(NOTHING, (), ("2s", "2h", "8c", "8d", "Kh"))
    move = next(e.event.details for e in seat.book.entries if e.event.NAME == "move-made")
    entries = forged(seat.book.entries, "move-made", details=move.model_copy(update={"hold": (1,)}))

    story = tell(case(entries, SESSION), END)

    assert "moves" in {f.check for f in story.elsewhere}


def test_an_outcome_that_the_table_did_not_have_is_named():
    """Given a round told 5 where its table had 3, then both checks find it."""
    pit = prison()
    told = next(e.event for e in reversed(pit.book.entries) if e.event.NAME == "outcome-told")
    other = told.details.model_copy(update={"pocket": 5})
    entries = forged(pit.book.entries, "outcome-told", details=other, shown="5")

    story = tell(case(entries, uid(1)), END)

    found = {f.check for v in story.verdicts for f in v.findings}
    assert "outcomes" in found


def test_a_hand_of_nothing_is_settled_by_the_rules():
    """Given a hand that loses, then the bank has the stake, booked and by the rules."""
    seat = Seat()
    seat.deal(TRIPLE)
    seat.hold(TRIPLE, (), ("4c", "6d", "8h", "Ts", "Qc"))

    (verdict,) = tell(case(seat.book.entries, SESSION), END).verdicts

    assert [] == verdict.findings
    assert [(125, 125), (125, 125)] == [(f.booked, f.due) for f in flows(SESSION, verdict.judged)]


def test_g7_no_generator_clock_network_or_file_is_touched(monkeypatch):
    """Given a machine where all of them are forbidden, then the story is told all the same."""
    told = case(prison().book.entries, uid(1))
    expected = tell(told, END)

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a story touches nothing")

    for owner, name in (
        (os, "urandom"), (secrets, "token_bytes"), (random, "random"), (random, "getrandbits"),
        (time, "time"), (time, "time_ns"), (time, "monotonic"), (socket, "socket"),
        (builtins, "open"),
    ):  # fmt: skip
        monkeypatch.setattr(owner, name, forbidden)
    story = tell(told, END)
    texts = [document(story, ENGLISH), pages(story, ITALIAN)]
    monkeypatch.undo()

    assert expected == story
    assert all(texts)


def test_the_rules_of_a_sheet_that_was_never_published_judge_nothing():
    """Given a round whose sheet is not there, then it says that it cannot be judged."""
    entries = [e for e in doubled().book.entries if kind_of(e.stream) != "sheet"]

    story = tell(case(entries, SESSION), END)

    (verdict,) = story.verdicts
    assert verdict.published is None
    assert not story.holds
    assert "DIFFERENCES" in words(story)
