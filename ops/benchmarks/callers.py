"""Callers: processes that play rounds at the same time, as many services of one book would.

Processes and not threads, on all sides: a concession runs several services, and threads of one
interpreter would take turns at a single core.
"""

import multiprocessing as mp
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, Final, Self
from uuid import UUID

import psutil
import psycopg

from ledger.domain.commands import PlayRound
from ledger.service import Service
from ops import clock
from ops.benchmarks.concession import Side, accepted, identities, rounds, seated, service
from ops.collector import look_seldom

_START: Final = "forkserver"  # no connection and no thread of this process is inherited


@dataclass(frozen=True, slots=True)
class Work:
    """What each caller plays: a side, and how many rounds."""

    side: Side
    rounds: int


@dataclass(frozen=True, slots=True)
class Report:
    """One caller's turn: when it began and ended by the machine's clock, and its processor time."""

    began: float
    ended: float
    busy: float


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of all callers."""

    rounds: int
    seconds: float
    busy: float
    """Processor seconds of all callers."""
    server: float
    """Processor seconds of the server's processes."""

    @property
    def rate(self) -> float:
        """Rounds a second."""
        return self.rounds / self.seconds


@dataclass(slots=True)
class Callers:
    """Callers with a seat for each of their sessions on every side."""

    conninfo: str
    sides: Sequence[Side]
    callers: int
    sessions: int
    _pipes: list[Connection] = field(default_factory=list)
    _processes: list[Any] = field(default_factory=list)
    _server: float = 0

    def __enter__(self) -> Self:
        context = mp.get_context(_START)
        for number in range(self.callers):
            ours, theirs = context.Pipe()
            what = (theirs, self.conninfo, tuple(self.sides), (number, self.sessions))
            process = context.Process(target=_call, args=what, daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)
        self._hear()
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(timeout=10)
            process.kill()

    def play(self, side: Side, each: int) -> Turn:
        """Let every caller play `each` rounds, all at once."""
        self.begin(side, each)
        return self.end(each)

    def begin(self, side: Side, each: int) -> None:
        """Start a turn: the commands are made first, then all begin at once."""
        self._say(Work(side, each))
        self._hear()
        self._server = server_seconds(self.conninfo)
        self._say("go")

    def end(self, each: int) -> Turn:
        """Wait until all are done."""
        reports = self._hear()
        seconds = max(r.ended for r in reports) - min(r.began for r in reports)
        server = server_seconds(self.conninfo) - self._server
        return Turn(each * self.callers, seconds, sum(r.busy for r in reports), server)

    def are_done(self) -> bool:
        """Whether every caller has ended its turn."""
        return all(pipe.poll() for pipe in self._pipes)

    def _say(self, word: object) -> None:
        for pipe in self._pipes:
            pipe.send(word)

    def _hear(self) -> list[Any]:
        return [pipe.recv() for pipe in self._pipes]


def server_seconds(conninfo: str) -> float:
    """Processor seconds that the server's processes have used, those of open connections alone."""
    with psycopg.connect(conninfo) as connection:
        postmaster = psutil.Process(connection.info.backend_pid).parent()
        assert postmaster is not None
        spent = [each.cpu_times() for each in postmaster.children()]
    return float(sum(s.user + s.system for s in spent))


def sessions_of(number: int, seats: int) -> list[UUID]:
    """The sessions of one caller."""
    fresh = identities(f"sessions of {number}")
    return [fresh() for _ in range(seats)]


def _call(pipe: Connection, conninfo: str, sides: Sequence[Side], who: tuple[int, int]) -> None:
    """What a caller's process does: sit down on every side, then play what it is told."""
    look_seldom()
    number, seats = who
    tables = {side: _Table(conninfo, side, number, seats) for side in sides}
    pipe.send("seated")
    while True:
        try:
            work: Work = pipe.recv()
        except (EOFError, ConnectionResetError):
            return
        table = tables[work.side]
        commands = list(islice(table.rounds, work.rounds))
        pipe.send("ready")
        pipe.recv()
        pipe.send(table.play(commands))


class _Table:
    """One caller's sessions on one side."""

    def __init__(self, conninfo: str, side: Side, number: int, seats: int) -> None:
        self._batch = side.batch
        self._service: Service = service(side.store(conninfo), seed=number)
        sessions, fresh = sessions_of(number, seats), identities(f"commands of {number}")
        for seat, session in enumerate(sessions):
            player = f"player-{number}-{seat}"
            commands = seated(player, session, fresh)
            accepted(self._service.handle_many(commands, clock.now()))
        self.rounds = rounds(sessions, fresh)

    def play(self, commands: Sequence[PlayRound]) -> Report:
        """Handle the commands, one or many in a save."""
        began, busy = time.monotonic(), time.process_time()
        if self._batch == 1:
            for command in commands:
                accepted((self._service.handle(command, clock.now()),))
        else:
            for start in range(0, len(commands), self._batch):
                batch = commands[start : start + self._batch]
                accepted(self._service.handle_many(batch, clock.now()))
        return Report(began, time.monotonic(), time.process_time() - busy)
