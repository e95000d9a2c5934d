"""Game performance: theoretical and actual return, rounds and money, by rule sheet.

A new version of a sheet is a game of its own here, because its return may differ, and so is a kind
of bet where returns differ by it. Bonuses, void rounds and refunds stand apart, and so do the funds
of rounds that the period's end interrupted. Play is told by account type too, and demo rounds apart
from all money (rulings HW5). Double-ups are outside of the base game's return and have
sections of their own; all bets together tie to the journal (rulings C4). Live tables are told
apart, each with its drop: what rights brought there; and where cards are dealt, its boxes.
"""

from datetime import date, timedelta
from typing import Final

from workers.days import Days
from workers.log import Cursor, sql
from workers.ports import Ports
from workers.projections.turnover import NONE
from workers.reports.boxes import box_sections
from workers.reports.control import Control, Sums, controlled, together
from workers.reports.measures import (
    ACCOUNT,
    ALL_BETS,
    BET_KIND,
    BONUS,
    CURRENCY,
    DEMO,
    DEMO_CHIPS,
    DOUBLED,
    HELD,
    LIVE_TABLE,
    PLAY,
    SEATED,
    SHEET,
    SHEET_VERSION,
    THEORY,
    all_bets,
    exact,
)
from workers.reports.periods import Period, Unit
from workers.reports.table import Column, Keyed, Kind, Measures, Section, section
from workers.reports.theory import theory

KIND: Final = "game-performance"
TITLE: Final = "Game performance"
VERSION: Final = 3
PROJECTIONS: Final = ("turnover", "rounds", "sessions", "journal", "boxes")
PERIOD: Final = ("sheets", "bonuses", "interrupted")
"""Sections that say whether there was any activity."""
DUE: Final = (Unit.DAY, Unit.MONTH, Unit.YEAR, Unit.LIFE)
FILTERS: Final = "none"
PREVIOUS_DAYS: Final = 30
_BY_SHEET: Final = ("sheet", "sheet_version", "bet_kind", "currency")
_BY_ACCOUNT: Final = ("sheet", "sheet_version", "account", "currency")
DOUBLE_UP: Final = "double-up"
"""The kind of bet under which a sheet states what a double-up returns."""


def sections(cursor: Cursor, ports: Ports, period: Period) -> tuple[Section, ...]:
    """The report's sections for a closed period."""
    days = period.days
    together = _sums(cursor, ports, days, (("sheet", "sheet_version", "currency"), ALL_BETS))
    return (
        _sheets(cursor, ports, days),
        _double_ups(cursor, ports, ("double-ups", days)),
        section("all-bets", (SHEET, SHEET_VERSION, CURRENCY), ALL_BETS, together),
        controlled(cursor, ports, days, (CONTROL, _told(together))),
        _tables(cursor, ports, days),
        *box_sections(cursor, ports, days),
        play(cursor, ports, ("accounts", days), _BY_ACCOUNT),
        play(cursor, ports, ("levels", days), ("sheet", "level", "currency")),
        play(cursor, ports, ("channels", days), ("sheet", "channel", "currency")),
        *(_windows(cursor, ports, days.last) if period.unit is Unit.DAY else ()),
        _bonuses(cursor, ports, days),
        _demo_rounds(cursor, ports, days),
        _interrupted(cursor, ports, days),
    )


def _windows(cursor: Cursor, ports: Ports, day: date) -> tuple[Section, ...]:
    """A day beside the days before it, for the report is what return is monitored by."""
    month = Days(day - timedelta(days=PREVIOUS_DAYS - 1), day)
    life = Days(date.min, day)
    return (
        play(cursor, ports, ("last-30-days", month), _BY_SHEET),
        play(cursor, ports, ("to-date", life), _BY_SHEET),
        play(cursor, ports, ("accounts-last-30-days", month), _BY_ACCOUNT),
        play(cursor, ports, ("accounts-to-date", life), _BY_ACCOUNT),
        _double_ups(cursor, ports, ("double-ups-last-30-days", month)),
        _double_ups(cursor, ports, ("double-ups-to-date", life)),
    )


def play(cursor: Cursor, ports: Ports, what: tuple[str, Days], keys: tuple[str, ...]) -> Section:
    """A section of a name that sums play over a period by some of the projection's keys."""
    name, days = what
    columns = tuple(SHEET_VERSION if k == "sheet_version" else Column(k, Kind.TEXT) for k in keys)
    return section(name, columns, PLAY, _sums(cursor, ports, days, (keys, PLAY)))


