"""Real worker processes over the queues in the test's own server."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import psutil
import psycopg

from ledger.files import write_whole
from ops import clock
from ops.settings import Settings
from ops.workers import celery
from tests.workers.history import Casino
from workers.app import QUIET
from workers.metrics import registry_for_scrape
from workers.tasks import PREFIX

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 90
"""After so long a test gives up; nothing is concluded from how long anything took."""


@dataclass
class Station:
    """The workers of one book, and the queue that they take from."""

    casino: Casino
    settings: Settings
    workers: list[subprocess.Popen] = field(default_factory=list)

    def start(self, children: int = 1, app: str = "ops.celery_app") -> subprocess.Popen:
        """Start a worker with some children."""
        arguments = ("-A", app, "worker", *QUIET, "--concurrency", str(children))
        log = (self.settings.home / f"worker-{len(self.workers)}.log").open("wb")
        with log:
            process = subprocess.Popen(
                [sys.executable, "-m", "celery", *arguments, "--loglevel", "warning"],
                cwd=ROOT,
                env=self.environment(),
                stdout=log,
                stderr=log,
            )
        self.workers.append(process)
        return process

    def environment(self) -> dict[str, str]:
        """The settings as a worker reads them."""
        tiles, authorities = self.settings.tiles, self.settings.authorities
        return {
            **{k: v for k, v in os.environ.items() if not k.startswith(("CONTOPOSTA", "PROMETH"))},
            **({} if tiles is None else {"CONTOPOSTA_TILES": str(tiles)}),
            **({} if authorities is None else {"CONTOPOSTA_AUTHORITIES": str(authorities)}),
            "CONTOPOSTA_HOME": str(self.settings.home),
            "CONTOPOSTA_BOOK": self.settings.book,
            "CONTOPOSTA_ORIGIN": self.settings.origin,
            "CONTOPOSTA_DATABASE_URL": self.settings.database_url.get_secret_value(),
            "CONTOPOSTA_CLOCK": "simulated",
        }

    def send(self, task: str, *arguments: Any, **options: Any) -> None:
        """Put a message into the queue."""
        app = celery(self.settings)
        with app.connection_for_write() as connection:
            app.send_task(PREFIX + task, args=arguments, connection=connection, **options)

    def set_time(self, at: datetime) -> None:
        """Set the time of the casino and of the workers."""
        self.casino.now = at
        clock.set_simulated(self.settings, at)

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, or give up."""
        with psycopg.connect(self.casino.conninfo, autocommit=True) as connection:
            for _ in range(PATIENCE_SECONDS * 20):
                if holds():
                    return
                connection.execute("SELECT pg_sleep(0.05)")
        logs = [p.read_text() for p in self.settings.home.glob("worker-*.log")]
        raise AssertionError("\n".join(logs) or "nothing was logged")

    def is_idle(self) -> bool:
        """Whether no message is left, taken or not."""
        text = f"SELECT count(*) FROM pgmq.q_tasks_{self.casino.book}"
        with psycopg.connect(self.casino.conninfo, autocommit=True) as connection:
            return connection.execute(text).fetchone() == (0,)

    def children(self, worker: subprocess.Popen) -> list[psutil.Process]:
        """The processes that run a worker's tasks."""
        return psutil.Process(worker.pid).children()

    @contextmanager
    def held(self, table: str) -> Iterator[Callable[[], bool]]:
        """Hold writes to a table back; yields whether one is waiting."""
        waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = %s::regclass"
        name = f"{self.casino.book}.{table}"
        with psycopg.connect(self.casino.conninfo) as connection:
            connection.execute(f"LOCK TABLE {name} IN SHARE MODE")
            yield lambda: connection.execute(waiting, (name,)).fetchone() != (0,)

    def kill(self, worker: subprocess.Popen, *, whole: bool) -> None:
        """Kill a worker's children, and the worker before them if the whole of it shall go."""
        children = self.children(worker)
        if whole:
            worker.kill()
        for child in children:
            child.kill()

    def stop(self) -> None:
        """Kill the workers and their children: nobody needs what they would still do."""
        families = [p for w in self.workers if w.poll() is None for p in self.children(w)]
        for worker in self.workers:
            worker.kill()
            worker.wait()
        for process in families:
            with suppress(psutil.NoSuchProcess):
                process.kill()


@contextmanager
def station(casino: Casino) -> Iterator[Station]:
    """The workers of a casino's book, stopped at the end."""
    settings = Settings(
        home=casino.folder / "home",
        book=casino.book,
        origin=casino.key.name,
        database_url=casino.conninfo,
        clock="simulated",
    )
    settings.home.mkdir()
    write_whole(settings.signing_key, f"{casino.key.secret_text()}\n".encode())
    made = Station(casino, settings)
    made.set_time(casino.now)
    try:
        yield made
    finally:
        made.stop()


def counted(works: Station, name: str, task: str, outcome: str) -> float:
    """What a scrape says about a task."""
    registry = registry_for_scrape(works.settings.metrics_dir, lambda: works.casino.ports)
    labels = {"task": PREFIX + task, "outcome": outcome}
    return registry.get_sample_value(name, labels) or 0.0
