"""Events by which a command stands on record (guarantee G3)."""

from uuid import UUID

from ledger.domain.events.base import Count, Digest, Event, Frozen
from ledger.domain.ids import Sentence, Word


class Written(Frozen):
    """A run of versions that a command appended to one stream, both ends included."""

    stream: Word
    first: Count
    last: Count


class CommandAnswered(Event):
    """How a command was answered, for ever (G3): accepted with what it wrote, or refused."""

    NAME = "command-answered"
    kind: Word
    digest: Digest
    """SHA-256 of the command's canonical content."""
    written: tuple[Written, ...]
    refusal: Word | None = None
    message: Sentence | None = None


class CommandRevoked(Event):
    """A tombstone: a refund came before this command, which is refused when it comes."""

    NAME = "command-revoked"
    by: UUID
    reason: Sentence