def _sums(
    cursor: Cursor, ports: Ports, days: Days, what: tuple[tuple[str, ...], Measures]
) -> list[Keyed]:
    """Sums by some keys of the projection, of which an empty one is None."""
    keys, measures = what
    sums = ", ".join(f"sum({name})::int8" for name in measures.names)
    names = ", ".join(keys)
    where = "FROM {book}.p_turnover WHERE day BETWEEN %s AND %s GROUP BY"
    text = f"SELECT {names}, {sums} {where} {names}"
    cursor.execute(sql(text, ports.book), (days.first, days.last))
    rows = ((row[: len(keys)], row[len(keys) :]) for row in cursor.fetchall())
    return [(tuple(None if key == NONE else key for key in found), sums) for found, sums in rows]


def _sheets(cursor: Cursor, ports: Ports, days: Days) -> Section:
    """By sheet, version and kind of bet, the theoretical return beside the actual one."""
    rows = _sums(cursor, ports, days, (_BY_SHEET, PLAY))
    returns = theory(cursor, ports, {keys[:3] for keys, _ in rows})
    keyed: list[Keyed] = [
        ((*keys[:3], *exact(returns[keys[:3]]), keys[3]), figures) for keys, figures in rows
    ]
    return section("sheets", (SHEET, SHEET_VERSION, BET_KIND, *THEORY, CURRENCY), PLAY, keyed)


def _double_ups(cursor: Cursor, ports: Ports, what: tuple[str, Days]) -> Section:
    """The double-ups of a period by sheet and version, with their own theoretical return."""
    name, days = what
    rows = _sums(cursor, ports, days, (("sheet", "sheet_version", "currency"), DOUBLED))
    some = [(keys, figures) for keys, figures in rows if any(figures)]
    returns = theory(cursor, ports, {(*keys[:2], DOUBLE_UP) for keys, _ in some})
    keyed: list[Keyed] = [
        ((*keys[:2], *exact(returns[*keys[:2], DOUBLE_UP]), keys[2]), figures)
        for keys, figures in some
    ]
    return section(name, (SHEET, SHEET_VERSION, *THEORY, CURRENCY), DOUBLED, keyed)


def _told(rows: list[Keyed]) -> Sums:
    """Turnover and revenue of all bets, by currency."""
    told = ((keys[-1], all_bets(dict(zip(ALL_BETS.names, row, strict=True)))) for keys, row in rows)
    return together({str(currency): (t["turnover"], t["ggr"])} for currency, t in told)


def _tables(cursor: Cursor, ports: Ports, days: Days) -> Section:
    """The period by live table: rounds that ended there, and the drop."""
    values = {"begins": days.begins, "ends": days.ends, "first": days.first, "last": days.last}
    cursor.execute(sql(_TABLES, ports.book), values)
    rows: list[Keyed] = [(row[:3], row[3:]) for row in cursor.fetchall()]
    return section("tables", (SHEET, LIVE_TABLE, CURRENCY), SEATED, rows)


def _bonuses(cursor: Cursor, ports: Ports, days: Days) -> Section:
    cursor.execute(sql(_BONUSES, ports.book), (days.first, days.last))
    rows: list[Keyed] = [(row[:2], row[2:]) for row in cursor.fetchall()]
    return section("bonuses", (SHEET, CURRENCY), BONUS, rows)


def _demo_rounds(cursor: Cursor, ports: Ports, days: Days) -> Section:
    """Rounds with demo chips, counted in chips: they are no money and in no other section."""
    cursor.execute(sql(_DEMOS, ports.book), (days.first, days.last))
    rows: list[Keyed] = [
        ((sheet, version, None if account == NONE else account, DEMO_CHIPS), tuple(figures))
        for sheet, version, account, *figures in cursor.fetchall()
    ]
    return section("demo-rounds", (SHEET, SHEET_VERSION, ACCOUNT, CURRENCY), DEMO, rows)


def _interrupted(cursor: Cursor, ports: Ports, days: Days) -> Section:
    """Rounds in play at the end, the stakes (in prison too) and wins that they held then."""
    cursor.execute(sql(_INTERRUPTED, ports.book), {"end": days.ends})
    rows: list[Keyed] = [(row[:3], row[3:]) for row in cursor.fetchall()]
    return section("interrupted", (SHEET, SHEET_VERSION, CURRENCY), HELD, rows)


