"""Events of the book itself: its opening, its rule sheets, its maintenance notices."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from ledger.domain.events.base import Count, Digest, Event
from ledger.domain.ids import Instant, Sentence, SheetId, SignatureText, VerifyingKeyText, Word


class BookOpened(Event):
    """The first event of a book: its name, and whether its clock is the world's."""

    NAME = "book-opened"
    book: Word
    clock: Literal["real", "simulated"]


class PersonalDataDisclosed(Event):
    """Personal data leaves the book with a package: it is on record before that (G10)."""

    NAME = "personal-data-disclosed"
    first: date
    """The first business day of the package; `last` is its last one."""
    last: date
    root: Digest
    """Root hash of the checkpoint that the package is of."""
    recipient: Sentence
    reason: Sentence


class SheetPublished(Event):
    """A version of a rule sheet, as the canonical bytes that were published (guarantee G8)."""

    NAME = "sheet-published"
    sheet: SheetId
    sheet_version: Count
    sheet_hash: Digest
    """SHA-256 of `text` in UTF-8."""
    in_force_from: Instant
    engine: Word
    """Name and version of the engine semantics that the sheet needs, such as `roulette/1`."""
    text: Annotated[str, Field(min_length=2, max_length=60_000)]


class SigningKeyRotated(Event):
    """Another key signs the checkpoints after the first one that covers this event (G6)."""

    NAME = "signing-key-rotated"
    old_key: VerifyingKeyText
    new_key: VerifyingKeyText
    signature: SignatureText
    """The old key's, over both keys: nobody else can name its successor."""
    reason: Sentence


class MaintenanceAnnounced(Event):
    """A notice: from `starts` until `ends` no session and no round begins (rulings C5)."""

    NAME = "maintenance-announced"
    notice: Count
    starts: Instant
    ends: Instant
    reason: Sentence


class MaintenanceEnded(Event):
    """A notice is over before its planned end."""

    NAME = "maintenance-ended"
    notice: Count
