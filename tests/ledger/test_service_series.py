"""Draws of FairPlay series inside the service: a number is its own round's alone (G7, HW6)."""

from datetime import timedelta
from uuid import uuid4

import pytest

from ledger.domain import commands as cmd
from ledger.domain.events import DrawRecorded
from ledger.store.recorder import BookRecorder
from tests.fairplay_desk import RED, FairDesk, fair_desk


@pytest.fixture
def at(house, tmp_path) -> FairDesk:
    """A desk with a VIP player, anna-1."""
    made = fair_desk(house, tmp_path)
    made.player("anna-1")
    return made


def meanwhile(monkeypatch, do) -> None:
    """Let the player do something right before the next save, once."""
    insert, left = BookRecorder.insert_events, [do]

    def insert_after(self, stored, **admission):
        if left:
            left.pop()()
        return insert(self, stored, **admission)

    monkeypatch.setattr(BookRecorder, "insert_events", insert_after)


def excluded(at: FairDesk) -> list[int]:
    """The numbers that an exclusion draws in the rounds that it ends."""
    until = at.house.now + timedelta(days=30)
    answer = at.do(cmd.ExcludePlayer, player="anna-1", until=until)
    return [e.event.details.number for e in answer.entries if isinstance(e.event, DrawRecorded)]


def test_g7_a_number_opened_for_a_round_is_not_handed_to_the_next(at, monkeypatch):
    """An exclusion opens 12; its player draws that 12 first and bets on the next number.

    The exclusion decides again, and the second round ends with 7, which nobody could know.
    """
    session, series = at.sit("anna-1"), at.prepare("anna-1")
    first = at.lay(session, series)

    def draw_and_bet_again() -> None:
        at.fairplay.draw(session, first)
        at.lay(session, series)

    meanwhile(monkeypatch, draw_and_bet_again)

    assert [7] == excluded(at)
    at.fairplay.end(series, uuid4())
    at.reveal(series)
    at.house.seal()
    assert () == at.house.verify()


def test_g7_fresh_entropy_is_not_handed_to_a_round_of_a_series(at, monkeypatch):
    """An exclusion draws afresh; by the time of its save a number of a series is in play."""
    session, series = at.sit("anna-1"), at.prepare("anna-1")
    move = at.desk.move(session, {"bets": [RED]})
    first = at.do(cmd.OpenRound, session=session, move=move).command
    at.coming.append(bytes(16))

    def draw_and_bet_on_the_series() -> None:
        at.fairplay.draw(session, first)
        at.lay(session, series)

    meanwhile(monkeypatch, draw_and_bet_on_the_series)

    assert [12] == excluded(at)
