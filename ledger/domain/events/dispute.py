"""Events of a player's disputes, and of the end of what is personal (rulings FR11, guarantee G10).

What is said in a dispute may hold personal data, so that it is kept under the player's key alone.
"""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from ledger.domain.events.base import Event, Frozen, is_absent
from ledger.domain.ids import PlayerId, Sentence, Word

Side = Literal["player", "representative", "authority", "house"]
"""Who speaks in a dispute: a part, never a name."""

Decided = Literal["upheld", "partly-upheld", "dismissed"]
"""How a dispute was decided, as seen from the player's claim."""


class ProtectedText(Frozen):
    """A free text under its player's key: unreadable once the key is destroyed (G10)."""

    key: Word
    """Which key of the vault encrypts it."""
    ciphertext: Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{4,4000}={0,2}$")]
    """AES-SIV (RFC 5297) of the text, in base64; dispute and place are bound into it."""


class DisputeEvent(Event):
    """Base of the events of one dispute."""

    player: PlayerId
    dispute: UUID
    """The id of the command that opened it."""


class DisputeOpened(DisputeEvent):
    """A claim was made about a session, or about one round of it."""

    NAME = "dispute-opened"
    session: UUID
    round: Annotated[UUID | None, Field(exclude_if=is_absent)] = None
    """None where the claim is about the whole session."""
    by: Side
    channel: Word
    claim: ProtectedText


class DisputeNoted(DisputeEvent):
    """A contact in the course of a dispute: what was asked, answered or handed in."""

    NAME = "dispute-noted"
    by: Side
    channel: Word
    note: ProtectedText


class DisputeClosed(DisputeEvent):
    """The dispute was decided by a named person, for a reason; it is final (rulings FR11)."""

    NAME = "dispute-closed"
    decider: Word
    """The name of who decided, of the house's staff."""
    decision: Decided
    reason: ProtectedText


class PlayerForgotten(Event):
    """All that is personal of a player is erased: the key is destroyed after this."""

    NAME = "player-forgotten"
    player: PlayerId
    reason: Sentence
    """Why, with nothing personal in it."""
