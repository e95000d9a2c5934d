"""Snapshots spare a long read and are never trusted over the events (fault S17)."""

from typing import Any
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from ledger.domain import conto, session
from ledger.domain.ids import StreamName, conto_stream, session_stream
from ledger.domain.terms import Terms
from ledger.store import snapshots
from ledger.store.snapshots import Folded, Snapshots
from tests.house import House, at_house


def fresh_state(house: House, stream: StreamName) -> Any:
    """The state as a process that never saw the stream reads it."""
    with at_house(house.conninfo, house.book) as restarted:
        return restarted.service.state(stream)


@pytest.fixture
def kept(house: House) -> StreamName:
    """A conto with ten deposits of one euro, a snapshot after the ninth."""
    house.conto("anna-1")
    for _ in range(9):
        house.deposit("anna-1", 100)
    assert house.service.take_snapshot(conto_stream("anna-1"))
    house.deposit("anna-1", 100)
    return conto_stream("anna-1")


def change_by_force(house: House, change: str, *values: Any) -> None:
    """Change the only snapshot."""
    with house.as_superuser() as connection:
        assert connection.execute(f"UPDATE snapshots SET {change}", values).rowcount == 1


def test_s17_a_snapshot_and_what_came_after_it_give_the_state_of_a_full_replay(
    house: House, kept: StreamName
) -> None:
    """Ten deposits are ten euro, read from the snapshot or from the first event."""
    from_snapshot = fresh_state(house, kept)
    change_by_force(house, "shape = 'another'")
    assert from_snapshot == fresh_state(house, kept) == house.service.state(kept)
    assert from_snapshot.balance == 1000


def test_s17_a_snapshot_is_really_used(house: House, kept: StreamName) -> None:
    """Only the events above its version are read."""
    snapshot = Snapshots(house.store.recorder, house.store.codec).load([kept])[kept]
    assert (snapshot.version, snapshot.state.balance) == (10, 900)


def test_s17_a_snapshot_of_another_shape_is_ignored_and_said(
    house: House, kept: StreamName
) -> None:
    """A state that was kept by an older fold is not believed, even if it can be read."""
    change_by_force(house, "shape = '0-older'")
    with capture_logs() as logs:
        assert fresh_state(house, kept).balance == 1000
    assert [("snapshot-ignored", kept)] == [(e["event"], e["stream"]) for e in logs]


def test_s17_a_raised_fold_version_turns_all_older_snapshots_away(
    house: House, kept: StreamName, monkeypatch
) -> None:
    """A fold that changed its meaning and not its shape raises its version."""
    monkeypatch.setattr(snapshots, "FOLD_VERSION", snapshots.FOLD_VERSION + 1)
    assert fresh_state(house, kept).balance == 1000
    assert Snapshots(house.store.recorder, house.store.codec).load([kept]) == {}


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("state = %s", b'{"player":"anna-1","currency":"EUR","balance":99999900}'),
        ("state = %s", b"\x00\xff"),
        ("state = %s, checksum = sha256('{')", b"{"),
        ("checksum = %s", b"x" * 32),
    ],
)
def test_s17_a_corrupt_snapshot_is_reported_and_the_stream_read_from_its_beginning(
    house: House, kept: StreamName, change: str, value: bytes
) -> None:
    """A balance changed by force in a snapshot never reaches a decision."""
    change_by_force(house, change, value)
    with capture_logs() as logs:
        assert fresh_state(house, kept).balance == 1000
    assert [("snapshot-corrupt", kept)] == [(e["event"], e["stream"]) for e in logs]


def test_keeping_the_same_snapshot_twice_changes_nothing(house: House, kept: StreamName) -> None:
    """A snapshot is a fact about a version; the second one is no error."""
    assert house.service.take_snapshot(kept)
    assert house.service.take_snapshot(kept)
    assert house.count("snapshots") == 2


def test_no_snapshot_is_kept_of_nothing_or_of_a_round_in_play(house: House) -> None:
    """Only what is at rest is worth keeping."""
    seat = house.seat()
    house.lay(seat)
    streams = [session_stream(seat), conto_stream("nobody"), StreamName("maintenance")]
    assert [house.service.take_snapshot(s) for s in streams] == [False, False, False]


def test_each_kind_of_state_comes_back_as_the_same_kind(house: House) -> None:
    """The states of a union share fields; none is taken for another when it is read again."""
    states = _states(house)
    store = Snapshots(house.store.recorder, house.store.codec)
    for stream, state in states.items():
        store.take(stream, Folded(1, state))
    found = {stream: folded.state for stream, folded in store.load(states).items()}
    assert states == found


def _states(house: House) -> dict[StreamName, Any]:
    terms = Terms("anna-1", "a-sheet", conto.Currency.EUR, 100_000, 1200)
    right = session.Right(uuid4(), 500)
    away = session.Open(terms, posta=3, funded=5, disconnected_at=house.now, shown=("17", "0"))
    contos = [
        conto.Conto("anna-1", conto.Currency.EUR),
        conto.Conto("anna-1", conto.Currency.EUR, 5, True, house.now, (uuid4(), uuid4())),  # noqa: FBT003 - suspended
        conto.Closed("anna-1"),
    ]
    sessions = [
        session.Pending(terms, right),
        session.Open(terms),
        session.Open(terms, right=right),
        away,
        session.Closed(terms, "player", 0),
    ]
    named = {conto_stream(f"c-{n}"): s for n, s in enumerate(contos)}
    return named | {session_stream(uuid4()): s for s in sessions}
