"""What the file of a dispute is made of, read from the sealed log up to one checkpoint (G6)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from uuid import UUID

from ledger.domain.events import (
    AnyEntry,
    ContoOpened,
    DisputeEvent,
    DisputeOpened,
    SheetPublished,
)
from ledger.domain.ids import StreamName, player_stream, session_stream
from ledger.domain.refusals import Refusal
from ledger.seal.keys import KeyChain, KeyFault
from ledger.seal.merkle import Frontier
from ledger.seal.notes import VerifyingKey, is_signed
from ledger.seal.proofs import prove_inclusion
from ledger.seal.publishing import Log
from ledger.seal.sealer import Sealed, latest
from ledger.store.codec import Codec
from ledger.store.reading import SealedRow, saved, sealed
from ops.story.reading import case_of
from ops.story.story import Story, Until, tell
from workers.log import Cursor, transaction
from workers.ports import Connection


class PackCode(StrEnum):
    """Why no file of a dispute can be made; by precedence."""

    UNKNOWN_CHECKPOINT = "unknown-checkpoint"
    NOT_SEALED = "not-sealed"


@dataclass(frozen=True, slots=True)
class Proof:
    """A sealed event and the siblings from its leaf up to the root of the checkpoint."""

    row: SealedRow
    path: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """All of it, still under the player's key."""

    checkpoint: Sealed
    key: VerifyingKey
    """By which the checkpoint is signed."""
    opened: DisputeOpened
    course: tuple[AnyEntry, ...]
    """The events of the dispute."""
    holder: ContoOpened
    """The event that has the holder's protected data."""
    story: Story
    proofs: tuple[Proof, ...]
    """Of every event that is told, and of the rule sheets, by position."""


@dataclass(frozen=True, slots=True)
class _SealedLog:
    """The sealed log up to a checkpoint, and what was read of it so far."""

    cursor: Cursor
    book: str
    codec: Codec
    size: int
    progress: Callable[[int], None]
    rows: dict[int, SealedRow] = field(default_factory=dict)

    def fetch(self, streams: Sequence[StreamName]) -> tuple[AnyEntry, ...]:
        """The sealed entries of streams."""
        found = sealed(self.cursor, self.book, self.codec, streams, self.size)
        self.rows.update({row.position: row for row in found})
        return tuple(row.entry for row in found)

    def root(self, first: int, stop: int) -> bytes:
        """The root over the leaves of a range, read page by page."""
        frontier = Frontier()
        for page in Log(self.cursor.connection, self.book).leaves(first, stop):
            frontier = frontier.extend(page)
            self.progress(len(page))
        return frontier.root()

    def is_whole(self, streams: Sequence[StreamName]) -> bool:
        """Whether all that is saved of these streams is sealed up to here."""
        return len(self.fetch(streams)) == len(saved(self.cursor, self.book, self.codec, streams))


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which dispute of which player is wanted, and up to which checkpoint."""

    player: str
    dispute: UUID
    size: int | None
    """None for the newest, which must cover the dispute and its session."""
    keys: tuple[VerifyingKey, ...]
    """The keys at hand; those that the book has on record are known besides."""
    progress: Callable[[int], None] = lambda _: None
    """Is told how many more leaves were read; all of them are, about once."""


def gather(connection: Connection, book: str, codec: Codec, wanted: Wanted) -> Evidence | Refusal:
    """The evidence of a dispute, or why there is none; `KeyFault` where no known key signed it."""
    checkpoint = latest(connection, book, wanted.size)
    if checkpoint is None:
        return Refusal(
            PackCode.UNKNOWN_CHECKPOINT, "There is no such checkpoint; run: contoposta seal."
        )
    key = _signer(checkpoint, (*KeyChain.read(connection, book).keys, *wanted.keys))
    with transaction(connection, frozen=True) as cursor:
        log = _SealedLog(cursor, book, codec, checkpoint.size, wanted.progress)
        course = _course(log, wanted.player, wanted.dispute)
        whole = wanted.size is not None or log.is_whole(_streams(wanted.player, course))
        if not course or not whole:
            return Refusal(
                PackCode.NOT_SEALED, "Some of it is not sealed up to there; run: contoposta seal."
            )
        return _evidence(log, (checkpoint, key), course)


def _signer(checkpoint: Sealed, keys: Iterable[VerifyingKey]) -> VerifyingKey:
    for key in keys:
        if is_signed(checkpoint.note, key):
            return key
    raise KeyFault("No key at hand or on record signed this checkpoint; restore the signing key.")


def _course(log: _SealedLog, player: str, dispute: UUID) -> tuple[AnyEntry, ...]:
    entries = log.fetch((player_stream(player),))
    return tuple(
        e for e in entries if isinstance(e.event, DisputeEvent) and e.event.dispute == dispute
    )


def _streams(player: str, course: tuple[AnyEntry, ...]) -> tuple[StreamName, ...]:
    about = [e.event.session for e in course if isinstance(e.event, DisputeOpened)]
    return (player_stream(player), *map(session_stream, about))


def _evidence(
    log: _SealedLog, signed: tuple[Sealed, VerifyingKey], course: tuple[AnyEntry, ...]
) -> Evidence:
    opened = course[0].event
    assert isinstance(opened, DisputeOpened)
    case = case_of(opened.round or opened.session, log.fetch)
    assert case is not None
    story = tell(case, Until())
    holder = next(e.event for e in case.entries if isinstance(e.event, ContoOpened))
    wanted = {id_of(e) for e in (*course, *(step.entry for step in story.steps))}
    wanted |= {id_of(e) for e in case.entries if isinstance(e.event, SheetPublished)}
    return Evidence(*signed, opened, course, holder, story, _proofs(log, wanted))


def id_of(entry: AnyEntry) -> tuple[str, int]:
    """What an entry is found by."""
    return entry.stream, entry.version


def _proofs(log: _SealedLog, wanted: set[tuple[str, int]]) -> tuple[Proof, ...]:
    """The proofs of these entries; they share most of their siblings, which are read once."""
    roots = lru_cache(maxsize=None)(log.root)
    rows = [log.rows[position] for position in sorted(log.rows)]
    return tuple(
        Proof(row, prove_inclusion(roots, row.position, log.size))
        for row in rows
        if id_of(row.entry) in wanted
    )
