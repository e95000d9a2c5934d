"""The files of a package: each as its signed manifest lists it, and none besides."""

import hashlib
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

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

UNREADABLE: Final = (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError)
"""What reading a document raises that is not what it must be."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package whose manifest could be read."""

    path: Path
    manifest: dict[str, Any]
    content: bytes
    keys: tuple[VerifyingKey, ...]
    """Those that are trusted; the package's own where none were given."""

    @property
    def origin(self) -> str:
        """The name of the log."""
        return str(self.manifest["origin"])

    @property
    def first(self) -> int:
        """The position of its first event."""
        return int(self.manifest["first"])

    @property
    def size(self) -> int:
        """The position after its last event: the size of the log that it ends at."""
        return int(self.manifest["size"])

    @property
    def root(self) -> bytes:
        """The root hash of that log."""
        return bytes.fromhex(self.manifest["root"])

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
        content = (path / MANIFEST).read_bytes()
        manifest = orjson.loads(content)
        own = tuple(VerifyingKey.parse(text) for text in manifest["keys"])
        keys = followed(trust.keys, manifest["rotations"]) or own
        package = Package(path, manifest, content, keys)
        known = (package.origin, package.first, package.size, package.root, manifest["previous"])
        if manifest["format"] != FORMAT or not known:
            findings.add("files", MANIFEST, f"is not of the format {FORMAT}")
            return None
        if _is_signed(package, findings):  # then its list of keys is vouched for too
            package = replace(package, keys=(*keys, *own))
        _hold_files(package, findings)
    except UNREADABLE as error:
        findings.add("files", MANIFEST, f"cannot be read: {type(error).__name__}")
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
