"""Publishes the sealed log as tiles in a folder: only what is new, and never a rewritten past (G6).

What is signed is followed from the tiles that are there: new leaves must lead from the root of the
published checkpoint to the root of the new one before anything is written. Each file is written
beside its place and moved there, tiles first and the checkpoint last, so that a reader or a mirror
sees a whole tree at every moment, and a publisher that was killed is followed by one that goes on.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final, cast
from uuid import UUID

import psycopg
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.files import FILE_MODE, fill, sync_folder
from ledger.seal.merkle import Frontier, entry_bytes, leaf_hash
from ledger.seal.notes import Checkpoint, NoteError, open_note, parse_checkpoint, text_of
from ledger.seal.sealer import Sealed, latest
from ledger.seal.tiles import (
    CHECKPOINT,
    TILE_WIDTH,
    Growth,
    Tile,
    TilesFault,
    TileTree,
    folder,
    tile_path,
)
from ledger.seal.verify import Trust

PAGE: Final = 32 * TILE_WIDTH
"""Entries that are read and held at once."""

FRESH: Final = ".new"
"""The one file that is not in its place yet; the next write begins it anew."""


class HistoryRewritten(TilesFault):
    """The log does not go on from what was published; nothing was published, somebody must look."""


class Busy(TilesFault):
    """Another process publishes into this folder."""


@dataclass(frozen=True, slots=True)
class Published:
    """What the folder holds now, and what was new."""

    size: int
    root: bytes
    entries: int
    files: int


@dataclass(frozen=True, slots=True)
class Log:
    """The sealed log of a book in its database, read in pages."""

    connection: psycopg.Connection[Any]
    book: str

    def latest(self) -> Sealed | None:
        """The newest checkpoint."""
        return latest(self.connection, self.book)

    def leaves(self, first: int, stop: int) -> Iterator[list[bytes]]:
        """The leaf hashes as they were sealed, page by page."""
        for start, end in _pages(first, stop):
            yield [bytes(leaf) for (leaf,) in self._rows(_LEAVES, start, end)]

    def entries(self, first: int, stop: int) -> Iterator[list[tuple[bytes, bytes]]]:
        """The entries and their leaf hashes, page by page; `TilesFault` if they do not agree."""
        for start, end in _pages(first, stop):
            rows = self._rows(_ENTRIES, start, end)
            yield [_entry(start + n, *row) for n, row in enumerate(rows)]

    def sizes(self, first: int, stop: int) -> set[int]:
        """The sizes above `first` and up to `stop` for which a checkpoint was signed."""
        return {size for (size,) in self._rows(_SIZES, first, stop)}

    def _rows(self, query: str, first: int, stop: int) -> list[Any]:
        composed = SQL(cast("Any", query)).format(book=Identifier(self.book))
        with self.connection.cursor(row_factory=tuple_row, binary=True) as cursor:
            return cursor.execute(composed, {"first": first, "stop": stop}).fetchall()


@dataclass(slots=True)
class Publisher:
    """Publishes one book's log into one folder; one at a time does the work."""

    log: Log
    trust: Trust
    folder: Path
    progress: Callable[[int], None] = lambda _: None
    _files: int = 0
    _touched: set[Path] = field(default_factory=set)

    def publish(self) -> Published:
        """Publish what is sealed; the same log published again writes nothing.

        Raises `HistoryRewritten` when the log does not begin with what the folder holds, `Busy`
        when another process is at it, and `TilesFault` for whatever else cannot be published.
        """
        sealed = self.log.latest()
        if sealed is None:
            raise TilesFault("Nothing is sealed yet; run: contoposta seal.")
        self._require_vouched(sealed)
        self.folder.mkdir(parents=True, exist_ok=True)
        with _alone(self.folder):
            old = self._published()
            self._require_growth(old, sealed)
            if old.size < sealed.size:
                self._write_tiles(old, sealed.size)
                self._put(CHECKPOINT, sealed.note.encode())
                self._sync()
        return Published(sealed.size, sealed.root, sealed.size - old.size, self._files)

    def _require_vouched(self, sealed: Sealed) -> None:
        expected = Checkpoint(self.trust.origin, sealed.size, sealed.root).text()
        try:
            text = open_note(sealed.note, self.trust.keys)
        except NoteError as error:
            raise TilesFault(f"The checkpoint of size {sealed.size}: {error}") from None
        if text != expected:
            raise TilesFault(f"The checkpoint of size {sealed.size} names another log.")

    def _published(self) -> Frontier:
        """The tree that the folder holds, as its tiles give it; an empty one at first."""
        note = folder(self.folder)(CHECKPOINT)
        if note is None:
            self._require_own_folder()
            return Frontier()
        try:
            checkpoint = parse_checkpoint(text_of(note))
        except NoteError as error:
            raise TilesFault(f"{self.folder / CHECKPOINT}: {error}") from None
        if checkpoint.origin != self.trust.origin:
            raise TilesFault(f"{self.folder} holds the log {checkpoint.origin}; give another one.")
        frontier = self._tree(checkpoint.size).frontier()
        if frontier.root() != checkpoint.root:
            raise TilesFault(
                f"The tiles in {self.folder} do not give the root of its checkpoint; "
                "run: contoposta tiles check."
            )
        return frontier

    def _require_own_folder(self) -> None:
        others = {path.name for path in self.folder.iterdir()} - {FRESH, "tile"}
        if others:
            raise TilesFault(f"{self.folder} holds {min(others)}; give an empty folder.")

    def _tree(self, size: int) -> TileTree:
        return TileTree(folder(self.folder), size)

    def _require_growth(self, old: Frontier, sealed: Sealed) -> None:
        """Follow the log from the published root to the new one, by its leaves."""
        if old.size > sealed.size:
            raise HistoryRewritten(
                f"{self.folder} has a checkpoint of {old.size} events, the log only {sealed.size}."
            )
        grown = old
        for leaves in self.log.leaves(old.size, sealed.size):
            grown = grown.extend(leaves)
        if grown.root() != sealed.root:
            raise HistoryRewritten(
                f"The log is not the one in {self.folder}: it differs at {self._place(old.size)}."
            )

    def _place(self, size: int) -> str:
        """Where the log and the published tiles part."""
        published, at = self._tree(size).leaves(), 0
        for leaves in self.log.leaves(0, size):
            for leaf, was in zip(leaves, islice(published, len(leaves)), strict=True):
                if leaf != was:
                    return f"position {at} ({tile_path(0, at // TILE_WIDTH)})"
                at += 1
        return f"the checkpoint after position {size}"

    def _write_tiles(self, old: Frontier, size: int) -> None:
        growth = self._growth(old.size)
        first = growth.bundles * TILE_WIDTH
        for page in self.log.entries(first, size):
            start = growth.bundles * TILE_WIDTH
            sizes = self.log.sizes(max(start, old.size - 1), start + len(page)) | {size}
            for at in range(0, len(page), TILE_WIDTH):
                self._write_bundle(growth, page[at : at + TILE_WIDTH], sizes, size)
            self.progress(min(start + len(page), size) - old.size)
        self._sync()

    def _growth(self, size: int) -> Growth:
        """The growth of the published tree, up to its last full bundle."""
        tree, rows, level = self._tree(size), list[list[bytes]](), 1
        while full := size // TILE_WIDTH**level:
            index, width = divmod(full, TILE_WIDTH)
            rows.append(list(tree.hashes(level, index)) if width else [])
            level += 1
        return Growth(size // TILE_WIDTH, rows)

    def _write_bundle(
        self, growth: Growth, pairs: list[tuple[bytes, bytes]], sizes: set[int], newest: int
    ) -> None:
        """Write what these entries bring, and the edge of each checkpoint that ends in them."""
        entries, leaves = [entry for entry, _ in pairs], [leaf for _, leaf in pairs]
        start = growth.bundles * TILE_WIDTH
        for width in range(1, min(len(pairs) + 1, TILE_WIDTH)):
            if start + width in sizes:
                self._write(growth.edge(entries[:width], leaves[:width]), newest)
        if len(pairs) == TILE_WIDTH:
            self._write(growth.grow(entries, leaves), newest)
            if start + TILE_WIDTH in sizes:
                self._write(growth.edge((), ()), newest)

    def _write(self, tiles: Iterator[Tile], newest: int) -> None:
        """Write tiles, but no partial one whose full one comes with the newest checkpoint."""
        for tile in tiles:
            if not tile.gives_way(newest):
                self._put(tile.path, tile.content)
            if tile.width == TILE_WIDTH:
                self._clear((self.folder / tile.path).with_name(f"{Path(tile.path).name}.p"))

    def _clear(self, partials: Path) -> None:
        """Take the partial tiles away, for the full one is there."""
        if partials.is_dir():
            self._sync()
            for path in partials.iterdir():
                path.unlink()
            partials.rmdir()

    def _put(self, path: str, content: bytes) -> None:
        """Put a file in its place in one step; one that is there already must say the same."""
        target = self.folder / path
        if path != CHECKPOINT and target.exists():
            if target.read_bytes() != content:
                raise HistoryRewritten(f"{target} was published with other bytes.")
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.folder / FRESH
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        fill(os.open(fresh, flags, FILE_MODE), content)
        fresh.replace(target)
        self._files += 1
        self._touched.update(p for p in target.parents if p.is_relative_to(self.folder))

    def _sync(self) -> None:
        """Make the names of the files durable that were put in their places."""
        for path in self._touched:
            sync_folder(path)
        self._touched.clear()


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """The only publisher into a folder; the lock dies with its holder."""
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"Another process publishes into {root}; try again.") from None
        yield
    finally:
        os.close(descriptor)


