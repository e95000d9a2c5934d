"""Releasing by itself what is due for authorities: in order, nothing twice, none past a block.

What an authority lacks follows from the register, so that a run that was cut off, or comes twice,
goes on where the register ends. A block is on record once for what its controls found.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import orjson
import structlog
from psycopg.types.json import Jsonb

from ledger.domain.refusals import Refusal
from workers.closing import began_at
from workers.days import last_over
from workers.log import alone, connected, sql, transaction
from workers.ports import Ports
from workers.regulators.authority import Authority, Period, Profile, Unit
from workers.regulators.profiles import read_profiles
from workers.regulators.registry import AUTHORITIES
from workers.regulators.release import Blocked, Order, Written, release

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Registration:
    """An authority that the operator tells, and what it knows the operator by."""

    authority: Authority
    profile: Profile

    def order(self, ports: Ports, period: Period) -> Order:
        """The order for a period's records, among the reports, checked where schemas are set."""
        code = self.authority.code
        schemas = None if ports.schemas is None else ports.schemas / code
        return Order(period, self.profile, ports.reports / code, schemas)


def registrations(ports: Ports) -> tuple[Registration, ...]:
    """The authorities that the document of profiles has an entry for; none where none is set.

    Raises `ProfileError` for a document that cannot be used.
    """
    if ports.authorities is None:
        return ()
    profiles = read_profiles(ports.authorities.read_bytes())
    return tuple(Registration(a, profiles[a.code]) for a in AUTHORITIES if a.code in profiles)


def release_next(ports: Ports, registration: Registration) -> Written | Blocked | Refusal | None:
    """Release the records of the oldest period that an authority lacks.

    None where none is due, or another worker is at it, which goes on. What blocks them is put on
    record. Raises as `release` does.
    """
    authority = registration.authority
    with connected(ports) as connection, alone(connection, ports, work_of(authority)) as is_alone:
        period = next(lacking(ports, authority), None) if is_alone else None
        if period is None:
            return None
        done = release(ports, authority, registration.order(ports, period))
        if isinstance(done, Blocked):
            _block(ports, authority, period, done)
        return done


def work_of(authority: Authority) -> str:
    """What one worker does at a time: to release what an authority lacks."""
    return f"due-{authority.code}"


def word_of(outcome: Written | Blocked | Refusal) -> str:
    """What came of a release, in one word."""
    if isinstance(outcome, Refusal):
        return outcome.code.value
    return "blocked" if isinstance(outcome, Blocked) else "released"


def release_due(ports: Ports) -> Mapping[str, int]:
    """Release all that is due, for each authority until one of its releases is blocked."""
    outcomes: Counter[str] = Counter()
    for registration in registrations(ports):
        outcome: Written | Blocked | Refusal | None
        while (outcome := release_next(ports, registration)) is not None:
            outcomes[word_of(outcome)] += 1
            if not isinstance(outcome, Written):
                break
    return outcomes


def lacking(ports: Ports, authority: Authority) -> Iterator[Period]:
    """The periods that are over and were never released, in the order of their ends.

    They begin with the first that was released, or with the book.
    """
    with connected(ports) as connection, transaction(connection) as cursor:
        began = began_at(cursor, ports)
        rows = cursor.execute(sql(_KNOWN, ports.book), (authority.code,)).fetchall()
    known = {row[0] for row in rows}
    if began is None:
        return iter(())
    over = last_over(ports.now())
    due = [p for u in authority.units for p in _periods(authority, u, (began, over), known)]
    return iter(sorted(due, key=lambda p: (p.ends, authority.units.index(p.unit))))


def _periods(
    authority: Authority, unit: Unit, between: tuple[datetime, date], known: set[str]
) -> Iterator[Period]:
    """The periods of a unit that lack, up to the last that closed business days cover."""
    began, over = between
    released = sorted(_first_day(name) for name in known if _unit_of(name) == unit)
    first = began.astimezone(ZoneInfo(authority.zone)).date()
    period = Period(unit, released[0] if released else first, authority.zone).whole
    while period.closed_by <= over:
        if period.name not in known:
            yield period
        period = period.after


def _unit_of(name: str) -> Unit:
    return "month" if len(name) == _MONTH else "day"


def _first_day(name: str) -> date:
    return date.fromisoformat(f"{name}-01" if _unit_of(name) == "month" else name)


def _block(ports: Ports, authority: Authority, period: Period, blocked: Blocked) -> None:
    """Put a block on record: once, until controls find something else."""
    findings = [finding.document() for finding in blocked.findings]
    digest = hashlib.sha256(orjson.dumps(findings)).hexdigest()
    row = (authority.code, period.name, digest, Jsonb(findings), ports.now())
    with connected(ports) as connection:
        connection.execute(sql(_BLOCK, ports.book), row)
    log.error("records-blocked", authority=authority.code, period=period.name, findings=findings)


@dataclass(frozen=True, slots=True)
class Registered:
    """A line of the register: a release, or what blocked one; the newest block has no release."""

    authority: str
    period: str
    edition: int | None
    """None for a block."""
    at: datetime
    told: Any
    """The names of the files, or what controls found."""


def register(ports: Ports) -> tuple[Registered, ...]:
    """What was released and blocked, in the order of time."""
    with connected(ports, "reader") as connection, transaction(connection) as cursor:
        return tuple(
            Registered(*row) for row in cursor.execute(sql(_REGISTER, ports.book)).fetchall()
        )


_MONTH: Final = len("2026-11")

_KNOWN: Final = "SELECT DISTINCT period FROM {book}.p_releases WHERE authority = %s"

_BLOCK: Final = """
INSERT INTO {book}.p_release_blocks (authority, period, digest, findings, blocked_at)
VALUES (%s, %s, %s, %s, %s) ON CONFLICT (authority, period, digest) DO NOTHING
"""

_REGISTER: Final = """
SELECT authority, period, edition, produced_at AS at,
       (SELECT jsonb_agg(name ORDER BY name) FROM jsonb_object_keys(files) AS name)
  FROM {book}.p_releases
 UNION ALL
SELECT authority, period, NULL, blocked_at, findings FROM {book}.p_release_blocks
 ORDER BY at, authority, period, edition
"""
