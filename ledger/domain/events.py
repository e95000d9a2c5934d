"""What happened: every event of the book, complete in its money vocabulary without any game.

An event is a frozen pydantic model. Its name on disk (`NAME`) and the meaning of its fields never
change; a new shape is a new class version with an upcaster. An `Entry` is an event as recorded:
the header that every one carries, then the event itself.
"""

from typing import Annotated, ClassVar, Final, Generic, Literal, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny

from ledger.domain.ids import Instant, PlayerId, Sentence, SheetId, StreamName, Word, stream_key
from ledger.domain.money import Amount, AmountOrZero, Currency

Count = Annotated[int, Field(strict=True, ge=1, le=2**31)]
Hex = Annotated[str, Field(pattern=r"^(?:[0-9a-f]{2})*$")]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Frozen(BaseModel):
    """A strict, immutable record: no coercion, no unknown fields, tuples for collections."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Details(Frozen):
    """What a game adds to a bet, a move or an outcome; each game's own types extend this."""

    type: str
    """The stable name on disk of the game's type."""


D = TypeVar("D", bound=Details)


class Event(Frozen):
    """Base of all events; `NAME` is the name on disk, `VERSION` the version of the class."""

    NAME: ClassVar[str]
    VERSION: ClassVar[int] = 1


# --- the book, its sheets, its notices -----------------------------------------------------------


class BookOpened(Event):
    """The first event of a book: its name, and whether its clock is the world's."""

    NAME = "book-opened"
    book: Word
    clock: Literal["real", "simulated"]


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


# --- conto ---------------------------------------------------------------------------------------


class ProtectedField(Frozen):
    """A personal datum under its player's key: unreadable once the key is destroyed (G10)."""

    name: Literal["name", "birth-date", "nickname"]
    key: Word
    """Which key of the vault encrypts it."""
    ciphertext: Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{4,4000}={0,2}$")]
    """AES-SIV (RFC 5297) of the value, in base64."""


class ContoOpened(Event):
    """A gaming account exists; its holder is a pseudonym and some protected fields."""

    NAME = "conto-opened"
    player: PlayerId
    currency: Currency
    personal: tuple[ProtectedField, ...]


class FundsDeposited(Event):
    """Money came from the world into the conto."""

    NAME = "funds-deposited"
    player: PlayerId
    amount: Amount
    currency: Currency
    reference: Word
    """The payment's reference at the provider."""
    channel: Word


class FundsWithdrawn(Event):
    """Money went from the conto out to the world."""

    NAME = "funds-withdrawn"
    player: PlayerId
    amount: Amount
    currency: Currency
    reference: Word
    channel: Word


class FundsTransferredToPosta(Event):
    """The conto pays for a participation right; the money waits in the session's `right`."""

    NAME = "funds-transferred-to-posta"
    player: PlayerId
    session: UUID
    amount: Amount
    currency: Currency


class FundsTransferredToConto(Event):
    """Money of a session returns to the conto: a right not validated, or the final posta."""

    NAME = "funds-transferred-to-conto"
    player: PlayerId
    session: UUID
    source: Literal["right", "posta"]
    amount: AmountOrZero
    currency: Currency
    final: bool
    """Whether the session is over, so that nothing more comes from it."""


class ContoSuspended(Event):
    """The concession froze the conto: money may come back to it, none may leave."""

    NAME = "conto-suspended"
    player: PlayerId
    reason: Sentence


class ContoReinstated(Event):
    """The suspension was lifted."""

    NAME = "conto-reinstated"
    player: PlayerId
    reason: Sentence


class ContoExcluded(Event):
    """The player excluded himself; until then nothing is deposited and no session begins."""

    NAME = "conto-excluded"
    player: PlayerId
    until: Instant


class ContoClosed(Event):
    """The conto is empty and closed for good."""

    NAME = "conto-closed"
    player: PlayerId
    reason: Sentence


# --- session -------------------------------------------------------------------------------------


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
    """Planned limit of the session that the player set, in minor units."""
    limit_seconds: Count | None = None


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


class SessionDisconnected(Event):
    """The player's connection was lost; the time to come back runs from here."""

    NAME = "session-disconnected"
    at: Instant


class SessionReconnected(Event):
    """The player came back in time."""

    NAME = "session-reconnected"


class SessionExpired(Event):
    """The player did not come back in time; what was in play has been ended by rule."""

    NAME = "session-expired"
    due: Instant


class SessionClosed(Event):
    """The session ended; all its accounts stand at zero (guarantee G9)."""

    NAME = "session-closed"
    final_posta: AmountOrZero
    currency: Currency
    reason: Literal["player", "expired", "rejected", "annulled", "operator"]


