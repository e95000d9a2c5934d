"""Taking in the statements that are put into a folder: each once, by what it holds.

A channel has a folder of its name with its `mapping.json`. What was taken in is moved into `taken`,
what cannot be read into `quarantine` with its reason beside it. The register says what was taken,
so that the same bytes under another name, or after a crash, are moved and not matched again. A name
that begins with a dot is not looked at: a file is written under one and then given its own.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Final

import structlog

from ledger.files import sync_folder, write_whole
from ledger.reconciliation.mapping import StatementError, StatementMapping, read_mapping
from workers.days import day_of
from workers.log import alone, connected, sql
from workers.ports import Connection, Ports
from workers.reconciliation.statement import Statement, loaded, reconcile_statement

MAPPING: Final = "mapping.json"
TAKEN: Final = "taken"
QUARANTINE: Final = "quarantine"
REASON: Final = ".reason.txt"

KNOWN: Final = "known"
QUARANTINED: Final = "quarantined"
GOES_ON: Final = (TAKEN, KNOWN, QUARANTINED)
"""Outcomes after which another statement may wait."""
BUSY: Final = "busy"
CHANGING: Final = "changing"

WORK: Final = "statements"
"""What is done by one worker at a time."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Arrival:
    """A statement that was put down, and what its bytes were when it was looked at."""

    path: Path
    digest: str
    size: int
    changed: int

    @property
    def channel(self) -> str:
        """The channel that it is of."""
        return self.path.parent.name

    @property
    def name(self) -> str:
        """The file's name, as text whatever bytes it has."""
        return self.path.name.encode(errors="replace").decode()

    def is_same(self) -> bool:
        """Whether nobody has written to the file since."""
        now = self.path.stat()
        return (now.st_size, now.st_mtime_ns) == (self.size, self.changed)


@dataclass(frozen=True, slots=True)
class Taken:
    """A statement that was taken in, as the register has it; `found` is how many differences."""

    channel: str
    name: str
    digest: str
    first_day: date
    last_day: date
    lines: int
    agreeing: int
    found: int
    taken_at: datetime


def taken(ports: Ports) -> list[Taken]:
    """The statements that were taken in, the newest first."""
    with connected(ports, "reader") as connection:
        return [Taken(*row) for row in connection.execute(sql(_REGISTER, ports.book)).fetchall()]


def take_statements(ports: Ports) -> Mapping[str, int]:
    """Take in every statement that was put down; how many came to what."""
    outcomes: Counter[str] = Counter()
    while (outcome := take_next(ports)) is not None:
        outcomes[outcome] += 1
        if outcome not in GOES_ON:
            break
    return outcomes


def take_next(ports: Ports) -> str | None:
    """Take in the first statement by channel and name that can be; one word for the outcome.

    None where no statement waits, or none but those that cannot be read or moved.
    """
    with connected(ports) as connection, alone(connection, ports, WORK) as is_alone:
        if not is_alone:
            return BUSY
        left = None
        for path in _waiting(ports.statements):
            try:
                outcome = _take(connection, ports, _look(path))
            except OSError as error:
                log.warning("statement-left", file=str(path), why=error.strerror)
                continue
            if outcome != CHANGING:
                return outcome
            left = outcome
        return left


def _waiting(folder: Path | None) -> Iterator[Path]:
    """What was put down, by channel and name."""
    if folder is None or not folder.is_dir():
        return
    for channel in sorted(path for path in folder.iterdir() if path.is_dir()):
        for path in sorted(channel.iterdir()):
            if path.is_file() and path.name != MAPPING and not path.name.startswith("."):
                yield path


def _look(path: Path) -> Arrival:
    stood = path.stat()
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Arrival(path, digest, stood.st_size, stood.st_mtime_ns)


def _take(connection: Connection, ports: Ports, arrival: Arrival) -> str:
    place = (arrival.channel, arrival.digest)
    if connection.execute(sql(_KNOWN, ports.book), place).fetchone() is not None:
        _move(arrival, TAKEN)
        return KNOWN
    try:
        mapping = _mapping_of(arrival)
        with arrival.path.open("rb") as file, loaded(ports, file, mapping) as statement:
            if not arrival.is_same():
                return CHANGING
            _match(connection, ports, arrival, statement)
    except StatementError as error:
        if not arrival.is_same():
            return CHANGING
        _quarantine(arrival, str(error))
        return QUARANTINED
    if not arrival.is_same():
        return CHANGING  # another statement stands there now, which was not matched
    _move(arrival, TAKEN)
    return TAKEN


def _mapping_of(arrival: Arrival) -> StatementMapping:
    """The mapping of a channel's folder; raise `StatementError` where it is of another one."""
    try:
        mapping = read_mapping((arrival.path.parent / MAPPING).read_bytes())
    except OSError as error:
        raise StatementError(f"The folder's {MAPPING} cannot be read: {error.strerror}.") from None
    if mapping.channel != arrival.channel:
        raise StatementError(f"The folder's {MAPPING} is of the channel {mapping.channel}.")
    return mapping


def _match(connection: Connection, ports: Ports, arrival: Arrival, statement: Statement) -> None:
    """Match a statement and register it; cut off in between, it is matched again to the same."""
    period = statement.period
    if period is None:
        raise StatementError("The statement has no lines; compare its days by hand.")
    if period.last > day_of(ports.now()):
        raise StatementError(f"{period.last} has not begun; are day and month in their places?")
    outcome, agreeing = reconcile_statement(ports, statement, period)
    days = (period.first, period.last)
    counts = (statement.lines, agreeing, len(outcome.found))
    place = (arrival.channel, arrival.digest, arrival.name)
    connection.execute(sql(_TAKE, ports.book), (*place, *days, *counts, ports.now()))
    log.info("statement-taken", channel=arrival.channel, file=arrival.name, found=counts[2])


def _quarantine(arrival: Arrival, reason: str) -> None:
    """Move a statement away with the reason beside it, which comes first: it is there for good."""
    target = _target(arrival, QUARANTINE)
    write_whole(target.with_name(target.name + REASON), f"{reason}\n".encode())
    _move(arrival, QUARANTINE)
    log.error("statement-quarantined", channel=arrival.channel, file=arrival.name, why=reason)


def _move(arrival: Arrival, where: str) -> None:
    target = _target(arrival, where)
    target.parent.mkdir(exist_ok=True)
    arrival.path.rename(target)
    sync_folder(target.parent)
    sync_folder(arrival.path.parent)


def _target(arrival: Arrival, where: str) -> Path:
    """Where a statement goes: its digest keeps apart what came under the same name."""
    name = f"{arrival.path.stem}.{arrival.digest[:12]}{arrival.path.suffix}"
    return arrival.path.parent / where / name


_KNOWN: Final = "SELECT 1 FROM {book}.p_statements WHERE (channel, digest) = (%s, %s)"

_REGISTER: Final = """
SELECT channel, name, digest, first_day, last_day, lines, agreeing, found, taken_at
  FROM {book}.p_statements ORDER BY taken_at DESC, channel, name
"""

_TAKE: Final = """
INSERT INTO {book}.p_statements
       (channel, digest, name, first_day, last_day, lines, agreeing, found, taken_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (channel, digest) DO NOTHING
"""
