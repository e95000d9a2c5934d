"""What an audit package is read from: the sealed rows of one book, as one snapshot shows them (G6).

Nothing is read past the checkpoint, and everything that is long comes through a cursor in the
server, so that a million events need no more memory than a thousand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast
from uuid import UUID

import psycopg
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.seal.merkle import Frontier
from ledger.store.codec import Codec

PAGE: Final = 2_000
"""Rows that one turn of a cursor brings."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A sealed position and the row that stands there, as it is stored."""

    position: int
    key: UUID
    version: int
    name: str
    state: bytes


@dataclass(frozen=True, slots=True)
class Source:
    """One book in its database; the connection is inside of a transaction that reads a snapshot."""

    connection: psycopg.Connection[Any]
    book: str
    codec: Codec

    def first_checkpoint(self, begins: datetime, size: int) -> int:
        """The size of the last checkpoint before the first event recorded since a moment.

        0 when there is none. `size` bounds the search: no event below it, the last checkpoint of
        that size. A package starts at a checkpoint, so that it holds whole saves (G4).
        """
        since = begins.isoformat()[:_SECONDS].encode()
        return int(self._one(_FIRST, {"since": since, "size": size}))

    def frontier(self, size: int) -> Frontier:
        """The right edge of the tree at a checkpoint's size."""
        return Frontier.from_bytes(self._one(_FRONTIER, {"size": size})) if size else Frontier()

    def rows(self, first: int, stop: int) -> Iterator[Stored]:
        """The rows at positions from `first` up to `stop`, in order; gone ones are left out."""
        for row in self._stream("range", _RANGE, {"first": first, "stop": stop}):
            yield Stored(*row)

    def named(self, names: Sequence[str], stop: int) -> Iterator[Stored]:
        """The rows below a position whose events have one of these names, in any order."""
        for row in self._stream("named", _NAMED, {"names": list(names), "stop": stop}):
            yield Stored(*row)

    def leaves(self, first: int, stop: int) -> Iterator[bytes]:
        """The leaf hashes at positions from `first` up to `stop`."""
        for (leaf,) in self._stream("leaves", _LEAVES, {"first": first, "stop": stop}):
            yield leaf

    def _one(self, text: str, values: dict[str, Any]) -> Any:
        row = self.connection.execute(self._sql(text), values, binary=True).fetchone()
        assert row is not None, "a checkpoint that was named exists"
        return row[0]

    def _stream(self, name: str, text: str, values: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
        with self.connection.cursor(f"contoposta_{name}", row_factory=tuple_row) as cursor:
            cursor.itersize = PAGE
            yield from cursor.execute(self._sql(text), values, binary=True)

    def _sql(self, text: str) -> Any:
        return SQL(cast("Any", text)).format(book=Identifier(self.book))


_SECONDS: Final = len("2026-11-30T23:00:00")
"""Length of the part of a stored time that sorts as text; business days begin at whole seconds."""

_FIRST: Final = """
SELECT coalesce(max(c.size), 0)::int8 FROM {book}.checkpoints c
 WHERE c.size <= %(size)s AND c.size <= coalesce((
    SELECT min(s.position) FROM {book}.sealed s
      JOIN {book}.events e USING (originator_id, originator_version)
     WHERE s.position < %(size)s
       AND position('"recorded":"'::bytea IN e.state) > 0
       AND substring(e.state FROM position('"recorded":"'::bytea IN e.state) + 12 FOR 19)
           >= %(since)s), %(size)s)
"""

_FRONTIER: Final = "SELECT frontier FROM {book}.checkpoints WHERE size = %(size)s"

_RANGE: Final = """
SELECT s.position, s.originator_id, s.originator_version, e.topic, e.state
  FROM {book}.sealed s JOIN {book}.events e USING (originator_id, originator_version)
 WHERE s.position >= %(first)s AND s.position < %(stop)s ORDER BY s.position
"""

_NAMED: Final = """
SELECT s.position, s.originator_id, s.originator_version, e.topic, e.state
  FROM {book}.sealed s JOIN {book}.events e USING (originator_id, originator_version)
 WHERE s.position < %(stop)s AND e.topic = ANY(%(names)s::text[])
"""

_LEAVES: Final = """
SELECT leaf FROM {book}.sealed WHERE position >= %(first)s AND position < %(stop)s
 ORDER BY position
"""
