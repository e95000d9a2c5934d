"""Building a report: close its period, fold up to the checkpoint, write the files.

Each step may be killed and done again: a day stays closed by the same checkpoint, the projections
have folded it, and the same bytes take the place of the same file.
"""

from pathlib import Path
from typing import Final

from ledger.domain.refusals import Fault, Refusal
from workers.closing import Closing, close_day, days_due
from workers.log import Cursor, connected, sql, transaction
from workers.ports import Ports
from workers.projections.base import Superseded, catch_up, find
from workers.projections.registry import named as projection_named
from workers.reports.card import activity, card
from workers.reports.editions import (
    OUTDATED,
    REPLACED,
    UNKNOWN,
    Edition,
    Note,
    add_step,
    standing_of,
)
from workers.reports.files import File, produce
from workers.reports.periods import Period, ending_with
from workers.reports.profiles import PROFILES
from workers.reports.registry import REPORTS, Kind, named
from workers.reports.table import Report

Paths = tuple[Path, ...]


def build_report(ports: Ports, kind: str, period: Period) -> Paths | Refusal:
    """Produce the files of a report's newest edition, or say why that cannot be done.

    Raises `KeyError` for an unknown kind and a `Fault` when it should be tried again.
    """
    edition = _edition(ports, named(kind), period)
    if isinstance(edition, Refusal):
        return edition
    files = _files(ports, edition)
    with connected(ports) as connection, transaction(connection) as cursor:
        return tuple(produce(cursor, ports, file) for file in files)


def replace_report(ports: Ports, kind: str, period: Period, why: Note) -> Paths | Refusal:
    """Produce the next edition of a report, which takes the place of the newest one.

    Raises `KeyError` and `Fault` as `build_report` does.
    """
    wanted, closing = named(kind), close_day(ports, period.days.last)
    if isinstance(closing, Refusal):
        return closing
    report = Edition(wanted, period, closing).report
    with connected(ports) as connection, transaction(connection) as cursor:
        standing = standing_of(cursor, ports.book, report)
    if standing is None:
        return UNKNOWN
    files = _files(ports, Edition(wanted, period, closing, standing.number + 1))
    with connected(ports) as connection, transaction(connection) as cursor:
        if not add_step(cursor, ports.book, (report, standing.number, "replaced"), why):
            return REPLACED
        return tuple(produce(cursor, ports, file) for file in files)


def _edition(ports: Ports, kind: Kind, period: Period) -> Edition | Refusal:
    """The newest edition of a report, or its first; one of another version cannot be built."""
    closing = close_day(ports, period.days.last)
    if isinstance(closing, Refusal):
        return closing
    first = Edition(kind, period, closing)
    with connected(ports) as connection, transaction(connection) as cursor:
        standing = standing_of(cursor, ports.book, first.report)
    if standing is None:
        return first
    if standing.version != kind.version:
        return OUTDATED
    return Edition(kind, period, closing, standing.number)


def _files(ports: Ports, edition: Edition) -> tuple[File, ...]:
    """By stable names such as `game-performance-2026-11-30.csv`."""
    report = read_report(ports, edition)
    return tuple(
        File(f"{edition.file_name}.{ending}", render(report), edition)
        for ending, render in PROFILES.items()
    )


def read_report(ports: Ports, edition: Edition) -> Report:
    """The report of an edition, from one snapshot of projections that have folded its closing."""
    kind, closing = edition.kind, edition.closing
    projections = [projection_named(name) for name in kind.projections]
    catch_up(ports, projections, closing.checkpoint.size)
    with connected(ports) as connection, transaction(connection, frozen=True) as cursor:
        for name in kind.projections:
            _require_folded(cursor, ports, name, closing)
        sections = kind.sections(cursor, ports, edition.period)
        fields = card(cursor, ports, edition)
    return Report((*fields, activity(sections, kind.period)), sections)


def _require_folded(cursor: Cursor, ports: Ports, name: str, closing: Closing) -> None:
    """A rebuild may have put a generation in place meanwhile that has folded less."""
    progress = find(cursor, ports.book, name)
    if progress is None or progress.position < closing.checkpoint.size:
        raise Superseded(f"{name} was swapped while the report was read; build it again.")


class ReportsFault(Fault):
    """Some reports met a fault; the others were produced."""


def report_days(ports: Ports) -> Paths:
    """Close every day that is due and produce the reports that closed periods lack.

    One that fails does not keep the others; `ReportsFault` is raised at the end then.
    """
    due = days_due(ports)
    if due:
        close_day(ports, due[-1])
    paths: list[Path] = []
    faults: list[str] = []
    with connected(ports) as connection, transaction(connection) as cursor:
        wanted = lacking(cursor, ports)
    for kind, period in wanted:
        try:
            built = build_report(ports, kind.name, period)
        except Fault as fault:
            faults.append(f"{kind.name} of {period.name}: {fault}")
            continue
        paths += () if isinstance(built, Refusal) else built
    if faults:
        raise ReportsFault(" ".join(faults))
    return tuple(paths)


def lacking(cursor: Cursor, ports: Ports) -> list[tuple[Kind, Period]]:
    """What is due of the periods that are over and was never produced, oldest first."""
    closed = cursor.execute(sql(_CLOSED, ports.book)).fetchall()
    known = {row[0] for row in cursor.execute(sql(_PRODUCED, ports.book)).fetchall()}
    periods = (period for row in closed for period in ending_with(row[0]))
    wanted = ((kind, period) for period in periods for kind in REPORTS if period.unit in kind.due)
    return [(kind, p) for kind, p in wanted if f"{kind.name}-{p.name}" not in known]


_CLOSED: Final = "SELECT day FROM {book}.day_closings ORDER BY day"

_PRODUCED: Final = "SELECT DISTINCT report FROM {book}.p_reports"
"""All files of an edition are registered in one transaction: where one is, all are."""
