"""How long one caller waits: a bare INSERT's commit, a save, and a whole command."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Any, Final
from uuid import uuid4

import psycopg
from psycopg.sql import SQL, Identifier
from typing_extensions import override

from ledger.domain.commands import PlayRound
from ledger.domain.events import AnyEntry
from ledger.service import Service
from ledger.store.book import Store
from ledger.store.recorder import Admission
from ops import clock
from ops.benchmarks.concession import (
    CODEC,
    Side,
    accepted,
    connect,
    identities,
    rounds,
    seated,
    service,
)
from ops.benchmarks.lines import Aim, Line, Spread
from ops.benchmarks.stock import StockStore

OURS: Final = Side("ours", "bench_wait")
STOCK: Final = Side("stock", "bench_stock_wait", stock=True)
SIDES: Final = (OURS, STOCK)
BARE: Final = "bare INSERT"
ROW_BYTES: Final = 490
"""The usual size of one stored event of a round."""

Waits = dict[str, list[float]]
"""Milliseconds by what was waited for."""

_AIMS: Final = {"ours save": Aim(2.5, at_most=True), "ours command": Aim(4.5, at_most=True)}
_BOUNDED_BY: Final = {
    "INSERT": "the flush of the server's log, one round trip",
    "save": "the same flush, 8 rows in two indexes, the save's checks",
    "command": "a decision in Python, a save; the stock side reads each stream first",
}


class TimedStore(Store):
    """Our store, which notes how long each save took, in seconds."""

    saves: list[float]

    @override
    def save(self, entries: Sequence[AnyEntry], admission: Admission) -> None:
        began = time.perf_counter()
        super().save(entries, admission)
        self.saves.append(time.perf_counter() - began)


class TimedStockStore(StockStore, TimedStore):
    """The stock store, timed alike."""


@dataclass(slots=True)
class Player:
    """One caller of one side, with the commands that are still to come."""

    name: str
    store: TimedStore
    service: Service
    commands: list[PlayRound] = field(default_factory=list)

    def play(self, waits: Waits) -> None:
        """Handle the next command, and note how long it and its save took."""
        command = self.commands.pop()
        began = time.perf_counter()
        answer = self.service.handle(command, clock.now())
        waits[f"{self.name} command"].append((time.perf_counter() - began) * 1e3)
        waits[f"{self.name} save"].append(self.store.saves.pop() * 1e3)
        accepted((answer,))


def measure(conninfo: str, times: int) -> list[Line]:
    """Let one caller wait for each of them in turn, ours and stock."""
    players = [_player(conninfo, side, times) for side in SIDES]
    names = [f"{side.name} {what}" for side in SIDES for what in ("save", "command")]
    waits: Waits = {name: [] for name in (BARE, *names)}
    with closing(connect(conninfo, OURS.book, "owner")) as connection:
        insert = _bare(connection)
        for _ in range(times):
            began = time.perf_counter()
            insert()
            waits[BARE].append((time.perf_counter() - began) * 1e3)
            for player in players:
                player.play(waits)
    for player in players:
        player.store.close()
    return [_line(name, waits) for name in waits]


def _player(conninfo: str, side: Side, times: int) -> Player:
    store = (TimedStockStore if side.stock else TimedStore)(conninfo, side.book, CODEC)
    store.saves = []
    fresh = identities("waiting")
    session = fresh()
    made = service(store, seed=1)
    accepted(made.handle_many(seated("player-0", session, fresh), clock.now()))
    store.saves.clear()
    source = rounds([session], fresh)
    return Player(side.name, store, made, [next(source) for _ in range(times)])


def _bare(connection: psycopg.Connection[Any]) -> Callable[[], object]:
    """Make a table with nothing but a key; how to insert a row of an event's size into it."""
    table = Identifier(OURS.book, "bare")
    create = SQL("CREATE TABLE {} (id uuid PRIMARY KEY, state bytea NOT NULL)")
    connection.execute(create.format(table))
    insert = SQL("INSERT INTO {} VALUES (%b, %b)").format(table).as_bytes()
    state = bytes(ROW_BYTES)
    return lambda: connection.execute(insert, (uuid4(), state), prepare=True)


def _line(name: str, waits: Waits) -> Line:
    p50, p95 = _percentiles(waits[name])
    ratio = p50 / _percentiles(waits[BARE])[0]
    return Line(
        f"wait, {name}",
        "ms, p50 (p50-p95)",
        Spread(p50, p50, p95),
        _BOUNDED_BY[name.rpartition(" ")[2]],
        None if name == BARE else Spread(ratio, ratio, ratio),
        BARE,
        _AIMS.get(name),
    )


def _percentiles(figures: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th of 100."""
    cuts = quantiles(figures, n=100, method="inclusive")
    return cuts[49], cuts[94]
