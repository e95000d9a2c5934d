"""Processes that one program starts and ends: the embedded server and a Celery worker."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, TypeVar

from ledger.domain.refusals import Fault
from ops import embedded, migrate
from ops.settings import Settings
from ops.stopping import undisturbed
from workers.app import QUIET

WORKER_STOPS_SECONDS: Final = 10
LOOKS: Final = 240
LOOK_SECONDS: Final = 0.5

R = TypeVar("R")


class TooSlow(Fault):
    """What was waited for did not come in time."""


def wait_for(look: Callable[[], R | None], what: str) -> R:
    """What `look` finds in the end; raise `TooSlow` after two minutes."""
    for _ in range(LOOKS):
        found = look()
        if found:
            return found
        time.sleep(LOOK_SECONDS)
    raise TooSlow(f"The worker did not finish {what}; its log is in the data folder.")


@contextmanager
def database_running(settings: Settings) -> Iterator[None]:
    """The embedded server with the book's tables, stopped whatever happens."""
    try:
        conninfo = embedded.up(settings)
        migrate.migrate(conninfo, settings.book)
        yield
    finally:
        with undisturbed():
            embedded.down(settings)


@contextmanager
def worker_running(settings: Settings) -> Iterator[None]:
    """A Celery worker of two processes, ended whatever happens."""
    started: list[subprocess.Popen[bytes]] = []
    try:
        with undisturbed():
            started.append(_start_worker(settings))
        yield
    finally:
        with undisturbed():
            for process in started:
                _end(process)


def _start_worker(settings: Settings) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "celery", "-A", "ops.celery_app", "worker"]
    options = ["--loglevel", "WARNING", "--concurrency", "2", *QUIET]
    with (settings.home / "worker.log").open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - our own worker
            [*command, *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """TERM to the main process alone, as a group signal leaves it waiting; KILL after a bound."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(WORKER_STOPS_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
