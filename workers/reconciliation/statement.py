"""The book's payments against a provider's statement."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final, cast

from ledger.domain.events import PaymentRef, Way
from ledger.reconciliation.mapping import StatementMapping
from ledger.reconciliation.matching import CARRIED, Carried, Compared, Key, match
from ledger.reconciliation.statements import Payment
from workers.days import bounds, day_of
from workers.log import Cursor, connected, sql, transaction
from workers.ports import Ports
from workers.projections import players
from workers.projections.differences import Difference
from workers.reconciliation.carry import Outcome, Run, open_differences, prepare, record

SOURCE: Final = "statement"
REACH: Final = timedelta(days=31)
"""How far from a statement's period what was settled before is looked for."""


@dataclass(frozen=True, slots=True)
class Period:
    """The business days that a statement covers, both included."""

    first: date
    last: date


def period_of(lines: Sequence[Payment]) -> Period | None:
    """The days from a statement's first line to its last; None where it has no line."""
    days = sorted(day_of(line.at) for line in lines)
    return Period(days[0], days[-1]) if days else None


def reconcile_statement(
    ports: Ports, lines: Sequence[Payment], mapping: StatementMapping, period: Period
) -> tuple[Outcome, int]:
    """Match a statement, put what differs on record; that, and how many payments agree."""
    prepare(ports, players.PROJECTION.name)
    with connected(ports) as connection, transaction(connection, frozen=True) as cursor:
        matched = match(lines, _compared(cursor, ports, mapping, period))
    run = Run(SOURCE, matched.found, lambda d: d.difference in matched.cleared, matched.cleared)
    return record(ports, run), matched.pairs


def _compared(cursor: Cursor, ports: Ports, mapping: StatementMapping, period: Period) -> Compared:
    begins, ends = bounds(period.first)[0], bounds(period.last)[1]
    channel, window = mapping.channel, mapping.window
    values = {"channel": channel, "begins": begins - window, "ends": ends + window}
    cursor.execute(sql(_PAYMENTS, ports.book), values)
    payments = [Payment(*row) for row in cursor.fetchall()]
    mine = [d for d in open_differences(cursor, ports, SOURCE) if d.scope == channel]
    around = {"channel": channel, "begins": begins - REACH, "ends": ends + REACH}
    cursor.execute(sql(_SETTLED, ports.book), {"kinds": list(CARRIED), **around})
    settled = _both_ways(cursor.fetchall())
    return Compared(channel, begins, ends, window, payments, [_carried(d) for d in mine], settled)


def _both_ways(rows: Sequence[tuple[Any, ...]]) -> dict[Key, str]:
    pairs: dict[Key, str] = {}
    for way, reference, matched in rows:
        pairs |= {(way, reference): matched, (way, matched): reference}
    return pairs


def _carried(d: Difference) -> Carried:
    assert d.reference is not None
    assert d.currency is not None
    payment = PaymentRef(
        way=cast("Way", d.way),
        reference=d.reference,
        currency=d.currency,
        here=d.here,
        there=d.there,
        matched=d.matched,
    )
    return Carried(d.difference, d.kind, d.since, payment, d.found)


_PAYMENTS: Final = """
SELECT way, reference, amount, currency, recorded FROM {book}.p_payments
 WHERE channel = %(channel)s AND recorded >= %(begins)s AND recorded < %(ends)s
"""

_SETTLED: Final = """
SELECT way, reference, matched FROM {book}.p_differences
 WHERE source = 'statement' AND scope = %(channel)s
   AND closed_at IS NOT NULL AND resolution IS NULL
   AND kind = ANY(%(kinds)s) AND matched IS NOT NULL
   AND since >= %(begins)s AND since < %(ends)s
"""
