"""Snapshots: folded states that spare a long read, never trusted over the events (fault S17).

A snapshot is taken outside of any command. One of another shape is ignored, one whose bytes are
corrupt is reported and ignored; either way the stream is read from its beginning.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import orjson
import structlog
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier
from pydantic import TypeAdapter

from ledger.domain import conto, session
from ledger.domain.ids import StreamName, stream_key
from ledger.domain.registry import kind_of
from ledger.store.faults import Translated
from ledger.store.recorder import BookRecorder

FOLD_VERSION: Final = 2
"""Raised whenever a fold gives another state for the same events without a change of shape."""

_STATES: Final[dict[str, Any]] = {"conto": conto.State, "session": session.State}

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Folded:
    """A stream's state and the version up to which it is folded."""

    version: int
    state: Any


@dataclass(frozen=True, slots=True)
class Stored:
    """A snapshot as it is stored."""

    version: int
    shape: str
    state: bytes
    checksum: bytes


@lru_cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(_STATES[kind])


@lru_cache
def shape(kind: str) -> str:
    """What a snapshot of this kind must have been taken by: state schema and fold version."""
    schema = orjson.dumps(_adapter(kind).json_schema(), option=orjson.OPT_SORT_KEYS)
    return f"{FOLD_VERSION}-{hashlib.sha256(schema).hexdigest()[:16]}"


def can_be_kept(stream: StreamName, state: Any) -> bool:
    """Whether a state is worth a snapshot: a conto, or a session with no round in play."""
    return kind_of(stream) in _STATES and not getattr(state, "rounds", ())


class Snapshots:
    """Snapshots of one book's streams."""

    def __init__(self, recorder: BookRecorder) -> None:
        self._recorder = recorder
        book = Identifier(recorder.datastore.schema)
        self._select = SQL(_SELECT).format(book=book)
        self._insert = SQL(_INSERT).format(book=book)

    def take(self, stream: StreamName, folded: Folded) -> None:
        """Keep a state; keeping the same one twice changes nothing."""
        assert can_be_kept(stream, folded.state)
        kind = kind_of(stream)
        state = _adapter(kind).dump_json(folded.state)
        values = (stream_key(stream), folded.version, shape(kind), state, _checksum(state))
        with Translated(), self._recorder.datastore.get_connection() as connection:
            connection.execute(self._insert, values)

    def load(self, streams: Iterable[StreamName]) -> dict[StreamName, Folded]:
        """The newest usable snapshot of each stream that has one."""
        names = {stream_key(s): s for s in streams if kind_of(s) in _STATES}
        if not names:
            return {}
        with (
            Translated(),
            self._recorder.datastore.get_connection() as connection,
            connection.cursor(row_factory=tuple_row, binary=True) as cursor,
        ):
            cursor.execute(self._select, (list(names),))
            rows = cursor.fetchall()
        read = ((names[key], _read(names[key], rest)) for key, *rest in rows)
        return {stream: folded for stream, folded in read if folded is not None}


def _read(stream: StreamName, row: list[Any]) -> Folded | None:
    stored = Stored(*row)
    if not _is_usable(stream, stored):
        log.info("snapshot-ignored", stream=stream, version=stored.version, why="another shape")
        return None
    try:
        return Folded(stored.version, _state(stream, stored))
    except ValueError as error:
        why = type(error).__name__
        log.warning("snapshot-corrupt", stream=stream, version=stored.version, why=why)
        return None


def difference(stream: StreamName, stored: Stored, folded: Folded) -> str | None:
    """What is wrong with a stored snapshot beside the fold of the same events.

    None when it holds the same state, and when it would never be used.
    """
    if not _is_usable(stream, stored):
        return None
    try:
        state = _state(stream, stored)
    except ValueError as error:
        return f"its bytes are damaged: {type(error).__name__}"
    return None if state == folded.state else "the events give another state"


def _is_usable(stream: StreamName, stored: Stored) -> bool:
    kind = kind_of(stream)
    return kind in _STATES and stored.shape == shape(kind)


def _state(stream: StreamName, stored: Stored) -> Any:
    """The state in a snapshot; `ValueError` when its checksum or its bytes are wrong."""
    assert_same(stored.checksum, _checksum(stored.state))
    return _adapter(kind_of(stream)).validate_json(stored.state)


def assert_same(expected: bytes, actual: bytes) -> None:
    """Raise ValueError when a snapshot's checksum does not match its bytes."""
    if expected != actual:
        raise ValueError("the checksum differs")


def _checksum(state: bytes) -> bytes:
    return hashlib.sha256(state).digest()


_SELECT: Final = """
SELECT DISTINCT ON (originator_id)
       originator_id, originator_version, shape, state, checksum
  FROM {book}.snapshots WHERE originator_id = ANY(%s)
 ORDER BY originator_id, originator_version DESC
"""

_INSERT: Final = """
INSERT INTO {book}.snapshots (originator_id, originator_version, shape, state, checksum)
VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
"""
