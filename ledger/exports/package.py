"""Writes an audit package: the events of some closed days, and what it takes to check them alone.

A package begins at the last checkpoint before the first event of its days and ends at the one that
closed the last of them (G6). The tree's right edge at its beginning is the proof that its events
are in the log: grown by their leaf hashes, it has the root of the signed checkpoint.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import orjson
from eventsourcing.persistence import StoredEvent

from ledger.domain.events import (
    AnyEntry,
    ContoOpened,
    ProtectedField,
    SheetPublished,
    SigningKeyRotated,
)
from ledger.domain.postings import MOVING, postings
from ledger.domain.refusals import Fault
from ledger.exports.folder import Folder, HashedFile, Listed, appearing
from ledger.exports.layout import (
    CLOSING,
    EVENTS,
    FORMAT,
    JOURNAL,
    MANIFEST,
    MANIFEST_NOTE,
    OPENING,
    PERSONAL,
    PROOFS,
    README,
    REPORT_FOLDER,
    SCHEMAS,
    SHEETS,
    checkpoint_file,
    manifest_text,
    sheet_file,
)
from ledger.exports.lines import (
    Books,
    document_of,
    event_line,
    journal_lines,
    json_line,
    players_of,
)
from ledger.exports.previous import Previous, PreviousError
from ledger.exports.source import Source, Stored
from ledger.seal.keys import KeyChain, in_force
from ledger.seal.merkle import Frontier, entry_bytes, leaf_hash
from ledger.seal.notes import SigningKey, is_signed, sign_note
from ledger.seal.proofs import growth_proof
from ledger.seal.sealer import Sealed, latest
from ledger.store.codec import CorruptEntry

LEAVES: Final = 4_096
"""Leaf hashes that are held before the tree takes them in."""

Reveal = Callable[[str, tuple[ProtectedField, ...]], Mapping[str, str] | None]
"""A player's personal data in clear; None when the key was destroyed."""


class DamagedBook(Fault):
    """The rows are not those that were sealed: nothing is exported, and verification says more."""


