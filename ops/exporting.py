"""Exports of closed days: the reports are produced first, then the package is written around them.

The workers close the days and render the reports; the package itself is the ledger's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from ledger.domain.refusals import Refusal
from ledger.exports.package import Exported, Request, Reveal, export
from ledger.exports.previous import Previous
from ledger.exports.source import Source
from ledger.seal.notes import SigningKey
from ledger.seal.sealer import Sealed
from ops.disclosing import Disclosure, Extent
from workers.closing import closing_of
from workers.days import bounds
from workers.log import connected
from workers.ports import Ports
from workers.reports.build import build_report
from workers.reports.periods import Unit, of_day
from workers.reports.registry import REPORTS

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which business days are exported where to, both ends included, and after which package."""

    first: date
    last: date
    target: Path
    previous: Previous | None = None
    disclosure: Disclosure | None = None
    """None where players are pseudonyms alone."""

    @property
    def days(self) -> tuple[date, ...]:
        """Every day, in order."""
        count = (self.last - self.first).days + 1
        return tuple(self.first + timedelta(days=n) for n in range(count))


def export_days(
    ports: Ports,
    keys: Sequence[SigningKey],
    wanted: Wanted,
    progress: Progress = lambda _, __: None,
) -> Exported | Refusal:
    """Close the days, produce their reports, and write the package; or say what is too early.

    Raises what `ledger.exports.package.export` raises, and a `Fault` when it should be tried again.
    """
    reports = _reports(ports, wanted)
    if isinstance(reports, Refusal):
        return reports
    with connected(ports, "reader") as connection:
        closings = _closings(ports, wanted.days)
        before = _closings(ports, (wanted.first - timedelta(days=1),))
        request = Request(
            first=wanted.first,
            last=wanted.last,
            begins=bounds(wanted.first)[0],
            closings=tuple(closing.size for closing in closings),
            searched=(*before, closings[-1])[0].size,
            reports=reports,
            previous=wanted.previous,
            disclose=_disclosing(ports, wanted, closings[-1]),
        )
        source = Source(connection, ports.book, ports.codec)
        return export(source, request, keys, wanted.target, progress)


def _disclosing(ports: Ports, wanted: Wanted, closing: Sealed) -> Callable[[], Reveal] | None:
    """What puts a disclosure in the book, before the first datum is read (G10)."""
    disclosure = wanted.disclosure
    if disclosure is None:
        return None
    extent = Extent(wanted.first, wanted.last, closing.root)
    return lambda: disclosure.on_record(ports.handle, extent).reveal


def _reports(ports: Ports, wanted: Wanted) -> tuple[Path, ...] | Refusal:
    """The files of every report of the days; a day that cannot be closed says why."""
    paths: list[Path] = []
    for day in wanted.days:
        for kind in (kind for kind in REPORTS if Unit.DAY in kind.due):
            built = build_report(ports, kind.name, of_day(day))
            if isinstance(built, Refusal):
                return built
            paths += built
    return tuple(paths)


def _closings(ports: Ports, days: tuple[date, ...]) -> tuple[Sealed, ...]:
    """The checkpoints by which days were closed, without the days that are open."""
    with connected(ports) as connection:
        found = (closing_of(connection, ports.book, day) for day in days)
        return tuple(c.checkpoint for c in found if c is not None)
