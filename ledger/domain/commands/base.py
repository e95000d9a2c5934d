"""What every command is, and by what two of them are known to be the same (G3)."""

import hashlib
from typing import ClassVar
from uuid import UUID

import orjson

from ledger.domain.events import Frozen
from ledger.domain.ids import (
    Instant,
    Word,
)


class Command(Frozen):
    """Base of all commands; `KIND` is the name on record."""

    KIND: ClassVar[str]
    PLACES_BETS: ClassVar[bool] = False
    """Whether a refund that comes first revokes it (fault S2)."""
    id: UUID
    """Made by the client: the same id with the same content is answered the same again."""
    actor: Word
    """Who asks: a player's pseudonym, a clerk, or a duty."""
    played: Instant | None = None
    """When it was played, where that is not the time of recording."""


def content(command: Command) -> bytes:
    """What a command asks, as canonical JSON: its kind, then its fields without the id.

    Empty fields are left out, so that an optional field which is added later does not make an old
    command look like another one.
    """
    fields = command.model_dump(mode="json", exclude={"id"}, exclude_none=True)
    return orjson.dumps([command.KIND, fields], option=orjson.OPT_SORT_KEYS)


def digest_of(asked: bytes) -> str:
    """SHA-256 in hex of a command's content."""
    return hashlib.sha256(asked).hexdigest()


def digest(command: Command) -> str:
    """The digest of a command: equal exactly for equal content."""
    return digest_of(content(command))
