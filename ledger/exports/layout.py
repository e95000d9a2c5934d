"""What an audit package is made of: the names of its files and the text that is signed over them.

Writer and verifier share these names alone. The package's own README tells the rest.
"""

import hashlib
from typing import Final

FORMAT: Final = "contoposta-export/1"
HASH_PIECE: Final = 1 << 20
"""Bytes of a file that are hashed at a time."""

README: Final = "README.md"
MANIFEST: Final = "manifest.json"
MANIFEST_NOTE: Final = "manifest.note"
EVENTS: Final = "events.jsonl"
JOURNAL: Final = "journal.jsonl"
OPENING: Final = "opening.jsonl"
CLOSING: Final = "closing.jsonl"
PROOFS: Final = "proofs.json"
SCHEMAS: Final = "schemas.json"
SHEETS: Final = "sheets.json"
PERSONAL: Final = "personal.jsonl"
SHEET_FOLDER: Final = "sheets"
REPORT_FOLDER: Final = "reports"
CHECKPOINT_FOLDER: Final = "checkpoints"


def manifest_text(origin: str, manifest: bytes) -> str:
    """What is signed: that these are the bytes of a manifest of this origin.

    Its second line is no number, so that no checkpoint can be taken for it.
    """
    return f"{origin}\n{FORMAT}\n{hashlib.sha256(manifest).hexdigest()}\n"


def checkpoint_file(size: int) -> str:
    """Where the signed checkpoint of a size stands."""
    return f"{CHECKPOINT_FOLDER}/{size}.note"


def sheet_file(sheet: str, version: int) -> str:
    """Where the published text of a rule sheet stands."""
    return f"{SHEET_FOLDER}/{sheet}-{version}.json"
