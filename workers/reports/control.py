"""What must agree with the journal: turnover and revenue of a period, by their postings (G1).

The postings of a closed day are final, so the journal is read once for each day, and what its lines
sum up to is kept: a month, a year and the book's life are sums of days. What is kept can be taken
again at any time and is the same; another version of what it was folded by takes its own.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from psycopg.types.json import Jsonb

from workers.days import Days
from workers.log import Cursor, connected, sql, transaction
from workers.ports import Ports
from workers.projections.registry import named
from workers.reports.measures import CURRENCY, TIES, agree
from workers.reports.table import Cell, Column, Kind, Section, listing

Sums = Mapping[str, tuple[int, int]]
"""Turnover and gross gaming revenue in minor units, by currency."""


@dataclass(frozen=True, slots=True)
class Control:
    """A section that holds figures of a report against the journal."""

    name: str
    projections: tuple[str, ...]
    """What the statement reads."""
    lines: str
    """A statement: currency, turnover and revenue of what was settled from `begins` to `ends`."""

    @property
    def folded_by(self) -> str:
        """What its sums are folded by, such as `journal 1, rounds 6`."""
        return ", ".join(f"{name} {named(name).version}" for name in self.projections)


def controlled(cursor: Cursor, ports: Ports, days: Days, what: tuple[Control, Sums]) -> Section:
    """The section: what one of both does not have at all is a difference too."""
    control, told = what
    money = ("turnover", "journal_turnover", "ggr", "journal_ggr")
    journal = journal_of(cursor, ports, days, control)
    return listing(
        control.name,
        (CURRENCY, *(Column(name, Kind.MONEY) for name in money), TIES),
        (_line(each, told, journal) for each in sorted({*told, *journal})),
    )


def _line(currency: str, told: Sums, journal: Sums) -> tuple[Cell, ...]:
    mine, its = told.get(currency, (0, 0)), journal.get(currency, (0, 0))
    return (currency, mine[0], its[0], mine[1], its[1], agree(mine == its))


def journal_of(cursor: Cursor, ports: Ports, days: Days, control: Control) -> Sums:
    """What the journal's lines say of closed days together."""
    values = (control.name, control.folded_by, days.first, days.last)
    kept = cursor.execute(sql(_KEPT, ports.book), values)
    found: list[tuple[date, Sums | None]] = kept.fetchall()
    fresh = {day: _of_day(cursor, ports, day, control) for day, sums in found if sums is None}
    _keep(ports, control, fresh)
    return together(fresh[day] if sums is None else sums for day, sums in found)


def _of_day(cursor: Cursor, ports: Ports, day: date, control: Control) -> Sums:
    days = Days(day, day)
    cursor.execute(sql(control.lines, ports.book), {"begins": days.begins, "ends": days.ends})
    return {currency: (turnover, ggr) for currency, turnover, ggr in cursor.fetchall()}


def _keep(ports: Ports, control: Control, fresh: Mapping[date, Sums]) -> None:
    """Keep the sums of days; another worker's are the same."""
    if not fresh:
        return
    of = (control.name, control.folded_by)
    with connected(ports) as connection, transaction(connection) as cursor:
        rows = [(*of, day, Jsonb(dict(sums))) for day, sums in fresh.items()]
        cursor.executemany(sql(_KEEP, ports.book), rows)


def together(parts: Iterable[Sums]) -> Sums:
    """Sums by currency of several."""
    sums: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for part in parts:
        for currency, (turnover, ggr) in part.items():
            known = sums[currency]
            sums[currency] = (known[0] + turnover, known[1] + ggr)
    return sums


_KEPT: Final = """
SELECT c.day, s.sums FROM {book}.day_closings c
  LEFT JOIN {book}.p_day_sums s
    ON s.day = c.day AND s.control = %s AND s.folded_by = %s
 WHERE c.day BETWEEN %s AND %s ORDER BY c.day
"""

_KEEP: Final = """
INSERT INTO {book}.p_day_sums (control, folded_by, day, sums) VALUES (%s, %s, %s, %s)
ON CONFLICT DO NOTHING
"""
