"""What a check returns: one thing that does not agree, before anything is put on record."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from ledger.domain.events import PaymentRef, Source
from ledger.domain.ids import difference_id

MISSING_HERE: Final = "missing-here"
MISSING_THERE: Final = "missing-there"
AMOUNT: Final = "amount"
CURRENCY: Final = "currency"
DUPLICATE: Final = "duplicate"
TIMING: Final = "timing"
"""How what differs from a statement is classified; `here` is the book."""


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """One thing that does not agree; its fields are those of `DifferenceFound`."""

    source: Source
    scope: str
    kind: str
    subject: str
    found: str
    since: datetime
    payment: PaymentRef | None = None

    @property
    def key(self) -> UUID:
        """What it is known by, whenever it is found."""
        return difference_id(self.source, self.scope, self.kind, self.subject)
