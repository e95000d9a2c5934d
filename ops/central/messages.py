"""What goes over the wire between the book and the sandbox of the central system (rulings C1).

Every reply repeats the participation and the amount that it speaks about, so that a reply to
something else is noticed. JSON over HTTP; amounts in minor units.

- `PUT /rights/<participation>` with a `RightBody`: validate, answered with a `Reply`
- `POST /rights/<participation>/annulment` with an `AnnulmentBody`: take back, answered likewise
- 409 when the participation is known with another content
- `GET /totals?day=YYYY-MM-DD` (Europe/Rome): a `Totals`
"""

from datetime import date
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ledger.central import DayTotal
from ledger.domain.ids import PlayerId, Sentence, SheetId, Word
from ledger.domain.money import Amount, Currency


class Message(BaseModel):
    """A frozen message; unknown fields are an error on either side."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RightBody(Message):
    """The right that is asked for; the participation stands in the path."""

    session: UUID
    player: PlayerId
    sheet: SheetId
    amount: Amount
    currency: Currency
    purchase: Literal["initial", "further"]


class AnnulmentBody(Message):
    """The right as it was, or would have been, asked for, and why it is taken back."""

    right: RightBody
    reason: Sentence


class _Reply(Message):
    participation: UUID
    amount: Amount


class ValidatedReply(_Reply):
    """Valid: the ticket, and the session's running count and total of valid rights."""

    outcome: Literal["validated"] = "validated"
    ticket: Word
    count: Annotated[int, Field(strict=True, ge=1, le=2**31)]
    total: Amount


class RejectedReply(_Reply):
    """Not valid, with a code."""

    outcome: Literal["rejected"] = "rejected"
    code: Word


class AnnulledReply(_Reply):
    """Taken back, with the reason given the first time."""

    outcome: Literal["annulled"] = "annulled"
    reason: Sentence


Reply = Annotated[ValidatedReply | RejectedReply | AnnulledReply, Field(discriminator="outcome")]


Figure = Annotated[int, Field(strict=True, ge=0, lt=2**63)]
"""A count or an amount, as far as the book can hold one."""


class Total(Message):
    """Valid rights of one currency: how many, of how many sessions, their sum in minor units."""

    currency: Currency
    count: Figure
    amount: Figure
    sessions: Figure


class Totals(Message):
    """The valid rights of one business day, by currency; empty when there were none."""

    day: date
    totals: tuple[Total, ...]

    @field_validator("totals")
    @classmethod
    def _each_once(cls, totals: tuple[Total, ...]) -> tuple[Total, ...]:
        if len({t.currency for t in totals}) < len(totals):
            raise ValueError("a currency has one line")
        return totals

    def by_currency(self) -> tuple[DayTotal, ...]:
        """The totals in the ledger's words."""
        return tuple(DayTotal(t.currency, t.count, t.amount, t.sessions) for t in self.totals)
