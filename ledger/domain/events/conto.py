"""Events of the gaming account."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from ledger.domain.days import Period
from ledger.domain.events.base import Event, Frozen, is_absent
from ledger.domain.ids import Instant, LimitsText, PlayerId, Sentence, SheetId, Word
from ledger.domain.money import Amount, AmountOrZero, Currency


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
    profile: Annotated[Word | None, Field(exclude_if=is_absent)] = None
    """By which profile of the law its first limits were set; they follow as events."""


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


class PaymentBooked(Event):
    """A payment's reference was used; the same one is never booked again."""

    NAME = "payment-booked"
    player: PlayerId
    channel: Word
    reference: Word


class FundsTransferredToPosta(Event):
    """The conto pays for a participation right; the money waits in the session's `right`."""

    NAME = "funds-transferred-to-posta"
    player: PlayerId
    session: UUID
    amount: Amount
    currency: Currency
    time_over: Annotated[Instant | None, Field(exclude_if=is_absent)] = None
    """With the first right: when the player's time of play is over, where a limit ends it."""


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
    """The player excluded himself: sessions end, and until then nothing is paid in or begun."""

    NAME = "conto-excluded"
    player: PlayerId
    until: Instant | None
    """None for an open-ended exclusion, which holds until it is revoked."""


class ExclusionRevoked(Event):
    """The player revoked an open-ended exclusion: it ends some days later."""

    NAME = "exclusion-revoked"
    player: PlayerId
    until: Instant


class ContoClosed(Event):
    """The conto is empty and closed for good."""

    NAME = "conto-closed"
    player: PlayerId
    reason: Sentence


class AccountTypeSet(Event):
    """The house gave the player an account type, which a sheet's limits may go by (rulings HW4)."""

    NAME = "account-type-set"
    player: PlayerId
    account: Word
    reason: Sentence


class PlayerLimitsSet(Event):
    """The house gave the player limits of their own at a sheet, or took them back (rulings HW4)."""

    NAME = "player-limits-set"
    player: PlayerId
    sheet: SheetId
    limits: LimitsText | None
    """The game's own document; None where the sheet's limits hold again."""
    reason: Sentence


LimitKind = Literal["deposit", "spend", "time"]
"""What a limit of a conto is on: money paid in, money spent, or time of play."""


class ContoLimitSet(Event):
    """The conto has a limit, at once or from a later moment on; one that waited is forgotten."""

    NAME = "conto-limit-set"
    player: PlayerId
    limit: LimitKind
    period: Period
    most: AmountOrZero | None
    """Minor units of the conto's currency, or seconds of play; None where the limit goes."""
    asked: Instant
    in_force_from: Instant
    time_over: Annotated[Instant | None, Field(exclude_if=is_absent)] = None
    """When what is being played stops by it, where that is sooner than before."""
