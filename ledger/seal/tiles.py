"""The sealed log as a static tree of files, which anyone can serve, mirror and prove from (G5, G6).

The format is that of C2SP tlog-tiles over the hashes of RFC 6962: `checkpoint`, the tree's hashes
256 wide in `tile/<L>/<N>`, and the entries as they were sealed in `tile/entries/<N>`. The last tile
of a level may be partial, `tile/<L>/<N>.p/<W>`, and gives way to the full one once that is there.
Files are read by their path through a port, so that a folder and a server are the same; nothing is
written here.
"""

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from ledger.domain.refusals import Fault
from ledger.seal.merkle import EMPTY_ROOT, HASH_SIZE, Frontier, leaf_hash, root_of, split_point
from ledger.seal.proofs import prove_consistency, prove_inclusion

TILE_WIDTH: Final = 256
"""Hashes of a full tile, and entries of a full bundle."""

ENTRY_MAX: Final = 65_535
"""Most bytes of one entry: its length stands before it in 16 bits."""

CHECKPOINT: Final = "checkpoint"
ENTRIES: Final = "entries"

Level = int | Literal["entries"]
"""A level of hashes, 0 for leaves and each 8 steps of the tree above; or the entries themselves."""

Read = Callable[[str], bytes | None]
"""The content of the file at a path below the tree's root; None where there is none."""

_HEIGHT: Final = 8  # steps of the tree that one tile spans: 2**8 is its width
_TILES_KEPT: Final = 64
_ENTRY_LENGTH: Final = struct.Struct(">H")


class TilesFault(Fault):
    """A tree of tiles that cannot be read or may not be written; the sentence names the file."""


def tile_path(level: Level, index: int, width: int = TILE_WIDTH) -> str:
    """The path of a tile or bundle below the root, such as `tile/0/x001/234.p/12`."""
    *groups, last = _groups(index)
    name = "/".join((*(f"x{group}" for group in groups), last))
    partial = "" if width == TILE_WIDTH else f".p/{width}"
    return f"tile/{level}/{name}{partial}"


