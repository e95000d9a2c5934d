"""The files of a package: each as its signed manifest lists it, and none besides."""

import hashlib
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final, Self

import orjson

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

MOST_DAYS: Final = 36_600

UNREADABLE: Final = (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError)
"""What reading a document raises that is not what it must be."""


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

    @classmethod
    def read(cls, path: Path, trusted: tuple[VerifyingKey, ...]) -> Self:
        """Read the manifest in a folder; raises what is in `UNREADABLE`."""
        content = (path / MANIFEST).read_bytes()
        manifest = orjson.loads(content)
        if manifest["format"] != FORMAT:
            raise ValueError(f"the format is not {FORMAT}")
        keys = followed(trusted, manifest["rotations"]) or _own_keys(manifest)
        place = str(manifest["origin"]), int(manifest["first"]), int(manifest["size"])
        root = bytes.fromhex(manifest["root"])
        days = _days(manifest["days"])
        return cls(path, content, manifest, keys, *place, root, days, manifest["previous"])

    def json(self, name: str) -> Any:
        """A file's JSON document."""
        return orjson.loads((self.path / name).read_bytes())

    def text(self, name: str) -> bytes:
        """The bytes of a file that the manifest lists; `LookupError` where it lists none."""
        if all(name != told["path"] for told in self.manifest["files"]):
            raise LookupError(name)
        return (self.path / name).read_bytes()

    def lines(self, name: str) -> Iterator[bytes]:
        """A file's lines, each with its line end; what is longer than any line may be is parted."""
        with (self.path / name).open("rb") as file:
            while line := file.readline(LINE_MAX):
                yield line

    def checkpoints(self, findings: Findings) -> Iterator[Checkpoint]:
        """The signed checkpoints in the package, as far as they are vouched for."""
        for path in sorted((self.path / CHECKPOINT_FOLDER).glob("*.note")):
            found = checkpoint_of(path.read_bytes(), self, path.name, findings)
            if found is not None:
                yield found


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
        text = open_note((package.path / MANIFEST_NOTE).read_bytes(), package.keys)
    except NoteError as error:
        findings.add("signature", MANIFEST_NOTE, str(error))
        return False
    if text != manifest_text(package.origin, package.content):
        findings.add("signature", MANIFEST_NOTE, "is signed over another manifest")
        return False
    return True


def _hold_files(package: Package, findings: Findings) -> None:
    """Each listed file has its size and hash, and there is no other."""
    listed = {str(f["path"]): f for f in package.manifest["files"]}
    inside = (p for p in package.path.rglob("*") if p.is_file())
    present = {p.relative_to(package.path).as_posix() for p in inside}
    if (PERSONAL in listed) is not package.manifest["personal_data"]:
        findings.add("files", PERSONAL, "is here or not, and the manifest says otherwise")
    for name in sorted(present - {*listed, MANIFEST, MANIFEST_NOTE}):
        findings.add("files", name, "is not in the manifest")
    for name, told in listed.items():
        if name not in present:
            findings.add("files", name, "is missing")
        elif _measured(package.path / name) != (told["sha256"], told["size"]):
            findings.add("files", name, "was changed")


def _is_odd(path: Path) -> bool:
    return path.is_symlink() or not (path.is_dir() or path.is_file())


def _measured(path: Path) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while piece := file.read(HASH_PIECE):
            digest.update(piece)
            size += len(piece)
    return digest.hexdigest(), size
