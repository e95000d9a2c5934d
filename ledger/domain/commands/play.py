"""Commands on sessions and their rounds."""

from typing import Annotated, Final, Literal
from uuid import UUID

from pydantic import Field, SerializeAsAny

from ledger.domain.commands.base import Command
from ledger.domain.events import Count, Details, Frozen
from ledger.domain.events.base import is_absent
from ledger.domain.ids import (
    Instant,
    PlayerId,
    Sentence,
    SheetId,
    TableId,
    Word,
)
from ledger.domain.money import Amount, AmountOrZero, Currency

ROUNDS_MAX: Final = 200
"""Most rounds that one command may void together."""


class SessionCommand(Command):
    """Base of the commands on one session."""

    session: UUID


class RequestParticipation(SessionCommand):
    """Buy a participation right: the initial one opens the session's story, others top it up."""

    KIND = "request-participation"
    player: PlayerId
    sheet: SheetId
    amount: Amount
    currency: Currency
    channel: Word
    limit_loss: AmountOrZero | None = None
    """What the session may lose, in minor units; a further right can only narrow it."""
    limit_seconds: Count | None = None
    """How long after the opening rounds may begin; a further right can only narrow it."""
    limit_idle_seconds: Annotated[Count | None, Field(exclude_if=is_absent)] = None
    """How long the player may do nothing at a table that deals (BJ8); narrowed likewise."""


class ValidateParticipation(SessionCommand):
    """Record the central system's yes."""

    KIND = "validate-participation"
    participation: UUID
    ticket: Word
    count: Count
    total: Amount


class RejectParticipation(SessionCommand):
    """Record the central system's no."""

    KIND = "reject-participation"
    participation: UUID
    reason: Word


class AnnulParticipation(SessionCommand):
    """Record that the central system took the request back."""

    KIND = "annul-participation"
    participation: UUID
    reason: Sentence


class GrantBonus(SessionCommand):
    """Give the house's money into the posta; it counts towards the maximum (rulings C1)."""

    KIND = "grant-bonus"
    amount: Amount
    currency: Currency
    reason: Sentence


class DisconnectSession(SessionCommand):
    """Record that the connection was lost at a moment."""

    KIND = "disconnect-session"
    at: Instant


class ReconnectSession(SessionCommand):
    """Record that the player is back."""

    KIND = "reconnect-session"


class ExpireSession(SessionCommand):
    """End by rule a session whose player did not come back (rulings C1)."""

    KIND = "expire-session"


class CloseSession(SessionCommand):
    """End a session: the final posta returns to the conto."""

    KIND = "close-session"
    reason: Literal["player", "operator"] = "player"


class PlayRound(SessionCommand):
    """Open a round with bets and play it to its end in one save."""

    KIND = "play-round"
    PLACES_BETS = True
    move: SerializeAsAny[Details]


class OpenRound(SessionCommand):
    """Open a round with bets and leave it open."""

    KIND = "open-round"
    PLACES_BETS = True
    move: SerializeAsAny[Details]
    series: UUID | None = None
    """The FairPlay series whose next number is played; None for a fresh draw."""
    offset: Annotated[int | None, Field(strict=True, ge=0, le=999)] = None
    """What shifts the number; None for the offset of the session's last spin (rulings HW6)."""
    client: Word | None = None
    """The client program and version, which a series asks for."""
    leave: Word | None = None
    """The chief who lets a bet be placed late at a live table; None without (rulings FR8)."""


class PlayDemo(SessionCommand):
    """Play a round with demo chips to its end; no money moves (rulings HW5)."""

    KIND = "play-demo"
    move: SerializeAsAny[Details]


class ContinueRound(SessionCommand):
    """Make the next move of an open round."""

    KIND = "continue-round"
    PLACES_BETS = True
    round: UUID
    move: SerializeAsAny[Details]
    leave: Word | None = None
    """The chief who lets a move be made late at a live table; None without (rulings FR8)."""


class TakeSeat(SessionCommand):
    """Sit down at a live table; without a seat the first that is free."""

    KIND = "take-seat"
    table: TableId
    seat: Count | None = None


class LeaveSeat(SessionCommand):
    """Leave the live table."""

    KIND = "leave-seat"


class RoundRef(Frozen):
    """One round of one session."""

    session: UUID
    round: UUID


class VoidRounds(Command):
    """Void open rounds with a reason, of several sessions together: all or none (G4)."""

    KIND = "void-rounds"
    rounds: Annotated[tuple[RoundRef, ...], Field(min_length=1, max_length=ROUNDS_MAX)]
    reason: Sentence


class RefundBets(SessionCommand):
    """Refund what another command bet; when that one is not yet seen, it is revoked (G3)."""

    KIND = "refund-bets"
    placed_by: UUID
    """The id of the command that placed the bets."""
    reason: Sentence
