"""Studies kept on disk: to enumerate a game takes seconds, and the text of a sheet never changes.

What is kept is found by the sheet's hash, the engine that plays it and the options asked for. A
file that is damaged, or belongs to something else, is as good as none.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from games.engine import Options
from games.sheets import SheetFile
from ledger.domain.sheets import text_hash
from ledger.files import write_whole

FORM: Final = 2
"""Goes up whenever a kept document would be made otherwise: older files count no more."""

Key = Mapping[str, Any]
"""What a kept study is of."""


def key_of(file: SheetFile, options: Options) -> Key:
    """What tells a study apart from every other one."""
    return {
        "form": FORM,
        "hash": text_hash(file.text),
        "engine": file.engine,
        "options": dict(options),
    }


def kept(folder: Path, key: Key) -> dict[str, Any] | None:
    """The document that was kept under a key; None when it must be made."""
    try:
        text, digest, _ = _path(folder, key).read_bytes().split(b"\n")
        found: Any = orjson.loads(text) if digest == _digest(text) else None
    except (OSError, ValueError):
        return None
    is_of_key = isinstance(found, dict) and found.get("key") == key
    return found["study"] if is_of_key else None


def keep(folder: Path, key: Key, document: Mapping[str, Any]) -> None:
    """Keep a document under a key; `OSError` when the folder cannot be written to."""
    text = _encoded({"key": key, "study": document})
    write_whole(_path(folder, key), b"\n".join((text, _digest(text), b"")))


def _path(folder: Path, key: Key) -> Path:
    return folder / f"{hashlib.sha256(_encoded(key)).hexdigest()}.json"


def _encoded(document: Mapping[str, Any]) -> bytes:
    """One spelling of a document, in ASCII: options come as they were typed, in any bytes."""
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


def _digest(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest().encode()