# --- round ---------------------------------------------------------------------------------------


class SheetRef(Frozen):
    """Which rules a round is played by: sheet, version, and the hash of its published bytes."""

    sheet: SheetId
    version: Count
    hash: Digest


class RoundEvent(Event):
    """Base of the events of one round: all name the round and the sheet of the day (G8)."""

    round: UUID
    game: Word
    rules: SheetRef


class RoundOpened(RoundEvent):
    """A round began."""

    NAME = "round-opened"
    currency: Currency


class BetPlaced(RoundEvent, Generic[D]):
    """A bet was accepted and its stake left the posta; one event per position or hand."""

    NAME = "bet-placed"
    bet: Count
    amount: Amount
    currency: Currency
    details: SerializeAsAny[D]


class DrawRecorded(RoundEvent, Generic[D]):
    """An outcome and the entropy that it was mapped from: a replay needs no generator (G7)."""

    NAME = "draw-recorded"
    entropy: Hex
    shown: Word
    """What the history of the screen shows, such as `17` (rulings C7)."""
    details: SerializeAsAny[D]


class PayoutCredited(RoundEvent):
    """A bet won: winnings and the returned stake apart, so that gross and net both derive."""

    NAME = "payout-credited"
    bet: Count
    winnings: AmountOrZero
    stake_returned: AmountOrZero
    currency: Currency


class BetRefunded(RoundEvent):
    """A stake went back whole; it leaves turnover and is shown apart (rulings C4)."""

    NAME = "bet-refunded"
    bet: Count
    amount: Amount
    currency: Currency
    reason: Sentence


class RoundSettled(RoundEvent):
    """Every bet of the round is decided; the stakes that lost go to the bank."""

    NAME = "round-settled"
    currency: Currency
    staked: AmountOrZero
    winnings: AmountOrZero
    stake_returned: AmountOrZero
    stakes_lost: AmountOrZero
    refunded: AmountOrZero
    bets: Annotated[int, Field(strict=True, ge=0)]


class RoundVoided(RoundEvent):
    """The round does not count: every stake was refunded (guarantee G9)."""

    NAME = "round-voided"
    currency: Currency
    refunded: AmountOrZero
    bets: Annotated[int, Field(strict=True, ge=0)]
    reason: Sentence


# --- commands on record --------------------------------------------------------------------------


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


E = TypeVar("E", bound=Event)


class Entry(Frozen, Generic[E]):
    """An event as recorded: the header that every event carries, then the event.

    Implements the event protocol of the `eventsourcing` library (`originator_id` and
    `originator_version`), so that its store takes entries as they are.
    """

    v: Count
    stream: Word
    version: Count
    recorded: Instant
    """When the book recorded it."""
    played: Instant | None
    """When it was played, where that differs from `recorded`."""
    command: UUID
    actor: Word
    event: SerializeAsAny[E]

    @property
    def originator_id(self) -> UUID:
        """The store's key of the stream."""
        return stream_key(self.stream)

    @property
    def originator_version(self) -> int:
        """The place of this entry in its stream, from 1 without gaps."""
        return self.version


AnyEntry = Entry[Event]

LEDGER_EVENTS: Final[tuple[type[Event], ...]] = (
    BookOpened, SheetPublished, MaintenanceAnnounced, MaintenanceEnded,
    ContoOpened, FundsDeposited, FundsWithdrawn, FundsTransferredToPosta, FundsTransferredToConto,
    ContoSuspended, ContoReinstated, ContoExcluded, ContoClosed,
    ParticipationRequested, ParticipationValidated, ParticipationRejected, ParticipationAnnulled,
    SessionOpened, PostaFunded, SessionDisconnected, SessionReconnected, SessionExpired,
    SessionClosed, RoundOpened, BetPlaced, DrawRecorded, PayoutCredited, BetRefunded, RoundSettled,
    RoundVoided, CommandAnswered, CommandRevoked,
)  # fmt: skip
"""The closed table of events; nothing else is ever read from or written to a book."""


def make_entry(stream: StreamName, version: int, header: "Header", event: E) -> Entry[E]:
    """Put an event under its header at a place in its stream."""
    return Entry(
        v=event.VERSION,
        stream=stream,
        version=version,
        recorded=header.recorded,
        played=header.played,
        command=header.command,
        actor=header.actor,
        event=event,
    )


class Header(Frozen):
    """What all events of one command share."""

    recorded: Instant
    played: Instant | None
    command: UUID
    actor: Word
