"""What happened: every event of the book, complete in its money vocabulary without any game.

An event is a frozen pydantic model. Its name on disk (`NAME`) and the meaning of its fields never
change; a new shape is a new class version with an upcaster. An `Entry` is an event as recorded:
the header that every one carries, then the event itself.
"""

from typing import Final

from ledger.domain.events.base import Count, D, Details, Digest, Event, Frozen, Hex
from ledger.domain.events.book import (
    BookOpened,
    MaintenanceAnnounced,
    MaintenanceEnded,
    SheetPublished,
)
from ledger.domain.events.conto import (
    AccountTypeSet,
    ContoClosed,
    ContoExcluded,
    ContoOpened,
    ContoReinstated,
    ContoSuspended,
    FundsDeposited,
    FundsTransferredToConto,
    FundsTransferredToPosta,
    FundsWithdrawn,
    PaymentBooked,
    PlayerLimitsSet,
    ProtectedField,
)
from ledger.domain.events.entry import AnyEntry, E, Entry, Header, make_entry
from ledger.domain.events.record import CommandAnswered, CommandRevoked, Written
from ledger.domain.events.round import (
    BetPlaced,
    BetRefunded,
    DemoRoundPlayed,
    DoubleUps,
    DrawRecorded,
    MoveMade,
    PayoutCredited,
    RoundEvent,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    SheetRef,
)
from ledger.domain.events.series import (
    NumberTaken,
    Sealed,
    SeriesEnded,
    SeriesExpired,
    SeriesNumber,
    SeriesPrepared,
    SeriesRevealed,
)
from ledger.domain.events.session import (
    ParticipationAnnulled,
    ParticipationRejected,
    ParticipationRequested,
    ParticipationValidated,
    PostaFunded,
    SessionClosed,
    SessionDisconnected,
    SessionExpired,
    SessionOpened,
    SessionReconnected,
)
from ledger.domain.events.win import DoubleUpResolved, DoubleUpStaked, WinCollected, WinHeld

LEDGER_EVENTS: Final[tuple[type[Event], ...]] = (
    BookOpened, SheetPublished, MaintenanceAnnounced, MaintenanceEnded,
    ContoOpened, FundsDeposited, FundsWithdrawn, PaymentBooked,
    FundsTransferredToPosta, FundsTransferredToConto,
    ContoSuspended, ContoReinstated, ContoExcluded, ContoClosed,
    ParticipationRequested, ParticipationValidated, ParticipationRejected, ParticipationAnnulled,
    SessionOpened, PostaFunded, SessionDisconnected, SessionReconnected, SessionExpired,
    SessionClosed, RoundOpened, MoveMade, BetPlaced, DrawRecorded, PayoutCredited, BetRefunded,
    RoundSettled, RoundVoided, CommandAnswered, CommandRevoked,
    WinHeld, DoubleUpStaked, DoubleUpResolved, WinCollected,
    AccountTypeSet, PlayerLimitsSet, DemoRoundPlayed,
    SeriesPrepared, NumberTaken, SeriesEnded, SeriesRevealed, SeriesExpired,
)  # fmt: skip
"""The closed table of events; nothing else is ever read from or written to a book."""

__all__ = [
    "LEDGER_EVENTS",
    "AccountTypeSet",
    "AnyEntry",
    "BetPlaced",
    "BetRefunded",
    "BookOpened",
    "CommandAnswered",
    "CommandRevoked",
    "ContoClosed",
    "ContoExcluded",
    "ContoOpened",
    "ContoReinstated",
    "ContoSuspended",
    "Count",
    "D",
    "DemoRoundPlayed",
    "Details",
    "Digest",
    "DoubleUpResolved",
    "DoubleUpStaked",
    "DoubleUps",
    "DrawRecorded",
    "E",
    "Entry",
    "Event",
    "Frozen",
    "FundsDeposited",
    "FundsTransferredToConto",
    "FundsTransferredToPosta",
    "FundsWithdrawn",
    "Header",
    "Hex",
    "MaintenanceAnnounced",
    "MaintenanceEnded",
    "MoveMade",
    "NumberTaken",
    "ParticipationAnnulled",
    "ParticipationRejected",
    "ParticipationRequested",
    "ParticipationValidated",
    "PaymentBooked",
    "PayoutCredited",
    "PlayerLimitsSet",
    "PostaFunded",
    "ProtectedField",
    "RoundEvent",
    "RoundOpened",
    "RoundSettled",
    "RoundVoided",
    "Sealed",
    "SeriesEnded",
    "SeriesExpired",
    "SeriesNumber",
    "SeriesPrepared",
    "SeriesRevealed",
    "SessionClosed",
    "SessionDisconnected",
    "SessionExpired",
    "SessionOpened",
    "SessionReconnected",
    "SheetPublished",
    "SheetRef",
    "WinCollected",
    "WinHeld",
    "Written",
    "make_entry",
]
