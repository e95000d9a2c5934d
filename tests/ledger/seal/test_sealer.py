"""The sealer gives committed events their place, in whatever order they appear (G6, S16)."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from ledger.domain.ids import conto_stream, stream_key
from ledger.seal.merkle import root_of
from ledger.seal.sealer import Lag, Sealed, lag, latest, waiting_since
from tests.force import by_force
from tests.house import House


def lag_of(house: House) -> Lag:
    """What holds the seal back, as the least of the roles sees it."""
    with house.connected("reader") as connection:
        return lag(connection, house.book)


def first_waiting(house: House) -> datetime | None:
    """Since when the first event waits, as the least of the roles sees it."""
    with house.connected("reader") as connection:
        return waiting_since(connection, house.book)


def step(house: House, batch: int) -> int:
    """One step of the sealer."""
    with house.connected("sealer") as connection:
        return house.sealer.step(connection, batch)


@contextmanager
def open_transaction(house: House) -> Iterator[psycopg.Connection[Any]]:
    """A transaction that took its id and goes on; rolled back at the end if still open."""
    with psycopg.connect(house.conninfo, application_name="slow-job") as connection:
        connection.execute("SELECT pg_current_xact_id()")
        yield connection
        connection.rollback()


def test_positions_are_gapless_and_the_root_is_that_of_all_leaves(house: House) -> None:
    """RFC 6962 over all leaves, computed at once, is what was grown step by step."""
    seat = house.seat()
    for _ in range(5):
        house.play(seat)
        house.seal()
    rows = house.rows("SELECT position, leaf FROM sealed ORDER BY position")
    assert [position for position, _ in rows] == list(range(house.count()))
    leaves = [leaf for _, leaf in rows]
    roots = house.rows("SELECT size, root FROM checkpoints")
    assert [root for _, root in roots] == [root_of(leaves[:size]) for size, _ in roots]
    assert len(roots) == 5


@pytest.mark.parametrize("batch", [1, 2, 7, 1000])
def test_g4_no_checkpoint_shows_half_of_a_save(house: House, batch: int) -> None:
    """A step takes whole saves, however small its batch is."""
    seat = house.seat()
    for _ in range(5):
        house.play(seat)
    while step(house, batch):
        pass
    cut = house.rows(
        """SELECT c.size FROM checkpoints c JOIN sealed s ON s.position = c.size
            WHERE (s.epoch, s.xid) = (c.epoch, c.xid)"""
    )
    assert (cut, house.count("sealed")) == ([], house.count())
    assert house.verify() == ()


def test_g6_a_seal_without_anything_new_makes_no_checkpoint(house: House) -> None:
    """The same log has one checkpoint, so that the same report names the same one."""
    first = house.seal()
    assert (house.seal(), house.count("checkpoints")) == (first, 1)


def test_g6_a_checkpoint_can_be_asked_for_by_its_size(house: House) -> None:
    """A report that names an old checkpoint finds it again."""
    first = house.seal()
    assert isinstance(first, Sealed)
    house.conto("anna-1")
    second = house.seal()
    with house.connected() as connection:
        found = [latest(connection, house.book, n) for n in (first.size, None, first.size + 999)]
    assert found == [first, second, None]


def test_s16_a_transaction_that_took_its_id_early_holds_back_and_is_named(house: House) -> None:
    """What could still appear before them keeps later saves waiting, and the lag says who it is."""
    house.seal()
    with open_transaction(house) as early:
        house.conto("anna-1")
        house.seal()
        waiting = lag_of(house)
        pid = early.info.backend_pid
        assert (waiting.waiting, house.count("sealed")) == (2, house.count() - 2)
        assert waiting.blocker is not None
        assert f"process {pid} of postgres (slow-job) in database contoposta" in waiting.blocker
    house.seal()
    assert (lag_of(house), house.count("sealed")) == (Lag(0, None), house.count())


def test_s16_a_row_that_commits_after_a_later_one_is_sealed_in_its_place(house: House) -> None:
    """Save A takes its place and sleeps, save B commits: nothing passes A by."""
    house.seal()
    with psycopg.connect(house.conninfo) as slow:
        slow.execute(
            f"""INSERT INTO {house.book}.events
                       (originator_id, originator_version, topic, state, ord)
                VALUES (%s, 1, 'slow', '{{}}', 0)""",
            (stream := uuid4(),),
        )
        house.conto("anna-1")
        sealed_meanwhile = house.seal()
        slow.commit()
    house.seal()
    order = [s for (s,) in house.rows("SELECT originator_id FROM sealed ORDER BY position")]
    assert sealed_meanwhile is not None
    assert sealed_meanwhile.size == len(order) - 3
    assert order.index(stream) < order.index(stream_key(conto_stream("anna-1")))


def test_s16_what_was_rolled_back_is_not_missed(house: House) -> None:
    """Ids that lead to nothing leave no hole in the positions."""
    for n in range(3):
        with open_transaction(house):
            pass
        house.conto(f"player-{n}")
    house.seal()
    positions = [p for (p,) in house.rows("SELECT position FROM sealed ORDER BY 1")]
    assert positions == list(range(house.count()))


def test_a_lag_without_any_checkpoint_counts_all(house: House) -> None:
    """A book that was never sealed waits as a whole."""
    assert lag_of(house) == Lag(house.count(), None)


def test_the_first_event_that_waits_says_since_when(house: House) -> None:
    """Given two contos opened an hour apart, then the earlier one's time.

    There is none when all is sealed, nor where it cannot be read.
    """
    house.seal()
    assert first_waiting(house) is None
    at = house.later(hours=1)
    house.conto("anna-1")
    house.later(hours=1)
    house.conto("bruno-1")
    assert first_waiting(house) == at
    by_force(house, "UPDATE events SET state = '{}'")
    assert first_waiting(house) is None


def test_g6_the_sealer_cannot_write_events_and_the_writer_cannot_seal(house: House) -> None:
    """Each has its own role; a sealer on a writer's connection is refused."""
    house.conto("anna-1")
    with psycopg.connect(house.conninfo, autocommit=True) as connection:
        connection.execute(f"SET SESSION AUTHORIZATION {house.book}_writer")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            house.sealer.step(connection)
    assert house.count("sealed") == 0


def test_the_time_of_a_checkpoint_is_that_of_its_last_event(house: House) -> None:
    """Reports say when their last event was recorded, not when somebody sealed."""
    at = house.later(hours=2)
    house.conto("anna-1")
    sealed = house.seal()
    assert sealed is not None
    assert sealed.last_recorded == at
