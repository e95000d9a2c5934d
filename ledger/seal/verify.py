"""Verification of a book in its database: everything is computed again from the stored rows.

The checks are a plain list and each returns all that it finds (G5): leaf hashes, positions, every
field of every checkpoint, rows that no position names, order and gaps of streams, missing triggers;
then what the entries say (`ledger.seal.checks`), each round judged again (G7, G8), each FairPlay
series held against its secret (`ledger.seal.series`), each live table's outcome against what its
rounds were told (`ledger.seal.outcomes`), its limits and seats (`ledger.seal.seats`), its payments
over all seats (`ledger.seal.payments`), each deal of cards played again (`ledger.seal.dealing`),
each dispute and erasure against what may be (`ledger.seal.disputes`), each correction against its
command (`ledger.seal.corrections`), each alert beside its command and its checkpoint
(`ledger.seal.alerts`), and each stored snapshot beside the fold of its events
(`ledger.seal.snapshots`).
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, cast
from uuid import UUID

import psycopg
from eventsourcing.persistence import StoredEvent
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.domain import sheets
from ledger.domain.decider import Engine
from ledger.domain.events import AnyEntry, SheetRef
from ledger.domain.ids import StreamName, stream_key
from ledger.replay import Finding, Judge, publications
from ledger.seal.alerts import AlertCheck
from ledger.seal.checks import CHECKS, Check, Days
from ledger.seal.corrections import CorrectionCheck
from ledger.seal.dealing import DealingCheck
from ledger.seal.disputes import DisputeCheck
from ledger.seal.keys import KeyChain
from ledger.seal.merkle import Frontier, entry_bytes, leaf_hash
from ledger.seal.notes import (
    Checkpoint,
    NoteError,
    VerifyingKey,
    is_signed,
    open_note,
    parse_checkpoint,
)
from ledger.seal.outcomes import OutcomeCheck
from ledger.seal.payments import PaymentCheck
from ledger.seal.seats import SeatCheck
from ledger.seal.series import Agrees, SeriesCheck
from ledger.seal.snapshots import SnapshotCheck
from ledger.store.codec import Codec, CorruptEntry

PAGE: Final = 5_000


@dataclass(frozen=True, slots=True)
class Trust:
    """What the verifier is given from outside the book: its origin line and the keys to trust.

    One key of the book's chain is enough, if it has signed a checkpoint: from there the others
    follow.
    `kept` are signed notes that were taken out of the book earlier, as reports and exports name
    them: they alone can show that the end of a log was cut off.
    """

    origin: str
    keys: tuple[VerifyingKey, ...]
    kept: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class _Stop:
    """A checkpoint as stored: what must be true after that many events."""

    root: bytes
    frontier: bytes
    order: tuple[int, int, int]
    last_recorded: datetime


@dataclass(frozen=True, slots=True)
class _Row:
    """A sealed position, and the event that it names as it is stored now."""

    position: int
    stream: UUID
    version: int
    leaf: bytes
    order: tuple[int, int, int]
    stands: bool
    """Whether the event stands at the same epoch, transaction and place as the position says."""
    topic: str
    state: bytes | None

    @property
    def recomputed(self) -> bytes:
        """The leaf hash of what is stored; of a row that is gone, what was sealed."""
        if self.state is None:
            return self.leaf
        return leaf_hash(entry_bytes(self.stream, self.version, self.topic, self.state))


@dataclass(slots=True)
class Verifier:
    """Verifies one book with the trust given; every method is one reading of the tables."""

    connection: psycopg.Connection[Any]
    book: str
    codec: Codec
    engines: Mapping[str, Engine]
    secrets: Mapping[str, Agrees] = field(default_factory=dict)
    """How the secret of a FairPlay series is read, by the name of the game."""
    progress: Callable[[int], None] = lambda _: None

    def verify(self, trust: Trust) -> Verdict:
        """Recompute the whole book; the verdict holds everything found, not the first thing.

        The connection must be outside of a transaction: all is read in one snapshot, which holds
        no transaction id and so keeps no sealer waiting.
        """
        with self.connection.transaction():
            self.connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            self.connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            return self._verify(trust)

    def _verify(self, trust: Trust) -> Verdict:
        findings: list[Finding] = []
        chain = KeyChain.read(self.connection, self.book)
        stops = self._stops(trust, chain, findings)
        kept = _kept(trust, chain, findings)
        frontier, rounds = self._log(_Log(stops, kept, findings), findings)
        findings += _uncovered(frontier.size, stops) + _cut_off(frontier.size, kept)
        findings += self._unnamed() + self._disorder() + self._gaps() + self._triggers()
        root = frontier.root().hex()
        return Verdict(frontier.size, len(stops), rounds, frontier.size, root, tuple(findings))

    def _rows(self, query: str, parameters: Mapping[str, Any] | None = None) -> list[Any]:
        composed = SQL(cast("Any", query)).format(book=Identifier(self.book))
        with self.connection.cursor(row_factory=tuple_row, binary=True) as cursor:
            return cursor.execute(composed, parameters).fetchall()

    def _stops(self, trust: Trust, chain: KeyChain, findings: list[Finding]) -> dict[int, _Stop]:
        """The checkpoints by size, each signed by the key that was in force before it."""
        stops: dict[int, _Stop] = {}
        vouched = not chain.rotations  # else each note is opened with a trusted key anyway
        for size, root, frontier, epoch, xid, place, recorded, note in self._rows(_CHECKPOINTS):
            signer = chain.signer_after(max(stops, default=0))
            stops[size] = _Stop(bytes(root), bytes(frontier), (epoch, int(xid), place), recorded)
            expected = Checkpoint(trust.origin, size, bytes(root)).text()
            vouched = vouched or any(is_signed(note, key) for key in trust.keys)
            try:
                if open_note(note, trust.keys if signer is None else (signer,)) != expected:
                    findings.append(Finding("signature", f"checkpoint {size}", "names another log"))
            except NoteError as error:
                findings.append(Finding("signature", f"checkpoint {size}", str(error)))
        findings += [
            Finding("keys", f"position {position}", "names no key that follows the one in force")
            for position in chain.ignored
        ]
        if stops and not vouched:
            found = "no trusted key has signed any of them"
            findings.append(Finding("signature", "checkpoints", found))
        return stops

    def _log(self, log: "_Log", findings: list[Finding]) -> tuple[Frontier, int]:
        published: dict[SheetRef, sheets.Published] = {}
        judge = Judge(self.engines, published)
        days, snapshots = Days(self._rows(_CLOSINGS)), SnapshotCheck(self._rows, self.codec)
        series = SeriesCheck(self.secrets)
        deals = DealingCheck(self.engines, published)
        of_tables = (OutcomeCheck(), SeatCheck(), PaymentCheck(self.engines, published), deals)
        of_people = (DisputeCheck(self._history), CorrectionCheck(self._rows, self.codec))
        alerts = AlertCheck({size: stop.root for size, stop in log.stops.items()})
        own: list[Check] = [days, series, snapshots, *of_tables, *of_people, alerts]
        checks = [*(check() for check in CHECKS), *own]
        rounds = 0
        for rows in self._pages():
            for row in rows:
                entry = self._entry(row, findings)
                log.see(row, entry)
                if entry is not None:
                    published.update(publications(entry))
                    for check in checks:
                        findings += check.see(row.position, entry)
                    findings += judge.see(entry)
                    rounds += entry.event.NAME == "round-settled"
            self.progress(log.frontier.size)
        log.grow()
        for check in checks:
            findings += check.end()
        findings += judge.end()
        return log.frontier, rounds

    def _history(self, stream: StreamName) -> Iterator[AnyEntry]:
        """The readable entries of one stream; those that are not are found where they stand."""
        for row in self._rows(_STREAM, {"stream": stream_key(stream)}):
            with suppress(CorruptEntry):
                yield self.codec.decode(StoredEvent(*row))

    def _pages(self) -> Iterator[list[_Row]]:
        after = -1
        while rows := [_row(r) for r in self._rows(_LOG, {"after": after, "page": PAGE})]:
            yield rows
            after = rows[-1].position

    def _entry(self, row: _Row, findings: list[Finding]) -> AnyEntry | None:
        place, named = f"position {row.position}", f"{row.stream} version {row.version}"
        if row.state is None:
            findings.append(Finding("rows", place, f"the row {named} is gone"))
            return None
        if row.recomputed != row.leaf:
            findings.append(Finding("rows", place, f"{named} was changed"))
        if not row.stands:
            findings.append(Finding("rows", place, f"{named} was moved to another save"))
        try:
            return self.codec.decode(StoredEvent(row.stream, row.version, row.topic, row.state))
        except CorruptEntry as error:
            findings.append(Finding("rows", place, str(error)))
            return None

    def _unnamed(self) -> list[Finding]:
        rows = self._rows(_UNNAMED)
        return [Finding("rows", f"{s} version {v}", "no position names this row") for s, v in rows]

    def _disorder(self) -> list[Finding]:
        return [
            Finding("streams", f"position {position}", f"{stream} version {version} out of order")
            for position, stream, version in self._rows(_DISORDER)
        ]

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


@dataclass(slots=True)
class _Log:
    """The tree as it grows row by row, compared with each checkpoint on the way."""

    stops: Mapping[int, _Stop]
    kept: Mapping[int, bytes]
    findings: list[Finding]
    frontier: Frontier = field(default_factory=Frontier)
    _leaves: list[bytes] = field(default_factory=list)
    _size: int = 0
    _order: tuple[int, int, int] = (0, 0, -1)

    def see(self, row: _Row, entry: AnyEntry | None) -> None:
        """Append a row."""
        place = f"position {row.position}"
        if row.position != self._size:
            self.findings.append(Finding("positions", place, f"expected {self._size}"))
        if row.order <= self._order:
            self.findings.append(Finding("positions", place, "out of the order of the saves"))
        self._size, self._order = row.position + 1, row.order
        self._leaves.append(row.recomputed)
        stop = self.stops.get(self._size)
        if stop is not None or self._size in self.kept or len(self._leaves) == PAGE:
            self.grow()
        if self._size in self.kept and self.kept[self._size] != self.frontier.root():
            self.findings.append(Finding("kept", f"checkpoint {self._size}", "had another root"))
        if stop is not None:
            self._compare(stop, entry)

    def grow(self) -> None:
        """Take the rows seen since the last checkpoint into the tree."""
        self.frontier, self._leaves = self.frontier.extend(self._leaves), []

    def _compare(self, stop: _Stop, entry: AnyEntry | None) -> None:
        place = f"checkpoint {self._size}"
        if self.frontier.root() != stop.root:
            self.findings.append(Finding("roots", place, "the rows give another root"))
        if self.frontier.to_bytes() != stop.frontier:
            self.findings.append(Finding("checkpoints", place, "the rows give another frontier"))
        if self._order != stop.order:
            self.findings.append(Finding("checkpoints", place, "ends at another save"))
        if entry is not None and entry.recorded != stop.last_recorded:
            self.findings.append(Finding("checkpoints", place, "names another time"))


def _row(values: tuple[Any, ...]) -> _Row:
    position, stream, version, leaf, epoch, xid, place, stands, topic, state = values
    order = (epoch, int(xid), place)
    return _Row(position, stream, version, leaf, order, bool(stands), topic, state)


def _kept(trust: Trust, chain: KeyChain, findings: list[Finding]) -> dict[int, bytes]:
    roots: dict[int, bytes] = {}
    for number, note in enumerate(trust.kept, 1):
        try:
            checkpoint = parse_checkpoint(open_note(note, (*trust.keys, *chain.keys)))
        except NoteError as error:
            findings.append(Finding("signature", f"kept note {number}", str(error)))
            continue
        if checkpoint.origin != trust.origin:
            findings.append(Finding("signature", f"kept note {number}", "names another log"))
            continue
        if roots.setdefault(checkpoint.size, checkpoint.root) != checkpoint.root:
            findings.append(Finding("kept", f"kept note {number}", "another kept one has its size"))
    return roots


def _cut_off(size: int, kept: Mapping[int, bytes]) -> list[Finding]:
    return [
        Finding("kept", f"checkpoint {s}", f"only {size} are sealed now") for s in kept if s > size
    ]


def _uncovered(size: int, stops: Mapping[int, _Stop]) -> list[Finding]:
    last = max(stops, default=0)
    if size > last:
        return [Finding("positions", f"position {last}", f"no checkpoint covers {size - last}")]
    return [
        Finding("positions", f"checkpoint {s}", f"only {size} are sealed")
        for s in stops
        if s > size
    ]


_GUARDS: Final = {
    ("events", "check_save"),
    *((table, "refuse_change") for table in ("lineage", "events", "sealed", "checkpoints")),
    ("day_closings", "refuse_change"),
}

_CHECKPOINTS: Final = """
SELECT size, root, frontier, epoch, xid::text, ord, last_recorded, note
  FROM {book}.checkpoints ORDER BY size
"""

_CLOSINGS: Final = "SELECT size, closed_until FROM {book}.day_closings ORDER BY size"

_LOG: Final = """
SELECT s.position, s.originator_id, s.originator_version, s.leaf, s.epoch, s.xid::text, s.ord,
       (s.epoch, s.xid, s.ord) = (e.epoch, e.xid, e.ord), e.topic, e.state
  FROM {book}.sealed s
  LEFT JOIN {book}.events e USING (originator_id, originator_version)
 WHERE s.position > %(after)s ORDER BY s.position LIMIT %(page)s
"""

_STREAM: Final = """
SELECT originator_id, originator_version, topic, state FROM {book}.events
 WHERE originator_id = %(stream)s ORDER BY originator_version
"""

_DISORDER: Final = """
SELECT position, originator_id, originator_version FROM (
    SELECT s.*, row_number() OVER (PARTITION BY originator_id ORDER BY position) AS place
      FROM {book}.sealed s) AS numbered
 WHERE originator_version <> place
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
