"""The report card that every report begins with: what it is about and what it was built from.

"Generated at" is the time of the last sealed event, so that the same checkpoint gives the same
bytes; when a file was produced stands in the register alone (guarantee G6).
"""

from datetime import date
from typing import Final

from ledger.domain.events import BookOpened
from ledger.domain.ids import BOOK
from workers.closing import Closing
from workers.days import ZONE, bounds
from workers.log import Cursor, first_entries
from workers.ports import Ports
from workers.reports.table import NO_ACTIVITY, Field, Kind, Section

_SOME: Final = "Activity"


def card(
    cursor: Cursor, ports: Ports, title: tuple[str, int], closing: Closing
) -> tuple[Field, ...]:
    """The card of a report of a title and version, for a closed day."""
    opened = _opened(cursor, ports)
    checkpoint = closing.checkpoint
    return (
        Field("title", Kind.TEXT, title[0]),
        Field("report_version", Kind.COUNT, title[1]),
        *_period(closing.day),
        Field("book", Kind.TEXT, opened.book),
        Field("clock", Kind.TEXT, opened.clock),
        Field("generated_at", Kind.INSTANT, checkpoint.last_recorded),
        Field("checkpoint_size", Kind.COUNT, checkpoint.size),
        Field("checkpoint_root", Kind.TEXT, checkpoint.root.hex()),
        Field("filters", Kind.TEXT, "none"),
    )


def activity(sections: tuple[Section, ...], period: tuple[str, ...]) -> Field:
    """Whether anything happened, by the sections that say so."""
    word = _SOME if any(s.lines for s in sections if s.name in period) else NO_ACTIVITY
    return Field("activity", Kind.TEXT, word)


def _period(day: date) -> tuple[Field, ...]:
    begins, ends = bounds(day)
    return (
        Field("business_day", Kind.DAY, day),
        Field("time_zone", Kind.TEXT, ZONE),
        Field("begins", Kind.INSTANT, begins),
        Field("ends", Kind.INSTANT, ends),
    )


def _opened(cursor: Cursor, ports: Ports) -> BookOpened:
    (entry,) = first_entries(cursor, ports.book, ports.codec, [BOOK])
    assert isinstance(entry.event, BookOpened)
    return entry.event
