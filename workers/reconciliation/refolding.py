"""Every projection beside a fresh fold of the same events.

The fresh rows are generations of their own, which nobody reads and which are taken away again. They
are folded together, a bite at a time, while the live ones move on; only for the last short step and
its comparison each live one is kept still, as it is while any worker folds it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Self

import orjson

from workers.log import Cursor, connected, transaction
from workers.ports import Connection, Ports
from workers.projections.base import (
    Progress,
    Projection,
    Superseded,
    Target,
    begin,
    find,
    hold,
    step_together,
)
from workers.projections.rebuild import forget
from workers.projections.registry import PROJECTIONS, named
from workers.projections.tables import Place

STEPS: Final = 20
"""Batches that one bite folds."""


@dataclass(frozen=True, slots=True)
class Refolding:
    """The fresh generations by projection, and how far they have come together."""

    generations: Mapping[str, int]
    position: int = 0
    compared: int = 0
    """How many of them were compared."""

    def as_bytes(self) -> bytes:
        """As a run carries it."""
        return orjson.dumps(self)

    @classmethod
    def read(cls, carried: bytes) -> Self:
        """What `as_bytes` wrote."""
        return cls(**orjson.loads(carried))


def begin_fresh(ports: Ports) -> Refolding:
    """Make an empty generation of every projection.

    Raises `Superseded` when another is made right now.
    """
    with connected(ports) as connection, transaction(connection) as cursor:
        return Refolding({p.name: begin(cursor, ports.book, p, live=False) for p in PROJECTIONS})


def fold_on(ports: Ports, fresh: Refolding, size: int) -> Refolding:
    """Fold a bite into all of them, up to a size of the log."""
    targets = [Target(named(name), n) for name, n in fresh.generations.items()]
    position = fresh.position
    with connected(ports) as connection:
        for _ in range(STEPS):
            if position >= size:
                break
            position = _fold(ports, connection, targets, size)
    return replace(fresh, position=position)


def differing(ports: Ports, fresh: Refolding, most: int) -> list[tuple[str, str, str]]:
    """Compare the next projection with its fresh rows.

    Its name with tables and keys of rows that the fresh fold does not give, or gives besides; up to
    so many of each table. Raises `Superseded` when a rebuild takes the place of the live rows
    meanwhile, or a worker folds them right now.
    """
    name, generation = list(fresh.generations.items())[fresh.compared]
    target = Target(named(name), generation)
    with connected(ports) as folding:
        with transaction(folding) as cursor:
            live = _live(cursor, ports, target.projection)
        _follow(ports, folding, target, live)
        with connected(ports) as holding, transaction(holding) as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            hold(cursor, ports.book, target.projection)
            live = _live(cursor, ports, target.projection)
            _follow(ports, folding, target, live)
            both = (live.generation, generation)
            return [
                (name, table.name, keys)
                for table in target.projection.tables
                for keys in table.differing(cursor, ports.book, both, most)
            ]


def _follow(ports: Ports, connection: Connection, target: Target, live: Progress) -> None:
    """Fold on to where the live rows stand."""
    while _fold(ports, connection, [target], live.position) < live.position:
        pass


def leave(ports: Ports, fresh: Refolding) -> None:
    """Take the fresh rows away; doing it twice changes nothing."""
    with connected(ports) as connection:
        for name, generation in fresh.generations.items():
            forget(connection, Place(ports.book, generation), named(name))


def _fold(ports: Ports, connection: Connection, targets: list[Target], until: int) -> int:
    stand = step_together(ports, connection, targets, until)
    if stand is None:
        raise Superseded("A projection's fresh rows are being folded by another worker.")
    return min(p.position for p in stand)


def _live(cursor: Cursor, ports: Ports, projection: Projection) -> Progress:
    live = find(cursor, ports.book, projection.name)
    if live is None or live.version != projection.version:
        raise Superseded(f"{projection.name} was swapped or is not folded; try again.")
    return live
