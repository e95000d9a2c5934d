"""Commands of the monitoring of returns."""

from datetime import date
from typing import Literal
from uuid import UUID

from ledger.domain.commands.base import Command
from ledger.domain.events import Count, Digest
from ledger.domain.events.alerts import Figure
from ledger.domain.ids import Sentence, SheetId, Word


class RaiseRtpAlert(Command):
    """Record that returns or outcomes left their range; the alert is named by the command's id."""

    KIND = "raise-rtp-alert"
    grade: Literal["warning", "alarm"]
    statistic: Literal["returns", "outcomes"]
    sheet: SheetId
    sheet_version: Count
    subject: Word
    period: Literal["30-days", "life"]
    first_day: date
    last_day: date
    value: Figure
    threshold: Figure
    rounds: Count
    checkpoint_size: Count
    checkpoint_root: Digest


class AcknowledgeRtpAlert(Command):
    """Record what a named person found of an alert."""

    KIND = "acknowledge-rtp-alert"
    alert: UUID
    person: Word
    finding: Sentence
