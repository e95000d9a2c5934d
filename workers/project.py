"""Bringing the projections up to date, by hand or as a task."""

from collections.abc import Mapping

from workers.log import connected, transaction
from workers.ports import Ports
from workers.projections.base import Progress, Projection, find, step
from workers.projections.rebuild import resume
from workers.projections.registry import PROJECTIONS, named


def project(ports: Ports, name: str, steps: int) -> Progress | None:
    """Fold up to some batches of one projection; None when another worker is at it.

    Rows of an older version are read on, while a rebuild that takes up where the last call left off
    makes the new ones.
    """
    projection = named(name)
    progress = None
    with connected(ports) as connection:
        with transaction(connection) as cursor:
            found = find(cursor, ports.book, name)
        if found is not None and found.version < projection.version:
            return resume(ports, name, steps)
        for _ in range(steps):
            progress = step(ports, projection, connection)
            if progress is None or not progress.lag:
                break
    return progress


def project_all(ports: Ports) -> Mapping[str, Progress | None]:
    """Fold everything that is sealed into every projection; None where another worker is at it."""
    return {p.name: _to_the_end(ports, p) for p in PROJECTIONS}


def standing(ports: Ports) -> Mapping[str, Progress | None]:
    """Where each projection stands; None where nothing was folded yet."""
    with connected(ports, "reader") as connection, transaction(connection) as cursor:
        return {p.name: find(cursor, ports.book, p.name) for p in PROJECTIONS}


def _to_the_end(ports: Ports, projection: Projection) -> Progress | None:
    while (progress := project(ports, projection.name, steps=1)) is not None and progress.lag:
        pass
    return progress
