"""RTP monitoring: returns of a period, 30 days and life to date beside what chance allows.

By sheet, and by stake level and channel too, with outcomes as they fell and the alerts of the
period. What a live table's outcomes decide counts by the outcome, prisoners at their worth; a sum
whose variance is not known is told without a deviation.
"""

from fractions import Fraction
from typing import Final

from workers.days import Days
from workers.log import Cursor, sql
from workers.monitoring.looks import THRESHOLDS
from workers.monitoring.standing import Apart, Returns, outcomes, periods, returns
from workers.monitoring.statistics import ChiSquare
from workers.ports import Ports
from workers.reports.measures import (
    CURRENCY,
    LIVE_TABLE,
    SHEET,
    SHEET_VERSION,
    exact,
)
from workers.reports.periods import Period, Unit
from workers.reports.table import Cell, Column, Kind, Section, listing

KIND: Final = "rtp-monitoring"
TITLE: Final = "RTP monitoring"
VERSION: Final = 2
PROJECTIONS: Final = ("rtp", "rtp-alerts")
PERIOD: Final = ("sheets",)
"""Sections that say whether there was any activity."""
APART: Final[tuple[Apart | None, ...]] = (None, "level", "channel")
"""Returns by sheet alone, and by one thing more."""
DUE: Final = (Unit.DAY, Unit.MONTH)
FILTERS: Final = "none"

_FIGURES: Final = (
    Column("rounds", Kind.COUNT),
    Column("draws", Kind.COUNT),
    Column("turnover", Kind.MONEY),
    Column("returned", Kind.MONEY),
    Column("rtp_numerator", Kind.COUNT),
    Column("rtp_denominator", Kind.COUNT),
    Column("rtp_percent", Kind.PERCENT),
    Column("theoretical_percent", Kind.PERCENT),
    *(Column(f"tolerance_{grade}_percent", Kind.PERCENT) for grade in THRESHOLDS),
    Column("z", Kind.TEXT),
    Column("state", Kind.TEXT),
)
_OUTCOMES: Final = (
    SHEET,
    SHEET_VERSION,
    LIVE_TABLE,
    Column("draw", Kind.TEXT),
    Column("outcome", Kind.TEXT),
    Column("times", Kind.COUNT),
    Column("expected_percent", Kind.PERCENT),
)
_TESTS: Final = (
    *_OUTCOMES[:4],
    Column("draws", Kind.COUNT),
    Column("chi_square", Kind.TEXT),
    Column("freedom", Kind.COUNT),
    Column("p", Kind.TEXT),
    Column("evidence", Kind.TEXT),
)
_ALERTS: Final = {
    "alert": Kind.TEXT, "grade": Kind.TEXT, "statistic": Kind.TEXT, "sheet": Kind.TEXT,
    "sheet_version": Kind.COUNT, "subject": Kind.TEXT, "period": Kind.TEXT, "first_day": Kind.DAY,
    "last_day": Kind.DAY, "value": Kind.TEXT, "threshold": Kind.TEXT, "rounds": Kind.COUNT,
}  # fmt: skip


def sections(cursor: Cursor, ports: Ports, period: Period) -> tuple[Section, ...]:
    """The report's sections for a closed period."""
    up_to = periods(period.days.last)
    told = {"": period.days, "-last-30-days": up_to["30-days"], "-to-date": up_to["life"]}
    stands = [
        _returns(cursor, ports, (suffix, days), by) for suffix, days in told.items() for by in APART
    ]
    fallen = _fallen(cursor, ports, up_to["life"])
    return (*stands, *fallen, _alerts(cursor, ports, period.days))


def _returns(cursor: Cursor, ports: Ports, period: tuple[str, Days], by: Apart | None) -> Section:
    """Returns of a period by sheet, version and currency, and by one thing more."""
    suffix, days = period
    apart = () if by is None else (Column(by, Kind.TEXT),)
    lines = ((*key, *_figures(stands)) for key, stands in returns(cursor, ports, days, by).items())
    columns = (SHEET, SHEET_VERSION, CURRENCY, *apart, *_FIGURES)
    return listing(f"{by or 'sheet'}s{suffix}", columns, lines)


def _figures(stands: Returns) -> tuple[Cell, ...]:
    played = (stands.rounds, stands.draws or None, stands.turnover, stands.returned)
    bands = (stands.tolerance(grade) for grade in THRESHOLDS)
    shown = (None if band is None else Fraction(band) for band in bands)
    z = None if stands.z is None else f"{stands.z:.3f}"
    return (*played, *exact(stands.actual), stands.theoretical, *shown, z, stands.state)


def _fallen(cursor: Cursor, ports: Ports, life: Days) -> tuple[Section, Section]:
    """Outcomes since the start, and the tests on them."""
    found = outcomes(cursor, ports, life)
    rows = (
        (*key[:2], key[2] or None, key[3], name, fell.counts.get(name, 0), chance)
        for key, fell in found.items()
        for name, chance in fell.chances.items()
    )
    tests: list[tuple[Cell, ...]] = []
    for (sheet, version, live_table, draw), fell in found.items():
        told = _tested(fell.tested)
        evident = f"{fell.evidence:.3f}"
        tests.append((sheet, version, live_table or None, draw, fell.total, *told, evident))
    return (
        listing("outcomes-to-date", _OUTCOMES, rows),
        listing("outcome-tests-to-date", _TESTS, tests),
    )


def _tested(found: ChiSquare | None) -> tuple[Cell, Cell, Cell]:
    if found is None:
        return (None, None, None)
    return (f"{found.value:.3f}", found.freedom, f"{found.p:.6f}")


def _alerts(cursor: Cursor, ports: Ports, days: Days) -> Section:
    """Alerts that were raised in the period."""
    columns = tuple(Column(name, kind) for name, kind in _ALERTS.items())
    text = _RAISED.replace("{names}", ", ".join(_ALERTS))
    rows = cursor.execute(sql(text, ports.book), (days.begins, days.ends)).fetchall()
    return listing("alerts", columns, ((str(row[0]), *row[1:]) for row in rows))


_RAISED: Final = """
SELECT {names} FROM {book}.p_rtp_alerts
 WHERE raised_at >= %s AND raised_at < %s ORDER BY raised_at, alert
"""
