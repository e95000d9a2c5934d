"""Differences at a period's end: what reconciliation found, closed and left open, with its age.

Whose a difference is may change later, so that it stands in the list and not in here: the same
period gives the same report.
"""

from typing import Final

from workers.log import Cursor, sql
from workers.ports import Ports
from workers.reports.measures import CURRENCY
from workers.reports.periods import Period, Unit
from workers.reports.table import Column, Kind, Section, listing

KIND: Final = "differences"
TITLE: Final = "Differences found by reconciliation"
VERSION: Final = 2
PROJECTIONS: Final = ("differences",)
PERIOD: Final = ("summary",)
"""Sections that say whether there was any activity."""
DUE: Final = (Unit.DAY, Unit.MONTH)
FILTERS: Final = "none"

_SUMMARY: Final = (
    Column("source", Kind.TEXT),
    Column("kind", Kind.TEXT),
    Column("found", Kind.COUNT),
    Column("resolved", Kind.COUNT),
    Column("cleared", Kind.COUNT),
    Column("open", Kind.COUNT),
)
_OPEN: Final = (
    Column("difference", Kind.TEXT),
    Column("occurrence", Kind.COUNT),
    Column("source", Kind.TEXT),
    Column("scope", Kind.TEXT),
    Column("kind", Kind.TEXT),
    Column("subject", Kind.TEXT),
    Column("what", Kind.TEXT),
    Column("since", Kind.INSTANT),
    Column("age_days", Kind.COUNT),
    Column("here", Kind.MONEY),
    Column("there", Kind.MONEY),
    CURRENCY,
)


def sections(cursor: Cursor, ports: Ports, period: Period) -> tuple[Section, ...]:
    """The report's sections for a closed period."""
    values = {"begins": period.days.begins, "ends": period.days.ends}
    cursor.execute(sql(_COUNTED, ports.book), values)
    summary = listing("summary", _SUMMARY, cursor.fetchall())
    cursor.execute(sql(_LISTED, ports.book), values)
    return (summary, listing("open", _OPEN, cursor.fetchall()))


_COUNTED: Final = """
SELECT source, kind,
       count(*) FILTER (WHERE found_at >= %(begins)s),
       count(*) FILTER (WHERE closed_at < %(ends)s AND resolution IS NOT NULL),
       count(*) FILTER (WHERE closed_at < %(ends)s AND resolution IS NULL),
       count(*) FILTER (WHERE closed_at IS NULL OR closed_at >= %(ends)s)
  FROM {book}.p_differences
 WHERE found_at < %(ends)s AND (closed_at IS NULL OR closed_at >= %(begins)s)
 GROUP BY source, kind ORDER BY source, kind
"""

_LISTED: Final = """
SELECT difference::text, occurrence, source, scope, kind, subject, found, since,
       greatest(floor(extract(epoch FROM %(ends)s - since) / 86400), 0)::int8,
       here, there, currency
  FROM {book}.p_differences
 WHERE found_at < %(ends)s AND (closed_at IS NULL OR closed_at >= %(ends)s)
 ORDER BY since, difference
"""
