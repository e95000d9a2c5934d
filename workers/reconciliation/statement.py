"""The book's payments against a provider's statement.

The lines lie in a table of the database that only one connection sees and that ends with it, so
that a statement of any length needs the same memory here. What agrees by reference is counted
there; only the rest is matched.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from typing import Any, BinaryIO, Final, cast

from ledger.domain.events import PaymentRef, Way
from ledger.reconciliation.mapping import StatementMapping
from ledger.reconciliation.matching import CARRIED, Carried, Compared, Key, match
from ledger.reconciliation.statements import Payment, read_statement
from workers.days import bounds, day_of
from workers.log import Cursor, connected, sql, transaction
from workers.ports import Connection, Ports
from workers.projections import players
from workers.projections.differences import Difference
from workers.reconciliation.carry import Outcome, Run, open_differences, prepare, record

SOURCE: Final = "statement"
REACH: Final = timedelta(days=31)
"""How far from a statement's period what was settled before is looked for."""
AT_ONCE: Final = 5_000
"""Lines that are put into the table in one transaction, which keeps the sealer waiting."""


@dataclass(frozen=True, slots=True)
class Period:
    """The days that a statement covers, both included, by the midnights of its mapping's zone."""

    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that was read to its end; its lines are held by the connection."""

    connection: Connection
    mapping: StatementMapping
    lines: int
    period: Period | None
    """The days from its first line to its last; None where it has no line."""


@contextmanager
def loaded(ports: Ports, file: BinaryIO, mapping: StatementMapping) -> Iterator[Statement]:
    """Read a statement; raise `StatementError` where a line is at fault, and nothing is written."""
    with connected(ports) as connection:
        connection.execute(_LINES)
        payments = read_statement(file, mapping)
        while page := tuple(islice(payments, AT_ONCE)):
            _put(connection, page)
        connection.execute(_INDEX)
        connection.execute("ANALYZE statement_lines")
        row = connection.execute(_EXTENT).fetchone()
        assert row is not None
        lines, first, last = row
        zone = mapping.day_zone
        period = Period(day_of(first, zone), day_of(last, zone)) if lines else None
        yield Statement(connection, mapping, lines, period)


def _put(connection: Connection, page: Iterable[Payment]) -> None:
    text = "COPY statement_lines FROM STDIN (FORMAT BINARY)"
    with connection.transaction(), connection.cursor() as cursor, cursor.copy(text) as copy:
        copy.set_types(["text", "text", "int8", "text", "timestamptz", "int8"])
        for line in page:
            copy.write_row(
                (line.way, line.reference, line.amount, line.currency, line.at, line.number)
            )


def reconcile_statement(ports: Ports, statement: Statement, period: Period) -> tuple[Outcome, int]:
    """Match a statement, put what differs on record; that, and how many payments agree."""
    prepare(ports, players.PROJECTION.name)
    with transaction(statement.connection, frozen=True) as cursor:
        compared, values = _compared(cursor, ports, statement.mapping, period)
        row = cursor.execute(sql(_AGREEING, ports.book), values).fetchone()
        assert row is not None
        cursor.execute(sql(_LEFT, ports.book), values)
        lines = [Payment(*line) for line in cursor.fetchall()]
    matched = match(lines, compared)  # in no transaction, which may not idle for as long
    run = Run(SOURCE, matched.found, lambda d: d.difference in matched.cleared, matched.cleared)
    return record(ports, run), row[0] + matched.pairs


def _compared(
    cursor: Cursor, ports: Ports, mapping: StatementMapping, period: Period
) -> tuple[Compared, dict[str, Any]]:
    """What the lines that do not simply agree are held against, and which those are."""
    zone = mapping.day_zone
    begins, ends = bounds(period.first, zone)[0], bounds(period.last, zone)[1]
    channel, window = mapping.channel, mapping.window
    mine = [_carried(d) for d in open_differences(cursor, ports, SOURCE) if d.scope == channel]
    around = {"channel": channel, "begins": begins - REACH, "ends": ends + REACH}
    cursor.execute(sql(_SETTLED, ports.book), {"kinds": list(CARRIED), **around})
    settled = _both_ways(cursor.fetchall())
    known = sorted({*(c.side for c in mine), *_other_sides(mine), *settled})
    values = {
        "channel": channel,
        "begins": begins - window,
        "ends": ends + window,
        "period_ends": ends,
        "ways": [way for way, _ in known],
        "references": [reference for _, reference in known],
    }
    cursor.execute(sql(_PAYMENTS, ports.book), values)
    payments = [Payment(*row) for row in cursor.fetchall()]
    return Compared(channel, begins, ends, window, payments, mine, settled), values


def _other_sides(carried: Iterable[Carried]) -> Iterator[Key]:
    for each in carried:
        if each.payment.matched is not None:
            yield each.payment.way, each.payment.matched


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


_LINES: Final = """
CREATE TEMPORARY TABLE statement_lines (
    way text NOT NULL, reference text NOT NULL, amount int8 NOT NULL, currency text NOT NULL,
    at timestamptz NOT NULL, number int8 NOT NULL)
"""

_INDEX: Final = "CREATE INDEX ON statement_lines (way, reference)"

_EXTENT: Final = "SELECT count(*), min(at), max(at) FROM statement_lines"

# What simply agrees: one line and one payment of a reference that nothing is known of from before,
# the same amount and currency, and the payment is not of a later period. To match it could neither
# pair with anything else nor tell anything, so that the rest is matched as if it were there.
_AGREED: Final = """
WITH agreed AS (
    SELECT l.way, l.reference
      FROM (SELECT way, reference, min(amount) AS amount, min(currency) AS currency
              FROM statement_lines GROUP BY way, reference HAVING count(*) = 1) AS l
      JOIN (SELECT way, reference, min(amount) AS amount, min(currency) AS currency,
                   max(recorded) AS recorded
              FROM {book}.p_payments
             WHERE channel = %(channel)s AND recorded >= %(begins)s AND recorded < %(ends)s
             GROUP BY way, reference HAVING count(*) = 1) AS p
     USING (way, reference, amount, currency)
     WHERE p.recorded < %(period_ends)s
       AND NOT EXISTS (SELECT FROM unnest(%(ways)s::text[], %(references)s::text[])
                                   AS known (way, reference)
                        WHERE (known.way, known.reference) = (l.way, l.reference)))
"""

_AGREEING: Final = _AGREED + "SELECT count(*) FROM agreed"

_LEFT: Final = (
    _AGREED
    + """
SELECT way, reference, amount, currency, at, number FROM statement_lines AS l
 WHERE NOT EXISTS (SELECT FROM agreed a WHERE (a.way, a.reference) = (l.way, l.reference))
 ORDER BY number
"""
)

_PAYMENTS: Final = (
    _AGREED
    + """
SELECT way, reference, amount, currency, recorded FROM {book}.p_payments AS p
 WHERE channel = %(channel)s AND recorded >= %(begins)s AND recorded < %(ends)s
   AND NOT EXISTS (SELECT FROM agreed a WHERE (a.way, a.reference) = (p.way, p.reference))
 ORDER BY position
"""
)

_SETTLED: Final = """
SELECT way, reference, matched FROM {book}.p_differences
 WHERE source = 'statement' AND scope = %(channel)s
   AND closed_at IS NOT NULL AND resolution IS NULL
   AND kind = ANY(%(kinds)s) AND matched IS NOT NULL
   AND since >= %(begins)s AND since < %(ends)s
"""
