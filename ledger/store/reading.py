"""Streams as anyone may read them who writes nothing: whole, and in the order of the saves."""

from collections.abc import Sequence
from typing import Any, Final, cast

import psycopg
from eventsourcing.persistence import StoredEvent
from psycopg.sql import SQL, Identifier

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