_BONUSES: Final = """
SELECT sheet, currency, sum(bonuses)::int8, sum(amount)::int8 FROM {book}.p_bonuses
 WHERE day BETWEEN %s AND %s GROUP BY sheet, currency
"""

_DEMOS: Final = """
SELECT sheet, sheet_version, account, sum(rounds)::int8, sum(staked)::int8, sum(credited)::int8
  FROM {book}.p_demo_rounds WHERE day BETWEEN %s AND %s GROUP BY sheet, sheet_version, account
"""

# A round's lines stand between its opening and its end; a day more is read on either side, for the
# clocks of two machines may differ: a bet can be dated later than the end of its round.
_JOURNAL: Final = """
WITH settled AS (
  SELECT round, opened_at FROM {book}.p_rounds
   WHERE settled AND ended_at >= %(begins)s AND ended_at < %(ends)s)
SELECT j.currency,
       sum(CASE WHEN j.event IN ('bet-placed', 'double-up-staked') THEN j.amount
                WHEN j.event = 'stake-left' AND j.target LIKE 'session:%%:stakes' THEN j.amount
                WHEN j.event = 'bet-refunded' THEN -j.amount ELSE 0 END)::int8,
       sum(CASE WHEN j.target LIKE 'house:%%:bank' THEN j.amount
                WHEN j.source LIKE 'house:%%:bank' THEN -j.amount ELSE 0 END)::int8
  FROM {book}.p_journal j JOIN settled USING (round)
 WHERE j.recorded < %(ends)s + interval '1 day'
   AND j.recorded >= (SELECT min(opened_at) FROM settled) - interval '1 day'
 GROUP BY j.currency
"""

CONTROL: Final = Control("control", ("journal", "rounds"), _JOURNAL)
"""All bets of the rounds that were settled, and their journal lines."""

_TABLES: Final = """
SELECT sheet, live_table, currency, sum(rounds)::int8, sum(bets)::int8, sum(turnover)::int8,
       sum(winnings)::int8, sum(stake_returned)::int8, sum(refunded)::int8,
       sum(void_rounds)::int8, sum(void_bets)::int8, sum(void_refunded)::int8, sum(drop)::int8
  FROM (
    SELECT sheet, live_table, currency,
           settled::int AS rounds, settled::int * bets AS bets,
           settled::int * (staked - refunded) AS turnover, winnings, stake_returned,
           settled::int * refunded AS refunded, (NOT settled)::int AS void_rounds,
           (NOT settled)::int * bets AS void_bets, (NOT settled)::int * refunded AS void_refunded,
           0 AS drop
      FROM {book}.p_rounds
     WHERE live_table IS NOT NULL AND ended_at >= %(begins)s AND ended_at < %(ends)s
    UNION ALL
    SELECT sheet, live_table, currency, 0, 0, 0, 0, 0, 0, 0, 0, 0, drop
      FROM {book}.p_table_drop WHERE day BETWEEN %(first)s AND %(last)s) AS played
 GROUP BY sheet, live_table, currency
"""

_INTERRUPTED: Final = """
SELECT r.sheet, r.sheet_version, r.currency, count(*),
       coalesce(sum(held.stakes), 0)::int8, coalesce(sum(held.win), 0)::int8
  FROM {book}.p_rounds r CROSS JOIN LATERAL (
    SELECT sum(moved.amount) FILTER (WHERE moved.kind <> 'win') AS stakes,
           sum(moved.amount) FILTER (WHERE moved.kind = 'win') AS win
      FROM (
        SELECT account.kind,
               CASE WHEN j.target = account.name THEN j.amount ELSE -j.amount END AS amount
          FROM (SELECT kind, format('session:%%s:%%s', r.session, kind) AS name
                  FROM unnest(ARRAY['stakes', 'prison', 'win']) AS kind) AS account
          JOIN {book}.p_journal j ON account.name IN (j.source, j.target)
         WHERE j.round = r.round AND j.recorded < %(end)s) AS moved) AS held
 WHERE r.opened_at < %(end)s AND (r.ended_at IS NULL OR r.ended_at >= %(end)s)
 GROUP BY r.sheet, r.sheet_version, r.currency
"""
