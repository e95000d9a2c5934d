"""The course of a sheet's actual return over its rounds, for a plot beside what chance allows."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from workers.days import Days, bounds
from workers.log import Cursor, sql
from workers.monitoring.standing import Returns, returns
from workers.ports import Ports

POINTS: Final = 600
"""About how many points a course has; more would not be seen."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where the sums stood after so many rounds; amounts in minor units."""

    rounds: int
    turnover: int
    returned: int


@dataclass(frozen=True, slots=True)
class Course:
    """The points of one version of a sheet, and the exact sums that they end with."""

    sheet: str
    version: int
    last: date
    points: tuple[Point, ...]
    total: Returns


def course(cursor: Cursor, ports: Ports, what: tuple[str, int], last: date) -> Course | None:
    """The course of a sheet's version up to a day; None without any turnover.

    A sheet is played in one currency.
    """
    found = returns(cursor, ports, Days(date.min, last))
    total = next((stands for key, stands in found.items() if key[:2] == what), None)
    if total is None or not total.turnover:
        return None
    sheet, version = what
    step = max(total.rounds // POINTS, 1)
    values = {"sheet": sheet, "version": version, "end": bounds(last)[1], "step": step}
    rows = cursor.execute(sql(_COURSE, ports.book), values).fetchall()
    points = tuple(Point(*row) for row in rows)
    return Course(sheet, version, last, points, total) if points else None


_COURSE: Final = """
SELECT place, turnover, returned FROM (
    SELECT row_number() OVER played AS place, count(*) OVER () AS rounds,
           (sum(staked - refunded) OVER played)::int8 AS turnover,
           (sum(winnings + stake_returned) OVER played)::int8 AS returned
      FROM {book}.p_rounds
     WHERE settled AND sheet = %(sheet)s AND sheet_version = %(version)s
       AND ended_at < %(end)s
    WINDOW played AS (ORDER BY ended_at, round)) AS courses
 WHERE turnover > 0 AND (place %% %(step)s = 0 OR place = rounds) ORDER BY place
"""
