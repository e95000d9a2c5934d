"""Checks a tree of tiles by itself: entries, hashes, root, signatures and kept notes (G5, G6).

Nothing is needed but the files and what is trusted from outside. Every check goes on after what it
found, as far as the files allow; memory is bounded whatever the size.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import accumulate

from ledger.replay import Finding
from ledger.seal.merkle import EMPTY_ROOT, HASH_SIZE, Frontier
from ledger.seal.notes import (
    Checkpoint,
    NoteError,
    VerifyingKey,
    open_note,
    parse_checkpoint,
    text_of,
)
from ledger.seal.tiles import (
    CHECKPOINT,
    ENTRIES,
    TILE_WIDTH,
    Growth,
    Read,
    Tile,
    TilesFault,
    TileTree,
    pack_bundle,
    tile_path,
    unpack_bundle,
)

Bundle = tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class TreeTrust:
    """What is trusted that is not in the tree: keys, the log's name, and notes kept elsewhere."""

    keys: tuple[VerifyingKey, ...] = ()
    """Those of the log, and of witnesses; without any the tree is held against itself alone."""
    origin: str | None = None
    kept: tuple[str, ...] = ()
    """Signed notes of the same log, as a witness keeps them."""


@dataclass(frozen=True, slots=True)
class TilesVerdict:
    """What was recomputed, and all that was found wrong."""

    origin: str
    size: int
    root: bytes
    vouched: bool
    """Whether a trusted key has signed the checkpoint; else the tree only agrees with itself."""
    kept: int
    """How many notes kept elsewhere the tree agrees with."""
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


def check_tiles(
    read: Read, trust: TreeTrust, progress: Callable[[int], None] = lambda _: None
) -> TilesVerdict:
    """Recompute the tree that the checkpoint names, and hold it against what is trusted."""
    findings: list[Finding] = []
    checkpoint = _checkpoint(read, trust, findings)
    if checkpoint is None:
        return TilesVerdict("", 0, EMPTY_ROOT, vouched=False, kept=0, findings=tuple(findings))
    vouched = bool(trust.keys) and not findings
    check = _Check(read, TileTree(read, checkpoint.size), findings, progress)
    root = check.root()
    if root != checkpoint.root:
        findings.append(Finding("root", CHECKPOINT, "the tiles give another root"))
    kept = sum(check.agrees(number, note, trust) for number, note in enumerate(trust.kept, 1))
    size, origin = checkpoint.size, checkpoint.origin
    return TilesVerdict(origin, size, root, vouched, kept, tuple(findings))


def _checkpoint(read: Read, trust: TreeTrust, findings: list[Finding]) -> Checkpoint | None:
    note = read(CHECKPOINT)
    if note is None:
        findings.append(Finding("checkpoint", CHECKPOINT, "is missing"))
        return None
    try:
        checkpoint = parse_checkpoint(text_of(note))
    except NoteError as error:
        findings.append(Finding("checkpoint", CHECKPOINT, str(error)))
        return None
    own = tuple(key for key in trust.keys if not key.is_cosigner)
    try:
        if trust.keys:
            open_note(note, own)
    except NoteError as error:
        findings.append(Finding("signature", CHECKPOINT, str(error)))
    if trust.origin not in (None, checkpoint.origin):
        findings.append(Finding("origin", CHECKPOINT, f"names the log {checkpoint.origin}"))
    return checkpoint


@dataclass(slots=True)
class _Check:
    """One reading of a whole tree."""

    read: Read
    tree: TileTree
    findings: list[Finding]
    progress: Callable[[int], None]
    _growth: Growth = field(default_factory=Growth)

    def root(self) -> bytes:
        """The root over all entries; each tile is held against those below it.

        Where neither a bundle nor its tile can be read, nothing behind them can be judged.
        """
        frontier = Frontier()
        bundle: Bundle = ()
        leaves: Bundle = ()
        for index in range(-(-self.tree.size // TILE_WIDTH)):
            bundle, leaves = self._bundle(index)
            if not leaves:
                return frontier.root()
            frontier = frontier.extend(leaves)
            if len(leaves) == TILE_WIDTH:
                self._compare(self._growth.grow_hashes(leaves))
                bundle, leaves = (), ()
            self.progress(frontier.size)
        edge = tuple(self._growth.edge(bundle, leaves))
        self._compare(tile for tile in edge if tile.level != ENTRIES)
        for tile in edge:
            self._compare_older(tile)
        return frontier.root()

    def _bundle(self, index: int) -> tuple[Bundle, Bundle]:
        """The entries of one bundle and their hashes; where it fails, those that the tile tells."""
        entries: Bundle = ()
        try:
            entries = self.tree.bundle(index)
        except TilesFault as fault:
            self.findings.append(Finding("entries", f"bundle {index}", str(fault)))
        try:
            return entries, self.tree.hashes(0, index)
        except TilesFault:
            return (), ()

    def _compare(self, tiles: Iterable[Tile]) -> None:
        """Hold the tiles above the leaves against what their leaves give."""
        for tile in tiles:
            try:
                written = b"".join(self.tree.hashes(int(tile.level), tile.index))
            except TilesFault as fault:
                self.findings.append(Finding("tiles", tile.path, str(fault)))
                continue
            if written != tile.content:
                place = _first_difference(written, tile.content)
                self.findings.append(Finding("tiles", tile.path, f"hash {place} is another"))

    def _compare_older(self, tile: Tile) -> None:
        """Partial tiles of older checkpoints stand beside the newest one, and begin it."""
        sizes = [HASH_SIZE] * tile.width
        if tile.level == ENTRIES:
            sizes = [len(pack_bundle([entry])) for entry in unpack_bundle(tile.content)]
        for width, end in enumerate(accumulate(sizes[:-1]), start=1):
            path = tile_path(tile.level, tile.index, width)
            written = self.read(path)
            if written is not None and written != tile.content[:end]:
                self.findings.append(Finding("tiles", path, "differs from the newest tile"))

    def agrees(self, number: int, note: str, trust: TreeTrust) -> bool:
        """Whether the tree begins with the one that a note kept elsewhere names."""
        place = f"kept note {number}"
        try:
            kept = parse_checkpoint(open_note(note, trust.keys))
        except NoteError as error:
            self.findings.append(Finding("signature", place, str(error)))
            return False
        found = self._differs(kept, trust)
        if found is not None:
            self.findings.append(Finding("kept", place, found))
        return found is None

    def _differs(self, kept: Checkpoint, trust: TreeTrust) -> str | None:
        if trust.origin not in (None, kept.origin):
            return f"names the log {kept.origin}"
        if kept.size > self.tree.size:
            return f"has {kept.size} events, and only {self.tree.size} are published"
        try:
            same = self.tree.root(kept.size) == kept.root
        except TilesFault as fault:
            return str(fault)
        return None if same else f"had another root after {kept.size} events"


def _first_difference(one: bytes, other: bytes) -> int:
    """The number of the first hash in which two tiles of one width differ."""
    starts = range(0, len(one), HASH_SIZE)
    return next(n for n, at in enumerate(starts) if one[at:][:HASH_SIZE] != other[at:][:HASH_SIZE])
