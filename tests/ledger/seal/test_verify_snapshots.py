"""Stored snapshots that the events do not give are found, wherever they stand (fault S17, G5).

Whoever can write snapshots could move money by them: the service decides on the state in one.
"""

from typing import Any
from uuid import UUID

import pytest

from ledger.domain import commands as cmd
from ledger.domain.ids import StreamName, conto_stream, session_stream, stream_key
from tests.force import by_force
from tests.house import House, at_house

ANNA = conto_stream("anna-1")
RIGHT_SUM = "checksum = sha256(state)"
RICHER = """state = convert_to(replace(convert_from(state, 'UTF8'),
                            '"balance":300', '"balance":900'), 'UTF8')"""
COPY = """INSERT INTO snapshots
          SELECT %s, %s, shape, state, checksum FROM snapshots"""


@pytest.fixture
def kept(house: House) -> House:
    """A conto with three deposits of one euro, sealed, and a snapshot after the third."""
    house.conto("anna-1")
    for _ in range(3):
        house.deposit("anna-1", 100)
    house.seal()
    assert house.service.take_snapshot(ANNA)
    return house


def write(house: House, *statements: str, values: tuple[Any, ...] = ()) -> None:
    """Write into the snapshots, where no guard stands: they may be dropped at any time."""
    with house.as_superuser() as connection:
        for statement in statements:
            assert connection.execute(statement, values or None).rowcount > 0


def found(house: House) -> list[tuple[str, str, str]]:
    """What verification finds."""
    return [(f.check, f.place, f.found) for f in house.verify()]


def test_s17_snapshots_that_the_events_give_are_right_sealed_or_not(house: House) -> None:
    """Given some of a long stream, of sessions open and ended, and one newer than the seal."""
    seats = [house.seat("anna-1"), house.seat("bruno-2")]
    streams = [ANNA, *map(session_stream, seats)]
    for _ in range(3):
        for seat in seats:
            house.play(seat)
        assert [house.service.take_snapshot(s) for s in streams] == [True] * 3
        house.deposit("anna-1", 100)
    house.seal()
    house.do(cmd.DisconnectSession, session=seats[0], at=house.now)
    house.do(cmd.CloseSession, session=seats[1])
    assert [house.service.take_snapshot(s) for s in streams] == [True] * 3
    assert (house.count("snapshots"), found(house)) == (12, [])


def test_g5_a_snapshot_with_another_balance_reaches_decisions_and_is_found(kept: House) -> None:
    """Six euro more than came in, and the checksum made to match."""
    write(kept, f"UPDATE snapshots SET {RICHER}", f"UPDATE snapshots SET {RIGHT_SUM}")
    with at_house(kept.conninfo, kept.book) as restarted:
        assert restarted.service.state(ANNA).balance == 900
    assert found(kept) == [("snapshots", f"{ANNA} version 4", "the events give another state")]


def test_g5_a_forged_snapshot_of_events_that_are_not_sealed_is_found(house: House) -> None:
    """The seal may be behind; the events that it waits for are read too."""
    house.conto("anna-1")
    house.seal()
    house.deposit("anna-1", 300)
    house.conto("bruno-2", 300)
    for stream in (ANNA, conto_stream("bruno-2")):
        house.service.take_snapshot(stream)
    write(house, f"UPDATE snapshots SET {RICHER}", f"UPDATE snapshots SET {RIGHT_SUM}")
    why = "the events give another state"
    expected = {("snapshots", f"conto:{who} version 2", why) for who in ("anna-1", "bruno-2")}
    assert set(found(house)) == expected


@pytest.mark.parametrize("change", [RICHER, "state = 'x'", "checksum = sha256(checksum)"])
def test_s17_a_damaged_snapshot_is_found(kept: House, change: str) -> None:
    """The service reads the events instead; that somebody or something wrote here is told."""
    write(kept, f"UPDATE snapshots SET {change}")
    damaged = "its bytes are damaged: ValueError"
    assert found(kept) == [("snapshots", f"{ANNA} version 4", damaged)]


def test_s17_bytes_that_are_no_state_are_found_though_their_checksum_is_right(kept: House) -> None:
    """A checksum is no proof of a meaning."""
    write(kept, "UPDATE snapshots SET state = '[]'", f"UPDATE snapshots SET {RIGHT_SUM}")
    ((check, place, why),) = found(kept)
    assert (check, place) == ("snapshots", f"{ANNA} version 4")
    assert why.startswith("its bytes are damaged")


def test_s17_a_snapshot_of_another_shape_is_never_used_and_no_finding(kept: House) -> None:
    """What an older program kept stays until it is replaced."""
    write(kept, f"UPDATE snapshots SET shape = '0-older', {RICHER}")
    with at_house(kept.conninfo, kept.book) as restarted:
        assert restarted.service.state(ANNA).balance == 300
    assert found(kept) == []


@pytest.mark.parametrize(
    ("stream", "version", "named"),
    [
        (ANNA, 9, ANNA),
        (ANNA, 0, ANNA),
        (conto_stream("nobody"), 4, str(stream_key(conto_stream("nobody")))),
    ],
    ids=["beyond its stream", "before its first event", "of no stream"],
)
def test_g5_a_snapshot_to_which_no_events_lead_is_found(
    kept: House, stream: StreamName, version: int, named: str
) -> None:
    """Money for a conto that nobody opened, or from events that nobody recorded."""
    key: UUID = stream_key(stream)
    write(kept, COPY, values=(key, version))
    assert found(kept) == [("snapshots", f"{named} version {version}", "no events lead to it")]


def test_g5_events_that_cannot_be_folded_any_more_do_not_stop_verification(kept: House) -> None:
    """A deposit removed by force: the row is missed, and so is what the snapshot stood on."""
    gone = f"(originator_id, originator_version) = ('{stream_key(ANNA)}', 2)"
    by_force(kept, f"DELETE FROM events WHERE {gone}")
    why = "its events cannot be folded: AssertionError"
    assert ("snapshots", f"{ANNA} version 3", why) in found(kept)
