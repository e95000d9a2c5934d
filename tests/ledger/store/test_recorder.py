"""Our recorder: saves whole or not at all, in an order that no writer can choose (G3, G4, G5)."""

from uuid import UUID, uuid4

import psycopg
import pytest
from eventsourcing.persistence import IntegrityError, StoredEvent

from ledger.store.recorder import ANY_TIME, BookDatastore, BookRecorder, session_options
from tests.house import House


def event(stream: UUID, version: int, state: bytes = b"{}") -> StoredEvent:
    """A row with some state."""
    return StoredEvent(stream, version, "topic", state)


def test_a_save_returns_no_ids_and_is_all_or_nothing(house: House) -> None:
    """G4: one taken version keeps the whole save out."""
    stream, other = uuid4(), uuid4()
    before = house.count()
    assert house.store.recorder.insert_events([event(stream, 1)]) is None
    with pytest.raises(IntegrityError):
        house.store.recorder.insert_events([event(other, 1), event(stream, 1), event(stream, 2)])
    assert house.count() == before + 1


def test_a_save_of_many_tells_which_versions_others_took(house: House) -> None:
    """G3: nothing is kept of a save of which one row was taken, and the loser is named."""
    stream, other = uuid4(), uuid4()
    before = house.count()
    house.store.recorder.insert_events([event(stream, 1)])
    rows = [event(other, 1), event(stream, 1), event(stream, 2)]
    taken = house.store.recorder.insert_many(rows, ANY_TIME)
    assert ({(stream, 1)}, before + 1) == (taken, house.count())


def test_a_save_of_thousands_of_large_rows_does_not_hang(house: House) -> None:
    """Sixty megabytes go in by one statement, where a pipeline would wait for ever."""
    stream = uuid4()
    rows = [event(stream, n, b"x" * 30_000) for n in range(1, 2001)]
    house.store.recorder.insert_events(rows)
    assert house.rows("SELECT count(*) FROM events WHERE originator_id = %s", stream) == [(2000,)]


def test_g4_rows_of_a_save_keep_their_order_whatever_their_streams(house: House) -> None:
    """Rows are inserted by stream against deadlocks, and ordered by their place in the save."""
    streams = [UUID(int=n) for n in (9, 3, 7, 1)]
    house.store.recorder.insert_events([event(s, 1) for s in streams])
    rows = house.rows("SELECT originator_id FROM events WHERE topic = 'topic' ORDER BY ord")
    assert [(s,) for s in streams] == rows


@pytest.mark.parametrize("column", ["epoch", "xid"])
def test_g5_a_writer_cannot_choose_epoch_or_transaction(house: House, column: str) -> None:
    """The order of the book is not the writer's to say."""
    value = {"epoch": "1", "xid": "'1'::xid8"}[column]
    query = f"""INSERT INTO {house.book}.events
        (originator_id, originator_version, topic, state, ord, {column})
        VALUES (gen_random_uuid(), 1, 't', 's', 0, {value})"""
    with house.connected("writer") as connection, pytest.raises(psycopg.errors.Error) as refused:
        connection.execute(query)
    assert "42501" == refused.value.sqlstate


def test_the_roles_of_a_service_act_in_utc_and_never_idle_long_in_a_transaction(
    house: House,
) -> None:
    """An open transaction with an id would hold the seal back, so idling in one is bounded."""
    shown = []
    for role in ("writer", "sealer", "worker", "reader"):
        with house.connected(role) as connection:
            row = connection.execute(
                "SELECT current_user, current_setting('timezone'),"
                " current_setting('idle_in_transaction_session_timeout')"
            ).fetchone()
            shown.append(row)
    expected = [
        (f"{house.book}_{role}", "UTC", "5s") for role in ("writer", "sealer", "worker", "reader")
    ]
    assert expected == shown
    assert session_options("x")["connect_timeout"] > 0


def test_a_store_is_built_while_the_database_is_away() -> None:
    """Nothing connects before the first command, so that a start does not wait for the database."""
    datastore = BookDatastore("host=/nonexistent dbname=none", "none", "none", 1)
    BookRecorder(datastore)
    datastore.close()
