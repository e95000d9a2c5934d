"""Events of a round: complete in money, with typed details that each game brings."""

from typing import Annotated, Generic
from uuid import UUID

from pydantic import Field, SerializeAsAny

from ledger.domain.events.base import Count, D, Digest, Event, Frozen, Hex, is_absent
from ledger.domain.events.series import SeriesNumber
from ledger.domain.ids import LimitsText, Sentence, SheetId, TableId, Word
from ledger.domain.money import Amount, AmountOrZero, Currency


class SheetRef(Frozen):
    """Which rules a round is played by: sheet, version, and the hash of its published bytes."""

    sheet: SheetId
    version: Count
    hash: Digest


class TableRef(Frozen):
    """Which round of which live table, the limits that hold there, and who gave a late leave."""

    table: TableId
    round: UUID
    limits: LimitsText | None
    leave: Word | None = None
    """The chief by whose leave it is placed late or beyond the maximum; None for one without."""
    seat: Annotated[Count | None, Field(exclude_if=is_absent)] = None
    """The box that is played, in a game that deals cards."""


class RoundEvent(Event):
    """Base of the events of one round: all name the round and the sheet of the day (G8)."""

    round: UUID
    game: Word
    rules: SheetRef


class RoundOpened(RoundEvent, Generic[D]):
    """A round began with its player's opening move, as it was made."""

    NAME = "round-opened"
    currency: Currency
    move: SerializeAsAny[D]
    account: Annotated[Word | None, Field(exclude_if=is_absent)] = None
    """The player's account type, where the house gave one."""
    own_limits: Annotated[LimitsText | None, Field(exclude_if=is_absent)] = None
    """The player's own limits at the sheet, where the house set some."""
    table: Annotated[TableRef | None, Field(exclude_if=is_absent)] = None
    """The table and its round that the bets are placed in, at a live table."""
    series: Annotated[SeriesNumber | None, Field(exclude_if=is_absent)] = None
    """The number that is played, where it comes from a FairPlay series."""


class MoveMade(RoundEvent, Generic[D]):
    """A player made a further move; moves that the rules make follow from the sheet."""

    NAME = "move-made"
    details: SerializeAsAny[D]
    made_by: UUID | None = None
    """The id of the command that made it, by which the bets that follow can be refunded."""
    table: Annotated[TableRef | None, Field(exclude_if=is_absent)] = None
    """The table's round in which it was made, at a live table."""
    seen: Annotated[SerializeAsAny[D] | None, Field(exclude_if=is_absent)] = None
    """The cards on which it was made, in a game that deals them."""


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
    shown: Word | None
    """What the history of the screen shows, such as `17`; None where it shows nothing (C7)."""
    details: SerializeAsAny[D]


class PayoutCredited(RoundEvent):
    """A bet won: winnings and the returned stake apart, so that gross and net both derive."""

    NAME = "payout-credited"
    bet: Count
    winnings: AmountOrZero
    stake_returned: AmountOrZero
    currency: Currency


class BetRefunded(RoundEvent):
    """A stake or a part of it went back; it leaves turnover and is shown apart (rulings C4)."""

    NAME = "bet-refunded"
    bet: Count
    amount: Amount
    currency: Currency
    reason: Sentence


class DoubleUps(Frozen):
    """The double-ups of one round together: bets out of the held win, apart from the others."""

    count: Count
    staked: Amount
    returned: AmountOrZero


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
    double_ups: Annotated[DoubleUps | None, Field(exclude_if=is_absent)] = None
    """None where nothing was doubled up; it is left out of what is stored then."""
    taken: Annotated[AmountOrZero | None, Field(exclude_if=is_absent)] = None
    """What the bank took of the stakes before, out of the prison and of bets that lost beside it.

    None where nothing was imprisoned; it is left out of what is stored then.
    """
    bet_kind: Annotated[Word | None, Field(exclude_if=is_absent)] = None
    """By which of its sheet's theoretical returns the round was played, such as `5-coins`.

    None where that depends on no choice of the player; it is left out of what is stored then.
    """


class RoundVoided(RoundEvent):
    """The round does not count: every stake was refunded (guarantee G9)."""

    NAME = "round-voided"
    currency: Currency
    refunded: AmountOrZero
    bets: Annotated[int, Field(strict=True, ge=0)]
    reason: Sentence


class DemoRoundPlayed(Event, Generic[D]):
    """A round with demo chips: it moves no money, is in no turnover, and uses no series (HW5)."""

    NAME = "demo-round-played"
    round: UUID
    game: Word
    rules: SheetRef
    move: SerializeAsAny[D]
    entropy: Hex
    shown: Word
    staked: AmountOrZero
    """In demo chips, as is what was credited."""
    credited: AmountOrZero
    account: Annotated[Word | None, Field(exclude_if=is_absent)] = None
    """The player's account type, where the house gave one."""
    own_limits: Annotated[LimitsText | None, Field(exclude_if=is_absent)] = None
    """The player's own limits at the sheet, where the house set some."""
