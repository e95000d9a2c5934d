"""Which key signs which checkpoint: the chain of signing keys, as the sealed log tells it (G6).

A rotation is an event that holds the old key's signature over both keys, so that nobody but its
holder can name its successor, whoever may write events. The key that was in force signs the first
checkpoint that covers it, and the successor all later ones: whoever trusts one key of the chain can
follow it to the newest.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Self, cast
from uuid import UUID

import orjson
import psycopg
from psycopg.rows import tuple_row
from psycopg.sql import SQL, Identifier

from ledger.domain.commands import RotateSigningKey, digest
from ledger.domain.events import AnyEntry, CommandAnswered, SigningKeyRotated
from ledger.domain.ids import SIGNING_KEY, stream_key
from ledger.domain.refusals import Fault
from ledger.replay import Finding
from ledger.seal.notes import NoteError, SigningKey, VerifyingKey, is_signed


class KeyFault(Fault):
    """The key that must sign is not at hand; nothing was sealed, and nothing secret is told."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """A sealed rotation that the old key has signed, and its position in the log."""

    position: int
    old: VerifyingKey
    new: VerifyingKey


@dataclass(frozen=True, slots=True)
class KeyChain:
    """The rotations of a log in their order."""

    rotations: tuple[Rotation, ...] = ()
    ignored: tuple[int, ...] = ()
    """Positions of what stands in their stream and changes no key: verification names it."""

    @classmethod
    def read(cls, connection: psycopg.Connection[Any], book: str) -> Self:
        """The sealed rotations of a book; any other row in their stream changes no key."""
        named = {"book": Identifier(book)}
        with connection.cursor(row_factory=tuple_row) as cursor:
            query = SQL(cast("Any", _ROTATIONS)).format(**named)
            rows = cursor.execute(query, (stream_key(SIGNING_KEY),)).fetchall()
            first = cursor.execute(SQL(cast("Any", _FIRST_NOTE)).format(**named)).fetchone()
        counted = tuple(_linked(rotations_in(rows), None if first is None else first[0]))
        ignored = {position for position, _ in rows} - {r.position for r in counted}
        return cls(counted, tuple(sorted(ignored)))

    @property
    def keys(self) -> tuple[VerifyingKey, ...]:
        """Every key on record."""
        return (*(r.old for r in self.rotations[:1]), *(r.new for r in self.rotations))

    def signer_after(self, size: int) -> VerifyingKey | None:
        """The key that signs the first checkpoint beyond a size; None where none is on record."""
        before = [r.new for r in self.rotations if r.position < size]
        first = [r.old for r in self.rotations[:1]]
        return before[-1] if before else next(iter(first), None)


def rotations_in(rows: Iterable[tuple[int, bytes]]) -> Iterator[Rotation]:
    """The rotations that their old key has signed, among positions and stored states."""
    for position, state in rows:
        with suppress(LookupError, TypeError, ValueError):
            event = orjson.loads(state)["event"]
            old, new = (VerifyingKey.parse(event[name]) for name in ("old_key", "new_key"))
            if _is_vouched(old, new, event["signature"]):
                yield Rotation(position, old, new)


def _linked(found: Iterable[Rotation], first_note: str | None) -> Iterator[Rotation]:
    """The rotations that go on from each other, the first from the key of the first checkpoint."""
    used: list[VerifyingKey] = []
    for rotation in found:
        goes_on = rotation.old == used[-1] if used else _signed_first(rotation.old, first_note)
        if goes_on and rotation.new not in used:
            used += [rotation.old, rotation.new]
            yield rotation


def _signed_first(key: VerifyingKey, first_note: str | None) -> bool:
    return first_note is None or is_signed(first_note, key)


def sign_rotation(old: SigningKey, new: VerifyingKey) -> str:
    """The signature by which the holder of a key names its successor."""
    return b64encode(old.sign(_naming(old.verifying_key, new))).decode("ascii")


def _is_vouched(old: VerifyingKey, new: VerifyingKey, signature: str) -> bool:
    return old.vouches(_naming(old, new), b64decode(signature))


def _naming(old: VerifyingKey, new: VerifyingKey) -> bytes:
    """What is signed; no checkpoint reads so."""
    return f"signing-key-rotated/v1\n{old.text()}\n{new.text()}\n".encode()


def signers(
    chain: KeyChain, last: tuple[int, str | None], size: int, at_hand: Sequence[SigningKey]
) -> tuple[SigningKey, ...]:
    """The keys that sign the checkpoint of a size, after the last one's size and note.

    They are the key in force and, where it has a successor by then that is at hand, that one too.
    Raises `KeyFault` when the key in force is not at hand.
    """
    last_size, note = last
    own = in_force(chain, last_size, note, at_hand)
    successor = chain.signer_after(size)
    return own, *(k for k in at_hand if k != own and k.verifying_key == successor)


def in_force(
    chain: KeyChain, size: int, note: str | None, at_hand: Sequence[SigningKey]
) -> SigningKey:
    """The key at hand that must sign after the checkpoint of a size with this note.

    It is the one on record, or the one that signed the note; any where nothing was signed yet.
    Raises `KeyFault` when it is not at hand.
    """
    wanted = chain.signer_after(size)
    for key in at_hand:
        verifier = key.verifying_key
        if verifier == wanted or (wanted is None and (note is None or is_signed(note, verifier))):
            return key
    told = "another key" if wanted is None else f"the key {wanted.text()}"
    raise KeyFault(
        f"The signing key at hand is not this book's: its checkpoints are signed by {told}; "
        "restore that one."
    )


@dataclass(slots=True)
class Keys:
    """A check of the entries: each rotation was asked for, and goes on from the last one."""

    _used: list[str] = field(default_factory=list)
    _made: dict[UUID, AnyEntry] = field(default_factory=dict)
    """Rotations whose command's record is still to come, which is the last of its save."""

    def see(self, _: int, entry: AnyEntry) -> Iterator[Finding]:
        """Compare a rotation with the key in force and with what its command asked."""
        match entry.event:
            case SigningKeyRotated() as event:
                self._made[entry.command] = entry
                place = f"{entry.stream} version {entry.version}"
                yield from (Finding("keys", place, found) for found in self._wrong(entry, event))
            case CommandAnswered() as record:
                made = self._made.pop(entry.command, None)
                if not _is_asked(record, made):
                    yield Finding("keys", entry.stream, "asked for another rotation than was made")
            case _:
                pass

    def _wrong(self, entry: AnyEntry, event: SigningKeyRotated) -> Iterator[str]:
        if entry.stream != SIGNING_KEY:
            yield "this stream cannot hold a rotation"
            return
        self._used = self._used or [event.old_key]
        if event.old_key != self._used[-1]:
            yield f"rotates from {event.old_key}, which was not in force"
        if event.new_key in self._used:
            yield f"{event.new_key} has signed before"
        try:
            old, new = VerifyingKey.parse(event.old_key), VerifyingKey.parse(event.new_key)
            if not _is_vouched(old, new, event.signature):
                yield "the old key has not signed it"
        except NoteError as error:
            yield str(error)
        self._used.append(event.new_key)

    def end(self) -> Iterator[Finding]:
        """Nothing more: whose signatures stand is compared checkpoint by checkpoint."""
        return iter(())


def _is_asked(record: CommandAnswered, made: AnyEntry | None) -> bool:
    """Whether a command that was accepted made the rotation that it asked for, and no other."""
    asks = record.kind == RotateSigningKey.KIND and record.refusal is None
    if made is None or not asks:
        return (made is not None) == asks
    event: Any = made.event
    command = RotateSigningKey(
        id=made.command,
        actor=made.actor,
        played=made.played,
        old_key=event.old_key,
        new_key=event.new_key,
        signature=event.signature,
        reason=event.reason,
    )
    return digest(command) == record.digest


_FIRST_NOTE: Final = "SELECT note FROM {book}.checkpoints ORDER BY size LIMIT 1"

_ROTATIONS: Final = """
SELECT s.position, e.state
  FROM {book}.sealed s JOIN {book}.events e USING (originator_id, originator_version)
 WHERE s.originator_id = %s ORDER BY s.position
"""
