"""One run of all benchmarks on a private server, whose commits are durable as always."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import psycopg

from ops.benchmarks import (
    day,
    dealing,
    enumerating,
    latency,
    packaging,
    publishing,
    quoting,
    reading,
    sealing,
    tables,
    throughput,
)
from ops.benchmarks.callers import Callers, sessions_of
from ops.benchmarks.day import Tell
from ops.benchmarks.lines import Line
from ops.embedded import temporary_cluster


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    callers: int = 8
    sessions: int = 25
    """Sessions of each caller."""
    turns: int = 8
    """Turns of each side that count; the first one more does not."""
    each: int = 200
    """Rounds of each caller in a turn."""
    waits: int = 1_000
    table_rounds: int = 10
    """Rounds of a live table in a turn, each way."""
    games: int = 5
    """Games of a table that deals, in a turn."""
    events: int = 120_000
    """Events to seal, alone and again beside all writers."""
    leaves: int = 10_000_000
    """Leaves of the tree that one is proved in."""
    lines: int = 5_000
    hands: int = 50_000
    days: tuple[int, ...] = (10_000, 100_000)
    """Rounds of the days that are reconciled and reported, from the smallest on."""

    @classmethod
    def of(cls, seconds: int) -> Self:
        """The size whose rounds take about so long: a turn of all sides is some ten seconds."""
        return cls(turns=max(2, seconds // 10))


def run(home: Path, size: Size, tell: Tell = lambda _: None) -> list[Line]:
    """Measure everything; the lines in the order of the table."""
    with temporary_cluster(home / "server", with_broker=False) as conninfo:
        _assert_durable(conninfo)
        tell("opening the books")
        for side in (*throughput.SIDES, *latency.SIDES, tables.SIDE, dealing.SIDE):
            side.open(conninfo)
        lines = list(_with_callers(conninfo, size, tell))
        tell("replay")
        lines.append(reading.replay(conninfo, home, throughput.MANY, sessions_of(0, size.sessions)))
        tell("waits of one caller")
        lines += latency.measure(conninfo, size.waits)
        tell("tiles")
        lines += publishing.measure(conninfo, home, throughput.MANY, size.turns)
        lines.append(publishing.prove(home, size.leaves, size.turns))
        tell("rounds of a live table")
        lines += tables.measure(conninfo, size.turns, size.table_rounds)
        tell("games of a table that deals")
        lines.append(dealing.measure(conninfo, size.turns, size.games))
        tell("projection")
        lines.append(reading.project(conninfo, home, throughput.MANY, size.turns))
        tell("packages")
        lines += packaging.measure(conninfo, home, throughput.MANY)
        lines += day.measure(conninfo, home, size.days, tell)
    return [*lines, *_without_server(size, tell)]


def run_days(home: Path, days: Sequence[int], tell: Tell = lambda _: None) -> list[Line]:
    """Measure whole days alone, from the smallest on."""
    with temporary_cluster(home / "server", with_broker=False) as conninfo:
        _assert_durable(conninfo)
        return day.measure(conninfo, home, sorted(days), tell)


def _without_server(size: Size, tell: Tell) -> Iterator[Line]:
    tell("quotes")
    yield quoting.measure(size.turns, size.lines)
    tell("perfect play")
    yield from enumerating.measure(size.turns, size.hands)


def _with_callers(conninfo: str, size: Size, tell: Tell) -> Iterator[Line]:
    with Callers(conninfo, throughput.SIDES, size.callers, size.sessions) as callers:
        tell(f"rounds of {size.callers} callers")
        yield from throughput.measure(callers, size.turns, size.each)
        tell("seal")
        yield from sealing.measure(conninfo, callers, throughput.MANY, size.events)
    sealing.seal_all(conninfo, throughput.MANY)
    tell("read and fold")
    sessions = sessions_of(0, size.sessions)
    yield reading.read_and_fold(conninfo, throughput.MANY, sessions, size.turns)


def _assert_durable(conninfo: str) -> None:
    """No figure counts that is bought with a commit which may be lost."""
    with psycopg.connect(conninfo) as connection:
        for name in ("fsync", "synchronous_commit"):
            row = connection.execute(f"SHOW {name}".encode()).fetchone()
            assert row == ("on",), (name, row)
