"""The shape of every report: a card, then sections of typed cells; no profile of output in it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import Final, Literal

NO_ACTIVITY: Final = "No Activity"
"""What a report says about a period in which nothing happened."""

Cell = str | int | date | datetime | Fraction | None


class Kind(StrEnum):
    """What a cell holds."""

    TEXT = "text"
    COUNT = "count"
    MONEY = "money"
    """Whole minor units."""
    DAY = "day"
    INSTANT = "instant"
    PERCENT = "percent"
    """An exact ratio, shown as a percentage."""


@dataclass(frozen=True, slots=True)
class Column:
    """The name of a column and what its cells hold."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Line:
    """One line: a row, or the sum of the rows above it."""

    line: Literal["row", "subtotal", "total"]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A table of a report; without lines it says that there was no activity."""

    name: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """One line of a report's card."""

    name: str
    kind: Kind
    value: Cell


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report."""

    card: tuple[Field, ...]
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Measures:
    """Whole figures that add up, with the columns that show them and what derives from them."""

    columns: tuple[Column, ...]
    names: tuple[str, ...]
    show: Callable[[Mapping[str, int]], tuple[Cell, ...]]


Keyed = tuple[tuple[Cell, ...], tuple[int, ...]]
"""The keys of a row, and its figures in the order of the measures' names."""


def section(name: str, keys: tuple[Column, ...], measures: Measures, rows: list[Keyed]) -> Section:
    """A section in the order of its keys, whose last one is the currency.

    Money of two currencies never adds up: subtotals are per first key and currency, totals per
    currency.
    """
    ordered = sorted(rows, key=lambda row: tuple(map(str, row[0])))
    lines = [
        line
        for first, group in groupby(ordered, key=lambda row: row[0][0])
        for line in _group(first, len(keys), measures, list(group))
    ]
    totals = _summed(ordered, ("total", None), len(keys), measures)
    return Section(name, (*keys, *measures.columns), (*lines, *totals))


def summed(name: str, keys: tuple[Column, ...], measures: Measures, rows: list[Keyed]) -> Section:
    """A section without subtotals, where each first key is one row a currency."""
    whole = section(name, keys, measures, rows)
    return Section(name, whole.columns, tuple(x for x in whole.lines if x.line != "subtotal"))


def listing(name: str, columns: tuple[Column, ...], rows: Iterable[tuple[Cell, ...]]) -> Section:
    """A section of rows as they come, without sums."""
    return Section(name, columns, tuple(Line("row", row) for row in rows))


def _group(first: Cell, width: int, measures: Measures, rows: list[Keyed]) -> list[Line]:
    lines = [Line("row", (*keys, *_shown(measures, figures))) for keys, figures in rows]
    return [*lines, *_summed(rows, ("subtotal", first), width, measures)]


def _summed(
    rows: list[Keyed],
    label: tuple[Literal["subtotal", "total"], Cell],
    width: int,
    measures: Measures,
) -> list[Line]:
    line, first = label
    blank: tuple[Cell, ...] = (first, *(None for _ in range(width - 2)))
    return [
        Line(
            line,
            (*blank, currency, *_shown(measures, _sum(f for k, f in rows if k[-1] == currency))),
        )
        for currency in sorted({str(keys[-1]) for keys, _ in rows})
    ]


def _sum(figures: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*figures, strict=True)))


def _shown(measures: Measures, figures: tuple[int, ...]) -> tuple[Cell, ...]:
    return measures.show(dict(zip(measures.names, figures, strict=True)))
