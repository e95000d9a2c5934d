"""Events by which a command stands on record (guarantee G3)."""

from typing import Annotated, Final
from uuid import UUID

from pydantic import Field

from ledger.domain.events.base import Count, Digest, Event, Frozen
from ledger.domain.ids import Sentence, Word

ASKED_MAX: Final = 8_000
"""Longest content of a refused command that is kept, in bytes."""


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
    about: Word
    """The stream that the command is about first: its session, conto, sheet, or the book."""
    written: tuple[Written, ...]
    asked: Annotated[str, Field(max_length=ASKED_MAX)] | None = None
    """What a refused command asked, as canonical JSON; None when accepted, or when it is longer."""
    refusal: Word | None = None
    message: Sentence | None = None


class CommandRevoked(Event):
    """A tombstone: a refund came before this command, which is refused when it comes."""

    NAME = "command-revoked"
    by: UUID
    session: UUID
    """The bet of this session alone is refused."""
    reason: Sentence
