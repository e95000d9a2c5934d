"""Streams as anyone may read them who writes nothing: whole, and in the order of the saves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import psycopg
from eventsourcing.persistence import StoredEvent
from psycopg.sql import SQL, Identifier, Literal

from ledger.domain.events import AnyEntry
from ledger.domain.ids import StreamName, stream_key
from ledger.store.codec import Codec


def saved(
    cursor: psycopg.Cursor[Any], book: str, codec: Codec, streams: Sequence[StreamName]
) -> tuple[AnyEntry, ...]:
    """All entries of these streams, sealed or not, as they were saved: the order of the seal.

    The cursor returns tuples. Raises `CorruptEntry` where a row does not say what it must.
    """
    query = SQL(cast("Any", _SAVED)).format(book=Identifier(book))
    rows = cursor.execute(query, ([stream_key(s) for s in streams],), binary=True).fetchall()
    return tuple(codec.decode(StoredEvent(*row)) for row in rows)


_SAVED: Final = """
SELECT originator_id, originator_version, topic, state FROM {book}.events
 WHERE originator_id = ANY(%s) ORDER BY epoch, xid, ord
"""


def named(cursor: psycopg.Cursor[Any], book: str, codec: Codec, name: str) -> tuple[AnyEntry, ...]:
    """All entries of one name, sealed or not, as they were saved.

    For names that the book has an index of; of any other it would read every event.
    """
    query = SQL(cast("Any", _NAMED)).format(book=Identifier(book), name=Literal(name))
    rows = cursor.execute(query, binary=True).fetchall()
    return tuple(codec.decode(StoredEvent(*row)) for row in rows)


_NAMED: Final = """
SELECT originator_id, originator_version, topic, state FROM {book}.events
 WHERE topic = {name} ORDER BY epoch, xid, ord
"""


@dataclass(frozen=True, slots=True)
class SealedRow:
    """An event as it is stored, and its place in the sealed log: all that a proof is about."""

    position: int
    leaf: bytes
    state: bytes
    entry: AnyEntry


def sealed(
    cursor: psycopg.Cursor[Any], book: str, codec: Codec, streams: Sequence[StreamName], size: int
) -> tuple[SealedRow, ...]:
    """The entries of these streams among the first `size` of the sealed log, in its order."""
    query = SQL(cast("Any", _SEALED)).format(book=Identifier(book))
    parameters = ([stream_key(s) for s in streams], size)
    rows = cursor.execute(query, parameters, binary=True).fetchall()
    return tuple(
        SealedRow(position, bytes(leaf), bytes(row[-1]), codec.decode(StoredEvent(*row)))
        for position, leaf, *row in rows
    )


_SEALED: Final = """
SELECT s.position, s.leaf, e.originator_id, e.originator_version, e.topic, e.state
  FROM {book}.sealed s JOIN {book}.events e USING (originator_id, originator_version)
 WHERE s.originator_id = ANY(%s) AND s.position < %s ORDER BY s.position
"""
