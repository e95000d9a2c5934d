"""What checks find becomes differences on record: found once, closed by rule when it is gone.

Finding and closing are commands whose ids follow from the difference and its occurrence, so that a
run that was cut off, given twice, or meets another one at work changes nothing twice (G3).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid5

from ledger.domain.commands import ClearDifference, Command, FindDifference
from ledger.domain.events import Source
from ledger.domain.refusals import Code, Fault
from ledger.reconciliation.discrepancies import Discrepancy
from workers.log import Cursor, connected, sealed_size, sql, transaction
from workers.ports import Ports
from workers.projections import differences
from workers.projections.base import catch_up
from workers.projections.differences import Difference
from workers.projections.registry import named

ACTOR: Final = "reconciliation"

_COLUMNS: Final = ", ".join(differences.DIFFERENCES.columns)


class ReconciliationFault(Fault):
    """The book did not take what was found; run it again."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to: what is open and was not, what still is, what was closed by rule."""

    found: tuple[Difference, ...]
    standing: int
    cleared: int


@dataclass(frozen=True, slots=True)
class Run:
    """All that a run found, and which of the open differences of its source it looked at."""

    source: Source
    found: Sequence[Discrepancy]
    examined: Callable[[Difference], bool]
    matched: Mapping[UUID, str | None]
    """The other side of what is open no more, where there is one."""


def prepare(ports: Ports, *projections: str) -> int:
    """Seal, and fold what is sealed into projections; how many events are sealed."""
    ports.seal()
    with connected(ports) as connection, transaction(connection) as cursor:
        size = sealed_size(cursor, ports.book)
    names = {*projections, differences.PROJECTION.name}
    catch_up(ports, [named(name) for name in sorted(names)], size)
    return size


def record(ports: Ports, run: Run) -> Outcome:
    """Put what is new on record and close what is gone; projections must have been prepared."""
    keys = {d.key: d for d in run.found}
    with connected(ports) as connection, transaction(connection, frozen=True) as cursor:
        latest = {d.difference: d for d in _latest(cursor, ports, keys)}
        before = open_differences(cursor, ports, run.source)
    fresh = {key: d for key, d in keys.items() if key not in latest or latest[key].closed_at}
    gone = [d for d in before if d.difference not in keys and run.examined(d)]
    done = [_find(d, latest.get(key)) for key, d in fresh.items()]
    clearing = [_clear(d, run.matched.get(d.difference)) for d in gone]
    _command(ports, (*done, *clearing))
    prepare(ports)
    with connected(ports) as connection, transaction(connection, frozen=True) as cursor:
        found = tuple(d for d in _latest(cursor, ports, fresh) if d.closed_at is None)
    return Outcome(found, len(keys) - len(fresh), len(gone))


def open_differences(
    cursor: Cursor, ports: Ports, source: Source | None = None
) -> tuple[Difference, ...]:
    """What is open, oldest first."""
    cursor.execute(sql(_OPEN, ports.book), {"source": source})
    return tuple(Difference(*row) for row in cursor.fetchall())


def _latest(cursor: Cursor, ports: Ports, keys: Iterable[UUID]) -> tuple[Difference, ...]:
    cursor.execute(sql(_LATEST, ports.book), {"keys": list(keys)})
    return tuple(Difference(*row) for row in cursor.fetchall())


def _find(found: Discrepancy, before: Difference | None) -> FindDifference:
    occurrence = before.occurrence + 1 if before else 1
    return FindDifference(
        id=uuid5(found.key, f"found:{occurrence}"),
        actor=ACTOR,
        difference=found.key,
        occurrence=occurrence,
        source=found.source,
        scope=found.scope,
        kind=found.kind,
        subject=found.subject,
        found=found.found,
        since=found.since,
        payment=found.payment,
    )


def _clear(gone: Difference, matched: str | None) -> ClearDifference:
    return ClearDifference(
        id=uuid5(gone.difference, f"cleared:{gone.occurrence}"),
        actor=ACTOR,
        difference=gone.difference,
        occurrence=gone.occurrence,
        matched=matched,
    )


_BY_ANOTHER: Final = frozenset(
    {Code.DIFFERENCE_OPEN, Code.DIFFERENCE_CLOSED, Code.COMMAND_CONFLICT}
)
"""Refusals that say that another run, or a person, was quicker."""


def _command(ports: Ports, commands: Iterable[Command]) -> None:
    for command in commands:
        refusal = ports.handle(command).refusal
        if refusal not in (None, *_BY_ANOTHER):
            raise ReconciliationFault(f"The book refused what was found ({refusal}).")


_OPEN: Final = f"""
SELECT {_COLUMNS} FROM {{book}}.p_differences
 WHERE closed_at IS NULL AND source = coalesce(%(source)s, source)
 ORDER BY since, difference
"""

_LATEST: Final = f"""
SELECT DISTINCT ON (difference) {_COLUMNS} FROM {{book}}.p_differences
 WHERE difference = ANY(%(keys)s::uuid[]) ORDER BY difference, occurrence DESC
"""
