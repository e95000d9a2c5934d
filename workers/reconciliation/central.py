"""The book's participation rights of a day against the central system's totals."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final

from ledger.central import DayTotal, Unknown
from ledger.reconciliation.totals import compare_totals
from workers.days import bounds, last_over
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


def reconcile_due(ports: Ports) -> Iterator[Outcome]:
    """Compare yesterday, and days since the first compared one that the system did not tell then.

    A day without totals keeps no other one waiting; the first of these is the fault at the end.
    """
    untold: list[ReconciliationFault] = []
    for day in _due(ports):
        try:
            totals = ask_totals(ports, day)
        except ReconciliationFault as fault:
            untold.append(fault)
        else:
            yield reconcile_central(ports, day, totals)
    if untold:
        raise untold[0]


def _due(ports: Ports) -> list[date]:
    with connected(ports) as connection:
        rows = connection.execute(sql(_DUE, ports.book), {"last": last_over(ports.now())})
        return [day for (day,) in rows.fetchall()]


def reconcile_central(ports: Ports, day: date, there: Iterable[DayTotal]) -> Outcome:
    """Compare a business day's rights (Europe/Rome) and put on record what differs."""
    prepare(ports, "journal")
    with connected(ports) as connection, transaction(connection, frozen=True) as cursor:
        here = _totals(cursor, ports, day)
    found = tuple(compare_totals(day, bounds(day)[0], here, there))
    outcome = record(ports, Run(SOURCE, found, lambda d: d.scope == day.isoformat(), {}))
    if day <= last_over(ports.now()):
        with connected(ports) as connection:
            connection.execute(sql(_COMPARED, ports.book), (day, ports.now()))
    return outcome


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

_DUE: Final = """
SELECT due::date
  FROM generate_series((SELECT coalesce(min(day), %(last)s) FROM {book}.p_central_days),
                       %(last)s, '1 day') AS due
 WHERE NOT EXISTS (SELECT FROM {book}.p_central_days WHERE day = due::date)
 ORDER BY due
"""

_COMPARED: Final = """
INSERT INTO {book}.p_central_days (day, compared_at) VALUES (%s, %s) ON CONFLICT (day) DO NOTHING
"""
