"""The reports of a book: a new one is one module and one line here."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

from workers.log import Cursor
from workers.ports import Ports
from workers.reports import liability, monitoring, performance
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
    sections: Callable[[Cursor, Ports, date], tuple[Section, ...]]


REPORTS: Final[tuple[Kind, ...]] = tuple(
    Kind(m.KIND, m.TITLE, m.VERSION, m.PROJECTIONS, m.PERIOD, m.sections)
    for m in (
        performance,
        liability,
        monitoring,
    )
)


def named(name: str) -> Kind:
    """The report of a name; raise `KeyError` when there is none."""
    return {r.name: r for r in REPORTS}[name]
