"""Editions of reports: which was produced when, sent, receipted, and replaced by a next one.

Nothing in the register is ever overwritten. What was produced keeps its files; a report that must
be submitted again is replaced by another edition, under names of its own, that says so on its card.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Literal

from ledger.domain.refusals import Refusal
from workers.closing import Closing
from workers.log import Cursor, connected, sql, transaction
from workers.ports import Ports
from workers.reports.periods import Period
from workers.reports.registry import Kind

Noted = Literal["sent", "receipted"]
"""What a person notes of an edition that was produced."""
Step = Literal[Noted, "replaced"]


class EditionCode(StrEnum):
    """Why nothing is noted of an edition, or none produced; by precedence."""

    UNKNOWN_REPORT = "unknown-report"
    REPORT_OUTDATED = "report-outdated"
    REPORT_REPLACED = "report-replaced"
    ALREADY_SENT = "already-sent"
    NOT_SENT = "not-sent"
    ALREADY_RECEIPTED = "already-receipted"


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of a report: what it is about and what it is built from."""

    kind: Kind
    period: Period
    closing: Closing
    number: int = 1

    @property
    def report(self) -> str:
        """The report's name, which its editions share: `game-performance-2026-11-30`."""
        return f"{self.kind.name}-{self.period.name}"

    @property
    def file_name(self) -> str:
        """What its files' names begin with; later editions add their number: `..-r2`."""
        return self.report if self.number == 1 else f"{self.report}-r{self.number}"


@dataclass(frozen=True, slots=True)
class Note:
    """What a person notes of an edition: who, when, and the words."""

    actor: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Standing:
    """How the newest edition of a report stands."""

    number: int
    version: int
    """The version of the report's kind by which it was produced."""
    steps: frozenset[str]


def standing_of(cursor: Cursor, book: str, report: str) -> Standing | None:
    """How a report stands; None while none of it was produced."""
    row = cursor.execute(sql(_STANDING, book), {"report": report}).fetchone()
    return None if row is None else Standing(row[0], row[1], frozenset(row[2]))


def note(ports: Ports, report: str, step: Noted, words: Note) -> int | Refusal:
    """Note that the newest edition of a report was sent or receipted; the edition's number."""
    with connected(ports) as connection, transaction(connection) as cursor:
        standing = standing_of(cursor, ports.book, report)
        if standing is None:
            return UNKNOWN
        refusal = _too_early_or_late(step, standing)
        if refusal is not None:
            return refusal
        if not add_step(cursor, ports.book, (report, standing.number, step), words):
            return _ALREADY[step]
        return standing.number


def _too_early_or_late(step: Noted, standing: Standing) -> Refusal | None:
    if step in standing.steps:
        return _ALREADY[step]
    if step == "receipted" and "sent" not in standing.steps:
        return Refusal(EditionCode.NOT_SENT, "This edition was not sent; note that first.")
    return None


def add_step(cursor: Cursor, book: str, what: tuple[str, int, Step], words: Note) -> bool:
    """Add a step of an edition to the register; whether it was not there yet."""
    values = (*what, words.at, words.actor, words.text)
    return cursor.execute(sql(_ADD, book), values).rowcount == 1


@dataclass(frozen=True, slots=True)
class Registered:
    """One edition as the register has it; each step as who, when and the words."""

    report: str
    edition: int
    version: int
    checkpoint: int
    produced_at: datetime
    files: tuple[str, ...]
    steps: dict[str, Note]


def registered(ports: Ports, report: str | None = None) -> tuple[Registered, ...]:
    """All editions of one report or of every one, in the order of their production."""
    with connected(ports, "reader") as connection, transaction(connection, frozen=True) as cursor:
        cursor.execute(sql(_STEPS, ports.book), {"report": report})
        steps: dict[tuple[str, int], dict[str, Note]] = {}
        for name, number, step, at, actor, text in cursor.fetchall():
            steps.setdefault((name, number), {})[step] = Note(actor, at, text)
        rows = cursor.execute(sql(_EDITIONS, ports.book), {"report": report}).fetchall()
    return tuple(_registered(row, steps.get(row[:2], {})) for row in rows)


def _registered(row: tuple[Any, ...], steps: dict[str, Note]) -> Registered:
    report, edition, version, checkpoint, produced_at, files = row
    return Registered(report, edition, version, checkpoint, produced_at, tuple(files), steps)


UNKNOWN: Final = Refusal(
    EditionCode.UNKNOWN_REPORT, "No report of this name was produced; see: report list."
)
REPLACED: Final = Refusal(
    EditionCode.REPORT_REPLACED, "This edition was replaced meanwhile; see: report list."
)
OUTDATED: Final = Refusal(
    EditionCode.REPORT_OUTDATED,
    "It was produced by another version of the report; its files stand, or replace it.",
)
_ALREADY: Final[dict[Noted, Refusal]] = {
    "sent": Refusal(EditionCode.ALREADY_SENT, "This edition was sent; to send again, replace it."),
    "receipted": Refusal(EditionCode.ALREADY_RECEIPTED, "This edition has its receipt."),
}

_STANDING: Final = """
SELECT r.edition, r.report_version,
       coalesce((SELECT array_agg(s.step) FROM {book}.p_report_steps s
                  WHERE s.report = r.report AND s.edition = r.edition), ARRAY[]::text[])
  FROM {book}.p_reports r WHERE r.report = %(report)s
 ORDER BY r.edition DESC LIMIT 1
"""

_ADD: Final = """
INSERT INTO {book}.p_report_steps (report, edition, step, noted_at, actor, words)
VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING
"""

_STEPS: Final = """
SELECT report, edition, step, noted_at, actor, words FROM {book}.p_report_steps
 WHERE %(report)s::text IS NULL OR report = %(report)s
"""

_EDITIONS: Final = """
SELECT report, edition, max(report_version), max(size), min(produced_at),
       array_agg(file ORDER BY file)
  FROM {book}.p_reports WHERE %(report)s::text IS NULL OR report = %(report)s
 GROUP BY report, edition ORDER BY min(produced_at), report, edition
"""
