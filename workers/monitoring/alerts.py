"""The duty that looks at returns and outcomes of closed days, and raises alerts through the book.

Each day is looked at once, from the checkpoint that closed it. An alert's id is made from what it
is about, so that a look that is killed and made again raises nothing twice (guarantee G3). What is
raised and not yet answered is not raised again, nor is a warning beside an alarm.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal
from uuid import uuid5

from ledger.domain.commands import RaiseRtpAlert
from ledger.domain.ids import NAMESPACE
from workers.closing import Closing, closing_of
from workers.days import Days, day_of
from workers.duties import ACTOR, DONE, Outcomes as Ended
from workers.log import Cursor, connected, sealed_size, sql, transaction
from workers.monitoring.looks import (
    EVIDENCE,
    LEAST_ROUNDS,
    THRESHOLDS,
    Grade,
    graded,
    is_end_of_window,
    look_of,
    spent,
)
from workers.monitoring.standing import (
    Key,
    Outcomes,
    Returns,
    before,
    outcomes,
    periods,
    returns,
    subject_of,
)
from workers.ports import Ports
from workers.projections import rtp, rtp_alerts
from workers.projections.base import catch_up

Statistic = Literal["returns", "outcomes"]
Period = Literal["30-days", "life"]


@dataclass(frozen=True, slots=True)
class Subject:
    """What a look is at."""

    statistic: Statistic
    sheet: str
    sheet_version: int
    subject: str
    """A currency, or a kind of draw with its live table."""
    period: Period
    days: Days


@dataclass(frozen=True, slots=True)
class Finding:
    """A value beyond a threshold, with how many draws it comes of."""

    of: Subject
    grade: Grade
    value: float
    threshold: float
    rounds: int

    def command(self, closing: Closing) -> RaiseRtpAlert:
        """The command that raises it, the same whenever it is made for the same look."""
        of, checkpoint = self.of, closing.checkpoint
        return RaiseRtpAlert(
            id=uuid5(NAMESPACE, self._name()),
            actor=ACTOR,
            grade=self.grade,
            statistic=of.statistic,
            sheet=of.sheet,
            sheet_version=of.sheet_version,
            subject=of.subject,
            period=of.period,
            first_day=of.days.first,
            last_day=of.days.last,
            value=f"{self.value:.3f}",
            threshold=f"{self.threshold:.3f}",
            rounds=self.rounds,
            checkpoint_size=checkpoint.size,
            checkpoint_root=checkpoint.root.hex(),
        )

    def _name(self) -> str:
        of = self.of
        what = (of.statistic, of.sheet, str(of.sheet_version), of.subject, of.period)
        return ":".join(("rtp-alert", self.grade, *what, str(of.days.first), str(of.days.last)))


@dataclass(frozen=True, slots=True)
class Raised:
    """An alert on record, as far as later looks ask for it."""

    grade: Grade
    statistic: Statistic
    sheet: str
    sheet_version: int
    subject: str
    period: Period
    first_day: date
    acknowledged_at: datetime | None

    def is_about(self, of: Subject) -> bool:
        """Whether it is about the same as a look."""
        mine = (self.statistic, self.sheet, self.sheet_version, self.subject, self.period)
        return mine == (of.statistic, of.sheet, of.sheet_version, of.subject, of.period)


def watch_returns(ports: Ports) -> Ended:
    """Look at each closed day that was not looked at, oldest first; how many alerts were raised."""
    ended: Counter[str] = Counter()
    for closing in _unseen(ports):
        ended.update(_look(ports, closing))
    return ended


def _look(ports: Ports, closing: Closing) -> Mapping[str, int]:
    catch_up(ports, (rtp.PROJECTION,), closing.checkpoint.size)
    with connected(ports) as connection, transaction(connection, frozen=True) as cursor:
        size = sealed_size(cursor, ports.book)
    catch_up(ports, (rtp_alerts.PROJECTION,), size)
    with connected(ports) as connection, transaction(connection, frozen=True) as cursor:
        findings = tuple(find(cursor, ports, closing.day))
    answers = [ports.handle(finding.command(closing)).refusal or DONE for finding in findings]
    if answers:
        ports.seal()
    with connected(ports) as connection:
        values = (closing.day, len(findings), ports.now())
        connection.execute(sql(_LOOKED, ports.book), values)
    return Counter(answers)


def _unseen(ports: Ports) -> tuple[Closing, ...]:
    with connected(ports) as connection:
        days = connection.execute(sql(_UNSEEN, ports.book)).fetchall()
        found = (closing_of(connection, ports.book, day) for (day,) in days)
        return tuple(closing for closing in found if closing is not None)


def find(cursor: Cursor, ports: Ports, day: date) -> Iterator[Finding]:
    """What the looks of a day find, without what is on record already."""
    row = cursor.execute(sql(_FIRST, ports.book)).fetchone()
    first = day if row is None or row[0] is None else row[0]
    rows = cursor.execute(sql(_RAISED, ports.book)).fetchall()
    raised = tuple(Raised(*row) for row in rows)
    found = [*_windows(cursor, ports, first, day), *_lives(cursor, ports, first, day)]
    yield from (f for f in found if not _is_raised(f, raised))
    yield from _fallen(cursor, ports, Days(first, day), raised)


def _windows(cursor: Cursor, ports: Ports, first: date, day: date) -> Iterator[Finding]:
    """The look at a run of 30 days, on its last day."""
    if is_end_of_window(first, day):
        window = periods(day)["30-days"]
        for key, stands in returns(cursor, ports, window).items():
            if stands.draws >= LEAST_ROUNDS:
                yield from _beyond(_returns_of(key, "30-days", window), stands, THRESHOLDS)


def _lives(cursor: Cursor, ports: Ports, first: date, day: date) -> Iterator[Finding]:
    """The look at returns since the start, where the rounds have doubled."""
    life = Days(first, day)
    earlier = returns(cursor, ports, before(life))
    for key, stands in returns(cursor, ports, life).items():
        look = look_of(earlier.get(key, Returns()).draws, stands.draws)
        if look is not None:
            yield from _beyond(_returns_of(key, "life", life), stands, spent(look))


def _returns_of(key: Key, period: Period, days: Days) -> Subject:
    sheet, version, currency = key
    return Subject("returns", sheet, version, currency, period, days)


def _beyond(of: Subject, stands: Returns, thresholds: Mapping[Grade, float]) -> Iterator[Finding]:
    if stands.z is not None and (grade := graded(stands.z, thresholds)) is not None:
        yield Finding(of, grade, stands.z, thresholds[grade], stands.draws)


def _fallen(
    cursor: Cursor, ports: Ports, life: Days, raised: tuple[Raised, ...]
) -> Iterator[Finding]:
    """The look at outcomes, each kind of draw since its last finding."""
    for key in outcomes(cursor, ports, life):
        sheet, version, live_table, draw = key
        name = subject_of(live_table, draw)
        whole = Subject("outcomes", sheet, version, name, "life", life)
        since = Days(_begins(whole, raised), life.last)
        fell = outcomes(cursor, ports, since).get(key)
        if fell is not None:
            of = Subject("outcomes", sheet, version, name, "life", since)
            yield from (f for f in _evident(of, fell) if not _is_raised(f, raised))


def _begins(of: Subject, raised: Iterable[Raised]) -> date:
    """The day after the last finding on a kind of draw, or the first day."""
    found = [r.acknowledged_at for r in raised if r.is_about(of) and r.acknowledged_at is not None]
    return day_of(max(found)) + timedelta(days=1) if found else of.days.first


def _evident(of: Subject, fell: Outcomes) -> Iterator[Finding]:
    grade = graded(max(fell.evidence, 0.0), EVIDENCE)
    if grade is not None:
        yield Finding(of, grade, fell.evidence, EVIDENCE[grade], fell.total)


def _is_raised(finding: Finding, raised: Iterable[Raised]) -> bool:
    """Whether an alert as grave waits for its finding on the same."""
    of = finding.of
    return any(
        r.is_about(of)
        and r.acknowledged_at is None
        and r.first_day == of.days.first
        and r.grade in (finding.grade, "alarm")
        for r in raised
    )


_UNSEEN: Final = """
SELECT day FROM {book}.day_closings LEFT JOIN {book}.p_rtp_looks AS looks USING (day)
 WHERE looks.day IS NULL ORDER BY day
"""

_FIRST: Final = "SELECT min(day) FROM {book}.day_closings"

_LOOKED: Final = """
INSERT INTO {book}.p_rtp_looks (day, alerts, looked_at) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING
"""

_RAISED: Final = """
SELECT grade, statistic, sheet, sheet_version, subject, period, first_day, acknowledged_at
  FROM {book}.p_rtp_alerts ORDER BY raised_at, alert
"""
