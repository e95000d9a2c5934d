"""Differences: each occurrence with its owner, and how it ended where it has."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from ledger.domain import events as ev
from workers.log import SealedEntry
from workers.projections.base import Folding, Projection, Write
from workers.projections.tables import Table

DIFFERENCES: Final = Table(
    "p_differences",
    ("difference", "occurrence"),
    {
        "difference": "uuid", "occurrence": "int4", "source": "text", "scope": "text",
        "kind": "text", "subject": "text", "found": "text", "since": "timestamptz",
        "found_at": "timestamptz", "way": "text", "reference": "text", "currency": "text",
        "here": "int8", "there": "int8", "matched": "text", "owner": "text",
        "closed_at": "timestamptz", "resolution": "text",
    },
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One row, its fields in the order of the columns; amounts in minor units."""

    difference: UUID
    occurrence: int
    source: str
    scope: str
    kind: str
    subject: str
    found: str
    since: datetime
    found_at: datetime
    way: str | None = None
    reference: str | None = None
    currency: str | None = None
    here: int | None = None
    there: int | None = None
    matched: str | None = None
    """The reference of the other side, where it is another."""
    owner: str | None = None
    closed_at: datetime | None = None
    resolution: str | None = None
    """The reason that a person gave; None where it was closed by rule."""


def _found(_: None, e: ev.DifferenceFound, entry: ev.AnyEntry) -> Difference:
    told = (e.source, e.scope, e.kind, e.subject, e.found, e.since, entry.recorded)
    made = Difference(_key(entry), e.occurrence, *told)
    p = e.payment
    if p is None:
        return made
    made = replace(made, way=p.way, reference=p.reference, currency=p.currency)
    return replace(made, here=p.here, there=p.there, matched=p.matched)


def _assigned(state: Difference, e: ev.DifferenceAssigned, _: ev.AnyEntry) -> Difference:
    return replace(state, owner=e.owner)


def _resolved(state: Difference, e: ev.DifferenceResolved, entry: ev.AnyEntry) -> Difference:
    return replace(state, closed_at=entry.recorded, resolution=e.reason)


def _cleared(state: Difference, e: ev.DifferenceCleared, entry: ev.AnyEntry) -> Difference:
    return replace(state, closed_at=entry.recorded, matched=e.matched or state.matched)


_STEPS: Final[Mapping[str, Callable[..., Difference]]] = {
    ev.DifferenceFound.NAME: _found,
    ev.DifferenceAssigned.NAME: _assigned,
    ev.DifferenceResolved.NAME: _resolved,
    ev.DifferenceCleared.NAME: _cleared,
}


def _key(entry: ev.AnyEntry) -> UUID:
    return UUID(entry.stream.partition(":")[2])


def _fold(folding: Folding, entries: Sequence[SealedEntry]) -> Write:
    keyed = [((_key(s.entry), _occurrence(s.entry.event)), s.entry) for s in entries]
    known = DIFFERENCES.load(folding.cursor, folding.place, sorted({k for (k, _), _ in keyed}))
    states: dict[tuple[UUID, int], Difference] = {row[:2]: Difference(*row) for row in known}
    for key, entry in keyed:
        states[key] = _STEPS[entry.event.NAME](states.get(key), entry.event, entry)
    return partial(DIFFERENCES.put, place=folding.place, rows=DIFFERENCES.rows(states.values()))


def _occurrence(event: Any) -> int:
    return int(event.occurrence)


PROJECTION: Final = Projection(
    name="differences",
    version=1,
    topics=tuple(_STEPS),
    tables=(DIFFERENCES,),
    batch=50_000,
    fold=_fold,
)
