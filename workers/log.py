"""The sealed log as projections read it: by position, and never past a checkpoint (guarantee G6).

A range is read in `(epoch, xid, ord)` order, which is the order of positions and of the disk, and
joined with `sealed`, so that a row that no position names is never folded.
"""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast

import psycopg
from eventsourcing.persistence import StoredEvent
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Composed, Identifier

from ledger.domain.events import AnyEntry
from ledger.domain.ids import StreamName, stream_key
from ledger.domain.refusals import Fault
from ledger.store.codec import Codec
from workers.ports import Connection, Ports, Role

Cursor = psycopg.Cursor[Any]


class Unavailable(Fault):
    """The database did not serve; what was begun is rolled back and may be tried again."""


@dataclass(frozen=True, slots=True)
class SealedEntry:
    """An entry and its place in the book."""

    position: int
    entry: AnyEntry


@dataclass(frozen=True, slots=True)
class Span:
    """Positions from `first` up to, not including, `stop`."""

    first: int
    stop: int


@lru_cache(maxsize=512)
def sql(text: str, book: str) -> Composed:
    """A statement with the book's schema in place of `{book}`."""
    return SQL(cast("Any", text)).format(book=Identifier(book))


@contextmanager
def connected(ports: Ports, role: Role = "worker") -> Iterator[Connection]:
    """A connection of the book whose errors of infrastructure are faults."""
    try:
        with ports.connect(role) as connection:
            yield connection
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        first = (str(error).splitlines() or ["the database failed"])[0]
        raise Unavailable(first) from error


@contextmanager
def transaction(connection: Connection, *, frozen: bool = False) -> Iterator[Cursor]:
    """One transaction; `frozen` reads a single snapshot of the database and writes nothing."""
    with connection.transaction(), connection.cursor(row_factory=tuple_row) as cursor:
        if frozen:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield cursor


@contextmanager
def holding(connection: Connection, key: tuple[str, str]) -> Iterator[None]:
    """Wait for a lock of the database by its two names and hold it; a process that ends lets go."""
    connection.execute(_HOLD, key)
    try:
        yield
    finally:
        connection.execute(_LET_GO, key)


@contextmanager
def alone(connection: Connection, ports: Ports, work: str) -> Iterator[bool]:
    """Whether nobody else does a work of the book meanwhile; what is killed holds nobody up."""
    what = (f"contoposta-{work}", ports.book)
    row = connection.execute(_TRY, what).fetchone()
    is_alone = row is not None and bool(row[0])
    try:
        yield is_alone
    finally:
        if is_alone:
            connection.execute(_LET_GO, what)


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the collector of cycles, of which a batch of entries has none and pays two thirds."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def sealed_size(cursor: Cursor, book: str) -> int:
    """How many events the newest checkpoint covers; 0 when nothing is sealed."""
    row = cursor.execute(sql("SELECT max(size) FROM {book}.checkpoints", book)).fetchone()
    return (row and row[0]) or 0


def read(
    cursor: Cursor, ports: Ports, span: Span, topics: Sequence[str]
) -> tuple[SealedEntry, ...]:
    """The sealed entries of a span that have one of the topics, in order."""
    if span.first >= span.stop:
        return ()
    cursor.execute(_PLAN, {"switch": "off"})
    parameters = {"first": span.first, "last": span.stop - 1, "topics": list(topics)}
    cursor.execute(sql(_READ, ports.book), parameters, prepare=False, binary=True)
    rows = cursor.fetchall()
    cursor.execute(_PLAN, {"switch": "on"})
    decode = ports.codec.decode
    return tuple(SealedEntry(row[0], decode(StoredEvent(*row[1:]))) for row in rows)


def first_entries(
    cursor: Cursor, book: str, codec: Codec, streams: Sequence[StreamName]
) -> tuple[AnyEntry, ...]:
    """The sealed first entries of streams."""
    return entries_at(cursor, book, codec, [(stream, 1) for stream in streams])


def entries_at(
    cursor: Cursor, book: str, codec: Codec, places: Sequence[tuple[StreamName, int]]
) -> tuple[AnyEntry, ...]:
    """The sealed entries at given versions of streams."""
    keys, versions = [stream_key(s) for s, _ in places], [v for _, v in places]
    cursor.execute(sql(_AT, book), (keys, versions), binary=True)
    return tuple(codec.decode(StoredEvent(*row)) for row in cursor.fetchall())


