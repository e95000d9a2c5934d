"""FairPlay series: when the time of each is over, so that duties look at those alone (HW7)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from uuid import UUID

from ledger.domain import events as ev
from workers.log import SealedEntry
from workers.projections.base import Folding, Projection, Write
from workers.projections.tables import Table

SERIES: Final = Table(
    "p_series",
    ("series",),
    {"series": "uuid", "keep_seconds": "int8", "due_at": "timestamptz"},
)


@dataclass(frozen=True, slots=True)
class Series:
    """One row, its fields in the order of the columns."""

    series: UUID
    keep_seconds: int
    """How long it may be used again after it was prepared or a number was taken."""
    due_at: datetime | None
    """When its time is over; None where it is expired or told, so that no key is needed."""


def _prepared(_: None, e: ev.SeriesPrepared, at: datetime) -> Series:
    return Series(e.series, e.keep_seconds, at + timedelta(seconds=e.keep_seconds))


def _taken(state: Series, _: ev.NumberTaken, at: datetime) -> Series:
    return replace(state, due_at=at + timedelta(seconds=state.keep_seconds))


def _over(state: Series, _: ev.SeriesRevealed | ev.SeriesExpired, __: datetime) -> Series:
    return replace(state, due_at=None)


_STEPS: Final[Mapping[str, Callable[..., Series]]] = {
    ev.SeriesPrepared.NAME: _prepared,
    ev.NumberTaken.NAME: _taken,
    ev.SeriesRevealed.NAME: _over,
    ev.SeriesExpired.NAME: _over,
}


def _fold(folding: Folding, entries: Sequence[SealedEntry]) -> Write:
    keyed = [(UUID(s.entry.stream.partition(":")[2]), s.entry) for s in entries]
    known = SERIES.load(folding.cursor, folding.place, sorted({key for key, _ in keyed}))
    states: dict[UUID, Series] = {row[0]: Series(*row) for row in known}
    for key, entry in keyed:
        states[key] = _STEPS[entry.event.NAME](states.get(key), entry.event, entry.recorded)
    return partial(SERIES.put, place=folding.place, rows=SERIES.rows(states.values()))


PROJECTION: Final = Projection(
    name="series",
    version=1,
    topics=tuple(_STEPS),
    tables=(SERIES,),
    batch=20_000,
    fold=_fold,
)
