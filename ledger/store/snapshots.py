"""Snapshots: folded states that spare a long read, never trusted over the events (fault S17).

A snapshot is taken outside of any command. One of another shape is ignored, one whose bytes are
corrupt is reported and ignored; either way the stream is read from its beginning.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import orjson
import structlog
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier
from pydantic import TypeAdapter

from ledger.domain import conto, session, table
from ledger.domain.ids import StreamName, stream_key
from ledger.domain.registry import kind_of
from ledger.store.codec import Codec
from ledger.store.faults import Translated
from ledger.store.recorder import BookRecorder

FOLD_VERSION: Final = 2
"""Raised whenever a fold gives another state for the same events without a change of shape."""

_STATES: Final[dict[str, Any]] = {
    "conto": conto.State,
    "session": session.State,
    "table": table.Table,
}

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


def can_be_kept(stream: StreamName, state: Any) -> bool:
    """Whether a state is worth a snapshot: a conto, or a session or table with no round in play."""
    if kind_of(stream) == "table":
        return isinstance(state, table.Table) and state.round is None
    return kind_of(stream) in _STATES and not getattr(state, "rounds", ())


class Shapes:
    """How states are kept as bytes, each by its kind; a table's with what its game dealt."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self._adapters = {kind: TypeAdapter[Any](state) for kind, state in _STATES.items()}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """What a snapshot of each kind must have been taken by: state schema and fold version."""
        schemas = {kind: [a.json_schema()] for kind, a in self._adapters.items()}
        schemas["table"].append(self._codec.details.json_schema())
        return {kind: _name(parts) for kind, parts in schemas.items()}

    def stored(self, stream: StreamName, folded: Folded) -> Stored:
        """A state as it is kept."""
        kind = kind_of(stream)
        state = self._adapters[kind].dump_json(folded.state)
        return Stored(folded.version, self.names[kind], state, _checksum(state))

    def is_usable(self, stream: StreamName, stored: Stored) -> bool:
        """Whether a snapshot was taken by the folds of today."""
        return stored.shape == self.names.get(kind_of(stream))

    def state(self, stream: StreamName, stored: Stored) -> Any:
        """The state in a snapshot; `ValueError` when its checksum or its bytes are wrong."""
        assert_same(stored.checksum, _checksum(stored.state))
        state = self._adapters[kind_of(stream)].validate_json(stored.state)
        return self._with_cards(state) if isinstance(state, table.Table) else state

    def _with_cards(self, state: table.Table) -> table.Table:
        if state.shoe is None:
            return state
        read = self._codec.details.validate_python
        gone = tuple(read(card) for card in state.shoe.gone)
        return replace(state, shoe=replace(state.shoe, shuffle=read(state.shoe.shuffle), gone=gone))

    def difference(self, stream: StreamName, stored: Stored, folded: Folded) -> str | None:
        """What is wrong with a stored snapshot beside the fold of the same events.

        None when it holds the same state, and when it would never be used.
        """
        if not self.is_usable(stream, stored):
            return None
        try:
            state = self.state(stream, stored)
        except ValueError as error:
            return f"its bytes are damaged: {type(error).__name__}"
        return None if state == folded.state else "the events give another state"


def _name(schemas: list[dict[str, Any]]) -> str:
    text = orjson.dumps(schemas, option=orjson.OPT_SORT_KEYS)
    return f"{FOLD_VERSION}-{hashlib.sha256(text).hexdigest()[:16]}"


class Snapshots:
    """Snapshots of one book's streams."""

    def __init__(self, recorder: BookRecorder, codec: Codec) -> None:
        self._recorder = recorder
        self._shapes = Shapes(codec)
        book = Identifier(recorder.datastore.schema)
        self._select = SQL(_SELECT).format(book=book)
        self._insert = SQL(_INSERT).format(book=book)

    def take(self, stream: StreamName, folded: Folded) -> None:
        """Keep a state; keeping the same one twice changes nothing."""
        assert can_be_kept(stream, folded.state)
        kept = self._shapes.stored(stream, folded)
        values = (stream_key(stream), kept.version, kept.shape, kept.state, kept.checksum)
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
        read = ((names[key], self._read(names[key], rest)) for key, *rest in rows)
        return {stream: folded for stream, folded in read if folded is not None}

    def _read(self, stream: StreamName, row: list[Any]) -> Folded | None:
        stored = Stored(*row)
        if not self._shapes.is_usable(stream, stored):
            log.info("snapshot-ignored", stream=stream, version=stored.version, why="another shape")
            return None
        try:
            return Folded(stored.version, self._shapes.state(stream, stored))
        except ValueError as error:
            why = type(error).__name__
            log.warning("snapshot-corrupt", stream=stream, version=stored.version, why=why)
            return None


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
