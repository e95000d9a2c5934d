"""How every projection is folded: a batch at a time, its rows and its position in one transaction.

A step first reads and folds, which needs no transaction id and so holds no sealing back, and then
moves the position from exactly where it read it. Whoever comes second, because a task was delivered
twice or two workers run at once, finds the position moved and writes nothing; a step that is killed
leaves nothing behind (guarantee G6, fault S16).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ledger.domain.refusals import Fault
from workers.log import (
    Cursor,
    SealedEntry,
    Span,
    connected,
    read,
    sealed_size,
    sql,
    transaction,
    uncollected,
)
from workers.ports import Connection, Ports
from workers.projections.tables import Place, Table

Write = Callable[[Cursor], None]


class Superseded(Fault):
    """Another worker moved the projection meanwhile; what was folded here is dropped."""


class Outdated(Fault):
    """The rows were folded by another version of the projection; they must be rebuilt first."""


@dataclass(frozen=True, slots=True)
class Folding:
    """What a fold may read: the tables of its own generation, and the book."""

    cursor: Cursor
    ports: Ports
    place: Place


Fold = Callable[[Folding, Sequence[SealedEntry]], Write]
"""Fold entries, reading only; what is returned writes the rows."""

Key = tuple[Any, ...]
"""The keys of a row that figures are added to, its day first."""
Figures = tuple[int, ...]
Sums = Mapping[str, Mapping[Key, Figures]]
"""Figures by table and key."""
SumsOf = Callable[[Cursor, Ports, Sequence[SealedEntry]], Sums]
"""The sums of some entries, told by these and what lies before them in the log alone."""


@dataclass(frozen=True, slots=True)
class Projection:
    """One projection; a change of `version` means that it must be rebuilt."""

    name: str
    version: int
    topics: tuple[str, ...]
    tables: tuple[Table, ...]
    batch: int
    """Most log events that one step passes."""
    fold: Fold
    sums: SumsOf | None = None
    """What its fold adds to its tables; absent where ranges cannot be folded side by side."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a generation of a projection stands: it has folded `position` of `size` events."""

    generation: int
    version: int
    position: int
    size: int

    @property
    def lag(self) -> int:
        """How many sealed events are not folded yet."""
        return self.size - self.position


def step(
    ports: Ports,
    projection: Projection,
    connection: Connection,
    generation: int | None = None,
    until: int | None = None,
) -> Progress | None:
    """Fold one batch of the live or of a given generation; None when another worker is at it.

    `until` is a position that is not passed. Raises `Superseded` when the position was moved while
    the batch was folded.
    """
    with transaction(connection) as cursor:
        if not _alone(cursor, ports.book, projection, generation):
            return None
        progress = _stand(cursor, ports.book, projection, generation)
        last = progress.size if until is None else min(progress.size, until)
        stop = min(last, progress.position + projection.batch)
        if stop <= progress.position:
            return progress
        place = Place(ports.book, progress.generation)
        with uncollected():
            entries = read(cursor, ports, Span(progress.position, stop), projection.topics)
            write = projection.fold(Folding(cursor, ports, place), entries)
        _move(cursor, place, projection.name, Span(progress.position, stop))
        write(cursor)
    return Progress(progress.generation, progress.version, stop, progress.size)


def catch_up(ports: Ports, projection: Projection, size: int) -> None:
    """Fold until `size` events are; raise `Superseded` when other workers are at it meanwhile."""
    with connected(ports) as connection:
        while True:
            progress = step(ports, projection, connection)
            if progress is None:
                raise Superseded(f"{projection.name} is being folded by another worker.")
            if progress.position >= min(size, progress.size):
                return


def find(cursor: Cursor, book: str, name: str, generation: int | None = None) -> Progress | None:
    """Where the live or the given generation of a projection stands; None when there is none."""
    row = cursor.execute(sql(_FIND, book), {"name": name, "generation": generation}).fetchone()
    if row is None:
        return None
    found, version, position = row
    return Progress(found, version, position, sealed_size(cursor, book))


def begin(cursor: Cursor, book: str, projection: Projection, *, live: bool) -> int:
    """Make an empty generation; its number. Raises `Superseded` when another is made right now."""
    values = {"name": projection.name, "version": projection.version, "live": live}
    row = cursor.execute(sql(_BEGIN, book), values).fetchone()
    if row is None:
        raise Superseded(f"{projection.name} is begun by another worker.")
    return int(row[0])


def _stand(cursor: Cursor, book: str, projection: Projection, generation: int | None) -> Progress:
    progress = find(cursor, book, projection.name, generation)
    if progress is None and generation is not None:
        raise Superseded(f"Another rebuild of {projection.name} was quicker.")
    if progress is None:
        progress = find(cursor, book, projection.name, begin(cursor, book, projection, live=True))
    assert progress is not None
    if progress.version != projection.version:
        raise Outdated(f"{projection.name} was folded by another version; rebuild it.")
    return progress


def hold(cursor: Cursor, book: str, projection: Projection) -> None:
    """Keep the live generation as it is until the transaction ends.

    Raises `Superseded` when another worker is folding it.
    """
    if not _alone(cursor, book, projection, None):
        raise Superseded(f"{projection.name} is being folded by another worker.")


def _alone(cursor: Cursor, book: str, projection: Projection, generation: int | None) -> bool:
    what = f"{book}:{projection.name}:{generation or 'live'}"
    row = cursor.execute(_LOCK, (what,)).fetchone()
    return bool(row and row[0])


def _move(cursor: Cursor, place: Place, name: str, span: Span) -> None:
    values: dict[str, Any] = {"name": name, "generation": place.generation}
    values |= {"first": span.first, "stop": span.stop}
    if cursor.execute(sql(_MOVE, place.book), values).rowcount != 1:
        raise Superseded(f"{name} was folded by another worker.")


_LOCK: Final = "SELECT pg_try_advisory_xact_lock(hashtext('contoposta-project'), hashtext(%s))"

_FIND: Final = """
SELECT generation, version, position FROM {book}.p_projections
 WHERE name = %(name)s AND CASE WHEN %(generation)s::int IS NULL THEN live
                                ELSE generation = %(generation)s::int END
"""

_BEGIN: Final = """
INSERT INTO {book}.p_projections (name, generation, version, position, live)
SELECT %(name)s, coalesce(max(generation), 0) + 1, %(version)s, 0, %(live)s
  FROM {book}.p_projections WHERE name = %(name)s
ON CONFLICT DO NOTHING RETURNING generation
"""

_MOVE: Final = """
UPDATE {book}.p_projections SET position = %(stop)s
 WHERE name = %(name)s AND generation = %(generation)s AND position = %(first)s
"""
