"""The book's participation rights of a day against the central system's totals."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from ledger.central import DayTotal, Unknown
from ledger.reconciliation.totals import compare_totals
from workers.days import bounds
from workers.log import Cursor, connected, sql, transaction
from workers.ports import Ports
from workers.reconciliation.carry import Outcome, ReconciliationFault, Run, prepare, record

SOURCE: Final = "central"


def ask_totals(ports: Ports, day: date) -> tuple[DayTotal, ...]:
    """The central system's totals; raise a `ReconciliationFault` when it does not tell them."""
    told = ports.totals(day)
    if isinstance(told, Unknown):
        raise ReconciliationFault(f"The central system told no totals: {told.why}.")
    return told


def reconcile_central(ports: Ports, day: date, there: Iterable[DayTotal]) -> Outcome:
    """Compare a business day's rights (Europe/Rome) and put on record what differs."""
    prepare(ports, "journal")
    with connected(ports) as connection, transaction(connection, frozen=True) as cursor:
        here = _totals(cursor, ports, day)
    found = tuple(compare_totals(day, bounds(day)[0], here, there))
    return record(ports, Run(SOURCE, found, lambda d: d.scope == day.isoformat(), {}))


def _totals(cursor: Cursor, ports: Ports, day: date) -> list[DayTotal]:
    begins, ends = bounds(day)
    cursor.execute(sql(_TOTALS, ports.book), {"begins": begins, "ends": ends})
    return [DayTotal(*row) for row in cursor.fetchall()]


_TOTALS: Final = """
SELECT currency, count(*), sum(amount)::int8, count(DISTINCT stream) FROM {book}.p_journal
 WHERE recorded >= %(begins)s AND recorded < %(ends)s
   AND event = 'posta-funded' AND source LIKE 'session:%%:right'
 GROUP BY currency
"""
