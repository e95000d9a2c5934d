"""A pool of children of which any may be killed at any moment without keeping the others waiting.

Over a broker without an event loop, as PGMQ is, all children of a worker read their tasks from
one pipe and write what became of them into another, each under a lock. The library's lock is a
semaphore, which stays taken for ever when its holder is killed; an idle child always holds it or
waits for the one that does, so that one killed child would stop the worker without a word.
"""

import fcntl
import os
import tempfile
import threading
from typing import Any

from celery.concurrency import prefork
from typing_extensions import override


class ForkLock:
    """A lock among a process, its threads and its forks; the kernel lets it go with its holder."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the pool
        self._forked()
        os.register_at_fork(after_in_child=self._forked)

    def _forked(self) -> None:
        """The kernel tells processes apart, not threads; a fork has one, and no lock of another."""
        self._threads = threading.Lock()

    def acquire(self) -> bool:
        """Wait until the lock is this process's and this thread's."""
        self._threads.acquire()
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX)
        except BaseException:  # a signal that ends the process comes while it waits
            self._threads.release()
            raise
        return True

    def release(self) -> None:
        """Let the next one have it."""
        fcntl.lockf(self._file, fcntl.LOCK_UN)
        self._threads.release()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


class Pool(prefork.TaskPool.BlockingPool):  # type: ignore[misc] # Celery ships no types
    """The pool over pipes, with locks that outlive no holder."""

    @override
    def _setup_queues(self) -> None:
        super()._setup_queues()
        for queue in (self._inqueue, self._outqueue):
            _with_fork_locks(queue)


class TaskPool(prefork.TaskPool):  # type: ignore[misc] # as above
    """What Celery starts; over a broker with an event loop each child has pipes of its own."""

    BlockingPool = Pool


def _with_fork_locks(queue: Any) -> None:
    queue._rlock, queue._wlock = ForkLock(), ForkLock()  # noqa: SLF001 - it takes none from outside
