"""Verification of a book in its database: everything is computed again from the stored rows.

The checks are a plain list and each returns all that it finds (G5): leaf hashes, positions, roots
and signatures of every checkpoint, rows that no position names, gaps in streams, missing triggers;
then what the entries say: balances at every moment (G1, G2), and rounds judged again (G7, G8).
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast
from uuid import UUID

import psycopg
from eventsourcing.persistence import StoredEvent
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.domain import sheets
from ledger.domain.decider import Engine
from ledger.domain.events import AnyEntry, SessionClosed, SheetPublished, SheetRef
from ledger.domain.postings import postings
from ledger.replay import Finding, Judge
from ledger.seal.merkle import Frontier, entry_bytes, leaf_hash
from ledger.seal.notes import Checkpoint, NoteError, VerifyingKey, open_note
from ledger.store.codec import Codec, CorruptEntry

PAGE: Final = 5_000


@dataclass(frozen=True, slots=True)
class Trust:
    """What the verifier is given from outside the book: its origin line and the keys to trust."""

    origin: str
    keys: tuple[VerifyingKey, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was recomputed and all that was found wrong."""

    events: int
    checkpoints: int
    rounds: int
    size: int
    root: str
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


@dataclass(slots=True)
class _Books:
    """Balances by account, folded event by event."""

    balances: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def see(self, entry: AnyEntry) -> Iterator[Finding]:
        place = f"{entry.stream} version {entry.version}"
        for posting in postings(entry.stream, entry.event):
            self.balances[posting.source.address] -= posting.amount
            self.balances[posting.target.address] += posting.amount
            if self.balances[posting.source.address] < 0 and not posting.source.is_signed:
                yield Finding("overdraft", place, f"{posting.source.address} fell below zero")
        if isinstance(entry.event, SessionClosed):
            yield from self._closed(entry)

    def _closed(self, entry: AnyEntry) -> Iterator[Finding]:
        final = entry.event.final_posta if isinstance(entry.event, SessionClosed) else 0
        for part in ("stakes", "win", "prison"):
            left = self.balances.get(f"{entry.stream}:{part}", 0)
            if left:
                yield Finding("orphan", entry.stream, f"closed with {left} in {part}")
        posta = self.balances.get(f"{entry.stream}:posta", 0)
        if posta != final:
            yield Finding("orphan", entry.stream, f"final posta {final}, in the books {posta}")


@dataclass(slots=True)
class Verifier:
    """Verifies one book with the trust given; every method is one reading of the tables."""

    connection: psycopg.Connection[Any]
    book: str
    codec: Codec
    engines: Mapping[str, Engine]
    progress: Callable[[int], None] = lambda _: None

    def verify(self, trust: Trust) -> Verdict:
        """Recompute the whole book; the verdict holds everything found, not the first thing."""
        findings: list[Finding] = []
        checkpoints = self._checkpoints(trust, findings)
        frontier, rounds = self._log(checkpoints, findings)
        findings += self._unnamed()
        findings += self._gaps()
        findings += self._triggers()
        return Verdict(
            frontier.size,
            len(checkpoints),
            rounds,
            frontier.size,
            frontier.root().hex(),
            tuple(findings),
        )

    def _rows(self, query: str, parameters: Mapping[str, Any] | None = None) -> list[Any]:
        composed = SQL(cast("Any", query)).format(book=Identifier(self.book))
        with self.connection.cursor(row_factory=tuple_row, binary=True) as cursor:
            return cursor.execute(composed, parameters).fetchall()

    def _checkpoints(self, trust: Trust, findings: list[Finding]) -> dict[int, bytes]:
        roots = {}
        for size, root, note in self._rows(_CHECKPOINTS):
            roots[size] = bytes(root)
            expected = Checkpoint(trust.origin, size, bytes(root)).text()
            try:
                if open_note(note, trust.keys) != expected:
                    findings.append(Finding("signature", f"checkpoint {size}", "names another log"))
            except NoteError as error:
                findings.append(Finding("signature", f"checkpoint {size}", str(error)))
        return roots

    def _log(self, roots: dict[int, bytes], findings: list[Finding]) -> tuple[Frontier, int]:
        frontier, books = Frontier(), _Books()
        judge, published = self._judge()
        rounds = 0
        for rows in self._pages():
            for row in rows:
                entry = self._entry(row, findings)
                if entry is not None:
                    published.update(_publications(entry))
                    findings += [*books.see(entry), *judge.see(entry)]
                    rounds += entry.event.NAME == "round-settled"
            frontier = _grow(frontier, rows, roots, findings)
            self.progress(frontier.size)
        findings += _lost_checkpoints(frontier.size, roots)
        return frontier, rounds

    def _judge(self) -> tuple[Judge, dict[SheetRef, sheets.Published]]:
        published: dict[SheetRef, sheets.Published] = {}
        return Judge(self.engines, published), published

    def _pages(self) -> Iterator[list[Any]]:
        after = -1
        while rows := self._rows(_LOG, {"after": after, "page": PAGE}):
            yield rows
            after = rows[-1][0]

    def _entry(self, row: tuple[Any, ...], findings: list[Finding]) -> AnyEntry | None:
        position, stream, version, leaf, topic, state = row
        place = f"position {position}"
        if state is None:
            findings.append(Finding("rows", place, f"the row {stream} version {version} is gone"))
            return None
        if leaf_hash(entry_bytes(stream, version, topic, bytes(state))) != bytes(leaf):
            findings.append(Finding("rows", place, f"{stream} version {version} was changed"))
        try:
            return self.codec.decode(StoredEvent(stream, version, topic, bytes(state)))
        except CorruptEntry as error:
            findings.append(Finding("rows", place, str(error)))
            return None

    def _unnamed(self) -> list[Finding]:
        rows = self._rows(_UNNAMED)
        return [Finding("rows", f"{s} version {v}", "no position names this row") for s, v in rows]

    def _gaps(self) -> list[Finding]:
        return [
            Finding("streams", str(cast("UUID", stream)), f"{count} events, last version {last}")
            for stream, count, last in self._rows(_GAPS)
        ]

    def _triggers(self) -> list[Finding]:
        present = {
            (table, trigger) for table, trigger in self._rows(_TRIGGERS, {"book": self.book})
        }
        return [
            Finding("triggers", table, f"the trigger {trigger} is missing or not always on")
            for table, trigger in sorted(_GUARDS - present)
        ]


