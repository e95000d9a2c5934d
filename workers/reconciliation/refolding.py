"""A projection beside a fresh fold of the same events.

The fresh rows are a generation of their own, which nobody reads and which is taken away again. It
is folded while the live one moves on; only for the last short step and the comparison the live one
is kept still, as it is while any worker folds it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from workers.log import Cursor, connected, transaction
from workers.ports import Connection, Ports
from workers.projections.base import Progress, Projection, Superseded, begin, find, hold, step
from workers.projections.rebuild import forget
from workers.projections.tables import Place


def differing(ports: Ports, projection: Projection, most: int) -> list[tuple[str, str]]:
    """Tables and keys of rows that a fresh fold does not give, or gives besides; up to so many.

    Raises `Superseded` when a rebuild takes the place of the live rows meanwhile.
    """
    with connected(ports) as folding, _generation(ports, projection, folding) as fresh:
        _fold_to_live(ports, projection, folding, fresh)
        with connected(ports) as holding, transaction(holding) as cursor:
            hold(cursor, ports.book, projection)
            live = _live(cursor, ports, projection)
            _fold(ports, projection, folding, (fresh, live.position))
            return [
                (table.name, keys)
                for table in projection.tables
                for keys in table.differing(cursor, ports.book, (live.generation, fresh), most)
            ]


@contextmanager
def _generation(ports: Ports, projection: Projection, connection: Connection) -> Iterator[int]:
    with transaction(connection) as cursor:
        fresh = begin(cursor, ports.book, projection, live=False)
    try:
        yield fresh
    finally:
        forget(connection, Place(ports.book, fresh), projection)


def _fold_to_live(ports: Ports, projection: Projection, connection: Connection, fresh: int) -> None:
    with transaction(connection) as cursor:
        live = _live(cursor, ports, projection)
    _fold(ports, projection, connection, (fresh, live.position))


def _fold(
    ports: Ports, projection: Projection, connection: Connection, target: tuple[int, int]
) -> None:
    generation, position = target
    while True:
        progress = step(ports, projection, connection, generation, until=position)
        if progress is None:
            raise Superseded(f"{projection.name} is being folded by another worker.")
        if progress.position >= position:
            return


def _live(cursor: Cursor, ports: Ports, projection: Projection) -> Progress:
    live = find(cursor, ports.book, projection.name)
    if live is None or live.version != projection.version:
        raise Superseded(f"{projection.name} was swapped or is not folded; try again.")
    return live
