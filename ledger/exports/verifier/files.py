"""The files of a package: each as its signed manifest lists it, and none besides."""

import csv
import hashlib
import json
import struct
import unicodedata
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final, Self

from ledger.exports.layout import (
    CHECKPOINT_FOLDER,
    FORMAT,
    HASH_PIECE,
    MANIFEST,
    MANIFEST_NOTE,
    PERSONAL,
    manifest_text,
)
from ledger.exports.verifier.verdict import Findings, Trust
from ledger.seal.notes import Checkpoint, NoteError, VerifyingKey, open_note, parse_checkpoint

LINE_MAX: Final = 200_000
"""Bytes: a stored entry has 65,000 at most, and a third more in base64."""

DOCUMENT_MAX: Final = 1 << 28
"""Bytes of what is read whole: a report of a day with half a million sessions."""

MOST_DAYS: Final = 36_600

UNREADABLE: Final = (
    ArithmeticError, AttributeError, csv.Error, LookupError, OSError, RecursionError, struct.error,
    TypeError, ValueError,
)  # fmt: skip
"""What reading a document raises that is not what it must be."""


def read_whole(path: Path) -> bytes:
    """The bytes of a file; `ValueError` where it is larger than any that is read whole."""
    with path.open("rb") as file:
        content = file.read(DOCUMENT_MAX + 1)
    if len(content) > DOCUMENT_MAX:
        raise ValueError("it is larger than any may be")
    return content


def document_of(content: bytes) -> Any:
    """What JSON says that all readers read alike, with whole numbers alone; else `ValueError`."""
    return json.loads(
        content.decode(),
        object_pairs_hook=_once,
        parse_float=_refused,
        parse_constant=_refused,
        parse_int=_whole,
    )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("a key stands twice")
    return document


def _whole(text: str) -> int:
    return int(text) if text != "-0" else _refused(text)


def _refused(text: str) -> Any:
    raise ValueError(f"{text[:20]} is no whole number")


def position_of(value: object) -> int:
    """A position or size of the log; `ValueError` where it is none."""
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise ValueError("a position is a whole number")
    return value


@dataclass(frozen=True, slots=True)
class Package:
    """A package whose manifest could be read: which log it is of, and from where to where."""

    path: Path
    content: bytes
    """The manifest's bytes."""
    manifest: dict[str, Any]
    keys: tuple[VerifyingKey, ...]
    """Those that are trusted; the package's own where none were given."""
    origin: str
    first: int
    """The position of its first event."""
    size: int
    """The position after its last one: the size of the log that it ends at."""
    root: bytes
    """The root hash of that log."""
    days: tuple[date, ...]
    """The business days that it covers."""
    previous: str | None
    """SHA-256 of the manifest of the package before, in hex."""
    files: frozenset[str]
    """What is in its folder; nothing else is read, whatever a document names."""

    @classmethod
    def read(cls, path: Path, trusted: tuple[VerifyingKey, ...]) -> Self:
        """Read the manifest in a folder; raises what is in `UNREADABLE`."""
        content = read_whole(path / MANIFEST)
        manifest = document_of(content)
        if manifest["format"] != FORMAT:
            raise ValueError(f"the format is not {FORMAT}")
        keys = followed(trusted, manifest["rotations"]) or _own_keys(manifest)
        first, size = (position_of(manifest[name]) for name in ("first", "size"))
        place = str(manifest["origin"]), first, size
        root = bytes.fromhex(manifest["root"])
        days, previous = _days(manifest["days"]), manifest["previous"]
        files = frozenset(p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file())
        return cls(path, content, manifest, keys, *place, root, days, previous, files)

    def json(self, name: str) -> Any:
        """A file's JSON document."""
        return document_of(self.whole(name))

    def whole(self, name: str) -> bytes:
        """The bytes of a file; `LookupError` where none of that name is in the package."""
        if name not in self.files:
            raise LookupError(name)
        return read_whole(self.path / name)

    def lines(self, name: str) -> Iterator[bytes]:
        """A file's lines, each with its line end; what is longer than any line may be is parted.

        `LookupError` at once where none of that name is in the package.
        """
        if name not in self.files:
            raise LookupError(name)
        return _lines_of(self.path / name)

    def checkpoints(self, findings: Findings) -> Iterator[Checkpoint]:
        """The signed checkpoints in the package, as far as they are vouched for."""
        for path in sorted((self.path / CHECKPOINT_FOLDER).glob("*.note")):
            try:
                found = checkpoint_of(read_whole(path), self, path.name, findings)
            except UNREADABLE as error:
                found = None
                findings.add("signature", path.name, f"cannot be read: {type(error).__name__}")
            if found is not None and path.name != f"{found.size}.note":
                findings.add("signature", path.name, f"is of {found.size} events")
            if found is not None:
                yield found


