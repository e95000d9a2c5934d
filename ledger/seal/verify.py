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

It is one walk over the log (`ledger.seal.walk`), made in one go or in bites.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final, cast
from uuid import UUID

import psycopg
from eventsourcing.persistence import StoredEvent
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.domain.decider import Engine
from ledger.domain.events import AnyEntry
from ledger.domain.ids import StreamName, stream_key
from ledger.replay import Finding
from ledger.seal.keys import KeyChain
from ledger.seal.merkle import MAX_SIZE, entry_bytes, leaf_hash
from ledger.seal.notes import (
    Checkpoint,
    NoteError,
    VerifyingKey,
    is_signed,
    open_note,
    parse_checkpoint,
)
from ledger.seal.series import Agrees
from ledger.seal.walk import Means, Row, Stop, Walk
from ledger.store.codec import Codec, CorruptEntry
from ledger.store.snapshots import Shapes

PAGE: Final = 5_000

FINDINGS_MAX: Final = 10_000
"""More of them are not carried from bite to bite: what is wrong everywhere is wrong once."""


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
class Bite:
    """What one bite of a verification came to: a walk to be taken up again, or the verdict."""

    carried: bytes | None
    verdict: Verdict | None


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
        with self._snapshot() as chain:
            walk = self._begin(trust, chain, self._means())
            self._walk(walk, trust, chain)
            return self._end(walk, trust, chain)

    def bite(self, trust: Trust, carried: bytes | None, most: int) -> Bite:
        """Go on with a verification over so many rows, each bite in a snapshot of its own.

        `carried` is what the bite before came to, and None before the first one; it must be known
        to be that. All bites together find what `verify` finds; after a bite with which they have
        found more than `FINDINGS_MAX` there is no other.
        """
        means = self._means()
        with self._snapshot() as chain:
            if carried is None:
                walk = self._begin(trust, chain, means)
            else:
                walk = Walk.take_up(carried, means)
            if self._walk(walk, trust, chain, most) < most:
                return Bite(None, self._end(walk, trust, chain))
            if len(walk.findings) > FINDINGS_MAX:
                return Bite(None, _verdict(walk))
            return Bite(walk.put_down(means), None)

    @contextmanager
    def _snapshot(self) -> Iterator[KeyChain]:
        with self.connection.transaction():
            self.connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            self.connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            yield KeyChain.read(self.connection, self.book)

    def _means(self) -> Means:
        return {
            "engines": self.engines,
            "secrets": self.secrets,
            "codec": self.codec,
            "shapes": Shapes(self.codec),
            "rows": self._rows,
            "history": self._history,
        }

    def _begin(self, trust: Trust, chain: KeyChain, means: Means) -> Walk:
        findings: list[Finding] = []
        walk = Walk.begin(means, _kept(trust, chain, findings))
        walk.findings += findings
        return walk

    def _walk(self, walk: Walk, trust: Trust, chain: KeyChain, most: int | None = None) -> int:
        """Take in the rows that come next, all or so many; how many there were."""
        walk.days.closings = self._rows(_CLOSINGS)
        seen = 0
        while rows := self._page(walk.tree.size, PAGE if most is None else min(PAGE, most - seen)):
            stops = self._stops(walk, trust, chain, rows[-1].position + 1)
            for row in rows:
                entry = self._entry(row, walk.findings)
                walk.see(row, stops.get(row.position + 1), entry)
            seen += len(rows)
            self.progress(walk.tree.size)
        return seen

    def _end(self, walk: Walk, trust: Trust, chain: KeyChain) -> Verdict:
        covered, beyond = walk.covered, self._stops(walk, trust, chain, MAX_SIZE)
        walk.end()
        findings, size = walk.findings, walk.tree.size
        findings += _uncovered(size, covered, beyond) + _cut_off(size, walk.tree.kept)
        findings += _unvouched(walk, chain)
        findings += self._unnamed() + self._disorder() + self._gaps() + self._triggers()
        return _verdict(walk)

    def _rows(self, query: str, parameters: Mapping[str, Any] | None = None) -> list[Any]:
        composed = SQL(cast("Any", query)).format(book=Identifier(self.book))
        with self.connection.cursor(row_factory=tuple_row, binary=True) as cursor:
            return cursor.execute(composed, parameters).fetchall()

    def _stops(self, walk: Walk, trust: Trust, chain: KeyChain, until: int) -> dict[int, Stop]:
        """The next checkpoints by size, each signed by the key that was in force before it."""
        stops: dict[int, Stop] = {}
        bounds = {"after": walk.covered, "until": until}
        for size, root, frontier, epoch, xid, place, recorded, note in self._rows(
            _CHECKPOINTS, bounds
        ):
            signer = chain.signer_after(walk.covered)
            stops[size] = Stop(bytes(root), bytes(frontier), (epoch, int(xid), place), recorded)
            expected = Checkpoint(trust.origin, size, bytes(root)).text()
            walk.vouched = walk.vouched or any(is_signed(note, key) for key in trust.keys)
            try:
                if open_note(note, trust.keys if signer is None else (signer,)) != expected:
                    walk.findings.append(_unsigned(size, "names another log"))
            except NoteError as error:
                walk.findings.append(_unsigned(size, str(error)))
            walk.covered = size
            walk.checkpoints += 1
        return stops

    def _history(self, stream: StreamName) -> Iterator[AnyEntry]:
        """The readable entries of one stream; those that are not are found where they stand."""
        for row in self._rows(_STREAM, {"stream": stream_key(stream)}):
            with suppress(CorruptEntry):
                yield self.codec.decode(StoredEvent(*row))

    def _page(self, first: int, most: int) -> list[Row]:
        return [_row(values) for values in self._rows(_LOG, {"first": first, "page": most})]

    def _entry(self, row: Row, findings: list[Finding]) -> AnyEntry | None:
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


