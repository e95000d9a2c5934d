"""The Celery application of one book, over any broker; PGMQ in the book's own server by default.

Nothing that may not cross a fork is made before it: each child builds its ports when it starts.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from celery import Celery, signals

from workers import metrics, schedule, tasks
from workers.days import ZONE
from workers.ports import Ports

VISIBILITY_TIMEOUT: Final = 3 * tasks.TIME_LIMIT
"""Seconds after which a message that nobody acknowledged is delivered again; at least twice the
longest task, so that a running one is not started beside itself (fault S18)."""

PREFETCH: Final = 4
CHILD_TASKS_MAX: Final = 1_000
"""After so many tasks a child is replaced by a fresh one."""

POOL: Final = "workers.pool:TaskPool"
"""Celery imports it where a worker starts, and nowhere else."""

PGMQ_OPTIONS: Final[Mapping[str, Any]] = {
    "init_extension": False,
    "wait_time_seconds": 0,
    "polling_interval": 0.1,
    "visibility_timeout": VISIBILITY_TIMEOUT,
}
"""Without these the first message takes seconds and each later one half a second."""

QUIET: Final = ("--without-gossip", "--without-mingle", "--without-heartbeat")
"""What a worker is started with: workers of one book need not know of each other."""


@dataclass(frozen=True, slots=True)
class Config:
    """What the application is made from."""

    book: str
    broker: str
    """The broker's URL, such as `pgmq://` or `amqp://..`."""
    results: str
    """The result backend's URL; only rebuilds need it."""
    transport_options: Mapping[str, Any]
    wire: Callable[[], Ports]
    """Builds the ports in the process that uses them."""


class BookCelery(Celery):  # type: ignore[misc] # Celery ships no types
    """A Celery application that builds the ports of its book once in each process."""

    def __init__(self, config: Config) -> None:
        super().__init__(config.book, set_as_current=True)
        self._wire = config.wire
        self._built: tuple[int, Ports] | None = None

    @property
    def ports(self) -> Ports:
        """The ports of this process, never those of the process that it was forked from."""
        if self._built is None or self._built[0] != os.getpid():
            self._built = (os.getpid(), self._wire())
        return self._built[1]


def make_app(config: Config) -> BookCelery:
    """The application of a book: its tasks, its queue and its schedule."""
    app = BookCelery(config)
    app.conf.update(_settings(config))
    tasks.register(app)
    _listen(app)
    return app


def pgmq_options(conninfo: str) -> dict[str, Any]:
    """The transport's options for queues in a database named by a libpq string."""
    return {**PGMQ_OPTIONS, "conn_string": conninfo}


def _settings(config: Config) -> dict[str, Any]:
    return {
        "broker_url": config.broker,
        "broker_transport_options": dict(config.transport_options),
        "broker_connection_retry_on_startup": True,
        "result_backend": config.results,
        "result_expires": 86_400,
        "task_default_queue": f"tasks_{config.book}",
        "task_serializer": "json",
        "result_serializer": "json",
        "accept_content": ["json"],
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_track_started": False,
        "worker_pool": POOL,
        "worker_prefetch_multiplier": PREFETCH,
        "worker_max_tasks_per_child": CHILD_TASKS_MAX,
        "worker_enable_remote_control": False,
        "worker_send_task_events": False,
        "worker_hijack_root_logger": False,
        "timezone": ZONE,
        "enable_utc": True,
        "beat_schedule": schedule.beat_schedule(tasks.PREFIX),
    }


def _listen(app: BookCelery) -> None:
    """What happens at the start of a worker and of a child."""

    def parent(**_: Any) -> None:
        metrics.start_afresh()

    def child(**_: Any) -> None:
        app.ports  # noqa: B018 - built at once, so that a wrong setting ends the child's start

    signals.worker_init.connect(parent, weak=False)
    signals.worker_process_init.connect(child, weak=False)
