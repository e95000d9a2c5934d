"""Things that start at the same moment, in threads; every wait is bounded."""

from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Condition
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


class Turns:
    """Lets writers go on step by step, in an order that is given; then each as it likes."""

    def __init__(self, order: Iterable[int]) -> None:
        self._order = deque(order)
        self._gone: set[int] = set()
        self._moved = Condition()

    def wait(self, who: int) -> None:
        """Wait for one's turn and take it."""
        with self._moved:
            assert self._moved.wait_for(lambda: self._next() in (None, who), PATIENCE_SECONDS)
            if self._order:
                self._order.popleft()
            self._moved.notify_all()

    def leave(self, who: int) -> None:
        """Give up all turns that are left."""
        with self._moved:
            self._gone.add(who)
            self._moved.notify_all()

    def _next(self) -> int | None:
        while self._order and self._order[0] in self._gone:
            self._order.popleft()
        return self._order[0] if self._order else None
