"""Large wins: rounds whose win, with its double-ups, reached a threshold; by rule sheet.

A win is what came beyond the stake of the base game, and what double-ups made of it. The control
section holds what the bank kept of these rounds beside their journal lines (guarantee G1).
"""

from collections.abc import Mapping
from typing import Any, Final

from ledger.domain.money import Currency, format_amount
from workers.log import Cursor, sql
from workers.ports import Ports
from workers.reports.measures import CURRENCY, SHEET, TIES, agree
from workers.reports.periods import Period, Unit
from workers.reports.table import Cell, Column, Keyed, Kind, Measures, Section, listing, section

KIND: Final = "large-wins"
TITLE: Final = "Large wins"
VERSION: Final = 2
PROJECTIONS: Final = ("rounds", "sessions", "journal")
PERIOD: Final = ("wins",)
"""Sections that say whether there was any activity."""
DUE: Final = (Unit.DAY, Unit.MONTH)

LEAST: Final[Mapping[Currency, int]] = {Currency.EUR: 1_000_00, Currency.RUR: 100_000_00}
"""The least win that is large, in minor units: the most that a session's posta may be funded with,
and what was worth about as much. A change is a new version of the report."""
FILTERS: Final = "win at least " + ", ".join(f"{format_amount(n)} {c}" for c, n in LEAST.items())

_KEYS: Final = (
    SHEET,
    Column("sheet_version", Kind.COUNT),
    Column("ended", Kind.INSTANT),
    Column("round", Kind.TEXT),
    Column("session", Kind.TEXT),
    Column("player", Kind.TEXT),
    CURRENCY,
)
_NAMES: Final = (
    "staked", "refunded", "winnings", "stake_returned", "double_ups_staked", "double_ups_returned",
)  # fmt: skip


def _won(figures: Mapping[str, int]) -> int:
    return figures["winnings"] + figures["double_ups_returned"] - figures["double_ups_staked"]


_WINS: Final = Measures(
    (*(Column(name, Kind.MONEY) for name in _NAMES), Column("win", Kind.MONEY)),
    _NAMES,
    lambda figures: (*(figures[name] for name in _NAMES), _won(figures)),
)
_CONTROL: Final = (
    CURRENCY,
    Column("ggr", Kind.MONEY),
    Column("journal_ggr", Kind.MONEY),
    TIES,
)


def sections(cursor: Cursor, ports: Ports, period: Period) -> tuple[Section, ...]:
    """The report's sections for a closed period."""
    days = period.days
    values: dict[str, Any] = {"begins": days.begins, "ends": days.ends}
    values |= {"currencies": list(LEAST), "least": list(LEAST.values())}
    cursor.execute(sql(_ROUNDS, ports.book), values)
    width = len(_KEYS)
    rows: list[Keyed] = [(row[:width], row[width:]) for row in cursor.fetchall()]
    return (
        section("wins", _KEYS, _WINS, rows),
        listing("control", _CONTROL, _control(cursor, ports, rows)),
    )


def _control(cursor: Cursor, ports: Ports, rows: list[Keyed]) -> list[tuple[Cell, ...]]:
    kept: dict[str, int] = {}
    for keys, figures in rows:
        told = dict(zip(_NAMES, figures, strict=True))
        lost = told["staked"] - told["refunded"] - told["stake_returned"]
        kept[str(keys[-1])] = kept.get(str(keys[-1]), 0) + lost - _won(told)
    journal = _journal(cursor, ports, rows)
    return [
        (currency, ggr, journal.get(currency, 0), agree(ggr == journal.get(currency)))
        for currency, ggr in sorted(kept.items())
    ]


def _journal(cursor: Cursor, ports: Ports, rows: list[Keyed]) -> dict[str, int]:
    values: dict[str, Any] = {"rounds": [keys[3] for keys, _ in rows]}
    return dict(cursor.execute(sql(_JOURNAL, ports.book), values).fetchall())


_ROUNDS: Final = """
SELECT r.sheet, r.sheet_version, r.ended_at, r.round::text, r.session::text, s.player, r.currency,
       r.staked, r.refunded, r.winnings, r.stake_returned,
       r.double_ups_staked, r.double_ups_returned
  FROM {book}.p_rounds r
  JOIN unnest(%(currencies)s::text[], %(least)s::int8[]) AS large(currency, least)
    ON large.currency = r.currency
  JOIN {book}.p_sessions s ON s.session = r.session
 WHERE r.settled AND r.ended_at >= %(begins)s AND r.ended_at < %(ends)s
   AND r.winnings + r.double_ups_returned - r.double_ups_staked >= large.least
"""

# The lines of a round stand in the accounts of its session, by which they are found.
_JOURNAL: Final = """
SELECT j.currency, sum(CASE WHEN j.target LIKE 'house:%%:bank' THEN j.amount
                            WHEN j.source LIKE 'house:%%:bank' THEN -j.amount ELSE 0 END)::int8
  FROM {book}.p_rounds r
 CROSS JOIN LATERAL unnest(ARRAY['posta', 'stakes', 'prison', 'win']) AS kind
  JOIN {book}.p_journal j
    ON format('session:%%s:%%s', r.session, kind) IN (j.source, j.target) AND j.round = r.round
 WHERE r.round = ANY(%(rounds)s::uuid[])
   AND 'house:' IN (left(j.source, 6), left(j.target, 6))
 GROUP BY j.currency
"""
