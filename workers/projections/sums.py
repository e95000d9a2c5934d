"""Sums that merge: a range of the log adds figures by key, whatever the ranges before it added.

So ranges may be folded side by side, in several workers, and be put together in any order.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import partial
from typing import Any

from workers.log import Cursor, SealedEntry
from workers.projections.base import Figures, Fold, Folding, Key, Sums, SumsOf, Write
from workers.projections.tables import Place, Table


def summed(counted: Iterable[tuple[str, Key, Figures]]) -> Sums:
    """The sums of what is counted by table and key."""
    totals: dict[str, dict[Key, Figures]] = {}
    for table, key, figures in counted:
        rows = totals.setdefault(table, {})
        known = rows.get(key)
        rows[key] = figures if known is None else _plus(known, figures)
    return totals


def _plus(one: Figures, other: Figures) -> Figures:
    return tuple(map(sum, zip(one, other, strict=True)))


def merged(parts: Iterable[Sums]) -> Sums:
    """The sums of several ranges together."""
    return summed(
        (table, key, figures)
        for part in parts
        for table, rows in part.items()
        for key, figures in rows.items()
    )


def write(tables: Iterable[Table], place: Place, totals: Sums, cursor: Cursor) -> None:
    """Add sums to tables."""
    for table in tables:
        rows = totals.get(table.name, {})
        table.add(cursor, place, [(*key, *figures) for key, figures in rows.items()])


def folded_by(tables: tuple[Table, ...], sums_of: SumsOf) -> Fold:
    """The fold that adds the sums of each batch to the tables."""

    def fold(folding: Folding, entries: Sequence[SealedEntry]) -> Write:
        totals = sums_of(folding.cursor, folding.ports, entries)
        return partial(write, tables, folding.place, totals)

    return fold


def as_document(sums: Sums) -> dict[str, list[list[list[Any]]]]:
    """Sums as JSON can carry them between workers."""
    return {
        name: [[[str(key[0]), *key[1:]], list(figures)] for key, figures in rows.items()]
        for name, rows in sums.items()
    }


def from_document(document: dict[str, list[list[list[Any]]]]) -> Sums:
    """Sums as `as_document` wrote them; raises `ValueError` for what is none."""
    return {
        name: {(date.fromisoformat(key[0]), *key[1:]): tuple(figures) for key, figures in rows}
        for name, rows in document.items()
    }
