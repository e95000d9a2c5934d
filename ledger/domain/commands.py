"""What may be asked of the book: frozen commands, each with an id that its client made (G3)."""

import hashlib
from typing import Annotated, ClassVar, Final, Literal
from uuid import UUID

import orjson
from pydantic import Field, SerializeAsAny

from ledger.domain.events import Count, Details, Digest, Frozen, ProtectedField, Sealed
from ledger.domain.events.series import NUMBERS_MAX, Alias, Md5, UserKey
from ledger.domain.ids import Instant, LimitsText, PlayerId, Sentence, SheetId, Word
from ledger.domain.money import Amount, AmountOrZero, Currency

ROUNDS_MAX: Final = 200
"""Most rounds that one command may void together."""


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


class OpenBook(Command):
    """Open the book: its very first command."""

    KIND = "open-book"
    book: Word
    clock: Literal["real", "simulated"]


class PublishSheet(Command):
    """Publish the next version of a rule sheet, in force from a moment that is not past."""

    KIND = "publish-sheet"
    sheet: SheetId
    sheet_version: Count
    in_force_from: Instant
    text: Annotated[str, Field(min_length=2, max_length=60_000)]


class AnnounceMaintenance(Command):
    """Announce that no session and no round begins from `starts` until `ends`."""

    KIND = "announce-maintenance"
    starts: Instant
    ends: Instant
    reason: Sentence


class EndMaintenance(Command):
    """End a notice before its time."""

    KIND = "end-maintenance"
    notice: Count


class ContoCommand(Command):
    """Base of the commands on one conto."""

    player: PlayerId


class OpenConto(ContoCommand):
    """Open a gaming account; personal data comes already protected (G10)."""

    KIND = "open-conto"
    currency: Currency
    personal: tuple[ProtectedField, ...]


class Deposit(ContoCommand):
    """Book money that a payment provider brought."""

    KIND = "deposit"
    amount: Amount
    currency: Currency
    reference: Word
    channel: Word


class Withdraw(ContoCommand):
    """Pay money out of the conto."""

    KIND = "withdraw"
    amount: Amount
    currency: Currency
    reference: Word
    channel: Word


class SuspendConto(ContoCommand):
    """Freeze a conto."""

    KIND = "suspend-conto"
    reason: Sentence


class ReinstateConto(ContoCommand):
    """Lift a suspension."""

    KIND = "reinstate-conto"
    reason: Sentence


class ExcludePlayer(ContoCommand):
    """Record the player's self-exclusion until a moment, and end the sessions by rule."""

    KIND = "exclude-player"
    until: Instant


class SetAccountType(ContoCommand):
    """Give the player an account type, by the house's decision."""

    KIND = "set-account-type"
    account: Word
    reason: Sentence


class SetPlayerLimits(ContoCommand):
    """Give the player limits of their own at a sheet, or take them back, by a decision (HW4)."""

    KIND = "set-player-limits"
    sheet: SheetId
    limits: LimitsText | None
    reason: Sentence


class CloseConto(ContoCommand):
    """Close an empty conto for good."""

    KIND = "close-conto"
    reason: Sentence


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


class SeriesCommand(Command):
    """Base of the commands on one FairPlay series."""

    series: UUID


class PrepareSeries(SeriesCommand):
    """Commit to numbers that are drawn and encrypted already (rulings HW6, HW8)."""

    KIND = "prepare-series"
    player: PlayerId
    sheet: SheetId
    alias: Alias
    user_key: UserKey | None
    md5: Md5
    sha256: Digest
    numbers: Annotated[tuple[Sealed, ...], Field(min_length=1, max_length=NUMBERS_MAX)]
    secret: Sealed


class EndSeries(SeriesCommand):
    """End a series before its last number is played."""

    KIND = "end-series"


class RevealSeries(SeriesCommand):
    """Ask for the secret of a series that is over."""

    KIND = "reveal-series"


class ExpireSeries(SeriesCommand):
    """End by rule a series whose time is over (rulings HW7)."""

    KIND = "expire-series"


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
