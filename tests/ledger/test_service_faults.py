"""Faults of the infrastructure: nothing is decided, nothing is shown, and the same command works.

Beside them what is refused before a draw: a dry run says the same as play (G2, G3, G7).
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from ledger.domain import commands as cmd
from ledger.domain.decider import NeedsDraw
from ledger.domain.ids import conto_stream, session_stream
from ledger.domain.refusals import ClockFault, ConflictFault, Fault, Refusal
from ledger.service import TRIES
from ledger.store.faults import Conflict, Unavailable
from ledger.store.recorder import BookRecorder
from ops import cluster
from ops.migrate import migrate
from tests.house import (
    MORNING,
    RED,
    House,
    at_house,
    bets,
    bonus_order,
    opened_house,
    order,
    play_order,
)
from tests.racing import at_once


@pytest.fixture
def place() -> Iterator[cluster.Cluster]:
    """A server of its own, to be stopped and started by the test."""
    folder = Path(tempfile.mkdtemp(prefix="contoposta-test-"))
    own = cluster.Cluster(folder.resolve() / "home")
    cluster.start(own)
    yield own
    cluster.stop(own)
    shutil.rmtree(folder)


def fault_of(handle: Callable[[cmd.Command, datetime], object], command: cmd.Command) -> Any:
    """The fault that a command ends in."""
    with pytest.raises(Unavailable) as fault:
        handle(command, MORNING)
    return fault.value


def test_s5_a_database_that_is_down_is_a_fault_and_the_same_command_works_afterwards(
    place: cluster.Cluster,
) -> None:
    """No refusal, no outcome, no payout; then one round, once."""
    migrate(place.conninfo(), "down")
    with opened_house(place.conninfo(), "down") as house:
        seat = house.seat()
        command = play_order(seat)
        before = house.count()
        cluster.stop(place)
        with at_house(place.conninfo(), "down") as started_meanwhile:
            faults = at_once(
                lambda: fault_of(house.service.handle, command),
                lambda: fault_of(lambda c, t: house.service.handle_many([c], t), command),
                lambda: fault_of(house.service.dry_run, command),
                lambda: fault_of(started_meanwhile.service.handle, command),
            )
        assert [fault.is_down for fault in faults] == [True] * 4
        cluster.start(place)
        assert house.count() == before
        answer = house.ask(command)
        assert (answer.refusal, house.ask(command).to_bytes()) == (None, answer.to_bytes())
        house.seal()
        assert house.verify() == ()


def test_s5_others_first_on_every_try_is_a_conflict_fault_and_no_refusal(
    house: House, monkeypatch
) -> None:
    """The tries are bounded, the waits grow, and nothing is written."""
    seat, waits = house.seat(), []
    before = house.count()

    def refuse(*_, **__):
        raise Conflict("somebody was first")

    monkeypatch.setattr(BookRecorder, "insert_events", refuse)
    with (
        at_house(house.conninfo, house.book, waiting=waits.append) as own,
        pytest.raises(ConflictFault, match="same command again"),
    ):
        own.ask(order(cmd.CloseSession, session=seat))
    assert waits == list(range(TRIES))
    assert house.count() == before


def close_day(house: House, until: datetime) -> None:
    """Close the days until a moment, at the newest checkpoint."""
    checkpoint = house.seal()
    assert checkpoint is not None
    with house.connected("worker") as connection:
        closing = f"INSERT INTO {house.book}.day_closings VALUES (%s, %s, %s)"
        connection.execute(closing, (until.date(), until, checkpoint.size))


def test_a_time_inside_a_closed_day_is_a_clock_fault_and_writes_nothing(house: House) -> None:
    """A clock that stands before a day that is reported records nothing, in no way."""
    seat = house.seat()
    until = house.now + timedelta(hours=1)
    close_day(house, until)
    before, command = house.count(), play_order(seat)
    for moment in (house.now, until - timedelta(microseconds=1)):
        with pytest.raises(ClockFault, match="check the clock"):
            house.service.handle(command, moment)
        with pytest.raises(ClockFault):
            house.service.handle_many([command], moment)
    assert house.count() == before
    assert house.service.handle(command, until).refusal is None


def test_an_answer_that_stands_is_given_whatever_the_clock_says(house: House) -> None:
    """A repeat writes nothing, so no day is touched."""
    command = play_order(house.seat())
    first = house.ask(command)
    close_day(house, house.now + timedelta(days=1))
    assert house.ask(command).to_bytes() == first.to_bytes()


@pytest.mark.parametrize("moment", [datetime(2026, 3, 2, 9), "2026-03-02"])  # noqa: DTZ001
def test_a_time_that_is_not_utc_writes_nothing(house: House, moment) -> None:
    """The caller hands in an aware moment in UTC, or nothing happens."""
    before = house.count()
    command = order(cmd.EndMaintenance, notice=1)
    with pytest.raises((TypeError, ValueError)):
        house.service.handle(command, moment)
    assert house.count() == before


# --- a dry run -----------------------------------------------------------------------------------


def asked_dry(house: House) -> Iterator[cmd.Command]:
    """Commands to be refused, each for another reason; the book is made ready as they go."""
    seat = house.seat()
    revoked, used = play_order(seat), bonus_order(seat, 100)
    house.do(cmd.RefundBets, session=seat, placed_by=revoked.id, reason="late")
    house.ask(used)
    yield revoked
    yield play_order(uuid4())
    yield bonus_order(seat, 200, used.id)
    yield play_order(seat, {"numbers": [1, 36], "amount": "1.00"})
    yield play_order(seat, {"numbers": [17], "amount": "0.01"})
    yield play_order(seat, {"numbers": [17], "amount": "500.00"})
    yield order(cmd.ContinueRound, session=seat, round=uuid4(), move=bets(RED))
    notice = {"starts": house.now, "ends": house.now + timedelta(hours=1)}
    house.do(cmd.AnnounceMaintenance, **notice, reason="cleaning")
    yield play_order(seat)


def test_a_dry_run_refuses_what_play_refuses_and_writes_nothing(house: House) -> None:
    """The same codes on the same path, from a used id to maintenance."""
    seen = []
    for command in asked_dry(house):
        before = house.count()
        decision = house.service.dry_run(command, house.now)
        assert house.count() == before
        assert isinstance(decision, Refusal), decision
        assert house.ask(command).refusal == decision.code.value
        seen.append(decision.code.value)
    assert seen == [
        "refunded-before-placed",
        "unknown-session",
        "command-conflict",
        "illegal-placement",
        "not-a-sum-of-chips",
        "insufficient-posta",
        "unknown-round",
        "maintenance",
    ]


def test_g7_a_dry_run_stops_where_a_draw_would_be_asked_for(house: House) -> None:
    """No entropy is drawn, so nobody can look at an outcome first and bet later."""
    seat = house.seat()

    def never(_: int) -> bytes:
        raise AssertionError("a draw was made")

    before = house.count()
    with at_house(house.conninfo, house.book, entropy=never) as looking:
        assert looking.service.dry_run(play_order(seat), house.now) == NeedsDraw(32)
    assert house.count() == before
    assert house.service.state(session_stream(seat)).posta == 100_00


def test_a_dry_run_of_a_closed_book_is_refused(database, book) -> None:
    """Before the book is opened nothing else happens, dry or not."""
    with at_house(database, book) as house:
        command = order(cmd.EndMaintenance, notice=1)
        decision = house.service.dry_run(command, house.now)
        assert isinstance(decision, Refusal)
        assert (decision.code.value, house.ask(command).refusal) == ("book-not-open",) * 2
        assert house.count() == 0


def test_faults_show_no_row_and_no_outcome(house: House, monkeypatch) -> None:
    """The first line of the database's words is shown; rows that it quotes are not."""
    house.conto("anna-1")
    with house.as_superuser() as connection:
        connection.execute(
            "ALTER TABLE events ADD CHECK (topic <> 'funds-deposited' OR octet_length(state) < 9)"
            " NOT VALID"
        )
    with pytest.raises(Fault) as fault:
        house.deposit("anna-1", 123_45)
    assert "12345" not in str(fault.value)
    assert house.service.state(conto_stream("anna-1")).balance == 0