@dataclass(frozen=True, slots=True)
class Request:
    """What shall be exported: business days, both ends included, all of them closed."""

    first: date
    last: date
    begins: datetime
    """When the first day begins, aware and in UTC."""
    closings: tuple[int, ...]
    """The sizes of the checkpoints that closed the days, in their order."""
    searched: int
    """The size by which the day before was closed: what comes later is of these days or after.

    The last of the closings where no day was before.
    """
    reports: tuple[Path, ...]
    """The report files of the days, as they were produced."""
    previous: Previous | None = None
    disclose: Callable[[], Reveal] | None = None
    """Puts on record that personal data leaves the book; how it is read then.

    None where players are pseudonyms alone.
    """


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: positions from `first` up to `size`, the root there, the manifest."""

    first: int
    size: int
    root: str
    manifest_sha256: str
    files: int


def export(
    source: Source,
    request: Request,
    at_hand: Sequence[SigningKey],
    target: Path,
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> Exported:
    """Write a package, signed by the key at hand that signed its checkpoint, else the one in force.

    `progress` is told how many events of how many are done.

    Raises `TakenError` when the folder is there already, `PreviousError` when the package does not
    follow the one named, `KeyFault` when no key at hand may sign, and `DamagedBook` when the rows
    are not those that were sealed; nothing is written then.
    """
    with appearing(target) as folder, source.connection.transaction():
        source.connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        source.connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        closing = _sealed(source, request.closings[-1])
        key = _signer(source, closing, at_hand)
        return _Export(source, request, key, folder, progress).write(closing)


def _sealed(source: Source, size: int) -> Sealed:
    sealed = latest(source.connection, source.book, size)
    assert sealed is not None, "a checkpoint that is named exists"
    return sealed


def _signer(source: Source, closing: Sealed, at_hand: Sequence[SigningKey]) -> SigningKey:
    """The same key for the same checkpoint, as long as it is at hand."""
    for key in at_hand:
        if is_signed(closing.note, key.verifying_key):
            return key
    newest = latest(source.connection, source.book)
    assert newest is not None
    chain = KeyChain.read(source.connection, source.book)
    return in_force(chain, newest.size, newest.note, at_hand)


@dataclass(slots=True)
class _Export:
    """One package in the making."""

    source: Source
    request: Request
    key: SigningKey
    folder: Folder
    progress: Callable[[int, int], None]
    books: Books = field(default_factory=Books)
    sheets: dict[tuple[str, int], SheetPublished] = field(default_factory=dict)
    players: set[str] = field(default_factory=set)
    """Whom the events of the package name."""

    def write(self, closing: Sealed) -> Exported:
        """Write every file, the manifest and its signature last."""
        if self.request.previous is not None:
            self._require_ours(self.request.previous, closing.size)
        first = self.source.first_checkpoint(self.request.begins, self.request.searched)
        self._open(first)
        edge = self._events(first, closing)
        self._put_lines(CLOSING, self.books.lines())
        self._put_json(PROOFS, self._proofs(edge, closing.size))
        self._checkpoints(first)
        self._sheets()
        self._put_json(SCHEMAS, self.source.codec.schemas())
        for path in self.request.reports:
            self.folder.copy(f"{REPORT_FOLDER}/{path.name}", path)
        if self.request.disclose is not None:
            self._put_lines(PERSONAL, self._personal(self.request.disclose(), closing.size))
        self.folder.put(README, files("ledger.exports").joinpath(README).read_bytes())
        return self._manifest(first, closing)

    def _open(self, first: int) -> None:
        """Fold what happened before the package: balances, and the sheets that were published."""
        for row in self.source.named((*MOVING, SheetPublished.NAME), first):
            entry = self._decoded(row)
            self._take_sheet(entry)
            for posting in postings(entry.stream, entry.event):
                self.books.post(posting)
        self._put_lines(OPENING, self.books.lines())

    def _events(self, first: int, closing: Sealed) -> Frontier:
        """Write events and journal; the tree's right edge at the beginning."""
        edge = self.source.frontier(first)
        tree, leaves = edge, list[bytes]()
        with self.folder.file(EVENTS) as events, self.folder.file(JOURNAL) as journal:
            for row in self.source.rows(first, closing.size):
                self._event(row, events, journal)
                leaves.append(leaf_hash(entry_bytes(row.key, row.version, row.name, row.state)))
                if len(leaves) == LEAVES:
                    tree, leaves = tree.extend(leaves), []
                    self.progress(tree.size - first, closing.size - first)
        tree = tree.extend(leaves)
        self.progress(tree.size - first, closing.size - first)
        if (tree.size, tree.root()) != (closing.size, closing.root):
            raise DamagedBook("The rows are not those that were sealed; run: contoposta verify.")
        return edge

    def _event(self, row: Stored, events: HashedFile, journal: HashedFile) -> None:
        document = document_of(row)
        events.write(event_line(row, document))
        self.players |= players_of(document)
        if row.name in _READ:
            entry = self._decoded(row)
            self._take_sheet(entry)
            for line in journal_lines(row.position, entry, self.books):
                journal.write(line)

    def _decoded(self, row: Stored) -> AnyEntry:
        try:
            return self.source.codec.decode(StoredEvent(row.key, row.version, row.name, row.state))
        except CorruptEntry as error:
            raise DamagedBook(f"{error} Run: contoposta verify.") from error

    def _take_sheet(self, entry: AnyEntry) -> None:
        if isinstance(entry.event, SheetPublished):
            self.sheets[entry.event.sheet, entry.event.sheet_version] = entry.event

    def _proofs(self, edge: Frontier, size: int) -> dict[str, Any]:
        peaks = [peak.hex() for peak in edge.peaks]
        range_proof = {"first": edge.size, "size": size, "peaks": peaks}
        previous = self.request.previous
        if previous is None:
            return {"range": range_proof, "consistency": None}
        old = self.source.frontier(previous.size)
        hashes = growth_proof(old, size, self.source.leaves(previous.size, size))
        told = {"old_size": previous.size, "old_root": previous.root, "size": size}
        return {
            "range": range_proof,
            "consistency": {**told, "hashes": [node.hex() for node in hashes]},
        }

    def _require_ours(self, previous: Previous, size: int) -> None:
        """A package follows one of the same book, that ends no later than itself."""
        if previous.origin != self.key.name:
            raise PreviousError("The previous manifest is of another book.")
        if previous.size > size:
            raise PreviousError("The previous manifest ends later than these days.")
        sealed = latest(self.source.connection, self.source.book, previous.size)
        if sealed is None or sealed.root.hex() != previous.root:
            raise PreviousError("The previous manifest names a checkpoint that this book has not.")

    def _checkpoints(self, first: int) -> None:
        """The signed checkpoints: where the package begins, and each that closed a day of it."""
        for size in sorted({first, *self.request.closings} - {0}):
            self.folder.put(checkpoint_file(size), _sealed(self.source, size).note.encode())

    def _sheets(self) -> None:
        """Every rule sheet that was published by then: its text as a file, and the list of them."""
        told = []
        for (sheet, version), event in sorted(self.sheets.items()):
            path = sheet_file(sheet, version)
            self.folder.put(path, event.text.encode())
            told.append(event.model_dump(mode="json", exclude={"text"}) | {"file": path})
        self._put_json(SHEETS, {"sheets": told})

    def _personal(self, reveal: Reveal, size: int) -> Iterator[bytes]:
        """One line a player whom the package names, as far as the vault still knows them."""
        opened = {}
        for row in self.source.named((ContoOpened.NAME,), size):
            event = self._decoded(row).event
            if isinstance(event, ContoOpened) and event.player in self.players:
                opened[event.player] = event.personal
        for player in sorted(opened):
            yield json_line({"player": player, "personal": reveal(player, opened[player])})

    def _put_lines(self, name: str, lines: Iterable[bytes]) -> None:
        with self.folder.file(name) as opened:
            for line in lines:
                opened.write(line)

    def _put_json(self, name: str, document: Mapping[str, Any]) -> None:
        self.folder.put(name, _pretty(document))

    def _manifest(self, first: int, closing: Sealed) -> Exported:
        content = _pretty(self._document(first, closing))
        note = sign_note(manifest_text(self.key.name, content), self.key)
        listed = len(self.folder.listed)
        self.folder.put(MANIFEST, content)
        self.folder.put(MANIFEST_NOTE, note.encode())
        digest = self.folder.listed[-2].sha256
        return Exported(first, closing.size, closing.root.hex(), digest, listed + 2)

    def _document(self, first: int, closing: Sealed) -> dict[str, Any]:
        previous, rotations = self.request.previous, self._rotations(closing.size)
        keys = [self.key.verifying_key.text(), *(r[name] for r in rotations for name in _KEYS)]
        return {
            "format": FORMAT,
            "origin": self.key.name,
            "days": {"first": self.request.first, "last": self.request.last},
            "first": first,
            "size": closing.size,
            "root": closing.root.hex(),
            "generated_at": closing.last_recorded,
            "personal_data": self.request.disclose is not None,
            "previous": None if previous is None else previous.sha256,
            "keys": sorted(set(keys)),
            "rotations": rotations,
            "files": [asdict(f) for f in sorted(self.folder.listed, key=_path)],
        }

    def _rotations(self, size: int) -> list[dict[str, str]]:
        """Every signing key that followed another by then, and the signature of that one."""
        rows = self.source.named((SigningKeyRotated.NAME,), size)
        found = sorted(rows, key=lambda row: row.position)
        events = [self._decoded(row).event.model_dump(mode="json") for row in found]
        return [{name: event[name] for name in (*_KEYS, "signature")} for event in events]


def _path(listed: Listed) -> str:
    return listed.path


def _pretty(document: Mapping[str, Any]) -> bytes:
    """A document for people and machines: keys in order, so that it has one way to be written."""
    options = orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    return orjson.dumps(document, option=options | orjson.OPT_UTC_Z)


_KEYS: Final = ("old_key", "new_key")

_READ: Final = frozenset({*MOVING, SheetPublished.NAME})
"""Events that are read here; the others are copied as they are stored."""
