"""Events of a live table: who sits there, and its rounds from the first bet to the last payment."""

from typing import Annotated, Generic, Literal
from uuid import UUID

from pydantic import Field, SerializeAsAny

from ledger.domain.events.base import Count, D, Event, Frozen, Hex, is_absent
from ledger.domain.events.round import RoundEvent, SheetRef
from ledger.domain.ids import LimitsText, PlayerId, Sentence, SheetId, TableId, Word

CountOrZero = Annotated[int, Field(strict=True, ge=0, le=2**31)]


class FeedRef(Frozen):
    """One message of the studio's feed, by its own id and its place in the feed."""

    message: Word
    sequence: CountOrZero
    round: Annotated[Count | None, Field(exclude_if=is_absent)] = None
    """The number of the table's round that it tells of, where the studio names one."""


class TableOpened(Event):
    """A table was opened under a sheet, by a named chief."""

    NAME = "table-opened"
    table: TableId
    sheet: SheetId
    seats_max: Count
    limits: LimitsText | None
    """The game's own document; None where the sheet's limits hold."""
    chief: Word


class TableLimitsSet(Event):
    """The chief announced other limits; they hold from the next round on."""

    NAME = "table-limits-set"
    limits: LimitsText | None
    chief: Word


class SeatTaken(Event):
    """A session sat down at the table."""

    NAME = "seat-taken"
    seat: Count
    session: UUID
    player: PlayerId


class SeatLeft(Event):
    """A session left the table."""

    NAME = "seat-left"
    seat: Count
    session: UUID


class TableRoundOpened(Event):
    """Bets may be placed, under these rules and limits."""

    NAME = "table-round-opened"
    round: UUID
    number: Count
    rules: SheetRef
    limits: LimitsText | None


class BetsClosed(Event):
    """No further bet is taken, except with the chief's leave."""

    NAME = "bets-closed"
    round: UUID
    deals: Annotated[Literal[True] | None, Field(exclude_if=is_absent)] = None
    """True where cards are dealt now; None where an outcome comes whole."""


class OutcomeRecorded(Event, Generic[D]):
    """What the studio's feed told, or what was drawn, for all who bet in the round."""

    NAME = "outcome-recorded"
    round: UUID
    shown: Word
    details: SerializeAsAny[D]
    entropy: Annotated[Hex | None, Field(exclude_if=is_absent)] = None
    """What it was mapped from, where it was drawn here."""
    feed: Annotated[FeedRef | None, Field(exclude_if=is_absent)] = None
    """Which message told it, where it came from the studio."""


class FeedMessageRefused(Event, Generic[D]):
    """A message of the feed that changed nothing, what it told, and why it does not count."""

    NAME = "feed-message-refused"
    feed: FeedRef
    details: SerializeAsAny[D]
    why: Literal["repeated", "late", "out-of-order", "contradictory", "untimely", "impossible"]


class TableRoundSettled(Event):
    """Every bet of the round is decided and every payment booked."""

    NAME = "table-round-settled"
    round: UUID
    sessions: CountOrZero


class TableRoundVoided(Event):
    """The round does not count; its bets are refunded at once, or when the next round begins."""

    NAME = "table-round-voided"
    round: UUID
    reason: Sentence
    refund: Literal["at-once", "next-round"]


class RefundsMade(Event):
    """The bets of a voided round went back to those who had placed them."""

    NAME = "refunds-made"
    round: UUID
    sessions: CountOrZero


class TableSuspended(Event):
    """No round is opened until the table is resumed."""

    NAME = "table-suspended"
    reason: Sentence
    chief: Word


class TableResumed(Event):
    """What was wrong is resolved."""

    NAME = "table-resumed"
    chief: Word


class TableClosed(Event):
    """The table is closed for good; nobody sits there."""

    NAME = "table-closed"
    chief: Word


class SessionSeated(Event):
    """The session plays at a table from here on."""

    NAME = "session-seated"
    table: TableId
    seat: Count


class SessionUnseated(Event):
    """The session plays at no table any more."""

    NAME = "session-unseated"
    table: TableId


class OutcomeTold(RoundEvent, Generic[D]):
    """The table's outcome reached a round of a seated session, which follows from it."""

    NAME = "outcome-told"
    table_round: UUID
    shown: Word
    details: SerializeAsAny[D]
