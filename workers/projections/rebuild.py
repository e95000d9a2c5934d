"""Folding again from the first event into fresh rows, which take the place of the old ones at once.

Readers never wait and never see a half: they see the live generation, and which one that is changes
in one transaction. Sums that merge are folded as ranges side by side (`part`, `merge`); the result
equals what was folded as it came. A rebuild that is killed leaves rows that the next one deletes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from workers.log import Span, connected, read, sealed_size, sql, transaction, uncollected
from workers.ports import Connection, Ports
from workers.projections.base import Progress, Projection, Sums, Superseded, begin, find, step
from workers.projections.registry import named
from workers.projections.sums import merged, write
from workers.projections.tables import Place

PART: Final = 200_000
"""How many log events one part of a parallel rebuild passes."""


@dataclass(frozen=True, slots=True)
class Started:
    """A rebuild under way: its generation, and the spans that may be folded side by side."""

    generation: int
    parts: tuple[Span, ...]


def start(ports: Ports, name: str) -> Started:
    """Make a fresh generation, and cut the log into parts if its sums merge."""
    projection = named(name)
    with connected(ports) as connection, transaction(connection) as cursor:
        generation = begin(cursor, ports.book, projection, live=False)
        size = sealed_size(cursor, ports.book) if projection.sums is not None else 0
    return Started(generation, tuple(Span(n, min(n + PART, size)) for n in range(0, size, PART)))


def part(ports: Ports, name: str, span: Span) -> Sums:
    """Fold one part of the log, a batch at a time, into the sums of a projection that merges."""
    projection = named(name)
    starts = range(span.first, span.stop, projection.batch)
    with connected(ports) as connection:
        return merged(
            _sums(ports, projection, connection, Span(n, min(n + projection.batch, span.stop)))
            for n in starts
        )


def _sums(ports: Ports, projection: Projection, connection: Connection, span: Span) -> Sums:
    assert projection.sums is not None
    with transaction(connection) as cursor, uncollected():
        entries = read(cursor, ports, span, projection.topics)
        return projection.sums(cursor, ports, entries)


def merge(ports: Ports, started: tuple[str, int], parts: Sequence[Sums], size: int) -> bool:
    """Write the sums of all parts; False when that was done before or the rebuild is no more.

    `started` is a projection's name and its fresh generation.
    """
    name, generation = started
    place = Place(ports.book, generation)
    values = {"name": name, "generation": generation, "size": size}
    with connected(ports) as connection, transaction(connection) as cursor:
        if cursor.execute(sql(_FILL, ports.book), values).rowcount != 1:
            return False
        write(named(name).tables, place, merged(parts), cursor)
    return True


def go_on(ports: Ports, name: str, generation: int, steps: int) -> bool:
    """Fold up to some batches into a generation, and make it live when none is left.

    Whether that is done. Raises `Superseded` when another worker was quicker.
    """
    projection = named(name)
    with connected(ports) as connection:
        for _ in range(steps):
            progress = step(ports, projection, connection, generation)
            if progress is None:
                raise Superseded(f"{name} is being folded by another worker.")
            if not progress.lag:
                swap(connection, ports, projection, generation)
                return True
    return False


def resume(ports: Ports, name: str, steps: int) -> Progress | None:
    """Go on with the rebuild that was begun for the projection's version, or begin one.

    Where its generation stands; None when another rebuild was quicker.
    """
    projection = named(name)
    values = {"name": name, "version": projection.version}
    with connected(ports) as connection, transaction(connection) as cursor:
        row = cursor.execute(sql(_UNFINISHED, ports.book), values).fetchone()
        generation = row[0] if row else begin(cursor, ports.book, projection, live=False)
    go_on(ports, name, generation, steps)
    with connected(ports) as connection, transaction(connection) as cursor:
        return find(cursor, ports.book, name, generation)


def swap(connection: Connection, ports: Ports, projection: Projection, generation: int) -> None:
    """Make a generation live and delete all others, in one transaction.

    The register comes first: a batch that another rebuild writes meanwhile either finds itself
    deleted from it, or is there to be deleted.
    """
    place = Place(ports.book, generation)
    values = {"name": projection.name, "generation": generation}
    with transaction(connection) as cursor:
        cursor.execute(sql(_FORGET, ports.book), values)
        if cursor.execute(sql(_LIVE, ports.book), values).rowcount != 1:
            raise Superseded(f"Another rebuild of {projection.name} was quicker.")
        for table in projection.tables:
            table.clear(cursor, place)


def forget(connection: Connection, place: Place, projection: Projection) -> None:
    """Take a generation away that is not live; one that is, or is no more, stays as it is."""
    values = {"name": projection.name, "generation": place.generation}
    with transaction(connection) as cursor:
        if cursor.execute(sql(_DROP, place.book), values).rowcount == 1:
            for table in projection.tables:
                table.drop(cursor, place)


def rebuild(ports: Ports, name: str) -> int:
    """Rebuild a projection in this process; how many events were folded.

    Raises `KeyError` for an unknown name and `Superseded` when another rebuild was quicker.
    """
    started = start(ports, name)
    if started.parts:
        sums = [part(ports, name, span) for span in started.parts]
        merge(ports, (name, started.generation), sums, started.parts[-1].stop)
    while not go_on(ports, name, started.generation, steps=1):
        pass
    with connected(ports) as connection, transaction(connection) as cursor:
        progress = find(cursor, ports.book, name)
    return 0 if progress is None else progress.position


def look(ports: Ports, name: str, generation: int) -> tuple[Progress, bool]:
    """Where a generation stands, and whether it is live.

    Raises `Superseded` when another rebuild took its place.
    """
    with connected(ports, "reader") as connection, transaction(connection) as cursor:
        progress = find(cursor, ports.book, name, generation)
        live = find(cursor, ports.book, name)
    if progress is None:
        raise Superseded(f"Another rebuild of {name} was quicker.")
    return progress, live is not None and live.generation == generation


_FILL: Final = """
UPDATE {book}.p_projections SET position = %(size)s
 WHERE name = %(name)s AND generation = %(generation)s AND position = 0 AND NOT live
"""

_UNFINISHED: Final = """
SELECT max(generation) FROM {book}.p_projections
 WHERE name = %(name)s AND version = %(version)s AND NOT live HAVING count(*) > 0
"""

_FORGET: Final = """
DELETE FROM {book}.p_projections WHERE name = %(name)s AND generation <> %(generation)s
"""

_DROP: Final = """
DELETE FROM {book}.p_projections
 WHERE name = %(name)s AND generation = %(generation)s AND NOT live
"""

_LIVE: Final = """
UPDATE {book}.p_projections SET live = true WHERE name = %(name)s AND generation = %(generation)s
"""