def _verdict(walk: Walk) -> Verdict:
    walk.tree.grow()
    size, root = walk.tree.size, walk.tree.frontier.root().hex()
    return Verdict(size, walk.checkpoints, walk.rounds, size, root, tuple(walk.findings))


def _row(values: tuple[Any, ...]) -> Row:
    position, stream, version, leaf, epoch, xid, place, stands, topic, state = values
    order = (epoch, int(xid), place)
    stored = leaf if state is None else leaf_hash(entry_bytes(stream, version, topic, state))
    return Row(position, stream, version, leaf, order, bool(stands), topic, state, stored)


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


def _uncovered(size: int, covered: int, beyond: Iterable[int]) -> list[Finding]:
    if size > covered:
        found = f"no checkpoint covers {size - covered}"
        return [Finding("positions", f"position {covered}", found)]
    return [Finding("positions", f"checkpoint {s}", f"only {size} are sealed") for s in beyond]


def _unvouched(walk: Walk, chain: KeyChain) -> list[Finding]:
    """Rotations that change no key, and a chain of keys of which none that is trusted has signed.

    Without a rotation each note was opened with a trusted key.
    """
    findings = [
        Finding("keys", f"position {position}", "names no key that follows the one in force")
        for position in chain.ignored
    ]
    if chain.rotations and walk.checkpoints and not walk.vouched:
        findings.append(
            Finding("signature", "checkpoints", "no trusted key has signed any of them")
        )
    return findings


def _unsigned(size: int, found: str) -> Finding:
    return Finding("signature", f"checkpoint {size}", found)


_GUARDS: Final = {
    ("events", "check_save"),
    *((table, "refuse_change") for table in ("lineage", "events", "sealed", "checkpoints")),
    ("day_closings", "refuse_change"),
}

_CHECKPOINTS: Final = """
SELECT size, root, frontier, epoch, xid::text, ord, last_recorded, note
  FROM {book}.checkpoints WHERE size > %(after)s AND size <= %(until)s ORDER BY size
"""

_CLOSINGS: Final = "SELECT size, closed_until FROM {book}.day_closings ORDER BY size"

_LOG: Final = """
SELECT s.position, s.originator_id, s.originator_version, s.leaf, s.epoch, s.xid::text, s.ord,
       (s.epoch, s.xid, s.ord) = (e.epoch, e.xid, e.ord), e.topic, e.state
  FROM {book}.sealed s
  LEFT JOIN {book}.events e USING (originator_id, originator_version)
 WHERE s.position >= %(first)s ORDER BY s.position LIMIT %(page)s
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