def _lines_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while line := file.readline(LINE_MAX):
            yield line


def _days(told: dict[str, str]) -> tuple[date, ...]:
    first, last = date.fromisoformat(told["first"]), date.fromisoformat(told["last"])
    count = (last - first).days + 1
    if not 1 <= count <= MOST_DAYS:
        raise ValueError("so many days are no period")
    return tuple(first + timedelta(days=n) for n in range(count))


def open_package(path: Path, trust: Trust, findings: Findings) -> Package | None:
    """Read the manifest and hold every file against it; None where there is nothing to go by.

    Nothing is read where something is no plain file: it may lead anywhere and have no end.
    """
    odd = sorted(str(p.relative_to(path)) for p in path.rglob("*") if _is_odd(p))
    for name in odd:
        findings.add("files", name, "is neither a folder nor a plain file")
    if odd:
        return None
    try:
        package = Package.read(path, trust.keys)
        if _is_signed(package, findings):  # then its list of keys is vouched for too
            package = replace(package, keys=(*package.keys, *_own_keys(package.manifest)))
        _hold_files(package, findings)
    except UNREADABLE as error:
        found = f"cannot be read: {type(error).__name__} {error}"
        findings.add("files", MANIFEST, found)
        return None
    if trust.origin not in {None, package.origin}:
        findings.add("signature", MANIFEST, f"is of the log {package.origin}")
    return package


def checkpoint_of(
    note: str | bytes, package: Package, place: str, findings: Findings
) -> Checkpoint | None:
    """The checkpoint that a trusted key vouches for; None where none does, which is found."""
    try:
        checkpoint = parse_checkpoint(open_note(note, package.keys))
    except NoteError as error:
        findings.add("signature", place, str(error))
        return None
    if checkpoint.origin != package.origin:
        findings.add("signature", place, f"is of the log {checkpoint.origin}")
        return None
    return checkpoint


def followed(
    keys: tuple[VerifyingKey, ...], rotations: list[dict[str, str]]
) -> tuple[VerifyingKey, ...]:
    """Trusted keys, and those that they have named as their successors, by their own signature."""
    for told in rotations:
        old, new = (VerifyingKey.parse(told[name]) for name in ("old_key", "new_key"))
        naming = f"signing-key-rotated/v1\n{old.text()}\n{new.text()}\n".encode()
        if old in keys and old.vouches(naming, b64decode(told["signature"])):
            keys = (*keys, new)
    return keys


def _own_keys(manifest: dict[str, Any]) -> tuple[VerifyingKey, ...]:
    return tuple(VerifyingKey.parse(text) for text in manifest["keys"])


def _is_signed(package: Package, findings: Findings) -> bool:
    try:
        text = open_note(read_whole(package.path / MANIFEST_NOTE), package.keys)
    except NoteError as error:
        findings.add("signature", MANIFEST_NOTE, str(error))
        return False
    if text != manifest_text(package.origin, package.content):
        findings.add("signature", MANIFEST_NOTE, "is signed over another manifest")
        return False
    return True


def _hold_files(package: Package, findings: Findings) -> None:
    """Each listed file has its size and hash, and there is no other."""
    files = package.manifest["files"]
    listed = {str(f["path"]): f for f in files}
    if (PERSONAL in listed) is not package.manifest["personal_data"]:
        findings.add("files", PERSONAL, "is here or not, and the manifest says otherwise")
    for name, times in Counter(_folded(str(f["path"])) for f in files).items():
        if times > 1:
            findings.add("files", name, f"is listed {times} times, in one case or another")
    for name in sorted(package.files - {*listed, MANIFEST, MANIFEST_NOTE}):
        findings.add("files", name, "is not in the manifest")
    for name, told in listed.items():
        if name not in package.files:
            findings.add("files", name, "is not in the folder")
        elif _measured(package.path / name, told["size"]) != (told["sha256"], told["size"]):
            findings.add("files", name, "was changed")


def _folded(name: str) -> str:
    """A name as a folder has it that tells neither case nor ways to write a letter apart."""
    return unicodedata.normalize("NFC", name).casefold()


def _is_odd(path: Path) -> bool:
    return path.is_symlink() or not (path.is_dir() or path.is_file())


def _measured(path: Path, size: int) -> tuple[str, int]:
    """The hash and size of a file; it is not read where its size is another already."""
    found = path.stat().st_size
    if found != size:
        return "", found
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(HASH_PIECE):
            digest.update(piece)
    return digest.hexdigest(), found
