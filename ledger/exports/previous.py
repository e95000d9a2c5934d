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
    digest = hashlib.sha256(manifest).hexdigest()
    try:
        document = orjson.loads(manifest)
        size = int(document["size"])
        previous = Previous(digest, str(document["origin"]), size, str(document["root"]))
    except (LookupError, TypeError, ValueError):
        raise PreviousError("This is no manifest of a package; give its manifest.json.") from None
    if document["format"] != FORMAT:
        raise PreviousError(f"The manifest is not of the format {FORMAT}.")
    return previous