def _pages(first: int, stop: int) -> Iterator[tuple[int, int]]:
    for start in range(first, stop, PAGE):
        yield start, min(start + PAGE, stop)


def _entry(
    position: int, leaf: bytes, stream: UUID, version: int, *said: Any
) -> tuple[bytes, bytes]:
    """One entry and its leaf hash; it must be what was sealed."""
    topic, state = said
    if state is None:
        raise TilesFault(f"The event at position {position} is gone; run: contoposta verify.")
    entry = entry_bytes(stream, version, topic, state)
    if leaf_hash(entry) != leaf:
        raise TilesFault(f"The event at position {position} was changed; run: contoposta verify.")
    return entry, leaf


_LEAVES: Final = """
SELECT leaf FROM {book}.sealed
 WHERE position >= %(first)s AND position < %(stop)s ORDER BY position
"""

_ENTRIES: Final = """
SELECT s.leaf, s.originator_id, s.originator_version, e.topic, e.state
  FROM {book}.sealed s LEFT JOIN {book}.events e USING (originator_id, originator_version)
 WHERE s.position >= %(first)s AND s.position < %(stop)s ORDER BY s.position
"""

_SIZES: Final = """
SELECT size FROM {book}.checkpoints WHERE size > %(first)s AND size <= %(stop)s
"""
