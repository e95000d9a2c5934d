"""Duty (imposta unica) on what is not returned to players, by the day of a session's close.

The rate is that of the business day on which the session ended. The duty of a period is computed
once for each rate, on the sum of its days, and rounded half up; where more was returned than bet
there is none. Rounds that are settled in sessions still open are the reconciling item between the
base and the gross revenue of the period (guarantee G1).
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, datetime
from fractions import Fraction
from typing import Any, Final

from ledger.domain.money import half_up
from workers.days import Days
from workers.log import Cursor, sql
from workers.ports import Ports
from workers.reports.closed import CLOSED, NAMES, Sums, base_of, by_currency, by_day, left_of
from workers.reports.measures import CURRENCY, TIES, agree
from workers.reports.periods import Period, Unit
from workers.reports.table import Cell, Column, Keyed, Kind, Line, Section, listing, summed

KIND: Final = "duty"
TITLE: Final = "Duty (imposta unica)"
VERSION: Final = 2
PROJECTIONS: Final = ("sessions", "rounds", "turnover")
PERIOD: Final = ("days", "reconciliation")
"""Sections that say whether there was any activity."""
DUE: Final = (Unit.DAY, Unit.MONTH, Unit.YEAR)
FILTERS: Final = "none"

RATES: Final[tuple[tuple[date, Fraction], ...]] = (
    (date(2011, 1, 1), Fraction(20, 100)),
    (date(2019, 1, 1), Fraction(25, 100)),
    (date(2025, 1, 1), Fraction(255, 1000)),
)
"""The Italian rates on games with cash winnings, and the day from which each holds."""


def rate_of(day: date) -> tuple[date, Fraction]:
    """The rate of a business day, and since when it holds; none held before the first."""
    held = [(since, rate) for since, rate in RATES if since <= day]
    return held[-1] if held else (date.min, Fraction(0))


def duty_on(base: int, rate: Fraction) -> int:
    """The duty on a base, in minor units; none where more was returned than bet."""
    return half_up(max(base, 0) * rate)


def sections(cursor: Cursor, ports: Ports, period: Period) -> tuple[Section, ...]:
    """The report's sections for a closed period."""
    rows = by_day(cursor, ports, period.days)
    sums = by_currency(rows)
    return (
        summed("days", (Column("closed_on", Kind.DAY), CURRENCY), CLOSED, rows),
        _duty(rows),
        listing("identity", _IDENTITY, _identities(sums)),
        listing("reconciliation", _RECONCILED, _reconciled(cursor, ports, period.days, sums)),
    )


_DUTY: Final = (
    Column("rate_since", Kind.DAY),
    Column("rate_percent", Kind.PERCENT),
    CURRENCY,
    Column("base", Kind.MONEY),
    Column("duty", Kind.MONEY),
)


def _duty(rows: list[Keyed]) -> Section:
    bases: dict[tuple[date, Fraction, str], int] = defaultdict(int)
    for (day, currency), figures in rows:
        assert isinstance(day, date)
        told = dict(zip(NAMES, figures, strict=True))
        bases[(*rate_of(day), str(currency))] += base_of(told)
    lines = [
        Line("row", (since, rate, currency, base, duty_on(base, rate)))
        for (since, rate, currency), base in sorted(bases.items())
    ]
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for (_, rate, currency), base in bases.items():
        totals[currency][0] += base
        totals[currency][1] += duty_on(base, rate)
    lines += [Line("total", (None, None, c, *both)) for c, both in sorted(totals.items())]
    return Section("duty", _DUTY, tuple(lines))


_IDENTITY: Final = (
    CURRENCY,
    *(
        Column(name, Kind.MONEY)
        for name in ("funded", "final_posta", "left", "bets", "returns", "base")
    ),
    TIES,
)


def _identities(sums: Sums) -> list[tuple[Cell, ...]]:
    """Funded posta less final posta is bets less returns, over the sessions that ended."""
    return [_identity(currency, figures) for currency, figures in sorted(sums.items())]


def _identity(currency: str, told: Mapping[str, int]) -> tuple[Cell, ...]:
    doors = (told["funded"], told["final_posta"], left_of(told))
    played = (told["bets"], told["returns"], base_of(told))
    return (currency, *doors, *played, agree(left_of(told) == base_of(told)))


_RECONCILED: Final = (
    CURRENCY,
    *(
        Column(name, Kind.MONEY)
        for name in ("base", "open_before", "open_after", "base_and_open", "ggr")
    ),
    TIES,
)


def _reconciled(cursor: Cursor, ports: Ports, days: Days, sums: Sums) -> list[tuple[Cell, ...]]:
    """The base and what changed in sessions still open are what the house kept of all rounds."""
    before = _in_open_sessions(cursor, ports, days.begins)
    after = _in_open_sessions(cursor, ports, days.ends)
    kept = _figures(cursor, ports, _KEPT, {"first": days.first, "last": days.last})
    currencies = sorted(sums.keys() | before.keys() | after.keys() | kept.keys())
    lines: list[tuple[Cell, ...]] = []
    for currency in currencies:
        base = base_of(sums[currency]) if currency in sums else 0
        was, is_now = before.get(currency, 0), after.get(currency, 0)
        together, ggr = base + is_now - was, kept.get(currency, 0)
        ties = agree(together == ggr)
        lines.append((currency, base, was, is_now, together, ggr, ties))
    return lines


def _in_open_sessions(cursor: Cursor, ports: Ports, at: datetime) -> dict[str, int]:
    """What the house had kept by a moment of rounds in sessions that were open then."""
    return _figures(cursor, ports, _OPEN, {"at": at})


def _figures(cursor: Cursor, ports: Ports, text: str, values: Mapping[str, Any]) -> dict[str, int]:
    return dict(cursor.execute(sql(text, ports.book), values).fetchall())


_KEPT: Final = """
SELECT currency, sum(turnover - winnings - stake_returned
                     + double_ups_staked - double_ups_returned)::int8
  FROM {book}.p_turnover WHERE day BETWEEN %(first)s AND %(last)s GROUP BY currency
"""

_OPEN: Final = """
SELECT s.currency, sum(r.staked - r.refunded - r.winnings - r.stake_returned
                       + r.double_ups_staked - r.double_ups_returned)::int8
  FROM {book}.p_sessions s JOIN {book}.p_rounds r ON r.session = s.session
 WHERE s.requested_at < %(at)s AND (s.closed_at IS NULL OR s.closed_at >= %(at)s)
   AND r.settled AND r.ended_at < %(at)s
 GROUP BY s.currency
"""
