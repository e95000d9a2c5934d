"""The mapping of a payment provider's statement: how its columns are read, as one JSON document.

Statements differ in every respect that a table of text can: names of columns, delimiter, decimal
mark, order of day and month, time zone, sign, encoding. All of it is data here, checked when it is
read, so that another provider is another file and no code.
"""

import codecs
import re
from datetime import timedelta
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo, available_timezones

from pydantic import Field, ValidationError, model_validator

from ledger.domain.days import ZONE
from ledger.domain.events import Frozen, Way
from ledger.domain.events.differences import ForeignCurrency
from ledger.domain.ids import Word

Name = Annotated[str, Field(min_length=1, max_length=120)]
Offset = Annotated[str, Field(pattern=r"^[+-](0[0-9]|1[0-4]):[0-5][0-9]$")]


class StatementError(ValueError):
    """A mapping or a statement that cannot be read: what is wrong, and in which line."""


class Columns(Frozen):
    """Which columns hold what, by the names in the header, without blanks at their ends."""

    reference: Name
    amount: Name | None = None
    credit: Name | None = None
    """What came in, where that stands apart from `debit`; in each line one of them is empty."""
    debit: Name | None = None
    moment: Annotated[tuple[Name, ...], Field(min_length=1, max_length=3)]
    """Columns that together tell the moment, joined by one blank."""
    currency: Name | None = None
    zone: Name | None = None
    """Holds a name of `offsets`, where each line tells its own time zone."""
    way: Name | None = None
    """Holds a name of `ways`, where the sign does not tell whether money came in."""


class StatementMapping(Frozen):
    """How a provider's statement is read."""

    channel: Word
    """The channel that the book has for this provider's payments."""
    columns: Columns
    moment_format: Name
    """As `datetime.strptime` reads the moment; `%z` where the text holds the offset itself."""
    encoding: str = "utf-8"
    """A byte order mark is never part of the first column's name."""
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] = ","
    skip_lines: Annotated[int, Field(ge=0, le=100)] = 0
    """Lines of preamble before the header."""
    decimal_mark: Literal[".", ","] = "."
    grouping_mark: Literal["", ".", ",", " ", "'", "\N{NO-BREAK SPACE}"] = ""
    currency: ForeignCurrency | None = None
    """Of every line, where no column tells it."""
    time_zone: str | None = None
    """Such as `Europe/Rome`. Of an hour that comes twice the first is meant."""
    offsets: dict[Name, Offset] = Field(default_factory=dict)
    """From UTC, by what the column `zone` holds: `{"CET": "+01:00", "CEST": "+02:00"}`."""
    days_in: str = ZONE
    """The zone whose midnights part the provider's days, whatever the moments are written in."""
    positive: Way = "deposit"
    """What an amount without a minus is, where no column tells the way."""
    ways: dict[str, Way | Literal["ignore"]] = Field(default_factory=dict)
    """By what the column `way` holds; what is not named there is an error."""
    reference_pattern: str | None = None
    """A regular expression; what its one group finds in the column is the reference."""
    window_hours: Annotated[int, Field(ge=0, le=240)] = 24
    """How far apart both sides may record the same payment."""

    @property
    def window(self) -> timedelta:
        """How far apart both sides may record the same payment."""
        return timedelta(hours=self.window_hours)

    @property
    def day_zone(self) -> ZoneInfo:
        """The zone whose midnights part the days of a statement."""
        return ZoneInfo(self.days_in)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for wrong, sentence in self._wrongs():
            if wrong:
                raise ValueError(sentence)
        return self

    def _wrongs(self) -> tuple[tuple[bool, str], ...]:
        columns = self.columns
        zones = (self.time_zone, columns.zone, "%z" if "%z" in self.moment_format else None)
        apart = (columns.credit is None, columns.debit is None)
        return (
            (apart != (columns.amount is not None,) * 2, "give amount, or credit and debit"),
            (not _is_known(self.encoding), f"no encoding is named {self.encoding}"),
            (self.delimiter in '"\r\n', "a delimiter is neither a quote nor a line end"),
            (self.grouping_mark == self.decimal_mark, "both marks of an amount are the same"),
            ((columns.currency is None) == (self.currency is None), "give the currency once"),
            (sum(z is not None for z in zones) != 1, "give the time zone in one way"),
            (not _is_zone(self.time_zone), f"no time zone is named {self.time_zone}"),
            (not _is_zone(self.days_in), f"no time zone is named {self.days_in}"),
            ((columns.zone is None) != (not self.offsets), "zone goes with offsets"),
            ((columns.way is None) != (not self.ways), "way goes with ways"),
            (not _has_group(self.reference_pattern), "reference_pattern needs one group"),
        )

    @property
    def named(self) -> tuple[str, ...]:
        """Every column that is read."""
        c = self.columns
        amounts = (c.amount, c.credit, c.debit)
        names = (c.reference, *amounts, *c.moment, c.currency, c.zone, c.way)
        return tuple(name for name in names if name)

    @property
    def zone(self) -> ZoneInfo | None:
        """The time zone of all lines, where there is one."""
        return ZoneInfo(self.time_zone) if self.time_zone else None


def _is_known(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding)._is_text_encoding  # noqa: SLF001 - nothing else tells text
    except LookupError:
        return False


def _is_zone(name: str | None) -> bool:
    return name is None or name in available_timezones()


def _has_group(pattern: str | None) -> bool:
    try:
        return pattern is None or re.compile(pattern).groups == 1
    except re.error:
        return False


def read_mapping(text: bytes) -> StatementMapping:
    """Read a mapping from JSON; raise `StatementError` with every field that is wrong."""
    try:
        return StatementMapping.model_validate_json(text.removeprefix(codecs.BOM_UTF8))
    except ValidationError as error:
        wrong = (f"{'.'.join(map(str, e['loc'])) or 'mapping'}: {e['msg']}" for e in error.errors())
        raise StatementError(f"The mapping cannot be used: {'; '.join(wrong)}.") from None
