"""Metrics of workers, right under prefork, recycled children and several workers on one host.

Each worker has a folder, named by its process id, in which each of its children writes its own
files; a scrape adds all of them up. A worker that starts removes the folders of workers that are
gone. What is of the present is not counted here but read from the book when it is scraped.
"""

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter
from prometheus_client.core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from typing_extensions import override

from workers.figures import BookFigures
from workers.ports import Ports

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder; it must be set before this module is imported."""

TASKS: Final = Counter("contoposta_tasks", "Tasks by how they ended.", ["task", "outcome"])
DUTIES: Final = Counter("contoposta_duties", "Cases of timed duties.", ["duty", "outcome"])
SEALED: Final = Counter("contoposta_sealed_events", "Events that this worker sealed.")
PUBLISHED: Final = Counter("contoposta_published_events", "Events that it published as tiles.")


def start_afresh() -> None:
    """Empty this worker's folder and remove those of dead ones; before it has children."""
    own = Path(os.environ[FOLDER])
    for folder in own.parent.iterdir():
        if folder == own or (folder.name.isdecimal() and not _lives(int(folder.name))):
            shutil.rmtree(folder, ignore_errors=True)
    own.mkdir()


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _is_begun(path: Path) -> bool:
    """Whether a file holds figures: a child may just be making it, or have ended meanwhile."""
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False


def registry_for_scrape(shared: Path, wire: Callable[[], Ports]) -> CollectorRegistry:
    """What a scrape shows: the files of all workers in a folder, and what the book tells.

    `wire` gives the ports at each scrape; a fault of it or of the database is told on the page.
    """
    registry = CollectorRegistry()
    registry.register(SharedFigures(shared))
    registry.register(BookFigures(wire))
    return registry


class SharedFigures(Collector):
    """What the children of all workers counted; nothing where no worker ran."""

    def __init__(self, shared: Path) -> None:
        self._shared = shared

    @override
    def collect(self) -> Iterable[Metric]:
        """The sums of all files."""
        files = [str(path) for path in self._shared.glob("*/*.db") if _is_begun(path)]
        found: Iterable[Metric] = MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call] # as above
        return found
