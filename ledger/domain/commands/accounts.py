"""Commands on the book, its sheets, its notices, and gaming accounts."""

from datetime import date
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from ledger.domain.commands.base import Command
from ledger.domain.days import Period
from ledger.domain.events import Count, Digest, LimitKind, ProtectedField
from ledger.domain.ids import (
    Instant,
    LimitsText,
    PlayerId,
    Sentence,
    SheetId,
    SignatureText,
    VerifyingKeyText,
    Word,
)
from ledger.domain.money import Amount, AmountOrZero, Currency


class OpenBook(Command):
    """Open the book: its very first command."""

    KIND = "open-book"
    book: Word
    clock: Literal["real", "simulated"]


class DisclosePersonalData(Command):
    """Let personal data leave the book with a package or a file, for somebody and a reason."""

    KIND = "disclose-personal-data"
    first: date
    last: date
    root: Digest
    recipient: Sentence
    reason: Sentence
    dispute: UUID | None = None


class PublishSheet(Command):
    """Publish the next version of a rule sheet, in force from a moment that is not past."""

    KIND = "publish-sheet"
    sheet: SheetId
    sheet_version: Count
    in_force_from: Instant
    text: Annotated[str, Field(min_length=2, max_length=60_000)]


class RotateSigningKey(Command):
    """Have another key sign the checkpoints, from the next one after this is sealed."""

    KIND = "rotate-signing-key"
    old_key: VerifyingKeyText
    new_key: VerifyingKeyText
    signature: SignatureText
    reason: Sentence


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
    profile: Word | None = None
    """The profile whose limits the conto begins with; None where no law gives it any."""


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
    """Record the player's self-exclusion, and end the sessions by rule."""

    KIND = "exclude-player"
    until: Instant | None
    """None for an open-ended one."""


class RevokeExclusion(ContoCommand):
    """End an open-ended exclusion after its least time, by the player's word."""

    KIND = "revoke-exclusion"


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


class SetContoLimit(ContoCommand):
    """Limit deposits, spend or time of play, or take the limit away; looser ones come later."""

    KIND = "set-conto-limit"
    limit: LimitKind
    period: Period
    most: AmountOrZero | None
    """Minor units of the conto's currency, or seconds of play; None for no limit."""


class CloseConto(ContoCommand):
    """Close an empty conto for good."""

    KIND = "close-conto"
    reason: Sentence
