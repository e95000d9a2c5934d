"""Checks of the book against itself are made in bites, so that none outlives a task's time limit.

A bite tells what it found and what the next one must be given. A run of a check that workers make
is kept between its bites in a row of its own: the newest run alone, whose bites are made one after
another, each once. What is carried decides what is found, so that each row is attested with a key
that the database does not hold (G5): a row that was changed is not gone on from.
"""

import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from ledger.domain.refusals import Fault
from ledger.reconciliation.discrepancies import Discrepancy
from workers.log import Cursor, connected, sql, transaction
from workers.ports import Ports


@dataclass(frozen=True, slots=True)
class Bite:
    """What one bite of a check found, and what the next one is given; None after the last."""

    found: tuple[Discrepancy, ...]
    carried: bytes | None = None


def _nothing(_: Ports, __: bytes) -> None:
    """What most checks leave behind."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check, which may look at everything that is sealed and folded up to a size."""

    name: str
    bite: Callable[[Ports, int, bytes | None], Bite]
    """Goes on from what is carried, or begins."""
    leave: Callable[[Ports, bytes], None] = _nothing
    """Takes away what a run has made that is not gone on with."""
    reads_projections: bool = True
    """Not so where rows are read as they are, which can tell which of them nobody can read."""


@dataclass(frozen=True, slots=True)
class CheckRun:
    """A run of a check between two bites."""

    begun: datetime
    """A later one takes its place."""
    size: int
    """How many events were sealed and folded then."""
    bites: int = 0
    found: tuple[Discrepancy, ...] = ()
    carried: bytes | None = None
    is_over: bool = False

    def after(self, bite: Bite, most: int) -> "CheckRun":
        """The run after one more bite; over, too, where it found more than may be told."""
        found = (*self.found, *bite.found)
        is_over = bite.carried is None or len(found) > most
        return replace(
            self, bites=self.bites + 1, found=found, carried=bite.carried, is_over=is_over
        )


class Forged(Fault):
    """What a run carried is not what a worker wrote; the next run begins anew."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The row of a check: the run and the bite that it tells of, by which it may be replaced."""

    begun: datetime
    bites: int
    run: CheckRun | None
    """None where the row was changed by force, so that nothing in it can be relied on."""


def load(cursor: Cursor, ports: Ports, name: str) -> Kept | None:
    """The row of a check; None before its first run."""
    found = cursor.execute(sql(_LOAD, ports.book), {"name": name}).fetchone()
    if found is None:
        return None
    *values, signature = found
    row = _Row(*values)
    attested = ports.is_attested(row.message(ports.book, name), signature)
    return Kept(row.begun, row.bites, row.read() if attested else None)


def save(ports: Ports, name: str, before: Kept | None, after: CheckRun) -> bool:
    """Keep a run in the place of what was read; False where another worker was quicker."""
    found = orjson.dumps(after.found)
    row = _Row(after.begun, after.size, after.bites, found, after.carried, after.is_over)
    values = asdict(row) | {
        "name": name,
        "signature": ports.attest(row.message(ports.book, name)),
        "was_begun": before and before.begun,
        "had_bites": before and before.bites,
    }
    with connected(ports) as connection, transaction(connection) as cursor:
        return cursor.execute(sql(_SAVE, ports.book), values).rowcount == 1


@dataclass(frozen=True, slots=True)
class _Row:
    """A run as it is kept."""

    begun: datetime
    size: int
    bites: int
    found: bytes
    carried: bytes | None
    is_over: bool

    def read(self) -> CheckRun:
        """The run that it tells of."""
        found = tuple(map(_discrepancy, orjson.loads(self.found)))
        return CheckRun(self.begun, self.size, self.bites, found, self.carried, self.is_over)

    def message(self, book: str, name: str) -> bytes:
        """What is attested of it; no other message reads so."""
        hashes = (hashlib.sha256(part or b"").hexdigest() for part in (self.found, self.carried))
        state = (self.size, self.bites, self.carried is None, self.is_over)
        told = (book, name, self.begun.astimezone(UTC).isoformat(), *state, *hashes)
        return b"reconciliation-bite/v1\n" + orjson.dumps(told)


def _discrepancy(told: dict[str, Any]) -> Discrepancy:
    return Discrepancy(**told | {"since": datetime.fromisoformat(told["since"])})


_LOAD: Final = """
SELECT begun, size, bites, found, carried, is_over, signature FROM {book}.check_runs
 WHERE name = %(name)s
"""

_SAVE: Final = """
INSERT INTO {book}.check_runs AS kept
       (name, begun, size, bites, found, carried, is_over, signature)
VALUES (%(name)s, %(begun)s, %(size)s, %(bites)s, %(found)s, %(carried)s, %(is_over)s,
        %(signature)s)
ON CONFLICT (name) DO UPDATE
   SET (begun, size, bites, found, carried, is_over, signature) = (
       EXCLUDED.begun, EXCLUDED.size, EXCLUDED.bites, EXCLUDED.found, EXCLUDED.carried,
       EXCLUDED.is_over, EXCLUDED.signature)
 WHERE (kept.begun, kept.bites) = (%(was_begun)s, %(had_bites)s)
"""