def _groups(index: int) -> list[str]:
    """The decimal digits of an index in groups of three, the first filled with zeroes."""
    digits = str(index)
    digits = digits.zfill(-len(digits) // 3 * -3)
    return [digits[at : at + 3] for at in range(0, len(digits), 3)]


def leaves_under(level: Level) -> int:
    """How many leaves of the log a full tile of this level spans."""
    return TILE_WIDTH if level == ENTRIES else TILE_WIDTH ** (int(level) + 1)


def pack_bundle(entries: Sequence[bytes]) -> bytes:
    """Entries as a bundle: each behind its length in 16 bits; `TilesFault` if one is too long."""
    for entry in entries:
        if len(entry) > ENTRY_MAX:
            raise TilesFault(f"An entry of {len(entry)} bytes is too long for a log of tiles.")
    return b"".join(part for e in entries for part in (_ENTRY_LENGTH.pack(len(e)), e))


def unpack_bundle(bundle: bytes) -> tuple[bytes, ...]:
    """The entries that `pack_bundle` was given; `ValueError` where the bytes end too early."""
    entries, at = [], 0
    while at < len(bundle):
        start = at + _ENTRY_LENGTH.size
        if start > len(bundle):
            raise ValueError("A bundle ends in the middle of a length.")
        (length,) = _ENTRY_LENGTH.unpack_from(bundle, at)
        at = start + length
        if at > len(bundle):
            raise ValueError("A bundle ends in the middle of an entry.")
        entries.append(bundle[start:at])
    return tuple(entries)


@dataclass(frozen=True, slots=True)
class Tile:
    """One file of the tree: a tile of hashes or a bundle of entries."""

    level: Level
    index: int
    width: int
    content: bytes

    @property
    def path(self) -> str:
        """Its path below the root."""
        return tile_path(self.level, self.index, self.width)

    def gives_way(self, size: int) -> bool:
        """Whether this is a partial tile whose full one stands in a tree of a size."""
        return self.width < TILE_WIDTH and (self.index + 1) * leaves_under(self.level) <= size


@dataclass(slots=True)
class Growth:
    """The tiles of a tree as it grows by one bundle after the other."""

    bundles: int = 0
    """How many full bundles it has."""
    rows: list[list[bytes]] = field(default_factory=list)
    """By level from 1 upwards: the hashes of its last tile, which is not full."""

    def grow(self, entries: Sequence[bytes], leaves: Sequence[bytes]) -> Iterator[Tile]:
        """Take in the entries of the next full bundle with their hashes; every tile that is full.

        All of them must be taken before the next bundle comes.
        """
        assert len(entries) == len(leaves) == TILE_WIDTH, "a full bundle"
        yield Tile(ENTRIES, self.bundles, TILE_WIDTH, pack_bundle(entries))
        yield from self.grow_hashes(leaves)

    def grow_hashes(self, leaves: Sequence[bytes]) -> Iterator[Tile]:
        """The same without the bundle."""
        yield Tile(0, self.bundles, TILE_WIDTH, b"".join(leaves))
        self.bundles += 1
        yield from self._rise(0, Frontier().extend(leaves).root())

    def _rise(self, place: int, node: bytes) -> Iterator[Tile]:
        if place == len(self.rows):
            self.rows.append([])
        row = self.rows[place]
        row.append(node)
        if len(row) == TILE_WIDTH:
            level = place + 1
            index = self.bundles // TILE_WIDTH**level - 1
            yield Tile(level, index, TILE_WIDTH, b"".join(row))
            self.rows[place] = []
            yield from self._rise(level, Frontier().extend(row).root())

    def edge(self, entries: Sequence[bytes], leaves: Sequence[bytes]) -> Iterator[Tile]:
        """The partial tiles of the tree that ends with these entries, fewer than a bundle."""
        if entries:
            yield Tile(ENTRIES, self.bundles, len(entries), pack_bundle(entries))
        yield from self.edge_hashes(leaves)

    def edge_hashes(self, leaves: Sequence[bytes]) -> Iterator[Tile]:
        """The same without the bundle."""
        if leaves:
            yield Tile(0, self.bundles, len(leaves), b"".join(leaves))
        for level, row in enumerate(self.rows, start=1):
            if row:
                index = self.bundles // TILE_WIDTH**level
                yield Tile(level, index, len(row), b"".join(row))


def folder(root: Path) -> Read:
    """The files below a folder."""

    def read(path: str) -> bytes | None:
        try:
            return (root / path).read_bytes()
        except FileNotFoundError:
            return None

    return read


class TileTree:
    """The tree of `size` leaves that is written in tiles; whatever is read costs bounded memory.

    Proofs are made of what the tiles say: who verifies them against a signed root finds a tile that
    lies. A tile that is missing or has another length is a `TilesFault` that names it.
    """

    def __init__(self, read: Read, size: int) -> None:
        self.size: Final = size
        self._read = read
        self._tile = lru_cache(maxsize=_TILES_KEPT)(self._read_tile)

    def root(self, size: int | None = None) -> bytes:
        """The root of the whole tree, or of its first leaves; `IndexError` if it has not so many.

        Read from the highest tiles that hold it; `leaves` has what it must follow from.
        """
        wanted = self._within(self.size if size is None else size)
        return self._range(0, wanted) if wanted else EMPTY_ROOT

    def inclusion(self, index: int, size: int | None = None) -> tuple[bytes, ...]:
        """The proof that the leaf at `index` is in the tree, or in its first `size` leaves.

        `IndexError` if it is not.
        """
        wanted = self._within(self.size if size is None else size)
        return prove_inclusion(self._range, index, wanted)

    def consistency(self, old_size: int, size: int | None = None) -> tuple[bytes, ...]:
        """The proof that the tree, or its first `size` leaves, began with `old_size` of them.

        `IndexError` if it never had so many.
        """
        wanted = self._within(self.size if size is None else size)
        return prove_consistency(self._range, old_size, wanted)

    def frontier(self, size: int | None = None) -> Frontier:
        """What is needed to append to the tree, or to its first leaves."""
        wanted = self._within(self.size if size is None else size)
        peaks, first = [], 0
        for height in reversed(range(wanted.bit_length())):
            if wanted >> height & 1:
                peaks.append(self._range(first, first + (1 << height)))
                first += 1 << height
        return Frontier(wanted, tuple(peaks))

    def hashes(self, level: int, index: int) -> tuple[bytes, ...]:
        """The hashes of one tile; `IndexError` if the tree has no such tile."""
        return self._tile(level, index)

    def leaves(self, first: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """The leaf hashes from a position up to, not including, another one, or the end."""
        last = self._within(self.size if stop is None else stop)
        for index, start, end in _pieces(first, last):
            yield from self._read_tile(0, index)[start:end]

    def entries(self, first: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """The entries of these positions as they were sealed, each held against its leaf hash.

        Raises `TilesFault` that names the bundle where they differ.
        """
        last = self._within(self.size if stop is None else stop)
        for index, start, end in _pieces(first, last):
            yield from self.bundle(index)[start:end]

    def bundle(self, index: int) -> tuple[bytes, ...]:
        """The entries of one bundle, each held against its leaf hash; `TilesFault` as `entries`."""
        width = self._width(0, index)
        path, content, count = self._file(ENTRIES, index, width)
        try:
            entries = unpack_bundle(content)
        except ValueError as error:
            raise TilesFault(f"{path}: {error}") from None
        if len(entries) != count:
            raise TilesFault(f"{path} has {len(entries)} entries, not {count}.")
        entries = entries[:width]
        if tuple(map(leaf_hash, entries)) != self._tile(0, index):
            raise TilesFault(f"{path} holds other entries than {tile_path(0, index, width)}.")
        return entries

    def _within(self, size: int) -> int:
        if not 0 <= size <= self.size:
            raise IndexError(f"The tree has {self.size} leaves, not {size}.")
        return size

    def _range(self, first: int, stop: int) -> bytes:
        """The root over some leaves: a complete subtree is in one tile, others are two parts."""
        count = stop - first
        if count & (count - 1) or first % count:
            middle = first + split_point(count)
            return root_of((self._range(first, middle), self._range(middle, stop)))
        level, steps = divmod(count.bit_length() - 1, _HEIGHT)
        start = first >> _HEIGHT * level
        index, place = divmod(start, TILE_WIDTH)
        return root_of(self._tile(level, index)[place : place + (1 << steps)])

    def _width(self, level: int, index: int) -> int:
        width = min(TILE_WIDTH, (self.size >> _HEIGHT * level) - TILE_WIDTH * index)
        if index < 0 or width < 1:
            raise IndexError(f"A tree of {self.size} leaves has no {tile_path(level, index)}.")
        return width

    def _read_tile(self, level: int, index: int) -> tuple[bytes, ...]:
        width = self._width(level, index)
        path, content, count = self._file(level, index, width)
        if len(content) != HASH_SIZE * count:
            raise TilesFault(f"{path} has {len(content)} bytes, not {HASH_SIZE * count}.")
        starts = range(0, HASH_SIZE * width, HASH_SIZE)
        return tuple(content[at : at + HASH_SIZE] for at in starts)

    def _file(self, level: Level, index: int, width: int) -> tuple[str, bytes, int]:
        """The partial file of a width or the full one in its place, and how much it must hold."""
        for count in dict.fromkeys((width, TILE_WIDTH)):
            path = tile_path(level, index, count)
            content = self._read(path)
            if content is not None:
                return path, content, count
        raise TilesFault(f"{tile_path(level, index, width)} is missing.")


def _pieces(first: int, stop: int) -> Iterator[tuple[int, int, int]]:
    """By tile, the part of it that a range of positions covers: index, first and end in it."""
    for index in range(first // TILE_WIDTH, -(-stop // TILE_WIDTH)):
        start = index * TILE_WIDTH
        yield index, max(first - start, 0), min(stop - start, TILE_WIDTH)
