"""The book against itself: a plain list of checks, each of which returns all that it finds.

What the rows of the log say is the verifier's to find (`ledger.seal.verify`): forged rows, sums,
saves, checkpoints that do not go on from each other, and rounds that balance and are still wrong.
What is folded from it is compared here, in the server or a span at a time, never all at once.

All checks are made in bites, here one after another or by tasks of workers, each check beside the
others.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import Any, Final

from ledger.domain.postings import MOVING, postings
from ledger.reconciliation.discrepancies import Discrepancy
from ledger.replay import Finding
from ledger.store.codec import CorruptEntry
from workers.log import SealedEntry, Span, connected, read, sql, transaction, uncollected
from workers.ports import Ports
from workers.projections.base import catch_up
from workers.projections.registry import PROJECTIONS
from workers.reconciliation.bites import Bite, Check, CheckRun, Forged, Kept, load, save
from workers.reconciliation.carry import Outcome, Run, prepare, record
from workers.reconciliation.refolding import Refolding, begin_fresh, differing, fold_on, leave

SOURCE: Final = "inside"
UNREADABLE: Final = "unreadable"
"""What a check tells that meets a row which cannot be read."""
OPEN_TOO_LONG: Final = timedelta(days=1)
"""After so long a round that is still in play is a difference, one with a stake in prison too."""
MOST: Final = 1_000
"""Differences that one check tells; more say the same."""
RANGE: Final = 200_000
"""Events of the log that are verified in one bite: half a minute of a core; a task has ten."""
SPAN: Final = 20_000
"""Positions of the journal that are compared at once."""
SPANS: Final = 20
"""How many of them are compared in one bite."""

Progress = Callable[[str, int], None]
"""Is told each bite before it is made: the check's name, and how many bites of it were made."""


def _discrepancy(ports: Ports, check: str, subject: str, found: str) -> Discrepancy:
    return Discrepancy(SOURCE, check, check, _sentence(subject), _sentence(found), ports.now())


def _sentence(text: str) -> str:
    """What a difference can say of a text out of the log: a forged row may hold anything."""
    return "".join(c if c.isprintable() else "?" for c in text)[:_SENTENCE_MAX]


def _verified(ports: Ports, _: int, carried: bytes | None) -> Bite:
    """What the verifier finds in the rows of the log; the kind is the verifier's check."""
    bite = ports.verify(carried, RANGE)
    if bite.verdict is None:
        return Bite((), bite.carried)
    findings = islice(bite.verdict.findings, MOST + 1)
    return Bite(tuple(_of_finding(ports, finding) for finding in findings))


def _of_finding(ports: Ports, finding: Finding) -> Discrepancy:
    subject = _sentence(f"{finding.place}: {finding.found}")
    return Discrepancy(SOURCE, "log", finding.check, subject, subject, ports.now())


def _journal(ports: Ports, size: int, carried: bytes | None) -> Bite:
    """Each line of the journal is a posting of its event, and each posting has its line."""
    first = int(carried or 0)
    stop = min(first + SPANS * SPAN, size)
    found: list[Discrepancy] = []
    for start in range(first, stop, SPAN):
        found += _journal_of(ports, Span(start, min(start + SPAN, stop)))
    return Bite(tuple(found), None if stop == size else str(stop).encode())


def _journal_of(ports: Ports, span: Span) -> Iterator[Discrepancy]:
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

    def bite(ports: Ports, _: int, __: bytes | None) -> Bite:
        values = {"before": ports.now() - OPEN_TOO_LONG}
        with connected(ports) as connection, transaction(connection, frozen=True) as cursor:
            cursor.execute(sql(query, ports.book), values)
            rows = cursor.fetchmany(MOST + 1)
        told = (
            Discrepancy(SOURCE, name, name, subject, found.format(*words), since or ports.now())
            for since, subject, *words in rows
        )
        return Bite(tuple(told))

    return Check(name, bite)


def _projections(ports: Ports, size: int, carried: bytes | None) -> Bite:
    """Each projection's rows are what a fresh fold of the same events gives."""
    if carried is None:
        return Bite((), begin_fresh(ports).as_bytes())
    fresh = Refolding.read(carried)
    if fresh.position < size:
        return Bite((), fold_on(ports, fresh, size).as_bytes())
    if fresh.compared == len(fresh.generations):
        leave(ports, fresh)
        return Bite(())
    found = tuple(
        _discrepancy(
            ports, "projection", f"{table} {keys}", f"A fresh fold of {name} gives another row."
        )
        for name, table, keys in differing(ports, fresh, MOST + 1)
    )
    return Bite(found, replace(fresh, compared=fresh.compared + 1).as_bytes())


