"""Alerts of the monitoring of returns: each with its figures, and what was found of it by whom."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from typing import Final
from uuid import UUID

from ledger.domain import events as ev
from workers.log import SealedEntry
from workers.projections.base import Folding, Projection, Write
from workers.projections.tables import Table

ALERTS: Final = Table(
    "p_rtp_alerts",
    ("alert",),
    {
        "alert": "uuid", "raised_at": "timestamptz", "grade": "text", "statistic": "text",
        "sheet": "text", "sheet_version": "int4", "subject": "text", "period": "text",
        "first_day": "date", "last_day": "date", "value": "text", "threshold": "text",
        "rounds": "int8", "checkpoint_size": "int8", "acknowledged_at": "timestamptz",
        "person": "text", "finding": "text",
    },
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Alert:
    """One row, its fields in the order of the columns."""

    alert: UUID
    raised_at: datetime
    grade: str
    statistic: str
    sheet: str
    sheet_version: int
    subject: str
    period: str
    first_day: date
    last_day: date
    value: str
    threshold: str
    rounds: int
    checkpoint_size: int
    acknowledged_at: datetime | None = None
    person: str | None = None
    finding: str | None = None


def _raised(entry: ev.AnyEntry, event: ev.RtpAlertRaised) -> Alert:
    return Alert(
        alert=_alert_of(entry),
        raised_at=entry.recorded,
        grade=event.grade,
        statistic=event.statistic,
        sheet=event.sheet,
        sheet_version=event.sheet_version,
        subject=event.subject,
        period=event.period,
        first_day=event.first_day,
        last_day=event.last_day,
        value=event.value,
        threshold=event.threshold,
        rounds=event.rounds,
        checkpoint_size=event.checkpoint_size,
    )


def _alert_of(entry: ev.AnyEntry) -> UUID:
    return UUID(entry.stream.partition(":")[2])


def _fold(folding: Folding, entries: Sequence[SealedEntry]) -> Write:
    named = sorted({_alert_of(s.entry) for s in entries})
    rows = ALERTS.load(folding.cursor, folding.place, named)
    known = {row[0]: Alert(*row) for row in rows}
    for sealed in entries:
        entry = sealed.entry
        match entry.event:
            case ev.RtpAlertRaised() as raised:
                known[_alert_of(entry)] = _raised(entry, raised)
            case ev.RtpAlertAcknowledged(person=person, finding=finding):
                alert = _alert_of(entry)
                known[alert] = replace(
                    known[alert], acknowledged_at=entry.recorded, person=person, finding=finding
                )
            case _:
                pass
    return partial(ALERTS.put, place=folding.place, rows=ALERTS.rows(known.values()))


PROJECTION: Final = Projection(
    name="rtp-alerts",
    version=1,
    topics=(ev.RtpAlertRaised.NAME, ev.RtpAlertAcknowledged.NAME),
    tables=(ALERTS,),
    batch=20_000,
    fold=_fold,
)
