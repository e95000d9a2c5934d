"""Rounds a second of all callers together, ours and stock in turns."""

from collections.abc import Sequence
from typing import Final

from ops.benchmarks.callers import Callers, Turn
from ops.benchmarks.concession import Side
from ops.benchmarks.lines import Aim, Line, spread

OURS: Final = Side("ours, one command a save", "bench_one")
MANY: Final = Side("ours, 25 commands a save", "bench_many", batch=25)
STOCK: Final = Side("stock, one command a save", "bench_stock", stock=True)
STOCK_MANY: Final = Side("stock, 25 commands a save", "bench_stock_many", stock=True, batch=25)
SIDES: Final = (OURS, MANY, STOCK, STOCK_MANY)

AIMS: Final = {OURS: Aim(2.5), MANY: Aim(8)}


def measure(callers: Callers, turns: int, each: int) -> list[Line]:
    """Play turns of all sides alternately; every side plays the same rounds with the same draws.

    The first turn warms connections, plans and pages, and is not counted.
    """
    played = {side: [callers.play(side, each)] for side in SIDES}
    for _ in range(turns):
        for side in SIDES:
            played[side].append(callers.play(side, each))
    return [_line(side, played) for side in SIDES]


def _line(side: Side, played: dict[Side, list[Turn]]) -> Line:
    mine, stock = played[side][1:], played[STOCK][1:]
    ratios = [a.rate / b.rate for a, b in zip(mine, stock, strict=True)]
    return Line(
        f"rounds, {side.name}",
        "rounds/s",
        spread([t.rate for t in mine]),
        _bounded_by(side, mine),
        None if side is STOCK else spread(ratios),
        "stock",
        AIMS.get(side),
    )


def _bounded_by(side: Side, turns: Sequence[Turn]) -> str:
    rounds, seconds = sum(t.rounds for t in turns), sum(t.seconds for t in turns)
    python, server = sum(t.busy for t in turns), sum(t.server for t in turns)
    each = f"{python / rounds * 1e6:,.0f} us of Python, {server / rounds * 1e6:,.0f} of the server"
    by = "one lock for all commits, processors" if side.stock else "processors"
    return f"{by}: {each}; {(python + server) / seconds:.1f} cores"