def _leave(ports: Ports, carried: bytes) -> None:
    leave(ports, Refolding.read(carried))


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
    Check("log", _verified, reads_projections=False),
    Check("journal", _journal),
    _rows(
        "conto",
        _CONTO,
        "The conto holds {0}; payments, sessions and corrections give {1} minor units.",
    ),
    _rows("session", _IDENTITY, "The posta lost {0}, bets less returns are {1} minor units."),
    _rows("round", _OPEN, "A round of {0} is in play too long."),
    _rows("duplicate", _DUPLICATES, "The payment is booked {0} times."),
    Check("projection", _projections, _leave),
)


def reconcile_inside(
    ports: Ports, checks: Sequence[Check] = CHECKS, progress: Progress = lambda *_: None
) -> Outcome:
    """Make some checks; what they found before and do not find again is closed by rule.

    A check that has more to tell than it may closes nothing, and neither does one that meets a row
    that cannot be read: that is what it tells.
    """
    size = prepare(ports)
    begun = CheckRun(ports.now(), size)
    return _record(ports, [(check, _made(ports, check, begun, progress)) for check in checks])


def _made(ports: Ports, check: Check, run: CheckRun, progress: Progress) -> CheckRun:
    """A check made to its end in this process, after which nothing is left that it made."""
    try:
        while not run.is_over:
            progress(check.name, run.bites)
            run = run.after(_bite(ports, check, run), MOST)
    finally:
        _leave_off(ports, check, run)
    return run


def _bite(ports: Ports, check: Check, run: CheckRun) -> Bite:
    """The next bite; before the first one what the check reads is folded."""
    try:
        if check.reads_projections and not run.bites:
            catch_up(ports, PROJECTIONS, run.size)
        return check.bite(ports, run.size, run.carried)
    except CorruptEntry as error:
        _leave_off(ports, check, run)
        return Bite((_discrepancy(ports, check.name, UNREADABLE, f"Not checked. {error}"),))


def _leave_off(ports: Ports, check: Check, run: CheckRun | None) -> None:
    if run is not None and run.carried is not None:
        check.leave(ports, run.carried)


class Next(StrEnum):
    """What is to be done after a bite that was not a run's last."""

    BITE = "bite"
    """Another one."""
    NOTHING = "nothing"
    """The run is over, a later one took its place, or another worker made the bite."""


def go_on(ports: Ports, name: str, begun: datetime) -> Outcome | Next:
    """Make one more bite of a check for the run of a moment, or begin that run.

    What the whole run came to, when this was its last bite. Raises `Forged` where what the run
    carried was changed by force.
    """
    check = named(name)
    with connected(ports) as connection, transaction(connection) as cursor:
        before = load(cursor, ports, name)
    run = _to_go_on_with(ports, check, before, begun)
    if run is None:
        return Next.NOTHING
    after = run.after(_bite(ports, check, run), MOST)
    if not after.is_over:
        return Next.BITE if save(ports, name, before, after) else Next.NOTHING
    outcome = _record(ports, [(check, after)])
    # Before the row says that the run is over, so that what it made is not taken away twice.
    _leave_off(ports, check, after)
    return outcome if save(ports, name, before, replace(after, carried=None)) else Next.NOTHING


def _to_go_on_with(
    ports: Ports, check: Check, before: Kept | None, begun: datetime
) -> CheckRun | None:
    """The run that began at a moment, or that begins now; None where nothing is left to do."""
    run = None if before is None else before.run
    if before is not None and run is None and before.begun == begun:
        raise Forged(f"What the check {check.name} carried was changed by force; run it again.")
    if run is not None and run.begun >= begun:
        return run if run.begun == begun and not run.is_over else None
    _leave_off(ports, check, run)
    return CheckRun(begun, prepare(ports))


def _record(ports: Ports, made: Sequence[tuple[Check, CheckRun]]) -> Outcome:
    found = [each for _, run in made for each in run.found[:MOST]]
    whole = {check.name for check, run in made if _is_whole(run)}
    return record(ports, Run(SOURCE, found, lambda d: d.scope in whole, {}))


def _is_whole(run: CheckRun) -> bool:
    """Whether a run told all that is wrong."""
    return len(run.found) <= MOST and all(each.subject != UNREADABLE for each in run.found)


def named(name: str) -> Check:
    """The check of a name; raise `KeyError` when there is none."""
    return {check.name: check for check in CHECKS}[name]
