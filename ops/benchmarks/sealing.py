"""Events a second that one sealer gives their place, alone and while all callers write."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from statistics import fmean
from typing import Any, Final

import psycopg

from ledger.seal.notes import SigningKey
from ledger.seal.sealer import Sealer, lag
from ops.benchmarks.callers import Callers
from ops.benchmarks.concession import Side, connect
from ops.benchmarks.lines import Aim, Line, Spread, spread

PAUSE_SECONDS: Final = 0.1
"""How often the sealer looks while others write."""


def measure(conninfo: str, callers: Callers, side: Side, events: int) -> list[Line]:
    """Seal what a side has written, and then what it writes meanwhile; about `events` each."""
    with _sealing(conninfo, side) as (sealer, connection):
        while lag(connection, side.book).waiting < events:
            callers.play(side, side.batch * 4)
        alone = _alone(sealer, connection)
        beside = _beside(sealer, connection, callers, side, events)
    return [alone, beside]


def seal_all(conninfo: str, side: Side) -> None:
    """Seal whatever a side has written."""
    with _sealing(conninfo, side) as (sealer, connection):
        sealer.seal_all(connection)


@contextmanager
def _sealing(conninfo: str, side: Side) -> Iterator[tuple[Sealer, psycopg.Connection[Any]]]:
    key = key_of(side)
    with closing(connect(conninfo, side.book, "sealer")) as connection:
        yield Sealer(side.book, key.name, key), connection


def key_of(side: Side) -> SigningKey:
    """The key that signs the book of a side."""
    return SigningKey(f"example.org/{side.book}", sha256(side.book.encode()).digest())


def _alone(sealer: Sealer, connection: psycopg.Connection[Any]) -> Line:
    rates = []
    while True:
        began = time.perf_counter()
        sealed = sealer.step(connection)
        if not sealed:
            break
        rates.append(sealed / (time.perf_counter() - began))
    by = "one step in the server: order, hash, two indexes; then the tree"
    full = rates[:-1] or rates  # the last step is a rest
    return Line("seal", "events/s", spread(full), by, aim=Aim(100_000))


def _beside(
    sealer: Sealer,
    connection: psycopg.Connection[Any],
    callers: Callers,
    side: Side,
    events: int,
) -> Line:
    """Seal while all callers write; the lag of the second half stands beside that of the first."""
    each = max(side.batch, events // (_EVENTS_A_ROUND * callers.callers))
    callers.begin(side, each)
    sealed, began = 0, time.perf_counter()
    waiting = [0]
    while not callers.are_done():
        time.sleep(PAUSE_SECONDS)
        waiting.append(lag(connection, side.book).waiting)
        sealed += sealer.step(connection)
    rate = sealed / (time.perf_counter() - began)
    callers.end(each)
    growth = _growth(waiting)
    by = f"the writers' pace; at most {max(waiting):,} waited at once"
    ratio = Spread(growth, growth, growth)
    reached = Spread(rate, rate, rate)
    aim = Aim(1.5, at_most=True)
    return Line("seal beside all writers", "events/s", reached, by, ratio, "first half's lag", aim)


_EVENTS_A_ROUND: Final = 8


def _growth(waiting: list[int]) -> float:
    """How many times the lag of the first half of the samples that of the second half is."""
    middle = len(waiting) // 2
    return (fmean(waiting[middle:]) + 1) / (fmean(waiting[:middle] or waiting) + 1)
