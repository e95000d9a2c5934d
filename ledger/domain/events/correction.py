"""Events of corrections: what was booked wrongly stays, and what sets it right is linked to it."""

from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from ledger.domain.events.base import Event, Frozen
from ledger.domain.ids import CorrectableAccount, PlayerId, Sentence, Word
from ledger.domain.money import Amount, AmountOrZero, Currency

CorrectionCode = Literal[
    "wrong-amount", "wrong-player", "booked-twice", "not-booked", "game-fault", "ruling"
]
"""Why a correction is posted; `ruling` is a decision of a regulator, a court or a dispute."""


class CorrectionLine(Frozen):
    """One amount that a correction moves from one account to another."""

    source: CorrectableAccount
    target: CorrectableAccount
    amount: Amount

    @model_validator(mode="after")
    def _moves(self) -> Self:
        if self.source == self.target:
            raise ValueError("a line moves money between two accounts")
        return self


class CorrectionPosted(Event):
    """Two people had money moved, to set right what an earlier command did; nothing is edited."""

    NAME = "correction-posted"
    corrects: UUID
    """The id of the command that is corrected."""
    code: CorrectionCode
    reason: Sentence
    approvers: tuple[Word, Word]
    currency: Currency
    lines: Annotated[tuple[CorrectionLine, ...], Field(min_length=1, max_length=20)]


class ContoCorrected(Event):
    """A correction moved the money of a conto; its lines hold the postings."""

    NAME = "conto-corrected"
    player: PlayerId
    correction: UUID
    """The correction's own id, which its stream is named by."""
    debited: AmountOrZero
    credited: AmountOrZero
    currency: Currency
