"""What one authority asks for: periods in its own time zone, records, controls and files."""

import calendar
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict

from ledger.replay import Finding
from ledger.seal.sealer import Sealed
from workers.days import day_of
from workers.log import Cursor
from workers.ports import Ports

Unit = Literal["day", "month"]
CURRENCY: Final = "EUR"
"""The currency of every record."""


class Profile(BaseModel):
    """What an authority knows the operator by; each authority adds its own."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


@dataclass(frozen=True, slots=True)
class Period:
    """A day or a calendar month in a time zone."""

    unit: Unit
    first: date
    zone: str

    @property
    def last(self) -> date:
        """Its last day."""
        if self.unit == "day":
            return self.first
        return self.first.replace(day=calendar.monthrange(self.first.year, self.first.month)[1])

    @property
    def begins(self) -> datetime:
        """Its first moment, in UTC."""
        return self._midnight(self.first)

    @property
    def ends(self) -> datetime:
        """The first moment after it, in UTC."""
        return self._midnight(self.last + timedelta(days=1))

    @property
    def closed_by(self) -> date:
        """The business day whose closing covers all of it."""
        return day_of(self.ends - timedelta(microseconds=1))

    @property
    def name(self) -> str:
        """As files are named: `2026-11-30` or `2026-11`."""
        return self.first.isoformat()[: 10 if self.unit == "day" else 7]

    @property
    def before(self) -> "Period":
        """The period that ends where this one begins."""
        last = self.first - timedelta(days=1)
        return Period(self.unit, last if self.unit == "day" else last.replace(day=1), self.zone)

    @property
    def after(self) -> "Period":
        """The period that begins where this one ends."""
        return Period(self.unit, self.last + timedelta(days=1), self.zone)

    @property
    def whole(self) -> "Period":
        """The period of this unit that its first day lies in."""
        first = self.first if self.unit == "day" else self.first.replace(day=1)
        return Period(self.unit, first, self.zone)

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), ZoneInfo(self.zone)).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Released:
    """One release as the register has it."""

    sequence: int
    period: str
    edition: int
    files: Mapping[str, str]
    """SHA-256 in hexadecimal by the name of each file."""
    told: Mapping[str, Any]
    """What the next release goes on from."""


@dataclass(frozen=True, slots=True)
class Release:
    """The release that is being made: of which period, from which checkpoint, in what place."""

    period: Period
    checkpoint: Sealed
    edition: int
    """1, or more where it rectifies the edition before."""
    sequence: int
    """Its place among all releases for the authority, from 1."""
    earlier: tuple[Released, ...]
    """What was released before it, by sequence."""

    @property
    def instant(self) -> datetime:
        """The time of the last sealed event, as which every record was made."""
        return self.checkpoint.last_recorded.astimezone(ZoneInfo(self.period.zone))

    @property
    def stem(self) -> str:
        """What its files are named by: the period, and the edition where it rectifies."""
        return self.period.name + (f"-r{self.edition}" if self.edition > 1 else "")

    def previous(self) -> Released | None:
        """The newest release of the period before; None where there was none."""
        name = self.period.before.name
        return next((r for r in reversed(self.earlier) if r.period == name), None)


@dataclass(frozen=True, slots=True)
class Document:
    """One XML document: its file's name, its root element, and the schema that it must meet."""

    name: str
    root: Any
    schema: str


@dataclass(frozen=True, slots=True)
class File:
    """One file of a release."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Draft:
    """Documents that are ready, what their controls found, and what the next release needs."""

    documents: tuple[Document, ...]
    findings: tuple[Finding, ...]
    told: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Authority:
    """One authority; a new one is a module that makes one, and a line in the registry."""

    code: str
    """By which the command line knows it."""
    title: str
    zone: str
    """The time zone of its days."""
    units: tuple[Unit, ...]
    profile: type[Profile]
    projections: tuple[str, ...]
    read: Callable[[Cursor, Ports, Release], Any]
    """The figures, out of one snapshot of projections that have folded the checkpoint."""
    draft: Callable[[Any, Release, Any], Draft]
    """Figures, release and profile as documents; controls tell what does not agree."""
    pack: Callable[[tuple[File, ...], Release, Any], tuple[File, ...]]
    """The files that are released for these documents."""
    chain: Callable[[Release, Callable[[str], bytes | None]], tuple[Finding, ...]]
    """What is wrong with the files of earlier releases, read by name; None for a missing one."""


def alone(files: tuple[File, ...], *_: object) -> tuple[File, ...]:
    """Documents are released as they are."""
    return files


def unchained(*_: object) -> tuple[Finding, ...]:
    """Nothing binds a release to those before."""
    return ()
