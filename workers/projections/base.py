"""How every projection is folded: a batch at a time, its rows and its position in one transaction.

Several that stand at the same position are folded together, so that each event is read once.

A step first reads and folds, which needs no transaction id and so holds no sealing back, and then
moves the position from exactly where it read it. Whoever comes second, because a task was delivered
twice or two workers run at once, finds the position moved and writes nothing; a step that is killed
leaves nothing behind (guarantee G6, fault S16).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class Target:
    """The rows that are folded into: a projection's live generation, or a given one."""

    projection: Projection
    generation: int | None = None


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
    progress = step_together(ports, connection, (Target(projection, generation),), until)
    return None if progress is None else progress[0]


def step_together(
    ports: Ports,
    connection: Connection,
    targets: Sequence[Target],
    until: int | None = None,
) -> tuple[Progress, ...] | None:
    """Fold one batch into those of some targets that stand furthest back; where each stands then.

    Each event is read once for all of them. None when another worker is at one of them. `until` is
    a position that is not passed. Raises `Superseded` when a position was moved meanwhile.
    """
    with transaction(connection) as cursor:
        if not all(_alone(cursor, ports.book, t.projection, t.generation) for t in targets):
            return None
        stand = [_stand(cursor, ports.book, t.projection, t.generation) for t in targets]
        span = _next(targets, stand, until)
        behind = [
            (target.projection, Place(ports.book, p.generation))
            for target, p in zip(targets, stand, strict=True)
            if p.position == span.first < span.stop
        ]
        with uncollected():
            writes = _folded(ports, cursor, span, behind)
        for (projection, place), write in zip(behind, writes, strict=True):
            _move(cursor, place, projection.name, span)
            write(cursor)
    return tuple(replace(p, position=span.stop) if p.position == span.first else p for p in stand)


def _next(targets: Sequence[Target], stand: Sequence[Progress], until: int | None) -> Span:
    """The batch of those that stand furthest back, up to where others stand."""
    first = min(p.position for p in stand)
    batch = min(
        t.projection.batch for t, p in zip(targets, stand, strict=True) if p.position == first
    )
    others = [p.position for p in stand if p.position > first]
    sizes = [p.size for p in stand] if until is None else [*(p.size for p in stand), until]
    return Span(first, max(first, min(first + batch, *others, *sizes)))


def _folded(
    ports: Ports, cursor: Cursor, span: Span, behind: Sequence[tuple[Projection, Place]]
) -> list[Write]:
    topics = sorted({topic for projection, _ in behind for topic in projection.topics})
    entries = read(cursor, ports, span, topics)
    writes = []
    for projection, place in behind:
        wanted = frozenset(projection.topics)
        mine = [s for s in entries if s.entry.event.NAME in wanted]
        writes.append(projection.fold(Folding(cursor, ports, place), mine))
    return writes


def catch_up(ports: Ports, projections: Sequence[Projection], size: int) -> None:
    """Fold until `size` events are; raise `Superseded` when other workers are at it meanwhile."""
    with connected(ports) as connection:
        while behind := _behind(ports, connection, projections, size):
            if step_together(ports, connection, behind) is None:
                names = ", ".join(target.projection.name for target in behind)
                raise Superseded(f"Another worker is folding one of these: {names}.")


def _behind(
    ports: Ports, connection: Connection, projections: Sequence[Projection], size: int
) -> list[Target]:
    """Those that have something to fold up to a size of the log, or must be rebuilt first."""
    with transaction(connection) as cursor:
        last = min(size, sealed_size(cursor, ports.book))
        stand = [(p, find(cursor, ports.book, p.name)) for p in projections]
    return [
        Target(p) for p, at in stand if at is None or at.version != p.version or at.position < last
    ]


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
