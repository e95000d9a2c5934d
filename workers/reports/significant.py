"""Significant events of a period: values before and after, who, and why; and new games.

A version of a rule sheet is a game of its own in every report, because its return may differ: each
that was published stands here with the least theoretical return of its bets and of the one before.
"""

from collections import Counter
from typing import Any, Final

from ledger.domain.events import SheetPublished
from ledger.domain.ids import StreamName
from workers.log import Cursor, entries_at, sql
from workers.ports import Ports
from workers.reports.measures import SHEET, SHEET_VERSION
from workers.reports.periods import Period, Unit
from workers.reports.table import Cell, Column, Kind, Line, Section, listing
from workers.reports.theory import theory

KIND: Final = "significant-events"
TITLE: Final = "Significant events"
VERSION: Final = 2
PROJECTIONS: Final = ("significant",)
PERIOD: Final = ("events",)
"""Sections that say whether there was any activity."""
DUE: Final = (Unit.DAY, Unit.MONTH)
FILTERS: Final = "none"

_COLUMNS: Final = (
    Column("recorded", Kind.INSTANT),
    Column("position", Kind.COUNT),
    *(
        Column(name, Kind.TEXT)
        for name in (
            *("event", "subject", "attribute", "before", "after", "actor", "named", "reason"),
        )
    ),
)
_SUBJECT, _EVENT, _AFTER = 3, 2, 6
"""Places of columns."""


def sections(cursor: Cursor, ports: Ports, period: Period) -> tuple[Section, ...]:
    """The report's sections for a closed period."""
    days = period.days
    cursor.execute(sql(_EVENTS, ports.book), {"begins": days.begins, "ends": days.ends})
    rows: list[tuple[Cell, ...]] = cursor.fetchall()
    return (
        listing("events", _COLUMNS, rows),
        _counts(rows),
        listing("games", (SHEET, SHEET_VERSION, *_RETURNS), _games(cursor, ports, rows)),
    )


def _counts(rows: list[tuple[Cell, ...]]) -> Section:
    columns = (Column("event", Kind.TEXT), Column("events", Kind.COUNT))
    counted = Counter(str(row[_EVENT]) for row in {row[1]: row for row in rows}.values())
    lines = [Line("row", (event, count)) for event, count in sorted(counted.items())]
    total = [Line("total", (None, counted.total()))] if lines else []
    return Section("counts", columns, (*lines, *total))


_RETURNS: Final = (
    Column("engine", Kind.TEXT),
    Column("in_force_from", Kind.INSTANT),
    Column("theoretical_before_percent", Kind.PERCENT),
    Column("theoretical_percent", Kind.PERCENT),
)


def _games(cursor: Cursor, ports: Ports, rows: list[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    places = [
        (StreamName(str(row[_SUBJECT])), int(str(row[_AFTER])))
        for row in rows
        if row[_EVENT] == SheetPublished.NAME
    ]
    found: list[Any] = [e.event for e in entries_at(cursor, ports.book, ports.codec, places)]
    versions = {(e.sheet, v, None) for e in found for v in (e.sheet_version - 1, e.sheet_version)}
    returns = theory(cursor, ports, {key for key in versions if key[1]})
    return [
        (
            *(e.sheet, e.sheet_version, e.engine, e.in_force_from),
            returns.get((e.sheet, e.sheet_version - 1, None)),
            returns[e.sheet, e.sheet_version, None],
        )
        for e in sorted(found, key=lambda e: (e.sheet, e.sheet_version))
    ]


_EVENTS: Final = """
SELECT recorded, position, event, stream, attribute, before, after, actor, named, reason
  FROM {book}.p_significant WHERE recorded >= %(begins)s AND recorded < %(ends)s
 ORDER BY position, attribute
"""
