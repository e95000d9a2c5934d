"""Corrections posted in a period: what each corrects, why, who approved of it, and what it moved.

Each line stands with both accounts' balances before and after, as the journal has it. Refunds and
void rounds are no corrections: they stand apart in game performance.
"""

from collections import Counter
from typing import Any, Final

from ledger.domain.ids import StreamName
from workers.log import Cursor, entries_at, sql
from workers.ports import Ports
from workers.reports.measures import CURRENCY, TIES, agree
from workers.reports.periods import Period, Unit
from workers.reports.table import Cell, Column, Keyed, Kind, Measures, Section, listing, section

KIND: Final = "corrections"
TITLE: Final = "Corrections"
VERSION: Final = 2
PROJECTIONS: Final = ("significant", "journal")
PERIOD: Final = ("corrections",)
"""Sections that say whether there was any activity."""
DUE: Final = (Unit.DAY, Unit.MONTH)
FILTERS: Final = "none"

_CORRECTIONS: Final = (
    Column("recorded", Kind.INSTANT),
    *(
        Column(name, Kind.TEXT)
        for name in ("correction", "corrects", "code", "reason", "approvers", "actor")
    ),
)
_KEYS: Final = (
    *(Column(name, Kind.TEXT) for name in ("code", "correction")),
    Column("number", Kind.COUNT),
    *(Column(name, Kind.TEXT) for name in ("source", "target")),
    *(
        Column(name, Kind.MONEY)
        for name in ("source_before", "source_after", "target_before", "target_after")
    ),
    CURRENCY,
)
_AMOUNT: Final = Measures(
    (Column("amount", Kind.MONEY),), ("amount",), lambda figures: (figures["amount"],)
)
_CONTROL: Final = (
    CURRENCY,
    Column("amount", Kind.MONEY),
    Column("journal_amount", Kind.MONEY),
    TIES,
)


def sections(cursor: Cursor, ports: Ports, period: Period) -> tuple[Section, ...]:
    """The report's sections for a closed period."""
    days = period.days
    cursor.execute(sql(_LINES, ports.book), {"begins": days.begins, "ends": days.ends})
    lines = cursor.fetchall()
    streams = sorted({StreamName(line[0]) for line in lines})
    places = [(stream, 1) for stream in streams]
    posted: dict[str, Any] = {
        e.stream: e for e in entries_at(cursor, ports.book, ports.codec, places)
    }
    rows: list[Keyed] = [
        ((posted[stream].event.code, _id(stream), *rest), (amount,))
        for stream, amount, *rest in lines
    ]
    told = sorted(posted.values(), key=lambda e: (e.recorded, e.stream))
    return (
        listing("corrections", _CORRECTIONS, [_told(entry) for entry in told]),
        section("lines", _KEYS, _AMOUNT, rows),
        listing("control", _CONTROL, _control(told, rows)),
    )


def _id(stream: str) -> str:
    return stream.partition(":")[2]


def _told(entry: Any) -> tuple[Cell, ...]:
    event = entry.event
    words = (str(event.corrects), event.code, event.reason, " and ".join(event.approvers))
    return (entry.recorded, _id(entry.stream), *words, entry.actor)


def _control(told: list[Any], rows: list[Keyed]) -> list[tuple[Cell, ...]]:
    """What the corrections say that they move, beside the journal's lines (guarantee G1)."""
    said: Counter[str] = Counter()
    for entry in told:
        said[entry.event.currency.value] += sum(line.amount for line in entry.event.lines)
    moved: Counter[str] = Counter()
    for keys, (amount,) in rows:
        moved[str(keys[-1])] += amount
    return [(c, said[c], moved[c], agree(said[c] == moved[c])) for c in sorted(said | moved)]


# The position of a correction leads to its lines.
_LINES: Final = """
SELECT j.stream, j.amount, j.line, j.source, j.target,
       j.source_before, j.source_after, j.target_before, j.target_after, j.currency
  FROM {book}.p_significant s JOIN {book}.p_journal j ON j.position = s.position
 WHERE s.event = 'correction-posted' AND s.recorded >= %(begins)s AND s.recorded < %(ends)s
 ORDER BY j.position, j.line
"""
