"""Exports of closed days: the reports are produced first, then the package is written around them.

The workers close the days and render the reports; the package itself is the ledger's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from ledger.domain.commands import DisclosePersonalData
from ledger.domain.refusals import Fault, Refusal
from ledger.exports.package import Exported, Request, Reveal, export
from ledger.exports.previous import Previous
from ledger.exports.source import Source
from ledger.seal.notes import SigningKey
from ledger.seal.sealer import Sealed
from workers.closing import closing_of
from workers.days import bounds
from workers.log import connected
from workers.ports import Ports
from workers.reports.build import build_report
from workers.reports.registry import REPORTS

Progress = Callable[[int, int], None]


class DisclosureFault(Fault):
    """The book did not take the disclosure on record, so that nothing was disclosed."""


@dataclass(frozen=True, slots=True)
class Disclosure:
    """By which command, who lets personal data leave the book, for whom and why."""

    head: Mapping[str, Any]
    recipient: str
    reason: str
    reveal: Reveal


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
    command = DisclosePersonalData(
        **disclosure.head,
        first=wanted.first,
        last=wanted.last,
        root=closing.root.hex(),
        recipient=disclosure.recipient,
        reason=disclosure.reason,
    )

    def disclose() -> Reveal:
        refusal = ports.handle(command).refusal
        if refusal is not None:
            raise DisclosureFault(f"Nothing is disclosed: the book refuses it ({refusal}).")
        return disclosure.reveal

    return disclose


def _reports(ports: Ports, wanted: Wanted) -> tuple[Path, ...] | Refusal:
    """The files of every report of the days; a day that cannot be closed says why."""
    paths: list[Path] = []
    for day in wanted.days:
        for kind in REPORTS:
            built = build_report(ports, kind.name, day)
            if isinstance(built, Refusal):
                return built
            paths += built
    return tuple(paths)


def _closings(ports: Ports, days: tuple[date, ...]) -> tuple[Sealed, ...]:
    """The checkpoints by which days were closed, without the days that are open."""
    with connected(ports) as connection:
        found = (closing_of(connection, ports.book, day) for day in days)
        return tuple(c.checkpoint for c in found if c is not None)
