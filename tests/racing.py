"""Things that start at the same moment, in threads; every wait is bounded."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

PATIENCE_SECONDS = 60


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Run calls in threads that start together; their results in order."""
    barrier = Barrier(len(calls))

    def call(work: Callable[[], Any]) -> Any:
        barrier.wait(timeout=PATIENCE_SECONDS)
        return work()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(call, calls, timeout=PATIENCE_SECONDS))
