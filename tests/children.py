"""Processes of their own, to be killed: `python -m tests.children VERB`, told by a pickle on stdin.

A child that is told a point stops there for ever and says so; the product itself knows no points.
"""

import os
import pickle
import pkgutil
import random
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from psycopg import OperationalError

from ledger.domain import commands as cmd
from ledger.seal.publishing import Log, Publisher
from ledger.store.recorder import BookRecorder
from ops.fairplay import Wish
from tests.fairplay_desk import SHEET, fair_desk
from tests.house import RED, House, at_house, deposit_order, order, play_order, withdraw_order
from tests.racing import at_once

PATIENCE_SECONDS = 60
ROOT = Path(__file__).parents[1]
THERE = "there"
DONE = "done"


@dataclass
class Child:
    """A running child and what it says."""

    process: subprocess.Popen[bytes]

    def line(self) -> str:
        """The next line that it says; empty when it has ended."""
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE_SECONDS)
        assert ready, "the child is silent"
        return self.process.stdout.readline().decode().strip()

    def until(self, said: str) -> None:
        """Wait until it says something."""
        while (line := self.line()) != said:
            assert line, "the child ended"

    def kill(self) -> list[str]:
        """End it without warning; the whole lines that it had said and nobody read."""
        assert self.process.poll() is None, "the child ended by itself"
        self.process.kill()
        rest, _ = self.process.communicate(timeout=PATIENCE_SECONDS)
        return rest.decode().rpartition("\n")[0].splitlines()


@contextmanager
def child(verb: str, house: House, *told: Any) -> Iterator[Child]:
    """Start a child over the book of a house; it is gone at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.children", verb],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    )
    assert process.stdin is not None
    process.stdin.write(pickle.dumps((house.conninfo, house.book, told)))
    process.stdin.close()
    process.stdin = None
    try:
        yield Child(process)
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE_SECONDS)


def say(word: object) -> None:
    """Tell the parent, a whole line at once."""
    os.write(sys.stdout.fileno(), f"{word}\n".encode())


def stop_at(point: str) -> None:
    """Make `module:Class.method:before` or `...:after` a place where the process stops for ever."""
    path, _, when = point.rpartition(":")
    owner_path, _, name = path.rpartition(".")
    owner = pkgutil.resolve_name(owner_path)
    method: Callable[..., Any] = getattr(owner, name)

    def stopping(*args: Any, **kwargs: Any) -> Any:
        if when == "before":
            _halt()
        result = method(*args, **kwargs)
        _halt()
        return result

    setattr(owner, name, stopping)


def _halt() -> None:
    say(THERE)
    signal.pause()


def ask(house: House, commands: Sequence[cmd.Command], point: str | None) -> None:
    """Answer commands one by one, stopping at a point if there is one."""
    if point is not None:
        stop_at(point)
    for command in commands:
        house.ask(command)
    say(DONE)


def seal(house: House, point: str | None) -> None:
    """Seal to the end, stopping at a point if there is one."""
    if point is not None:
        stop_at(point)
    house.seal()
    say(DONE)


def seal_on(house: House, batch: int) -> None:
    """Seal for ever in small steps."""
    with house.connected("sealer") as connection:
        while True:
            house.sealer.step(connection, batch)


def churn(house: House, players: Sequence[str], seats: Sequence[UUID], seed: int) -> None:
    """Two writers that play and pay for ever, by saves in savepoints, some of them rolled back.

    Each id is said after its command was answered.
    """
    _save_badly(random.Random(seed))
    at_once(*(partial(_write, house, players, seats, seed + n) for n in range(2)))


def _write(house: House, players: Sequence[str], seats: Sequence[UUID], seed: int) -> None:
    dice = random.Random(seed)
    while True:
        commands = [_some(dice, players, seats) for _ in range(dice.choice([1, 1, 1, 8]))]
        if len(commands) == 1:
            house.ask(commands[0])
        else:
            house.service.handle_many(commands, house.now)
        for command in commands:
            say(command.id)


def _some(dice: random.Random, players: Sequence[str], seats: Sequence[UUID]) -> cmd.Command:
    seat = dice.choice(seats)
    player = dice.choice(players)
    return dice.choice(
        [
            deposit_order(player, 2_00),
            withdraw_order(player, 3_00),
            play_order(seat, RED),
            play_order(seat, {"announced": "voisins", "chip": "1.00"}),
            order(cmd.RefundBets, session=seat, placed_by=uuid4(), reason="late"),
        ]
    )


def _save_badly(dice: random.Random) -> None:
    def insert(self: BookRecorder, stored: Any, **kwargs: Any) -> None:
        parameters = (*kwargs["admission"].parameters(), *_columns(stored))
        with self.datastore.get_connection() as connection, connection.transaction():
            with connection.transaction():
                connection.execute(self._insert, parameters, binary=True)
            if dice.random() < 0.1:
                raise OperationalError("rolled back by the test")

    module = pkgutil.resolve_name("ledger.store.recorder")
    _columns = module._columns
    BookRecorder.insert_events = insert  # type: ignore[method-assign]


def fairplay(house: House, told: dict[str, Any], verb: str, *about: Any) -> None:
    """Do a step of a series at a desk of its own, stopping at a point; `told` says where and when.

    The steps are `prepare PLAYER COMMAND`, `spin SESSION SERIES COMMAND`, `reveal SERIES` and
    `retire SERIES`.
    """
    house.now = told["now"]
    at = fair_desk(house, told["folder"])
    stop_at(told["point"])
    steps: dict[str, Callable[..., Any]] = {
        "prepare": lambda player, by: at.fairplay.prepare(Wish(player, SHEET, 5), by),
        "spin": lambda session, series, by: at.spin(session, series, command=by),
        "reveal": at.reveal,
        "retire": at.fairplay.retire,
    }
    steps[verb](*about)
    say(DONE)


DISK_STEPS = ("fsync", "replace", "unlink", "rmdir", "mkdir")


def publish_and_die(house: House, start: Path, killed: Path) -> None:
    """Publish into copies of a folder, killed before the first step on the disk, the second ...

    The last copy, where nothing was left to be killed at, is published to its end.
    """
    for step in count(1):
        out = killed / f"{step:03}"
        shutil.copytree(start, out)
        process = os.fork()
        if not process:
            _die_at_step(step)
            with house.connected() as connection:
                Publisher(Log(connection, house.book), house.trust, out).publish()
            os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0:
            break
    say(DONE)


def _die_at_step(step: int) -> None:
    """Kill this process before its next call to the disk of this number."""
    taken = count(1)

    def dying(call: Callable[..., Any]) -> Callable[..., Any]:
        def stepped(*args: Any, **kwargs: Any) -> Any:
            if next(taken) == step:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **kwargs)

        return stepped

    for name in DISK_STEPS:
        setattr(os, name, dying(getattr(os, name)))


VERBS: dict[str, Callable[..., None]] = {
    f.__name__: f for f in (ask, seal, seal_on, churn, fairplay, publish_and_die)
}


def main() -> None:
    """Do one verb."""
    conninfo, book, told = pickle.load(sys.stdin.buffer)
    with at_house(conninfo, book) as house:
        VERBS[sys.argv[1]](house, *told)


if __name__ == "__main__":
    main()
