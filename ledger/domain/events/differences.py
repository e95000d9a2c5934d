"""Events of reconciliation: a difference that was found, whose it is, and how it ended.

They move no money. A difference is what the book and something outside of it, or two parts of the
book, do not agree about; what is done about it is a decision of people, and so on record.
"""

from typing import Annotated, Literal

from pydantic import Field

from ledger.domain.events.base import Count, Event, Frozen, is_absent
from ledger.domain.ids import Instant, Sentence, Word
from ledger.domain.money import AmountOrZero

Source = Literal["inside", "central", "statement"]
"""What the book was compared with: itself, the central system, a payment provider's statement."""

ForeignCurrency = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
"""An ISO 4217 code, of a currency that the book keeps or of any other."""

Way = Literal["deposit", "withdrawal"]


class PaymentRef(Frozen):
    """A payment as a provider or the book names it; `way` is the player's, in or out."""

    way: Way
    reference: Word
    currency: ForeignCurrency
    here: Annotated[AmountOrZero | None, Field(exclude_if=is_absent)] = None
    """The amount that the book has, in minor units; None where it has none."""
    there: Annotated[AmountOrZero | None, Field(exclude_if=is_absent)] = None
    """The amount that the statement has."""
    matched: Annotated[Word | None, Field(exclude_if=is_absent)] = None
    """The other side's reference, where it is another."""


class DifferenceFound(Event):
    """Something does not agree; the same thing found again after its end is the next occurrence."""

    NAME = "difference-found"
    source: Source
    scope: Word
    """The check, the day at the central system, or the channel of the statement."""
    kind: Word
    subject: Sentence
    """What it is about, by which it is known again."""
    found: Sentence
    since: Instant
    """When what does not agree happened: its age counts from here."""
    occurrence: Count
    payment: Annotated[PaymentRef | None, Field(exclude_if=is_absent)] = None


class DifferenceAssigned(Event):
    """Somebody is to clear it up."""

    NAME = "difference-assigned"
    occurrence: Count
    owner: Word


class DifferenceResolved(Event):
    """A person closed it, with the reason."""

    NAME = "difference-resolved"
    occurrence: Count
    reason: Sentence


class DifferenceCleared(Event):
    """It was looked for again and is no more: closed by rule."""

    NAME = "difference-cleared"
    occurrence: Count
    matched: Annotated[Word | None, Field(exclude_if=is_absent)] = None
    """The reference of the other side, which came; None where it is gone for another reason."""
