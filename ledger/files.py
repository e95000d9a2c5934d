"""Files that are there whole or not at all, whatever ends the process that writes them (G4)."""

import os
import tempfile
from pathlib import Path
from typing import Final

FILE_MODE: Final = 0o640
"""Readable by the group that serves or collects them, and by nobody else."""


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in its place in one step, durably: nobody ever sees a half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        fill(descriptor, content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def fill(descriptor: int, content: bytes, mode: int = FILE_MODE) -> None:
    """Write an open file to its end and close it; its content is durable, its name not yet."""
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
