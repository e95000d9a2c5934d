"""The Merkle tree over the stored rows of a book (G5: a change made by force is detected).

Hashes follow RFC 6962 section 2.1 with SHA-256: a leaf is prefixed with 0x00 and an inner node with
0x01, so that neither can pass for the other. A *leaf* is always the 32-byte leaf hash of a row,
never the row itself. Pure.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from typing import Final, Self
from uuid import UUID

HASH_SIZE: Final = 32
MAX_SIZE: Final = 2**63 - 1
EMPTY_ROOT: Final = sha256(b"").digest()

_LEAF_PREFIX: Final = b"\x00"
_NODE_PREFIX: Final = b"\x01"
_ENTRY_HEAD: Final = struct.Struct(">I16sIqI")  # up to and with the length of the topic
_LENGTH: Final = struct.Struct(">I")
_SIZE: Final = struct.Struct(">Q")


def entry_bytes(originator_id: UUID, version: int, topic: str, state: bytes) -> bytes:
    """The bytes that a row is sealed by: its four stored fields, each behind its length.

    Lengths are 4 bytes, the version is 8 bytes, both big-endian; the topic is UTF-8. Two different
    rows never have the same bytes. Any PostgreSQL bigint is a version here, so that a row put in by
    force is hashed and found instead of stopping the verifier; `struct.error` beyond that.
    """
    name = topic.encode()
    head = _ENTRY_HEAD.pack(16, originator_id.bytes, 8, version, len(name))
    return b"".join((head, name, _LENGTH.pack(len(state)), state))


def entry_fields(entry: bytes) -> tuple[UUID, int, str, bytes]:
    """What `entry_bytes` was given: stream, version, topic and state; `ValueError` if nothing.

    The bytes have this one reading, so that what is read is what was sealed.
    """
    try:
        _, stream, _, version, length = _ENTRY_HEAD.unpack_from(entry)
        topic = entry[_ENTRY_HEAD.size :][:length].decode()
        fields = (
            UUID(bytes=stream),
            version,
            topic,
            entry[_ENTRY_HEAD.size + length + _LENGTH.size :],
        )
    except (struct.error, ValueError):
        raise ValueError("These bytes are no entry of a log.") from None
    if entry_bytes(*fields) != entry:
        raise ValueError("These bytes are no entry of a log.")
    return fields


def leaf_hash(entry: bytes) -> bytes:
    """The 32-byte hash of one entry as a leaf (RFC 6962 section 2.1)."""
    return sha256(_LEAF_PREFIX + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The 32-byte hash of an inner node over its two 32-byte children (RFC 6962 section 2.1)."""
    return sha256(_NODE_PREFIX + left + right).digest()


def split_point(size: int) -> int:
    """How many of `size` >= 2 leaves stand on the left: the largest power of two below it."""
    assert size > 1, "a tree of fewer than two leaves has no split"
    return 1 << (size - 1).bit_length() - 1


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over all leaves by the recursive definition of RFC 6962 section 2.1.

    It shares no step with `Frontier`, so that one checks the other.
    """
    if not leaves:
        return EMPTY_ROOT
    if len(leaves) == 1:
        return leaves[0]
    middle = split_point(len(leaves))
    return node_hash(root_of(leaves[:middle]), root_of(leaves[middle:]))


@dataclass(frozen=True, slots=True)
class Frontier:
    """The right edge of a tree: all that is needed to append to it and to name its root.

    `size` counts the leaves. `peaks` are the 32-byte roots of the complete subtrees that the tree
    is made of, largest first: one for each 1 in the binary form of `size`. `ValueError` if these
    do not fit together.
    """

    size: int = 0
    peaks: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.size <= MAX_SIZE:
            raise ValueError(f"A frontier's size lies in 0..{MAX_SIZE}, not {self.size}.")
        if len(self.peaks) != self.size.bit_count():
            raise ValueError(
                f"A frontier of {self.size} leaves has {self.size.bit_count()} peaks,"
                f" not {len(self.peaks)}."
            )
        _require_hashes(self.peaks)

    def append(self, leaf: bytes) -> Self:
        """The frontier after one more leaf; `ValueError` if it is not 32 bytes long."""
        return self.extend((leaf,))

    def extend(self, leaves: Sequence[bytes]) -> Self:
        """The frontier after all these leaves, in order; `ValueError` if one is not 32 bytes long.

        Works row by row from the leaves up: the old peak of a row goes before its new nodes, and
        what has no partner at the end becomes the new peak.
        """
        _require_hashes(leaves)
        old, peaks, row = list(self.peaks), list[bytes](), list(leaves)
        size = self.size + len(row)
        for level in range(size.bit_length()):
            if self.size >> level & 1:
                row.insert(0, old.pop())
            if len(row) & 1:
                peaks.append(row.pop())
            row = _parents(row)
        return type(self)(size, tuple(reversed(peaks)))

    def root(self) -> bytes:
        """The 32-byte root hash of the tree (RFC 6962 section 2.1)."""
        if not self.peaks:
            return EMPTY_ROOT
        return reduce(lambda right, left: node_hash(left, right), reversed(self.peaks))

    def to_bytes(self) -> bytes:
        """The size as 8 bytes, big-endian, then the peaks, largest subtree first."""
        return _SIZE.pack(self.size) + b"".join(self.peaks)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """What `to_bytes` wrote; `ValueError` if these bytes are no frontier."""
        if len(data) < _SIZE.size:
            raise ValueError(f"A frontier has at least {_SIZE.size} bytes, not {len(data)}.")
        (size,) = _SIZE.unpack_from(data)
        starts = range(_SIZE.size, len(data), HASH_SIZE)
        return cls(size, tuple(data[start : start + HASH_SIZE] for start in starts))


def _parents(row: Sequence[bytes]) -> list[bytes]:
    """The next row up of a row of even length; `node_hash` in line, for this is the hot loop."""
    pairs = zip(row[::2], row[1::2], strict=True)
    return [sha256(_NODE_PREFIX + left + right).digest() for left, right in pairs]


def _require_hashes(hashes: Sequence[bytes]) -> None:
    if not {HASH_SIZE}.issuperset(map(len, hashes)):
        raise ValueError(f"Each leaf and each peak is a hash of {HASH_SIZE} bytes.")
