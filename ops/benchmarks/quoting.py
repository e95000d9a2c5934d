"""Lines a second that `quote` answers in one process."""

import time
from typing import Final

import orjson

from games import registry
from games.documents import quote_lines
from games.roulette.game import ROULETTE
from ops.benchmarks.concession import BETS, SHEET
from ops.benchmarks.lines import Aim, Line, spread


def measure(turns: int, lines: int) -> Line:
    """Judge rounds of three bets at all pockets in turn."""
    documents = [orjson.dumps(BETS | {"outcome": n % 37}) for n in range(lines)]
    rates = []
    for _ in range(turns):
        began = time.perf_counter()
        answered = sum(1 for _ in quote_lines(ROULETTE.quote, ROULETTE.engine, _TEXT, documents))
        rates.append(answered / (time.perf_counter() - began))
    by = "the same parse, decision and settlement as play"
    return Line("quote", "lines/s", spread(rates), by, aim=Aim(_THOUSANDS))


_TEXT: Final = registry.SHEETS[SHEET].text
_THOUSANDS: Final = 2_000
"""\"Thousands a second\" is at least two."""
