"""The book against itself: a plain list of checks, each of which returns all that it finds.

What the rows of the log say is the verifier's to find (`ledger.seal.verify`): forged rows, sums,
saves, checkpoints that do not go on from each other, and rounds that balance and are still wrong.
What is folded from it is compared here, in the server or a span at a time, never all at once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import Any, Final

from psycopg.rows import tuple_row

from ledger.domain.postings import MOVING, postings
from ledger.reconciliation.discrepancies import Discrepancy
from ledger.store.codec import CorruptEntry
from workers.log import SealedEntry, Span, connected, read, sql, transaction, uncollected
from workers.ports import Ports
from workers.projections.base import catch_up
from workers.projections.registry import PROJECTIONS
from workers.reconciliation.carry import Outcome, Run, prepare, record
from workers.reconciliation.refolding import differing

SOURCE: Final = "inside"
LOG: Final = "log"
"""The check that reads rows as they are, and so can tell which of them nobody can read."""
OPEN_TOO_LONG: Final = timedelta(days=1)
"""After so long a round that is still in play is a difference, one with a stake in prison too."""
MOST: Final = 1_000
"""Differences that one check tells; more say the same."""
SPAN: Final = 20_000
"""Positions that are compared at once."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Check:
    """One check, which may look at everything that is sealed and folded up to a size."""

    name: str
    find: Callable[[Ports, int], Iterator[Discrepancy]]


def _discrepancy(ports: Ports, check: str, subject: str, found: str) -> Discrepancy:
    return Discrepancy(SOURCE, check, check, _sentence(subject), _sentence(found), ports.now())


def _sentence(text: str) -> str:
    """What a difference can say of a text out of the log: a forged row may hold anything."""
    return "".join(c if c.isprintable() else "?" for c in text)[:_SENTENCE_MAX]


def _verified(ports: Ports, _: int) -> Iterator[Discrepancy]:
    """What the verifier finds in the rows of the log; the kind is the verifier's check."""
    for finding in ports.verify():
        subject = _sentence(f"{finding.place}: {finding.found}")
        yield Discrepancy(SOURCE, LOG, finding.check, subject, subject, ports.now())


def _journal(ports: Ports, size: int) -> Iterator[Discrepancy]:
    """Each line of the journal is a posting of its event, and each posting has its line."""
    for first in range(0, size, SPAN):
        span = Span(first, min(first + SPAN, size))
        with connected(ports) as connection, transaction(connection, frozen=True) as cursor:
            with uncollected():
                entries = read(cursor, ports, span, MOVING)
                expected = {line[:2]: line for s in entries for line in _lines(s)}
            cursor.execute(sql(_JOURNAL, ports.book), {"first": span.first, "stop": span.stop})
            found = {row[:2]: row for row in cursor.fetchall()}
        for key in sorted({*expected, *found}):
            if expected.get(key) != found.get(key):
                told = "is not what its event moves" if key in found else "is missing"
                subject = f"position {key[0]} line {key[1]}"
                yield _discrepancy(ports, "journal", subject, f"The journal's line {told}.")


def _lines(sealed: SealedEntry) -> Iterator[tuple[Any, ...]]:
    posted = postings(sealed.entry.stream, sealed.entry.event)
    for line, p in enumerate(posted, 1):
        both = (p.source.address, p.target.address)
        yield (sealed.position, line, *both, p.amount, p.currency.value)


def _rows(name: str, query: str, found: str) -> Check:
    """A check that one statement makes in the server; its rows fill the words."""

    def find(ports: Ports, _: int) -> Iterator[Discrepancy]:
        values = {"before": ports.now() - OPEN_TOO_LONG}
        with (
            connected(ports) as connection,
            connection.transaction(),
            connection.cursor(f"reconcile_{name}", row_factory=tuple_row) as cursor,
        ):
            cursor.execute(sql(query, ports.book), values)
            for since, subject, *told in cursor:
                sentence = found.format(*told)
                yield Discrepancy(SOURCE, name, name, subject, sentence, since or ports.now())

    return Check(name, find)


