"""Checks a tree of tiles by itself: entries, hashes, root, signatures and kept notes (G5, G6).

Nothing is needed but the files and what is trusted from outside. A trusted key is followed to its
successors by the rotations in the entries, each of which the old key has signed, and back to those
that it succeeded for notes of their time. Every check goes on after what it
found, as far as the files allow; memory is bounded whatever the size.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import accumulate

from ledger.domain.events import SigningKeyRotated
from ledger.domain.ids import SIGNING_KEY, stream_key
from ledger.replay import Finding
from ledger.seal.keys import Rotation, rotations_in
from ledger.seal.merkle import EMPTY_ROOT, HASH_SIZE, Frontier, entry_fields
from ledger.seal.notes import (
    Checkpoint,
    NoteError,
    VerifyingKey,
    is_signed,
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
_ROTATED = SigningKeyRotated.NAME.encode()


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
    note = read(CHECKPOINT) or b""
    checkpoint = _checkpoint(note, trust, findings)
    if checkpoint is None:
        return TilesVerdict("", 0, EMPTY_ROOT, vouched=False, kept=0, findings=tuple(findings))
    check = _Check(read, TileTree(read, checkpoint.size), findings, progress)
    root = check.root()
    if root != checkpoint.root:
        findings.append(Finding("root", CHECKPOINT, "the tiles give another root"))
    rotations = _first_of_each(rotations_in(check.rotations))
    why = _why_unsigned(note, _followed(trust.keys, rotations), rotations) if trust.keys else None
    if why is not None:
        findings.append(Finding("signature", CHECKPOINT, why))
    vouched = bool(trust.keys) and {"signature", "origin"}.isdisjoint(f.check for f in findings)
    trust = replace(trust, keys=_preceded(_followed(trust.keys, rotations), rotations))
    kept = sum(check.agrees(number, note, trust) for number, note in enumerate(trust.kept, 1))
    size, origin = checkpoint.size, checkpoint.origin
    return TilesVerdict(origin, size, root, vouched, kept, tuple(findings))


def _checkpoint(note: bytes, trust: TreeTrust, findings: list[Finding]) -> Checkpoint | None:
    if not note:
        findings.append(Finding("checkpoint", CHECKPOINT, "is missing"))
        return None
    try:
        checkpoint = parse_checkpoint(text_of(note))
    except NoteError as error:
        findings.append(Finding("checkpoint", CHECKPOINT, str(error)))
        return None
    if trust.origin not in (None, checkpoint.origin):
        findings.append(Finding("origin", CHECKPOINT, f"names the log {checkpoint.origin}"))
    return checkpoint


Keys = tuple[VerifyingKey, ...]


def _first_of_each(rotations: Iterable[Rotation]) -> tuple[Rotation, ...]:
    """The rotations without those by which a retired key names another successor."""
    first: dict[VerifyingKey, Rotation] = {}
    for rotation in rotations:
        first.setdefault(rotation.old, rotation)
    return tuple(first.values())


def _followed(keys: Keys, rotations: Sequence[Rotation]) -> Keys:
    """Keys, and those that followed them."""
    for rotation in rotations:
        if rotation.old in keys:
            keys = (*keys, rotation.new)
    return keys


def _preceded(keys: Keys, rotations: Sequence[Rotation]) -> Keys:
    """Keys, and those that they followed."""
    for rotation in reversed(rotations):
        if rotation.new in keys:
            keys = (*keys, rotation.old)
    return keys


def _why_unsigned(note: bytes, keys: Keys, rotations: Sequence[Rotation]) -> str | None:
    """Why no key of the log vouches for the checkpoint; None where one does."""
    own = tuple(key for key in keys if not key.is_cosigner)
    try:
        open_note(note, own)
    except NoteError as error:
        return str(error)
    retired = {rotation.old: rotation for rotation in rotations}
    if any(is_signed(note, key) for key in own if key not in retired):
        return None
    signed = next(retired[key] for key in own if is_signed(note, key))
    return f"Signed by a key that {signed.new.text()} followed at position {signed.position}."


@dataclass(slots=True)
class _Check:
    """One reading of a whole tree."""

    read: Read
    tree: TileTree
    findings: list[Finding]
    progress: Callable[[int], None]
    rotations: list[tuple[int, bytes]] = field(default_factory=list)
    """Position and state of what may be a rotation."""
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
            self._look(index * TILE_WIDTH, entries)
        except TilesFault as fault:
            self.findings.append(Finding("entries", f"bundle {index}", str(fault)))
        try:
            return entries, self.tree.hashes(0, index)
        except TilesFault:
            return (), ()

    def _look(self, first: int, entries: Bundle) -> None:
        """Keep the rotations of signing keys among entries."""
        for position, entry in enumerate(entries, first):
            if _ROTATED in entry:
                with suppress(ValueError):
                    stream, _, name, state = entry_fields(entry)
                    if (stream, name) == (stream_key(SIGNING_KEY), SigningKeyRotated.NAME):
                        self.rotations.append((position, state))

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