def entries_before(
    cursor: Cursor,
    ports: Ports,
    places: Sequence[tuple[StreamName, int]],
    topics: Sequence[str],
    last: int | None = None,
) -> tuple[AnyEntry, ...]:
    """The sealed entries of streams before given versions that have one of the topics, in order.

    All of them, or the last so many before each version.
    """
    keys, versions = [stream_key(s) for s, _ in places], [v for _, v in places]
    values = {"keys": keys, "versions": versions, "topics": list(topics), "last": last}
    cursor.execute(sql(_BEFORE, ports.book), values, binary=True)
    return tuple(ports.codec.decode(StoredEvent(*row)) for row in cursor.fetchall())


def saved_with(
    cursor: Cursor, ports: Ports, positions: Sequence[int], topics: Sequence[str]
) -> tuple[AnyEntry, ...]:
    """The sealed entries that were saved together with those at positions, of some topics."""
    values = {"positions": list(positions), "topics": list(topics)}
    cursor.execute(sql(_SAVED_WITH, ports.book), values, binary=True)
    return tuple(ports.codec.decode(StoredEvent(*row)) for row in cursor.fetchall())


_READ: Final = """
WITH wanted AS MATERIALIZED (
  SELECT originator_id, originator_version, topic, state FROM {book}.events
   WHERE (epoch, xid, ord) >=
         (SELECT epoch, xid, ord FROM {book}.sealed WHERE position = %(first)s::int8)
     AND (epoch, xid, ord) <=
         (SELECT epoch, xid, ord FROM {book}.sealed WHERE position = %(last)s::int8)
     AND topic = ANY(%(topics)s::text[]))
SELECT s.position, w.originator_id, w.originator_version, w.topic, w.state
  FROM wanted w
  JOIN (SELECT position, originator_id, originator_version FROM {book}.sealed
         WHERE position BETWEEN %(first)s::int8 AND %(last)s::int8) AS s
 USING (originator_id, originator_version)
 ORDER BY s.position
"""

# The planner cannot know how much of the log a span is, and would read all of it, or row by row.
_TRY: Final = "SELECT pg_try_advisory_lock(hashtext(%s), hashtext(%s))"
_HOLD: Final = "SELECT pg_advisory_lock(hashtext(%s), hashtext(%s))"
_LET_GO: Final = "SELECT pg_advisory_unlock(hashtext(%s), hashtext(%s))"

_PLAN: Final = """
SELECT set_config('enable_seqscan', %(switch)s, true),
       set_config('enable_nestloop', %(switch)s, true)
"""

_AT: Final = """
SELECT e.originator_id, e.originator_version, e.topic, e.state
  FROM unnest(%s::uuid[], %s::int8[]) AS wanted(stream, version)
  JOIN {book}.sealed s ON s.originator_id = wanted.stream AND s.originator_version = wanted.version
  JOIN {book}.events e USING (originator_id, originator_version)
"""

_BEFORE: Final = """
SELECT e.originator_id, e.originator_version, e.topic, e.state
  FROM unnest(%(keys)s::uuid[], %(versions)s::int8[]) AS wanted(stream, version)
 CROSS JOIN LATERAL (
    SELECT * FROM {book}.events
     WHERE originator_id = wanted.stream AND originator_version < wanted.version
       AND topic = ANY(%(topics)s::text[])
     ORDER BY originator_version DESC LIMIT %(last)s::int8) AS e
  JOIN {book}.sealed s USING (originator_id, originator_version)
 ORDER BY s.position
"""

_SAVED_WITH: Final = """
SELECT e.originator_id, e.originator_version, e.topic, e.state
  FROM (SELECT DISTINCT epoch, xid FROM {book}.sealed
         WHERE position = ANY(%(positions)s::int8[])) AS saves
  JOIN {book}.events e USING (epoch, xid)
  JOIN {book}.sealed s USING (originator_id, originator_version)
 WHERE e.topic = ANY(%(topics)s::text[]) ORDER BY s.position
"""
