"""Daily game performance: theoretical and actual return, rounds and money, by rule sheet.

A new version of a sheet is a game of its own here, because its return may differ. Bonuses, void
rounds and refunds stand apart, and so do the funds of rounds that the day's end interrupted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, Final

from ledger.domain.events import SheetPublished
from ledger.domain.ids import sheet_stream
from workers.days import bounds
from workers.log import Cursor, entries_at, sql
from workers.ports import Ports
from workers.reports.table import Cell, Column, Keyed, Kind, Measures, Section, section

KIND: Final = "daily-performance"
TITLE: Final = "Daily game performance"
VERSION: Final = 1
PROJECTIONS: Final = ("turnover", "rounds", "journal")
PERIOD: Final = ("sheets", "bonuses", "interrupted")
"""Sections that say whether there was any activity."""
PREVIOUS_DAYS: Final = 30

_MONEY: Final = ("turnover", "winnings", "stake_returned", "returned", "refunded")
_VOID: Final = (Column("void_rounds", Kind.COUNT), Column("void_bets", Kind.COUNT))
_ACTUAL: Final = (
    Column("rtp_numerator", Kind.COUNT),
    Column("rtp_denominator", Kind.COUNT),
    Column("rtp_percent", Kind.PERCENT),
)
_THEORY: Final = (
    Column("theoretical_numerator", Kind.COUNT),
    Column("theoretical_denominator", Kind.COUNT),
    Column("theoretical_percent", Kind.PERCENT),
)
_CURRENCY: Final = Column("currency", Kind.TEXT)
_SHEET: Final = Column("sheet", Kind.TEXT)
_VERSION: Final = Column("sheet_version", Kind.COUNT)


def _exact(ratio: Fraction | None) -> tuple[Cell, ...]:
    """A ratio as its exact pair and as a percentage; nothing where there is none."""
    return (None, None, None) if ratio is None else (ratio.numerator, ratio.denominator, ratio)


def actual(figures: Mapping[str, int]) -> Fraction | None:
    """Actual return: winnings and returned stakes of turnover; None without turnover."""
    returned = figures["winnings"] + figures["stake_returned"]
    return Fraction(returned, figures["turnover"]) if figures["turnover"] else None


def _play(figures: Mapping[str, int]) -> tuple[Cell, ...]:
    returned = figures["winnings"] + figures["stake_returned"]
    known = {**figures, "returned": returned}
    head = (figures["rounds"], figures["bets"], *(known[name] for name in _MONEY))
    void = (figures["void_rounds"], figures["void_bets"], figures["void_refunded"])
    return (*head, *void, *_exact(actual(figures)))


PLAY: Final = Measures(
    columns=(
        Column("rounds", Kind.COUNT),
        Column("bets", Kind.COUNT),
        *(Column(name, Kind.MONEY) for name in _MONEY),
        *_VOID,
        Column("void_refunded", Kind.MONEY),
        *_ACTUAL,
    ),
    names=(
        "rounds", "bets", "turnover", "winnings", "stake_returned", "refunded",
        "void_rounds", "void_bets", "void_refunded",
    ),
    show=_play,
)  # fmt: skip

_BONUS: Final = Measures(
    (Column("bonuses", Kind.COUNT), Column("amount", Kind.MONEY)),
    ("bonuses", "amount"),
    lambda figures: (figures["bonuses"], figures["amount"]),
)
_HELD: Final = Measures(
    (Column("rounds", Kind.COUNT), Column("stakes_held", Kind.MONEY)),
    ("rounds", "stakes_held"),
    lambda figures: (figures["rounds"], figures["stakes_held"]),
)


@dataclass(frozen=True, slots=True)
class Days:
    """A period of business days, both ends included."""

    first: date
    last: date


def sections(cursor: Cursor, ports: Ports, day: date) -> tuple[Section, ...]:
    """The report's sections for a closed day."""
    today = Days(day, day)
    month = Days(day - timedelta(days=PREVIOUS_DAYS - 1), day)
    life = Days(date.min, day)
    by_sheet = ("sheet", "sheet_version", "currency")
    return (
        _sheets(cursor, ports, today),
        play(cursor, ports, ("levels", today), ("sheet", "level", "currency")),
        play(cursor, ports, ("channels", today), ("sheet", "channel", "currency")),
        play(cursor, ports, ("last-30-days", month), by_sheet),
        play(cursor, ports, ("to-date", life), by_sheet),
        _bonuses(cursor, ports, day),
        _interrupted(cursor, ports, day),
    )


