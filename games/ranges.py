"""The least and the most that an amount may be, as sheets hold it and as documents write it."""

from typing import Self

from pydantic import model_validator

from games.documents import malformed, read_amount
from ledger.domain.events import Frozen
from ledger.domain.money import Amount
from ledger.domain.refusals import Refusal


class Range(Frozen):
    """The least and the most that a sum may be, in minor units, both allowed."""

    min: Amount
    max: Amount

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min > self.max:
            raise ValueError("the least is more than the most")
        return self


def read_range(document: object, place: str) -> Range | Refusal:
    """Read `{"min": "1.00", "max": "100.00"}`; the refusal names `place`."""
    if not isinstance(document, dict) or set(document) != {"min", "max"}:
        return malformed(f'{place} needs "min" and "max", and nothing else.')
    least, most = read_amount(document["min"], place), read_amount(document["max"], place)
    if isinstance(least, Refusal):
        return least
    if isinstance(most, Refusal):
        return most
    if least > most:
        return malformed(f'{place} has a "min" that is more than its "max".')
    return Range(min=least, max=most)
