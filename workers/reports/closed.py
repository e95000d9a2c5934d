"""Sums over the sessions that ended in a period, by the business day of their end.

One whose first right was rejected never was a session. What their funding left in the house is what
they bet less what they were returned: the identity that duty rests on, and that every report of
sessions asserts.
"""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final

from workers.days import Days, bounds, day_of
from workers.log import Cursor, sql
from workers.ports import Ports
from workers.reports.table import Column, Keyed, Kind, Measures

NAMES: Final = ("sessions", "funded", "bonus", "final_posta", "bets", "returns")

Sums = Mapping[str, Mapping[str, int]]
"""Figures by name, by currency."""


def base_of(figures: Mapping[str, int]) -> int:
    """What was not returned to players: bets less returns, in minor units."""
    return figures["bets"] - figures["returns"]


def left_of(figures: Mapping[str, int]) -> int:
    """What entered the postas less what went back to the contos, in minor units."""
    return figures["funded"] - figures["final_posta"]


CLOSED: Final = Measures(
    (
        Column("sessions", Kind.COUNT),
        *(Column(name, Kind.MONEY) for name in (*NAMES[1:], "base")),
    ),
    NAMES,
    lambda figures: (*(figures[name] for name in NAMES), base_of(figures)),
)


def by_day(cursor: Cursor, ports: Ports, days: Days) -> list[Keyed]:
    """The sums of each business day and currency in which a session ended."""
    first = days.first
    if first == date.min:
        row = cursor.execute(sql(_FIRST, ports.book)).fetchone()
        first = day_of(row[0]) if row and row[0] else days.last
    count = (days.last - first).days + 1
    each = [first + timedelta(days=n) for n in range(count)]
    limits = [bounds(day) for day in each]
    values = (each, [begins for begins, _ in limits], [ends for _, ends in limits])
    cursor.execute(sql(_BY_DAY, ports.book), values)
    return [(row[:2], row[2:]) for row in cursor.fetchall()]


def by_currency(rows: list[Keyed]) -> Sums:
    """The sums of all days together."""
    sums: dict[str, Any] = defaultdict(lambda: dict.fromkeys(NAMES, 0))
    for keys, figures in rows:
        for name, figure in zip(NAMES, figures, strict=True):
            sums[str(keys[-1])][name] += figure
    return sums


_FIRST: Final = "SELECT min(closed_at) FROM {book}.p_sessions"

_BY_DAY: Final = """
SELECT d.day, s.currency, count(*)::int8, sum(s.posta_in)::int8, sum(s.funded_bonus)::int8,
       sum(s.posta_out)::int8, sum(s.bet + s.double_ups_staked)::int8,
       sum(s.won + s.double_ups_returned)::int8
  FROM unnest(%s::date[], %s::timestamptz[], %s::timestamptz[]) AS d(day, begins, ends)
  JOIN {book}.p_sessions s
    ON s.closed_at >= d.begins AND s.closed_at < d.ends AND s.opened_at IS NOT NULL
 GROUP BY d.day, s.currency
"""
