"""A folder of files that comes to be whole or not at all, and what its manifest says of each."""

import errno
import fcntl
import glob
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from ledger.exports.layout import HASH_PIECE
from ledger.files import FILE_MODE, sync_folder

FOLDER_MODE: Final = 0o750

MAKING: Final = ".making"
"""How the name of a folder ends that is not whole; who makes it holds its lock."""


class TakenError(FileExistsError):
    """There is something where the folder shall come to be."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A file as the manifest lists it: path in the folder, SHA-256 in hex, size in bytes."""

    path: str
    sha256: str
    size: int


class HashedFile:
    """A file that is written in pieces and hashed on the way; durable once it is closed."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
        self._file = os.fdopen(descriptor, "wb", buffering=HASH_PIECE)
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, piece: bytes) -> None:
        """Append a piece."""
        self._file.write(piece)
        self._digest.update(piece)
        self.size += len(piece)

    @property
    def sha256(self) -> str:
        """SHA-256 in hex of what was written."""
        return self._digest.hexdigest()

    def close(self) -> None:
        """Make it durable."""
        with self._file:
            self._file.flush()
            os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder in the making."""

    path: Path
    listed: list[Listed] = field(default_factory=list)

    @contextmanager
    def file(self, name: str) -> Iterator[HashedFile]:
        """A new file of the folder, listed when it is whole."""
        with HashedFile(self.path / name) as opened:
            yield opened
        self.listed.append(Listed(name, opened.sha256, opened.size))

    def put(self, name: str, content: bytes) -> None:
        """Write a small file."""
        with self.file(name) as opened:
            opened.write(content)

    def copy(self, name: str, source: Path) -> None:
        """Copy a file from elsewhere."""
        with source.open("rb") as original, self.file(name) as opened:
            while piece := original.read(HASH_PIECE):
                opened.write(piece)


@contextmanager
def appearing(target: Path) -> Iterator[Folder]:
    """A folder that is made beside its place, and put there when everything in it is durable.

    Raises `TakenError` when something is there already. Whatever ends the work before that leaves
    the place as it was; what a killed process leaves beside it goes when the folder is made again.
    """
    target = target.absolute()
    if target.exists():
        raise TakenError(f"{target} is there already; name a new folder.")
    target.parent.mkdir(parents=True, exist_ok=True)
    beside, held = _beside(target)
    try:
        beside.chmod(FOLDER_MODE)
        yield Folder(beside)
        for folder in (*(p for p in beside.rglob("*") if p.is_dir()), beside):
            sync_folder(folder)
        _put(beside, target)
        sync_folder(target.parent)
    finally:
        os.close(held)
        with suppress(FileNotFoundError):
            shutil.rmtree(beside)


def _beside(target: Path) -> tuple[Path, int]:
    """A new folder beside a place, and the descriptor by which this process holds its lock."""
    parent = os.open(target.parent, os.O_RDONLY)
    try:
        fcntl.flock(parent, fcntl.LOCK_EX)  # nobody clears a folder before its lock is taken
        _clear(target)
        made = tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=MAKING)
        held = os.open(made, os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
    finally:
        os.close(parent)
    return Path(made), held


def _clear(target: Path) -> None:
    """Remove what killed processes left of this folder: nobody holds its lock any more."""
    for left in target.parent.glob(f".{glob.escape(target.name)}.????????{MAKING}"):
        with suppress(OSError):  # a link, another's, or gone meanwhile
            held = os.open(left, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left)
            finally:
                os.close(held)


def _put(beside: Path, target: Path) -> None:
    """Rename in one step; what came there meanwhile is left alone, unless it is an empty folder."""
    try:
        beside.rename(target)
    except OSError as error:
        if error.errno not in {errno.EEXIST, errno.ENOTDIR, errno.ENOTEMPTY}:
            raise
        raise TakenError(f"{target} came to be meanwhile; name a new folder.") from error
