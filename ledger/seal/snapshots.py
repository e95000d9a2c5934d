"""Stored snapshots beside the fold of the events that they stand for (fault S17).

A snapshot reaches decisions in the place of its events, so that one made by force is as good as a
changed row. Streams that have one are folded again while their entries pass by; a snapshot may be
newer than the seal, and then the rest of its stream is read at the end.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from ledger.domain.events import AnyEntry
from ledger.domain.ids import StreamName
from ledger.folding import advance, start
from ledger.replay import Finding
from ledger.store.codec import Codec, CorruptEntry
from ledger.store.snapshots import Folded, Shapes, Stored

Rows = Callable[[str, Mapping[str, Any]], list[Any]]
"""Reads rows of the book by a query, in which `{book}` is the schema, and its parameters."""


@dataclass(slots=True)
class _Watched:
    """A stream with snapshots that were not compared yet, and its state so far."""

    versions: set[int]
    stream: StreamName | None = None
    folded: Folded | None = None


@dataclass(slots=True)
class SnapshotCheck:
    """Each snapshot that may be used holds the state that its stream's events give.

    One that was taken by another shape is never used, so that nothing is asked of it.
    """

    rows: Rows
    codec: Codec
    shapes: Shapes
    _watched: dict[UUID, _Watched] = field(init=False)

    def __post_init__(self) -> None:
        self._watched = {key: _Watched(set(found)) for key, found in self.rows(_VERSIONS, {})}

    def see(self, _: int, entry: AnyEntry) -> Iterator[Finding]:
        """Fold an entry of a stream that has snapshots; compare the one of its version."""
        watched = self._watched.get(entry.originator_id) if self._watched else None
        if watched is not None:
            yield from self._fold(watched, entry)

    def end(self) -> Iterator[Finding]:
        """Snapshots beyond the seal, and those to which no events lead."""
        for key, watched in list(self._watched.items()):
            yield from self._fold_rest(key, watched)
            for version in sorted(watched.versions):
                yield _finding(watched.stream or str(key), version, "no events lead to it")

    def _fold(self, watched: _Watched, entry: AnyEntry) -> Iterator[Finding]:
        try:
            watched.stream = StreamName(entry.stream)
            watched.folded = advance(watched.folded or start(watched.stream), entry)
        except Exception as error:  # noqa: BLE001 - what was forged may break any assumption
            watched.versions.clear()
            del self._watched[entry.originator_id]
            found = f"its events cannot be folded: {type(error).__name__}"
            yield _finding(entry.stream, entry.version, found)
            return
        if entry.version in watched.versions:
            yield from self._compare(entry, watched.folded)
            watched.versions.remove(entry.version)
        if not watched.versions:
            del self._watched[entry.originator_id]

    def _compare(self, entry: AnyEntry, folded: Folded) -> Iterator[Finding]:
        place = {"key": entry.originator_id, "version": entry.version}
        for row in self.rows(_SNAPSHOT, place):
            found = self.shapes.difference(StreamName(entry.stream), Stored(*row), folded)
            if found is not None:
                yield _finding(entry.stream, entry.version, found)

    def _fold_rest(self, key: UUID, watched: _Watched) -> Iterator[Finding]:
        after = watched.folded.version if watched.folded else 0
        bounds = {"key": key, "after": after, "last": max(watched.versions)}
        for version, topic, state in self.rows(_REST, bounds):
            try:
                entry = self.codec.decode(StoredEvent(key, version, topic, state))
            except CorruptEntry:
                return
            yield from self._fold(watched, entry)
            if key not in self._watched:
                return


def _finding(stream: str, version: int, found: str) -> Finding:
    return Finding("snapshots", f"{stream} version {version}", found)


_VERSIONS: Final = """
SELECT originator_id, array_agg(originator_version) FROM {book}.snapshots GROUP BY originator_id
"""

_SNAPSHOT: Final = """
SELECT originator_version, shape, state, checksum FROM {book}.snapshots
 WHERE (originator_id, originator_version) = (%(key)s, %(version)s)
"""

_REST: Final = """
SELECT originator_version, topic, state FROM {book}.events
 WHERE originator_id = %(key)s AND originator_version > %(after)s
   AND originator_version <= %(last)s ORDER BY originator_version
"""
