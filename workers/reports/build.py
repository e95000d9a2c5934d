"""Building a day's report: close the day, fold up to its checkpoint, write the files.

Each step may be killed and done again: the day stays closed by the same checkpoint, the projections
have folded it, and the same bytes take the place of the same file.
"""

from datetime import date
from pathlib import Path
from typing import Final

from ledger.domain.refusals import Fault, Refusal
from workers.closing import Closing, close_day, days_due
from workers.log import Cursor, connected, sql, transaction
from workers.ports import Ports
from workers.projections.base import Superseded, catch_up, find
from workers.projections.registry import named as projection_named
from workers.reports.card import activity, card
from workers.reports.files import File, produce
from workers.reports.registry import REPORTS, Kind, named
from workers.reports.render import PROFILES
from workers.reports.table import Report


def build_report(ports: Ports, kind: str, day: date) -> tuple[Path, ...] | Refusal:
    """Produce the files of a day's report, or say why the day cannot be reported yet.

    Raises `KeyError` for an unknown kind and a `Fault` when it should be tried again.
    """
    wanted = named(kind)
    closing = close_day(ports, day)
    if isinstance(closing, Refusal):
        return closing
    report = read_report(ports, wanted, closing)
    with connected(ports) as connection, transaction(connection) as cursor:
        return tuple(produce(cursor, ports, f) for f in rendered(wanted, closing, report))


def read_report(ports: Ports, kind: Kind, closing: Closing) -> Report:
    """The report of a closed day, from one snapshot of projections that have folded it."""
    for name in kind.projections:
        catch_up(ports, projection_named(name), closing.checkpoint.size)
    with connected(ports) as connection, transaction(connection, frozen=True) as cursor:
        for name in kind.projections:
            _require_folded(cursor, ports, name, closing.checkpoint.size)
        sections = kind.sections(cursor, ports, closing.day)
        fields = card(cursor, ports, (kind.title, kind.version), closing)
    return Report((*fields, activity(sections, kind.period)), sections)


def _require_folded(cursor: Cursor, ports: Ports, name: str, size: int) -> None:
    """A rebuild may have put a generation in place meanwhile that has folded less."""
    progress = find(cursor, ports.book, name)
    if progress is None or progress.position < size:
        raise Superseded(f"{name} was swapped while the report was read; build it again.")


def rendered(kind: Kind, closing: Closing, report: Report) -> tuple[File, ...]:
    """The files of a report, by stable names such as `daily-performance-2026-11-30.csv`."""
    return tuple(
        File(
            f"{kind.name}-{closing.day.isoformat()}.{ending}",
            render(report),
            kind.name,
            kind.version,
            closing.day,
            closing.checkpoint.size,
        )
        for ending, render in PROFILES.items()
    )


class ReportsFault(Fault):
    """Some reports met a fault; the others were produced."""


def report_days(ports: Ports) -> tuple[Path, ...]:
    """Close every day that is due and produce the reports that closed days lack.

    One that fails does not keep the others; `ReportsFault` is raised at the end then.
    """
    due = days_due(ports)
    if due:
        close_day(ports, due[-1])
    paths: list[Path] = []
    faults: list[str] = []
    for kind in REPORTS:
        for day in _lacking(ports, kind):
            try:
                built = build_report(ports, kind.name, day)
            except Fault as fault:
                faults.append(f"{kind.name} of {day}: {fault}")
                continue
            paths += () if isinstance(built, Refusal) else built
    if faults:
        raise ReportsFault(" ".join(faults))
    return tuple(paths)


def _lacking(ports: Ports, kind: Kind) -> list[date]:
    values = (kind.name, kind.version, len(PROFILES))
    with connected(ports) as connection, transaction(connection) as cursor:
        cursor.execute(sql(_LACKING, ports.book), values)
        return [row[0] for row in cursor.fetchall()]


_LACKING: Final = """
SELECT c.day FROM {book}.day_closings c
  LEFT JOIN {book}.p_reports r ON r.day = c.day AND r.kind = %s AND r.report_version = %s
 GROUP BY c.day HAVING count(r.file) < %s ORDER BY c.day
"""
