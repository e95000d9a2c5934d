"""The reports of a book: a new one is one module and one line here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from workers.log import Cursor
from workers.ports import Ports
from workers.reports import (
    corrections,
    differences,
    duty,
    large_wins,
    liability,
    monitoring,
    performance,
    player_sessions,
    significant,
)
from workers.reports.periods import Period, Unit
from workers.reports.table import Section


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of report; a change of `version` is a change of its bytes."""

    name: str
    title: str
    version: int
    projections: tuple[str, ...]
    """Projections that must have folded the checkpoint."""
    period: tuple[str, ...]
    """Sections that say whether there was any activity."""
    due: tuple[Unit, ...]
    """For which periods it is produced when they are over; it can be asked for any."""
    filters: str
    """What it leaves out, as its card says."""
    sections: Callable[[Cursor, Ports, Period], tuple[Section, ...]]


REPORTS: Final[tuple[Kind, ...]] = tuple(
    Kind(m.KIND, m.TITLE, m.VERSION, m.PROJECTIONS, m.PERIOD, m.DUE, m.FILTERS, m.sections)
    for m in (
        performance,
        liability,
        player_sessions,
        large_wins,
        significant,
        corrections,
        duty,
        differences,
        monitoring,
    )
)


def named(name: str) -> Kind:
    """The report of a name; raise `KeyError` when there is none."""
    return {r.name: r for r in REPORTS}[name]