def _projections(ports: Ports, _: int) -> Iterator[Discrepancy]:
    """Each projection's rows are what a fresh fold of the same events gives."""
    for projection in PROJECTIONS:
        for table, keys in differing(ports, projection, MOST):
            found = f"A fresh fold of {projection.name} gives another row."
            yield _discrepancy(ports, "projection", f"{table} {keys}", found)


_SENTENCE_MAX: Final = 500

_JOURNAL: Final = """
SELECT position, line, source, target, amount, currency FROM {book}.p_journal
 WHERE position >= %(first)s AND position < %(stop)s
"""

_CONTO: Final = """
SELECT NULL::timestamptz, 'player ' || player || ' ' || currency,
       sum(balance)::int8, sum(moved)::int8 FROM (
    SELECT split_part(account, ':', 2) AS player, currency, balance, 0 AS moved
      FROM {book}.p_balances WHERE account LIKE 'player:%%:conto'
    UNION ALL
    SELECT player, currency, 0, CASE way WHEN 'deposit' THEN amount ELSE -amount END
      FROM {book}.p_payments
    UNION ALL
    SELECT player, currency, 0,
           posta_out - funded_initial - funded_further - coalesce(right_amount, 0)
      FROM {book}.p_sessions
    UNION ALL
    SELECT split_part(account, ':', 2), currency, 0, brought
      FROM {book}.p_significant JOIN {book}.p_journal USING (position)
     CROSS JOIN LATERAL (VALUES (source, -amount), (target, amount)) AS side (account, brought)
     WHERE p_significant.event = 'correction-posted' AND account LIKE 'player:%%:conto'
    ) AS both_sides
 GROUP BY player, currency HAVING sum(balance) <> sum(moved)
"""

_IDENTITY: Final = """
SELECT closed_at, 'session ' || session, posta_in - posta_out,
       bet - won + double_ups_staked - double_ups_returned
  FROM {book}.p_sessions
 WHERE state = 'closed'
   AND posta_in - posta_out <> bet - won + double_ups_staked - double_ups_returned
"""

_OPEN: Final = """
SELECT opened_at, 'round ' || round, sheet FROM {book}.p_rounds
 WHERE ended_at IS NULL AND opened_at < %(before)s
"""

_DUPLICATES: Final = """
SELECT max(recorded), way || ' ' || channel || ' ' || reference, count(*) FROM {book}.p_payments
 GROUP BY way, channel, reference HAVING count(*) > 1
"""

CHECKS: Final[tuple[Check, ...]] = (
    Check(LOG, _verified),
    Check("journal", _journal),
    _rows(
        "conto",
        _CONTO,
        "The conto holds {0}; payments, sessions and corrections give {1} minor units.",
    ),
    _rows("session", _IDENTITY, "The posta lost {0}, bets less returns are {1} minor units."),
    _rows("round", _OPEN, "A round of {0} is in play too long."),
    _rows("duplicate", _DUPLICATES, "The payment is booked {0} times."),
    Check("projection", _projections),
)


def reconcile_inside(
    ports: Ports, checks: Sequence[Check] = CHECKS, progress: Progress = lambda _: None
) -> Outcome:
    """Make some checks; what they found before and do not find again is closed by rule.

    A check that has more to tell than it may closes nothing, and neither does one that meets a row
    that cannot be read: that is what it tells.
    """
    size = prepare(ports)
    found: list[Discrepancy] = []
    whole: set[str] = set()
    for check in checks:
        progress(check.name)
        try:
            told = list(islice(_made(ports, check, size), MOST + 1))
        except CorruptEntry as error:
            found.append(_discrepancy(ports, check.name, "unreadable", f"Not checked. {error}"))
            continue
        found += told[:MOST]
        if len(told) <= MOST:
            whole.add(check.name)
    return record(ports, Run(SOURCE, found, lambda d: d.scope in whole, {}))


def _made(ports: Ports, check: Check, size: int) -> Iterator[Discrepancy]:
    """What a check finds; all but that of the log look at what is folded."""
    if check.name != LOG:
        for projection in PROJECTIONS:
            catch_up(ports, projection, size)
    return check.find(ports, size)


def named(name: str) -> Check:
    """The check of a name; raise `KeyError` when there is none."""
    return {check.name: check for check in CHECKS}[name]
