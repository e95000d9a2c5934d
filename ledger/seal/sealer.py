"""The sealer: gives committed events their place in the book, one step at a time (guarantee G6).

Each step is one transaction under an advisory lock. It takes the rows after the last sealed
`(epoch, xid, ord)` whose transactions are older than every one still running, so that no row can
appear before it later. It takes whole saves only, so that no checkpoint shows a half of one (G4).
The signed checkpoint commits with them.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

import psycopg
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.seal.keys import KeyChain, signers
from ledger.seal.merkle import Frontier
from ledger.seal.notes import Checkpoint, SigningKey, sign_note
from ledger.store.codec import recorded_at
from ledger.store.recorder import START_OF_TIME

BATCH: Final = 20_000
"""How many events one step seals, and the rest of the last save among them."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """The book as sealed: how many events, the root hash over them, and the signed note."""

    size: int
    root: bytes
    last_recorded: datetime
    note: str


@dataclass(frozen=True, slots=True)
class Lag:
    """What holds the seal back: events waiting, and the transaction that keeps them waiting."""

    waiting: int
    blocker: str | None
    """Who has the oldest transaction with an id, of any database; None when there is none."""


class Sealer:
    """Seals one book with the keys at hand; any number may run, one at a time does the work.

    Which of them signs is on record (`ledger.seal.keys`): while a key is rotated there are two.
    """

    def __init__(self, book: str, origin: str, *keys: SigningKey) -> None:
        self._book = book
        self._origin = origin
        self._keys = keys
        self._sql = {name: _compose(text, book) for name, text in _STATEMENTS.items()}

    def step(self, connection: psycopg.Connection[Any], batch: int = BATCH) -> int:
        """Seal about a batch of events; how many were sealed, 0 also when another sealer works.

        Raises `KeyFault`, and seals nothing, when the key that must sign is not at hand.
        """
        with connection.transaction(), connection.cursor(row_factory=tuple_row) as cursor:
            if not self._alone(cursor):
                return 0
            frontier, note, *after = self._last(cursor)
            rows = self._append(cursor, frontier.size, tuple(after), batch)
            if rows:
                self._check(cursor, (frontier, note), rows)
            return len(rows)

    def seal_all(
        self, connection: psycopg.Connection[Any], progress: Callable[[int], None] = lambda _: None
    ) -> int:
        """Seal until nothing more can be sealed; how many events were."""
        total = 0
        while sealed := self.step(connection):
            total += sealed
            progress(total)
        return total

    def _alone(self, cursor: psycopg.Cursor[Any]) -> bool:
        cursor.execute("SET LOCAL ROLE " + f'"{self._book}_sealer"')
        for plan in _IN_ORDER:
            cursor.execute(plan)
        row = cursor.execute(self._sql["lock"], (self._book,)).fetchone()
        return bool(row and row[0])

    def _last(self, cursor: psycopg.Cursor[Any]) -> tuple[Frontier, str | None, int, str, int]:
        row = cursor.execute(self._sql["last"]).fetchone()
        if row is None:
            return Frontier(), None, 0, "0", -1
        frontier, note, *place = row
        return Frontier.from_bytes(bytes(frontier)), note, *place

    def _append(
        self, cursor: psycopg.Cursor[Any], size: int, after: tuple[Any, ...], batch: int
    ) -> list[Any]:
        epoch, xid, place = after
        parameters = {"size": size, "epoch": epoch, "xid": xid, "ord": place, "batch": batch}
        return cursor.execute(self._sql["append"], parameters, binary=True).fetchall()

    def _check(
        self, cursor: psycopg.Cursor[Any], last: tuple[Frontier, str | None], rows: list[Any]
    ) -> None:
        frontier, note = last
        grown = frontier.extend([bytes(row[0]) for row in rows])
        _, epoch, xid, place = rows[-1]
        checkpoint = Checkpoint(self._origin, grown.size, grown.root())
        chain = KeyChain.read(cursor.connection, self._book)
        signing = signers(chain, (frontier.size, note), grown.size, self._keys)
        values = {
            "size": grown.size,
            "root": grown.root(),
            "frontier": grown.to_bytes(),
            "epoch": epoch,
            "xid": xid,
            "ord": place,
            "last_recorded": self._last_recorded(cursor.connection, frontier.size),
            "note": sign_note(checkpoint.text(), *signing),
        }
        cursor.execute(self._sql["check"], values)
        cursor.execute(self._sql["notify"])

    def _last_recorded(self, connection: psycopg.Connection[Any], size: int) -> datetime:
        """When the last readable entry from a position on was recorded, looked for from the end.

        What cannot be read never stops the seal: verification names it.
        """
        with connection.cursor("contoposta_states", row_factory=tuple_row) as cursor:
            for (state,) in cursor.execute(self._sql["states"], (size,)):
                with suppress(LookupError, TypeError, ValueError):
                    return recorded_at(bytes(state))
        return START_OF_TIME


def latest(
    connection: psycopg.Connection[Any], book: str, size: int | None = None
) -> Sealed | None:
    """The newest checkpoint, or the one of a size; None when nothing is sealed."""
    query = _compose(_LATEST, book)
    with connection.cursor(row_factory=tuple_row) as cursor:
        row = cursor.execute(query, {"size": size}).fetchone()
    return None if row is None else Sealed(row[0], bytes(row[1]), row[2], row[3])


def lag(connection: psycopg.Connection[Any], book: str) -> Lag:
    """How many events wait for their position, and who keeps them waiting."""
    with connection.cursor(row_factory=tuple_row) as cursor:
        waiting = cursor.execute(_compose(_WAITING, book)).fetchone()
        blocker = cursor.execute(_BLOCKER).fetchone()
    assert waiting is not None
    return Lag(waiting[0], None if blocker is None else blocker[0])


def waiting_since(connection: psycopg.Connection[Any], book: str) -> datetime | None:
    """When the first event that waits for its position was recorded, aware and in UTC.

    None when no event waits, or when the first one cannot be read, which verification names.
    """
    with connection.cursor(row_factory=tuple_row) as cursor:
        row = cursor.execute(_compose(_FIRST_WAITING, book)).fetchone()
    with suppress(LookupError, TypeError, ValueError):
        return None if row is None else recorded_at(bytes(row[0]))
    return None


def _compose(text: str, book: str) -> Any:
    channel = Identifier(f"{book}_sealed")
    return SQL(cast("Any", text)).format(book=Identifier(book), channel=channel)


_IN_ORDER: Final = ("SET LOCAL enable_bitmapscan = off", "SET LOCAL enable_seqscan = off")
"""Rows are taken by the index that has their order: sorting all that waits grows with the lag."""

_STATEMENTS: Final = {
    "lock": "SELECT pg_try_advisory_xact_lock(hashtext('contoposta-seal'), hashtext(%s))",
    "last": """
