"""Commands that set right what was booked wrongly."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from ledger.domain.commands.base import Command
from ledger.domain.events.correction import CorrectionCode, CorrectionLine
from ledger.domain.ids import Sentence, Word
from ledger.domain.money import Currency


class PostCorrection(Command):
    """Move money to set right what an earlier command did; two people approve of it."""

    KIND = "post-correction"
    corrects: UUID
    code: CorrectionCode
    reason: Sentence
    approvers: tuple[Word, Word]
    currency: Currency
    lines: Annotated[tuple[CorrectionLine, ...], Field(min_length=1, max_length=20)]
