"""The report card that every report begins with: what it is about and what it was built from.

"Generated at" is the time of the last sealed event, so that the same checkpoint gives the same
bytes; when a file was produced stands in the register alone (guarantee G6).
"""

from datetime import datetime
from typing import Final

from ledger.domain.events import BookOpened
from ledger.domain.ids import BOOK
from workers.days import ZONE, day_of
from workers.log import Cursor, first_entries
from workers.ports import Ports
from workers.reports.editions import Edition
from workers.reports.periods import Period, Unit
from workers.reports.table import NO_ACTIVITY, Field, Kind, Section

_SOME: Final = "Activity"


def card(cursor: Cursor, ports: Ports, edition: Edition) -> tuple[Field, ...]:
    """The card of an edition of a report."""
    opened, since = _opened(cursor, ports)
    checkpoint = edition.closing.checkpoint
    replaces = f"edition {edition.number - 1}" if edition.number > 1 else "none"
    return (
        Field("title", Kind.TEXT, edition.kind.title),
        Field("report_version", Kind.COUNT, edition.kind.version),
        Field("edition", Kind.COUNT, edition.number),
        Field("replaces", Kind.TEXT, replaces),
        *_period(edition.period, since),
        Field("book", Kind.TEXT, opened.book),
        Field("clock", Kind.TEXT, opened.clock),
        Field("generated_at", Kind.INSTANT, checkpoint.last_recorded),
        Field("checkpoint_size", Kind.COUNT, checkpoint.size),
        Field("checkpoint_root", Kind.TEXT, checkpoint.root.hex()),
        Field("filters", Kind.TEXT, edition.kind.filters),
    )


def activity(sections: tuple[Section, ...], period: tuple[str, ...]) -> Field:
    """Whether anything happened, by the sections that say so."""
    word = _SOME if any(s.lines for s in sections if s.name in period) else NO_ACTIVITY
    return Field("activity", Kind.TEXT, word)


def _period(period: Period, opened: datetime) -> tuple[Field, ...]:
    """The period; the whole life of a book begins with its opening."""
    days, is_life = period.days, period.unit is Unit.LIFE
    return (
        Field("period", Kind.TEXT, period.unit.value),
        Field("first_day", Kind.DAY, day_of(opened) if is_life else days.first),
        Field("last_day", Kind.DAY, days.last),
        Field("time_zone", Kind.TEXT, ZONE),
        Field("begins", Kind.INSTANT, opened if is_life else days.begins),
        Field("ends", Kind.INSTANT, days.ends),
    )


def _opened(cursor: Cursor, ports: Ports) -> tuple[BookOpened, datetime]:
    (entry,) = first_entries(cursor, ports.book, ports.codec, [BOOK])
    assert isinstance(entry.event, BookOpened)
    return entry.event, entry.recorded
