"""Commands on what reconciliation found."""

from uuid import UUID

from ledger.domain.commands.base import Command
from ledger.domain.events import Count, PaymentRef, Source
from ledger.domain.ids import Instant, Sentence, Word


class DifferenceCommand(Command):
    """Base of the commands on one occurrence of a difference."""

    difference: UUID
    occurrence: Count


class FindDifference(DifferenceCommand):
    """Put on record that something does not agree."""

    KIND = "find-difference"
    source: Source
    scope: Word
    kind: Word
    subject: Sentence
    found: Sentence
    since: Instant
    payment: PaymentRef | None = None


class AssignDifference(DifferenceCommand):
    """Say who is to clear a difference up."""

    KIND = "assign-difference"
    owner: Word


class ResolveDifference(DifferenceCommand):
    """Close a difference, by a person's decision."""

    KIND = "resolve-difference"
    reason: Sentence


class ClearDifference(DifferenceCommand):
    """Close by rule a difference that is no more."""

    KIND = "clear-difference"
    matched: Word | None = None
