"""Events of the monitoring of returns: what left its range, and what a person found of it."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from ledger.domain.events.base import Count, Digest, Event, Frozen
from ledger.domain.ids import Sentence, SheetId, Word

Figure = Annotated[str, Field(pattern=r"^-?[0-9]{1,12}\.[0-9]{3}$")]
"""A statistic with three decimal places, such as `-2.713`: a record holds no floats."""


class OutOfRange(Frozen):
    """What left the range that chance allows, by the figures of one checkpoint.

    Anyone finds the figures again from it (G6).
    """

    grade: Literal["warning", "alarm"]
    statistic: Literal["returns", "outcomes"]
    sheet: SheetId
    sheet_version: Count
    subject: Word
    """Which of the sheet's returns or draws: a currency, or a kind of draw and its live table."""
    period: Literal["30-days", "life"]
    first_day: date
    last_day: date
    """The business days of the period (Europe/Rome), both included."""
    value: Figure
    threshold: Figure
    rounds: Count
    """How many rounds, or draws, the value comes of."""
    checkpoint_size: Count
    checkpoint_root: Digest


class RtpAlertRaised(OutOfRange, Event):
    """What a sheet returned, or how its draws fell, left the range that chance allows."""

    NAME = "rtp-alert-raised"


class RtpAlertAcknowledged(Event):
    """A person looked into an alert, and says what was found."""

    NAME = "rtp-alert-acknowledged"
    person: Word
    finding: Sentence
