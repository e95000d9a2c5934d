"""Events of a session: rights, funding, connection and end (rulings C1)."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from ledger.domain.events.base import Count, Event, is_absent
from ledger.domain.ids import Instant, LimitsText, PlayerId, Sentence, SheetId, Word
from ledger.domain.money import Amount, AmountOrZero, Currency


class ParticipationRequested(Event):
    """A participation right was bought and the central system is to validate it (rulings C1)."""

    NAME = "participation-requested"
    participation: UUID
    player: PlayerId
    sheet: SheetId
    amount: Amount
    currency: Currency
    purchase: Literal["initial", "further"]
    posta_max: Amount
    """Bound on initial right, further transfers and bonuses together, from the sheet of the day."""
    reconnect_seconds: Count
    """How long a disconnected player may stay away, from the sheet of the day."""
    channel: Word
    limit_loss: AmountOrZero | None = None
    """The most that the player plans to lose in the session, in minor units."""
    limit_seconds: Count | None = None
    """How long after the opening the player plans to begin rounds."""
    limit_idle_seconds: Annotated[Count | None, Field(exclude_if=is_absent)] = None
    """How long the player may do nothing at a table that deals, by their own limit (BJ8)."""
    account: Annotated[Word | None, Field(exclude_if=is_absent)] = None
    """The player's account type at the door; it holds for the whole session."""
    own_limits: Annotated[LimitsText | None, Field(exclude_if=is_absent)] = None
    """The player's own limits at the sheet, likewise."""
    time_over: Annotated[Instant | None, Field(exclude_if=is_absent)] = None
    """When the player's time of play is over by a limit of the conto; with the first right."""


class ParticipationValidated(Event):
    """The central system said yes; its ticket and running totals are the proof."""

    NAME = "participation-validated"
    participation: UUID
    ticket: Word
    count: Count
    total: Amount


class ParticipationRejected(Event):
    """The central system said no, with its code; the right returns to the conto."""

    NAME = "participation-rejected"
    participation: UUID
    reason: Word


class ParticipationAnnulled(Event):
    """The request was taken back at the central system; the right returns to the conto."""

    NAME = "participation-annulled"
    participation: UUID
    reason: Sentence


class SessionOpened(Event):
    """The first right is valid: rounds may be played."""

    NAME = "session-opened"
    player: PlayerId
    sheet: SheetId
    currency: Currency


class PostaFunded(Event):
    """Money entered the posta: the initial or a further right, or a bonus of the house."""

    NAME = "posta-funded"
    amount: Amount
    currency: Currency
    transfer: Literal["initial", "further", "bonus"]
    reason: Sentence | None = None
    """Why a bonus was given."""


class SessionDisconnected(Event):
    """The player's connection was lost; the time to come back runs from here."""

    NAME = "session-disconnected"
    at: Instant


class SessionReconnected(Event):
    """The player came back in time."""

    NAME = "session-reconnected"


class SessionExpired(Event):
    """The session is over by rule: the player did not come back, or the time of play is over.

    What was in play has been ended by rule. Where a live table's round is in play, that round's end
    is the session's.
    """

    NAME = "session-expired"
    due: Instant
    cause: Annotated[Literal["time-over"] | None, Field(exclude_if=is_absent)] = None
    """None where the player did not come back; `time-over` by plan or by a limit of the conto."""


class SessionBarred(Event):
    """The player is excluded while a right waits: nothing begins, and its answer is the end."""

    NAME = "session-barred"
    until: Instant | None
    """As the exclusion says; the session ends either way."""


class SessionTimeLimited(Event):
    """The player limited the time of play while the session goes on: it is over sooner."""

    NAME = "session-time-limited"
    time_over: Instant


class SessionClosed(Event):
    """The session ended; all its accounts stand at zero (guarantee G9)."""

    NAME = "session-closed"
    final_posta: AmountOrZero
    currency: Currency
    reason: Literal[
        "player", "expired", "rejected", "annulled", "operator", "excluded", "time-over"
    ]
