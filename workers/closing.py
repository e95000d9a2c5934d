"""Closing a business day: from then on its reports come from one checkpoint, and nothing joins it.

A day is closed some minutes after its end, by the first checkpoint that covers every save that was
begun before that. The store refuses events of a closed day, so its figures are final: the same day
gives the same reports, whatever is played later (guarantee G6).
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final

from ledger.domain.refusals import Fault, Refusal
from ledger.seal.sealer import Sealed, latest
from workers.days import bounds, closes_at, day_of, last_over
from workers.log import Cursor, Span, connected, holding, read, sealed_size, sql, transaction
from workers.ports import Connection, Ports

WAITS: Final = 40
"""How often a closing looks again for saves that were begun before it."""
WAIT_SECONDS: Final = 0.05


class DutyCode(StrEnum):
    """Why a duty of the calendar cannot be done; by precedence."""

    BOOK_EMPTY = "book-empty"
    BEFORE_FIRST_DAY = "before-first-day"
    DAY_NOT_OVER = "day-not-over"


class StillOpen(Fault):
    """A save that was begun before the day may close is still running; try again."""


@dataclass(frozen=True, slots=True)
class Closing:
    """A closed day and the checkpoint that its reports are built from."""

    day: date
    checkpoint: Sealed


def close_day(ports: Ports, day: date) -> Closing | Refusal:
    """Close a day and those before it, or say by which checkpoint it was closed.

    Doing it twice changes nothing. Raises `StillOpen` while an older save is running.
    """
    for earlier in days_due(ports):
        if earlier < day:
            _close(ports, earlier)
    return _close(ports, day)


def _close(ports: Ports, day: date) -> Closing | Refusal:
    with connected(ports) as connection:
        closed = closing_of(connection, ports.book, day)
        if closed is not None:
            return closed
        refusal = _too_early(connection, ports, day)
        if refusal is not None:
            return refusal
        ports.seal()
        with holding(connection, (ports.book, _EVERY_SAVE)):
            _seal_older(connection, ports)
            return _record(connection, ports, day)


def closing_of(connection: Connection, book: str, day: date) -> Closing | None:
    """How a day was closed; None while it is open."""
    row = connection.execute(sql(_CLOSED, book), (day,)).fetchone()
    if row is None:
        return None
    checkpoint = latest(connection, book, row[0])
    assert checkpoint is not None
    return Closing(day, checkpoint)


def days_due(ports: Ports) -> tuple[date, ...]:
    """The days that may be closed now and are not, oldest first; every day has its report."""
    with connected(ports) as connection, transaction(connection) as cursor:
        return days_unclosed(cursor, ports)


def days_unclosed(cursor: Cursor, ports: Ports) -> tuple[date, ...]:
    """The same, as a transaction sees it."""
    began = began_at(cursor, ports)
    if began is None:
        return ()
    row = cursor.execute(sql(_LAST, ports.book)).fetchone()
    first = day_of(began) if row is None or row[0] is None else row[0] + timedelta(days=1)
    count = (last_over(ports.now()) - first).days + 1
    return tuple(first + timedelta(days=n) for n in range(max(count, 0)))


def began_at(cursor: Cursor, ports: Ports) -> datetime | None:
    """When the book's first sealed event was recorded; None when there is none."""
    stop = min(sealed_size(cursor, ports.book), 1)
    first = read(cursor, ports, Span(0, stop), ports.codec.names)
    return first[0].entry.recorded if first else None


def _too_early(connection: Connection, ports: Ports, day: date) -> Refusal | None:
    with transaction(connection) as cursor:
        began = began_at(cursor, ports)
    if began is None:
        return Refusal(DutyCode.BOOK_EMPTY, "Nothing is sealed yet; seal the book first.")
    if day < day_of(began):
        return Refusal(DutyCode.BEFORE_FIRST_DAY, f"The book begins on {day_of(began)}.")
    if ports.now() < closes_at(day):
        return Refusal(DutyCode.DAY_NOT_OVER, f"The day can be closed from {closes_at(day)}.")
    return None


def _seal_older(connection: Connection, ports: Ports) -> None:
    """Seal every save that has an id by now: what starts later has a later time.

    An id of our own marks the moment; a snapshot's upper bound would not, for it is passed by
    transactions that are still running. Another sealer may be at work, so what counts is what is
    sealed, not that we sealed.
    """
    row = connection.execute("SELECT pg_current_xact_id()::text").fetchone()
    assert row is not None
    for _ in range(WAITS):
        ports.seal()
        covered = connection.execute(sql(_COVERED, ports.book), {"next": row[0]}).fetchone()
        if covered is not None and covered[0]:
            return
        connection.execute("SELECT pg_sleep(%s)", (WAIT_SECONDS,))
    raise StillOpen("A transaction is still running that may hold events of the day.")


def _record(connection: Connection, ports: Ports, day: date) -> Closing:
    newest = latest(connection, ports.book)
    assert newest is not None
    values = (day, bounds(day)[1], newest.size)
    connection.execute(sql(_CLOSE, ports.book), values)
    closed = closing_of(connection, ports.book, day)
    assert closed is not None
    return closed


_EVERY_SAVE: Final = "day-closing"
"""The lock that every save shares; see the function `admit` of the book.

While it is held saves wait: those under way have ended, and what comes next sees the closing. Most
was sealed just before, so that they wait for one short step.
"""

_CLOSED: Final = "SELECT size FROM {book}.day_closings WHERE day = %s"

_LAST: Final = "SELECT max(day) FROM {book}.day_closings"

_COVERED: Final = """
SELECT pg_snapshot_xmin(pg_current_snapshot()) >= %(next)s::xid8
   AND NOT EXISTS (
       SELECT FROM {book}.events e,
              (SELECT epoch, xid, ord FROM {book}.checkpoints ORDER BY size DESC LIMIT 1) AS last
        WHERE (e.epoch, e.xid, e.ord) > (last.epoch, last.xid, last.ord)
          AND e.xid < %(next)s::xid8)
"""

_CLOSE: Final = """
INSERT INTO {book}.day_closings (day, closed_until, size) VALUES (%s, %s, %s)
ON CONFLICT (day) DO NOTHING
"""
