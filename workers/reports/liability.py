"""Operator liability at a period's end: what players are owed, by kind of account and currency.

A period's opening is the closing of the one before; closing is opening and movements. The control
section holds what must agree: all accounts together are zero, and the journal's lines move what
the movements say (guarantee G1).
"""

from typing import Final

from workers.days import Days
from workers.log import Cursor, sql
from workers.ports import Ports
from workers.reports.measures import CURRENCY, TIES, agree
from workers.reports.periods import Period, Unit
from workers.reports.table import Cell, Column, Keyed, Kind, Measures, Section, listing, summed

KIND: Final = "operator-liability"
TITLE: Final = "Operator liability"
VERSION: Final = 3
PROJECTIONS: Final = ("journal",)
PERIOD: Final = ("liability",)
"""Sections that say whether there was any activity."""
DUE: Final = (Unit.DAY, Unit.MONTH)
FILTERS: Final = "none"

OWED: Final = ("conto", "posta", "prison", "right", "stakes", "win")
"""Kinds of accounts whose money is the players'; a held win is theirs and never the bank's."""

_NAMES: Final = ("opening", "debited", "credited", "closing")
BALANCES: Final = Measures(
    tuple(Column(name, Kind.MONEY) for name in _NAMES),
    _NAMES,
    lambda figures: tuple(figures[name] for name in _NAMES),
)
_KEYS: Final = (Column("account", Kind.TEXT), CURRENCY)


def sections(cursor: Cursor, ports: Ports, period: Period) -> tuple[Section, ...]:
    """The report's sections for a closed period."""
    rows = _balances(cursor, ports, period.days)
    return (
        summed("liability", _KEYS, BALANCES, [r for r in rows if r[0][0] in OWED]),
        summed("contra", _KEYS, BALANCES, [r for r in rows if r[0][0] not in OWED]),
        _control(cursor, ports, period.days, rows),
    )


def _balances(cursor: Cursor, ports: Ports, days: Days) -> list[Keyed]:
    cursor.execute(sql(_BALANCES, ports.book), {"first": days.first, "last": days.last})
    found = {(kind, currency): tuple(rest) for kind, currency, *rest in cursor.fetchall()}
    currencies = {currency for _, currency in found}
    kinds = {*OWED, *(kind for kind, _ in found)}
    nothing = (0, 0, 0, 0)
    return [((k, c), found.get((k, c), nothing)) for c in currencies for k in kinds]


def _control(cursor: Cursor, ports: Ports, days: Days, rows: list[Keyed]) -> Section:
    columns = (
        CURRENCY,
        Column("all_accounts", Kind.MONEY),
        Column("moved", Kind.MONEY),
        Column("journal_lines", Kind.MONEY),
        TIES,
    )
    lines = _lines_moved(cursor, ports, days)
    currencies = sorted({str(keys[1]) for keys, _ in rows})
    controls = (_controlled(c, rows, lines.get(c, 0)) for c in currencies)
    return listing("control", columns, controls)


def _controlled(currency: str, rows: list[Keyed], journal: int) -> tuple[Cell, ...]:
    mine = [figures for keys, figures in rows if keys[1] == currency]
    together, moved = sum(f[3] for f in mine), sum(f[2] for f in mine)
    debited = sum(f[1] for f in mine)
    ties = together == 0 and moved == debited == journal
    return (currency, together, moved, journal, agree(ties))


def _lines_moved(cursor: Cursor, ports: Ports, days: Days) -> dict[str, int]:
    """What the journal's lines of a period move."""
    cursor.execute(sql(_LINES, ports.book), {"begins": days.begins, "ends": days.ends})
    return dict(cursor.fetchall())


_BALANCES: Final = """
SELECT kind, currency,
       coalesce(sum(credited - debited) FILTER (WHERE day < %(first)s), 0)::int8,
       coalesce(sum(debited) FILTER (WHERE day >= %(first)s), 0)::int8,
       coalesce(sum(credited) FILTER (WHERE day >= %(first)s), 0)::int8,
       sum(credited - debited)::int8
  FROM {book}.p_movements WHERE day <= %(last)s GROUP BY kind, currency
"""

_LINES: Final = """
SELECT currency, sum(amount)::int8 FROM {book}.p_journal
 WHERE recorded >= %(begins)s AND recorded < %(ends)s GROUP BY currency
"""
