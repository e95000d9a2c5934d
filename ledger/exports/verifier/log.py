"""The log: each line's leaf hash, the roots that are signed, streams without gaps, whole saves."""

from base64 import b64decode
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any, Final
from uuid import UUID, uuid5

import orjson

from ledger.exports.verifier.days import day_of
from ledger.exports.verifier.verdict import Fields
from ledger.seal.merkle import Frontier, entry_bytes, leaf_hash

NAMESPACE: Final = UUID("6f1f7d4e-5a43-5d0b-9a57-2f3c6f0a9b11")
"""Of the keys of streams: version 5 UUIDs of their names (RFC 9562 section 5.5)."""

LEAVES: Final = 4_096
"""Leaf hashes that are held before the tree takes them in."""

Found = Iterator[tuple[str, str]]
"""Name of the check and what it found, where an event stands."""


@dataclass(frozen=True)
class Event:
    """A line of the events: the sealed row, and the entry that its bytes say."""

    position: int
    key: UUID
    version: int
    name: str
    entry: Fields
    leaf: bytes
    is_plain: bool = True
    """Whether its bytes are the one way to write what they say: no key twice, no fraction."""

    @property
    def body(self) -> Fields:
        """The event itself, without its header."""
        event: Fields = self.entry["event"]
        return event

    @cached_property
    def stream(self) -> str:
        """The name of the stream that it is in."""
        return str(self.entry["stream"])

    @property
    def recorded(self) -> str:
        """When it was recorded, as it is stored."""
        return str(self.entry["recorded"])


def read_event(line: bytes) -> Event:
    """Read a line; `ValueError` or the like where it is not written as the README says.

    The stored bytes are what stands behind `"entry":`, or `"raw":` in base64 where they are no JSON
    object on one line. They are hashed as they are.
    """
    document = orjson.loads(line)
    position, version, name = (document[k] for k in ("position", "version", "name"))
    key = UUID(document["key"])
    head = b'{"position":%d,"key":"%s","version":%d,"name":%s,' % (
        position,
        str(key).encode(),
        version,
        orjson.dumps(name),
    )
    if "raw" in document:
        stored = b64decode(document["raw"], validate=True)
        whole = b'%s"raw":"%s"}\n' % (head, document["raw"].encode())
    else:
        stored = line[len(head) + len(b'"entry":') : -len(b"}\n")]
        whole = b'%s"entry":%s}\n' % (head, stored)
    if whole != line:
        raise ValueError("a line has one way to be written")
    leaf = leaf_hash(entry_bytes(key, version, name, stored))
    entry = document.get("entry", {})
    return Event(position, key, version, name, entry, leaf, orjson.dumps(entry) == stored)


@dataclass(slots=True)
class Log:
    """The tree, grown from its right edge at the first event, and held against known roots."""

    tree: Frontier
    roots: dict[int, list[tuple[str, bytes]]] = field(default_factory=lambda: defaultdict(list))
    """By size: who says which root."""
    size: int = 0
    rotations: list[Fields] = field(default_factory=list)
    """The keys that followed others on record, as a manifest names them."""
    _leaves: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        """The first event stands where the edge ends."""
        self.size = self.tree.size

    def see(self, event: Event) -> Found:
        """Take in the next event."""
        if event.position != self.size:
            yield "positions", f"stands at {event.position}, expected {self.size}"
        if event.name == "signing-key-rotated":
            self.rotations.append({k: event.body[k] for k in ("old_key", "new_key", "signature")})
        self._leaves.append(event.leaf)
        self.size = event.position + 1
        if len(self._leaves) >= LEAVES or self.size in self.roots:
            self.grow()
        yield from self.compare()

    def grow(self) -> None:
        """Let the tree take in what it has not yet."""
        self.tree, self._leaves = self.tree.extend(self._leaves), []

    def compare(self) -> Found:
        """Hold the tree as it is now against all who say its root."""
        for who, root in self.roots.pop(self.size, ()):
            if self.tree.root() != root:
                yield "roots", f"{who} says another root of {self.size} events"


@dataclass(slots=True)
class Streams:
    """Every row belongs to the stream that it says, and each stream goes on without a gap."""

    whole: bool
    """Whether the package begins with the book, and so each stream with its first version."""
    _last: dict[str, int] = field(default_factory=dict)

    def see(self, event: Event) -> Found:
        """Take in the next event."""
        stream, version = event.stream, event.version
        if not event.is_plain:
            yield "events", "is not written in the one way, and readers may differ on it"
        if not _has_header(event.entry):
            yield "events", "the header is not as it must be"
        if event.entry["version"] != version or event.key != uuid5(NAMESPACE, stream):
            yield "streams", "the row and its bytes name another stream or version"
        if stream.startswith("command:"):  # one event each, so that there is nothing to keep
            expected = 1
        else:
            expected = self._last.get(stream, 0 if self.whole else version - 1) + 1
            self._last[stream] = version
        if version != expected:
            yield "streams", f"version {version} of {stream}, expected {expected}"


def _has_header(entry: Fields) -> bool:
    """Whether an entry says its class version, when, by which command and by whom."""
    UUID(entry["command"])
    for when in (entry["recorded"], entry["played"] or entry["recorded"]):
        if datetime.fromisoformat(when).utcoffset() != timedelta(0):
            return False
    return isinstance(entry["v"], int) and entry["v"] > 0 and isinstance(entry["actor"], str)


@dataclass(slots=True)
class Days:
    """What was recorded on a day stands before its closing, and in the package of that day."""

    closings: dict[int, date] = field(default_factory=dict)
    """By the size of a checkpoint: the day that it closed."""
    after: tuple[int, date] = (0, date.max)
    """Where the package after this one begins, and with which day."""
    closed: date = date.min
    """The last day that is closed where the next event stands."""

    def see(self, event: Event) -> Found:
        """Take in the next event."""
        self.closed = max(self.closed, self.closings.get(event.position, date.min))
        day, (begins, first) = day_of(event.recorded), self.after
        if day <= self.closed:
            yield "days", f"is of {day}, which was closed before"
        if day >= first and event.position < begins:
            yield "days", f"is of {day}, and the package of that day begins at {begins}"


@dataclass(slots=True)
class Saves:
    """Each command's record comes last and names exactly the entries that were saved with it."""

    records: int = 0
    _loose: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    def see(self, event: Event) -> Found:
        """Take in the next event."""
        command = str(event.entry["command"])
        if event.name != "command-answered":
            self._loose.setdefault(command, []).append((event.stream, event.version))
            return
        self.records += 1
        if event.stream != f"command:{command}":
            yield "saves", f"records the command {command}"
        if sorted(_written(event.body)) != sorted(self._loose.pop(command, [])):
            yield "saves", "names other entries than were saved with it"

    def left(self) -> Found:
        """Commands whose entries no record names."""
        for command in sorted(self._loose):
            yield "saves", f"no record of the command {command}"


def _written(record: Fields) -> list[tuple[Any, int]]:
    runs = record["written"]
    counts = [run["last"] - run["first"] + 1 for run in runs]
    if min(counts, default=1) < 1 or sum(counts) > MOST_WRITTEN:
        raise ValueError("a save has not such entries")
    return [(run["stream"], v) for run in runs for v in range(run["first"], run["last"] + 1)]


MOST_WRITTEN: Final = 1_000_000
"""A forged run of versions shall not fill the memory."""