def _publications(entry: AnyEntry) -> dict[SheetRef, sheets.Published]:
    if not isinstance(entry.event, SheetPublished):
        return {}
    state = sheets.evolve(sheets.START, entry.event)
    return {p.ref: p for p in state.versions}


def _grow(
    frontier: Frontier, rows: list[Any], roots: dict[int, bytes], findings: list[Finding]
) -> Frontier:
    """Append a page of leaves, stopping at each checkpoint to compare its root."""
    for number, row in enumerate(rows, start=frontier.size):
        if row[0] != number:
            findings.append(Finding("positions", f"position {row[0]}", f"expected {number}"))
            break
    leaves = [_recomputed(row) for row in rows]
    first = frontier.size
    stops = [s for s in sorted(roots) if first < s <= first + len(leaves)]
    for stop in [*stops, first + len(leaves)]:
        frontier = frontier.extend(leaves[frontier.size - first : stop - first])
        if stop in roots and frontier.root() != roots[stop]:
            findings.append(Finding("roots", f"checkpoint {stop}", "the rows give another root"))
    return frontier


def _recomputed(row: tuple[Any, ...]) -> bytes:
    _, stream, version, leaf, topic, state = row
    if state is None:
        return bytes(leaf)
    return leaf_hash(entry_bytes(stream, version, topic, bytes(state)))


def _lost_checkpoints(size: int, roots: dict[int, bytes]) -> list[Finding]:
    beyond = [s for s in roots if s > size]
    return [Finding("positions", f"checkpoint {s}", f"only {size} are sealed") for s in beyond]


_GUARDS: Final = {
    ("events", "check_save"),
    *((table, "refuse_change") for table in ("lineage", "events", "sealed", "checkpoints")),
    ("day_closings", "refuse_change"),
}

_CHECKPOINTS: Final = "SELECT size, root, note FROM {book}.checkpoints ORDER BY size"

_LOG: Final = """
SELECT s.position, s.originator_id, s.originator_version, s.leaf, e.topic, e.state
  FROM {book}.sealed s
  LEFT JOIN {book}.events e USING (originator_id, originator_version)
 WHERE s.position > %(after)s ORDER BY s.position LIMIT %(page)s
"""

_UNNAMED: Final = """
SELECT e.originator_id, e.originator_version
  FROM {book}.events e LEFT JOIN {book}.sealed s USING (originator_id, originator_version),
       (SELECT epoch, xid, ord FROM {book}.checkpoints ORDER BY size DESC LIMIT 1) AS last
 WHERE s.position IS NULL AND (e.epoch, e.xid, e.ord) <= (last.epoch, last.xid, last.ord)
"""

_GAPS: Final = """
SELECT originator_id, count(*), max(originator_version) FROM {book}.events
 GROUP BY originator_id
HAVING count(*) <> max(originator_version) OR min(originator_version) <> 1
"""

_TRIGGERS: Final = """
SELECT c.relname, t.tgname FROM pg_trigger t
  JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE n.nspname = %(book)s AND t.tgenabled = 'A'
"""
