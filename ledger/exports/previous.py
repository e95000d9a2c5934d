"""The package before this one, as its manifest names it: packages of a book make a chain."""

import hashlib
from dataclasses import dataclass

import orjson

from ledger.exports.layout import FORMAT


class PreviousError(ValueError):
    """What was given as the previous manifest is none, or is none of this book."""


@dataclass(frozen=True, slots=True)
class Previous:
    """Of a manifest: the SHA-256 of its bytes in hex, its origin, and the log that it ends at."""

    sha256: str
    origin: str
    size: int
    root: str


def read_previous(manifest: bytes) -> Previous:
    """Read a manifest's bytes; `PreviousError` if they are no manifest."""
    try:
        document = orjson.loads(manifest)
        if document["format"] != FORMAT:
            raise PreviousError(f"The manifest is not of the format {FORMAT}.")
        named = (document["origin"], document["size"], document["root"])
    except (LookupError, TypeError, orjson.JSONDecodeError):
        raise PreviousError("This is no manifest of a package; give its manifest.json.") from None
    return Previous(hashlib.sha256(manifest).hexdigest(), *named)