SELECT frontier, note, epoch, xid::text, ord FROM {book}.checkpoints ORDER BY size DESC LIMIT 1
""",
    "append": """
WITH src AS MATERIALIZED (
  SELECT %(size)s::int8 + row_number() OVER (ORDER BY q.epoch, q.xid, q.ord) - 1 AS position,
         q.originator_id, q.originator_version, q.epoch, q.xid, q.ord,
         sha256('\\x0000000010'::bytea || uuid_send(q.originator_id)
           || '\\x00000008'::bytea || int8send(q.originator_version)
           || int4send(octet_length(q.topic)) || convert_to(q.topic, 'UTF8')
           || int4send(octet_length(q.state)) || q.state) AS leaf
    FROM (SELECT * FROM {book}.events
           WHERE (epoch, xid, ord) > (%(epoch)s::int4, %(xid)s::text::xid8, %(ord)s::int4)
             AND (epoch < (SELECT max(epoch) FROM {book}.lineage)
                  OR xid < pg_snapshot_xmin(pg_current_snapshot()))
           ORDER BY epoch, xid FETCH FIRST (%(batch)s::int8) ROWS WITH TIES) AS q),
ins AS (
  INSERT INTO {book}.sealed (position, originator_id, originator_version, leaf, epoch, xid, ord)
  SELECT position, originator_id, originator_version, leaf, epoch, xid, ord FROM src)
SELECT leaf, epoch, xid::text AS xid_text, ord FROM src ORDER BY position
""",
    "states": """
SELECT e.state FROM {book}.sealed s JOIN {book}.events e USING (originator_id, originator_version)
 WHERE s.position >= %s ORDER BY s.position DESC
""",
    "check": """
INSERT INTO {book}.checkpoints (size, root, frontier, epoch, xid, ord, last_recorded, note)
VALUES (%(size)s, %(root)s, %(frontier)s, %(epoch)s, %(xid)s::text::xid8, %(ord)s,
        %(last_recorded)s, %(note)s)
""",
    "notify": "NOTIFY {channel}",
}

_LATEST: Final = """
SELECT size, root, last_recorded, note FROM {book}.checkpoints
 WHERE %(size)s::int8 IS NULL OR size = %(size)s ORDER BY size DESC LIMIT 1
"""

_WAITING: Final = """
SELECT count(*) FROM {book}.events e, (
    SELECT epoch, xid, ord FROM {book}.checkpoints
    UNION ALL SELECT 0, '0'::xid8, -1 ORDER BY epoch DESC, xid DESC, ord DESC LIMIT 1) AS last
 WHERE (e.epoch, e.xid, e.ord) > (last.epoch, last.xid, last.ord)
"""

_FIRST_WAITING: Final = """
SELECT state FROM {book}.events
 WHERE (epoch, xid, ord) > (
    SELECT epoch, xid, ord FROM {book}.checkpoints
    UNION ALL SELECT 0, '0'::xid8, -1 ORDER BY epoch DESC, xid DESC, ord DESC LIMIT 1)
 ORDER BY epoch, xid, ord LIMIT 1
"""

_BLOCKER: Final = """
SELECT format('process %s of %s (%s) in database %s', pid, usename, application_name, datname)
       || coalesce(format(', in a transaction since %s', xact_start), '')
  FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
 ORDER BY age(backend_xid) DESC LIMIT 1
"""