def play(cursor: Cursor, ports: Ports, what: tuple[str, Days], keys: tuple[str, ...]) -> Section:
    """A section of a name that sums play over a period by some of the projection's keys."""
    name, days = what
    columns = tuple(_VERSION if k == "sheet_version" else Column(k, Kind.TEXT) for k in keys)
    return section(name, columns, PLAY, _sums(cursor, ports, days, keys))


def _sums(cursor: Cursor, ports: Ports, days: Days, keys: tuple[str, ...]) -> list[Keyed]:
    sums = ", ".join(f"sum({name})::int8" for name in PLAY.names)
    names = ", ".join(keys)
    where = "FROM {book}.p_turnover WHERE day BETWEEN %s AND %s GROUP BY"
    text = f"SELECT {names}, {sums} {where} {names}"
    cursor.execute(sql(text, ports.book), (days.first, days.last))
    return [(row[: len(keys)], row[len(keys) :]) for row in cursor.fetchall()]


def _sheets(cursor: Cursor, ports: Ports, days: Days) -> Section:
    """The day by sheet and version, with the theoretical return beside the actual one."""
    rows = _sums(cursor, ports, days, ("sheet", "sheet_version", "currency"))
    theory = _theory(cursor, ports, sorted({(keys[0], keys[1]) for keys, _ in rows}))
    keyed: list[Keyed] = [
        ((keys[0], keys[1], *_exact(theory[keys[0], keys[1]]), keys[2]), figures)
        for keys, figures in rows
    ]
    return section("sheets", (_SHEET, _VERSION, *_THEORY, _CURRENCY), PLAY, keyed)


def _theory(cursor: Cursor, ports: Ports, sheets: list[Any]) -> dict[Any, Fraction]:
    """Theoretical returns of versions of sheets, from the bytes that were published."""
    places = [(sheet_stream(sheet), version) for sheet, version in sheets]
    found = (e.event for e in entries_at(cursor, ports.book, ports.codec, places))
    return {
        (e.sheet, e.sheet_version): ports.theory(e.engine, e.text)
        for e in found
        if isinstance(e, SheetPublished)
    }


def _bonuses(cursor: Cursor, ports: Ports, day: date) -> Section:
    cursor.execute(sql(_BONUSES, ports.book), (day,))
    rows: list[Keyed] = [(row[:2], row[2:]) for row in cursor.fetchall()]
    return section("bonuses", (_SHEET, _CURRENCY), _BONUS, rows)


def _interrupted(cursor: Cursor, ports: Ports, day: date) -> Section:
    """Rounds in play at the day's end, and the stakes that they held then."""
    cursor.execute(sql(_INTERRUPTED, ports.book), {"end": bounds(day)[1]})
    rows: list[Keyed] = [(row[:3], row[3:]) for row in cursor.fetchall()]
    return section("interrupted", (_SHEET, _VERSION, _CURRENCY), _HELD, rows)


_BONUSES: Final = """
SELECT sheet, currency, sum(bonuses)::int8, sum(amount)::int8 FROM {book}.p_bonuses
 WHERE day = %s GROUP BY sheet, currency
"""

_INTERRUPTED: Final = """
SELECT r.sheet, r.sheet_version, r.currency, count(*), coalesce(sum(held.amount), 0)::int8
  FROM {book}.p_rounds r CROSS JOIN LATERAL (
    SELECT sum(CASE WHEN j.target = account.name THEN j.amount ELSE -j.amount END) AS amount
      FROM (SELECT format('session:%%s:stakes', r.session) AS name) AS account
      JOIN {book}.p_journal j ON account.name IN (j.source, j.target)
     WHERE j.round = r.round AND j.recorded < %(end)s) AS held
 WHERE r.opened_at < %(end)s AND (r.ended_at IS NULL OR r.ended_at >= %(end)s)
 GROUP BY r.sheet, r.sheet_version, r.currency
"""
