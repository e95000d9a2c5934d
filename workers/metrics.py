"""Metrics of workers, right under prefork, recycled children and several workers on one host.

Each worker has a folder, named by its process id, in which each of its children writes its own
files; a scrape adds all of them up. A worker that starts removes the folders of workers that are
gone. Money and returns are not counted as they pass, because a task may run twice: they are read
from the projections when they are scraped, and so equal the book.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.metrics_core import CounterMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from typing_extensions import override

from ledger.domain.money import MINOR_PER_MAJOR
from workers.log import connected, sql, transaction
from workers.ports import Ports

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder; it must be set before this module is imported."""

TASKS: Final = Counter("contoposta_tasks", "Tasks by how they ended.", ["task", "outcome"])
DUTIES: Final = Counter("contoposta_duties", "Cases of timed duties.", ["duty", "outcome"])
SEALED: Final = Counter("contoposta_sealed_events", "Events that this worker sealed.")
SEAL_LAG: Final = Gauge(
    "contoposta_seal_lag_events",
    "Events that wait for their position.",
    multiprocess_mode="livemostrecent",
)
PROJECTION_LAG: Final = Gauge(
    "contoposta_projection_lag_events",
    "Sealed events that a projection has not folded.",
    ["projection"],
    multiprocess_mode="livemostrecent",
)


def start_afresh() -> None:
    """Empty this worker's folder and remove those of dead ones; before it has children."""
    own = Path(os.environ[FOLDER])
    for folder in own.parent.iterdir():
        if folder == own or (folder.name.isdecimal() and not _lives(int(folder.name))):
            shutil.rmtree(folder, ignore_errors=True)
    own.mkdir()


def child_ended(pid: int) -> None:
    """Forget what a child that ended said about the present; what it counted stays."""
    mark_process_dead(pid)  # type: ignore[no-untyped-call] # has no types


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


def registry_for_scrape(shared: Path, ports: Ports) -> CollectorRegistry:
    """What a scrape shows: the files of all workers in a folder, and the projections' sums."""
    registry = CollectorRegistry()
    registry.register(SharedFigures(shared))
    registry.register(ProjectedFigures(ports))
    return registry


class SharedFigures(Collector):
    """What the children of all workers counted; nothing where no worker ran."""

    def __init__(self, shared: Path) -> None:
        self._shared = shared

    @override
    def collect(self) -> Iterable[Metric]:
        """The sums of all files, and the latest word on what is of the present."""
        files = [str(path) for path in self._shared.glob("*/*.db") if _is_begun(path)]
        found: Iterable[Metric] = MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call] # as above
        return found


class ProjectedFigures(Collector):
    """Play and returns by sheet, read from the turnover projection at each scrape."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def describe(self) -> Iterable[Metric]:
        """Nothing ahead of a scrape: the database need not be there yet."""
        return ()

    @override
    def collect(self) -> Iterable[Metric]:
        """The figures as they stand."""
        with connected(self._ports, "reader") as connection, transaction(connection) as cursor:
            rows = cursor.execute(sql(_FIGURES, self._ports.book)).fetchall()
        for place, (name, text) in enumerate(_COUNTERS.items(), _LABELS):
            counter = CounterMetricFamily(f"contoposta_{name}", text, labels=_BY)
            for row in rows:
                unit = MINOR_PER_MAJOR if name in _MONEY else 1
                counter.add_metric([str(v) for v in row[:_LABELS]], row[place] / unit)
            yield counter
        yield _returns(rows)


def _returns(rows: Iterable[tuple[object, ...]]) -> GaugeMetricFamily:
    gauge = GaugeMetricFamily("contoposta_rtp", "Returns of turnover since the start.", labels=_BY)
    for *labels, _, _, turnover, winnings, returned, _, _ in rows:
        assert isinstance(turnover, int)
        assert isinstance(winnings, int)
        assert isinstance(returned, int)
        if turnover:
            gauge.add_metric([str(v) for v in labels], (winnings + returned) / turnover)
    return gauge


_BY: Final = ("sheet", "version", "currency")
_LABELS: Final = len(_BY)
_COUNTERS: Final = {
    "rounds": "Rounds settled.",
    "bets": "Bets of settled rounds.",
    "turnover": "Stakes of settled rounds less refunds, in units of the currency.",
    "winnings": "Winnings paid, in units of the currency.",
    "stakes_returned": "Stakes returned with wins, in units of the currency.",
    "refunded": "Stakes refunded, those of void rounds too, in units of the currency.",
    "void_rounds": "Rounds that do not count.",
}
_MONEY: Final = ("turnover", "winnings", "stakes_returned", "refunded")

_FIGURES: Final = """
SELECT sheet, sheet_version, currency, sum(rounds)::int8, sum(bets)::int8, sum(turnover)::int8,
       sum(winnings)::int8, sum(stake_returned)::int8, sum(refunded + void_refunded)::int8,
       sum(void_rounds)::int8
  FROM {book}.p_turnover GROUP BY sheet, sheet_version, currency ORDER BY 1, 2, 3
"""
