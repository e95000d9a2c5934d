"""Ctrl-C and its like: held back while a step is done that must not be left half way."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

STOPS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What a person or a machine stops a program with: Ctrl-C, `kill`, a terminal that closes."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back the signals that stop a program; they come when the block is done.

    Only the main thread is told of signals, so that in others there is nothing to hold.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    heard = [number for number in STOPS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, lambda n, _: held.append(n)) for number in heard}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        for number in held:
            signal.raise_signal(number)
