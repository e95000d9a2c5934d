"""What waits too long and that somebody should look at, as figures for a scrape."""

from collections.abc import Iterable
from typing import Final

from prometheus_client.core import GaugeMetricFamily, Metric

from workers.closing import days_unclosed
from workers.log import Cursor, sql
from workers.ports import Ports
from workers.reconciliation.inside import OPEN_TOO_LONG
from workers.reports.build import lacking


def overdue(cursor: Cursor, ports: Ports) -> Iterable[Metric]:
    """Open differences, rounds in play too long, and days and reports that are due."""
    yield _counted(
        "differences_open", "Differences that are not closed.", "source",
        cursor.execute(sql(_DIFFERENCES, ports.book)).fetchall(),
    )  # fmt: skip
    before = ports.now() - OPEN_TOO_LONG
    yield _counted(
        "rounds_overdue", "Rounds that are in play for more than a day.", "sheet",
        cursor.execute(sql(_ROUNDS, ports.book), (before,)).fetchall(),
    )  # fmt: skip
    days = len(days_unclosed(cursor, ports))
    text = "Business days that are over, with the delay of reports, and not closed."
    yield GaugeMetricFamily("contoposta_days_unclosed", text, value=days)
    text = "Reports that are due of closed days and were not produced."
    reports = len(lacking(cursor, ports))
    yield GaugeMetricFamily("contoposta_reports_lacking", text, value=reports)


def _counted(name: str, text: str, label: str, rows: Iterable[tuple[str, int]]) -> Metric:
    gauge = GaugeMetricFamily(f"contoposta_{name}", text, labels=[label])
    for of, count in rows:
        gauge.add_metric([of], count)
    return gauge


_DIFFERENCES: Final = """
SELECT source, count(*) FROM {book}.p_differences WHERE closed_at IS NULL
 GROUP BY source ORDER BY source
"""

_ROUNDS: Final = """
SELECT sheet, count(*) FROM {book}.p_rounds WHERE ended_at IS NULL AND opened_at < %s
 GROUP BY sheet ORDER BY sheet
"""
