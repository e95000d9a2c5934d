"""Commands on what outlives one session: live tables and FairPlay series."""

from typing import Annotated, Final, Literal
from uuid import UUID

from pydantic import Field, SerializeAsAny

from ledger.domain.commands.base import Command
from ledger.domain.events import Details, Digest, FeedRef, Frozen, Sealed
from ledger.domain.events.series import NUMBERS_MAX, Alias, Md5, UserKey
from ledger.domain.ids import (
    LimitsText,
    PlayerId,
    Sentence,
    SheetId,
    TableId,
    Word,
)

SEATS_MAX: Final = 200
"""Most seats of a live table: one save pays them all."""


class TableCommand(Command):
    """Base of the commands on one live table."""

    table: TableId


class OpenTable(TableCommand):
    """Open a table under a sheet; its limits are the game's own document."""

    KIND = "open-table"
    sheet: SheetId
    seats_max: Annotated[int, Field(strict=True, ge=1, le=SEATS_MAX)]
    limits: LimitsText | None = None
    chief: Word


class SetTableLimits(TableCommand):
    """Announce other limits, from the next round on."""

    KIND = "set-table-limits"
    limits: LimitsText | None
    chief: Word


class OpenTableRound(TableCommand):
    """Open a round for bets; its id is the command's."""

    KIND = "open-table-round"


class CloseBets(TableCommand):
    """Close the bets: rien ne va plus."""

    KIND = "close-bets"


class DrawOutcome(TableCommand):
    """Draw the outcome of the round here."""

    KIND = "draw-outcome"


class HearOutcome(TableCommand):
    """Take in what the studio's feed tells."""

    KIND = "hear-outcome"
    feed: FeedRef
    outcome: SerializeAsAny[Details]


class Told(Frozen):
    """What a message of the studio's feed tells of a deal."""

    feed: FeedRef
    details: SerializeAsAny[Details]


class ShuffleShoe(TableCommand):
    """Put all cards into the shoe again; without a message the cutting card's place is drawn."""

    KIND = "shuffle-shoe"
    told: Told | None = None


class DealCard(TableCommand):
    """Deal the next card, to whom the rules say; without a message it is drawn here."""

    KIND = "deal-card"
    told: Told | None = None


class PassTurn(TableCommand):
    """Let the rules act for a seat in turn whose player does not."""

    KIND = "pass-turn"


class SettleTableRound(TableCommand):
    """Pay every bet of the round, in one save over all its sessions."""

    KIND = "settle-table-round"


class VoidTableRound(TableCommand):
    """Void the round in play: refund its bets at once, or when the next round begins."""

    KIND = "void-table-round"
    reason: Sentence
    refund: Literal["at-once", "next-round"] = "at-once"


class SuspendTable(TableCommand):
    """Suspend the table; the round in play is voided and refunded."""

    KIND = "suspend-table"
    reason: Sentence
    chief: Word


class ResumeTable(TableCommand):
    """Resume a table."""

    KIND = "resume-table"
    chief: Word


class CloseTable(TableCommand):
    """Close an empty table for good."""

    KIND = "close-table"
    chief: Word


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
