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
    ProtectedField,
)
from ledger.domain.events.entry import AnyEntry, E, Entry, Header, make_entry
from ledger.domain.events.record import CommandAnswered, CommandRevoked, Written
from ledger.domain.events.round import (
    BetPlaced,
    BetRefunded,
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
from ledger.domain.events.session import (
    ParticipationAnnulled,
    ParticipationRejected,
    ParticipationRequested,
    ParticipationValidated,
    PostaFunded,
    SessionBarred,
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
    WinHeld, DoubleUpStaked, DoubleUpResolved, WinCollected, SessionBarred,
)  # fmt: skip
"""The closed table of events; nothing else is ever read from or written to a book."""

__all__ = [
    "LEDGER_EVENTS",
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
    "ParticipationAnnulled",
    "ParticipationRejected",
    "ParticipationRequested",
    "ParticipationValidated",
    "PaymentBooked",
    "PayoutCredited",
    "PostaFunded",
    "ProtectedField",
    "RoundEvent",
    "RoundOpened",
    "RoundSettled",
    "RoundVoided",
    "SessionBarred",
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
