"""Commands of the monitoring of returns."""

from uuid import UUID

from ledger.domain.commands.base import Command
from ledger.domain.events.alerts import OutOfRange
from ledger.domain.ids import Sentence, Word


class RaiseRtpAlert(OutOfRange, Command):
    """Record that returns or outcomes left their range; the alert is named by the command's id."""

    KIND = "raise-rtp-alert"


class AcknowledgeRtpAlert(Command):
    """Record what a named person found of an alert."""

    KIND = "acknowledge-rtp-alert"
    alert: UUID
    person: Word
    finding: Sentence
