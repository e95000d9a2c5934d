"""What one process reads a second: sessions folded, rounds told again, turnover projected."""

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from uuid import UUID

from pydantic import SecretStr

from ledger.domain.ids import session_stream
from ledger.replay import state_at
from ops import bootstrap
from ops.benchmarks.concession import Side
from ops.benchmarks.lines import Aim, Line, Spread, spread
from ops.settings import Settings
from ops.story.reading import read_case
from ops.story.story import Until, tell
from ops.workers import ports
from workers.projections.rebuild import rebuild


def read_and_fold(conninfo: str, side: Side, sessions: Sequence[UUID], turns: int) -> Line:
    """Read sessions from their first event and fold them, again and again."""
    rates = []
    with closing(side.store(conninfo)) as store:
        for _ in range(turns):
            events, began = 0, time.perf_counter()
            for stream in map(session_stream, sessions):
                entries = store.read({stream: 0})
                events += state_at(stream, entries).version
            rates.append(events / (time.perf_counter() - began))
    by = "validation of each stored event, then its fold"
    return Line("read and fold sessions", "events/s", spread(rates), by, aim=Aim(100_000))


def replay(conninfo: str, home: Path, side: Side, sessions: Sequence[UUID]) -> Line:
    """Read sessions as `replay` does, each step with its balances, and judge their rounds again."""
    wired = Settings(home=home, database_url=SecretStr(conninfo), book=side.book)
    rounds, began = 0, time.perf_counter()
    with bootstrap.connected(wired) as connection:
        for session in sessions:
            case = read_case(connection, side.book, bootstrap.codec(), session)
            assert case is not None
            rounds += len(tell(case, Until()).verdicts)
    rate = rounds / (time.perf_counter() - began)
    by = "validation of each stored event; the engine's second judgement"
    return Line("replay sessions", "rounds/s", Spread(rate, rate, rate), by)


def project(conninfo: str, home: Path, side: Side, turns: int) -> Line:
    """Rebuild turnover and RTP from everything that is sealed, again and again."""
    database = SecretStr(conninfo)
    wired = ports(Settings(home=home, database_url=database, book=side.book, clock="simulated"))
    rates = []
    for _ in range(turns):
        began = time.perf_counter()
        rates.append(rebuild(wired, "turnover") / (time.perf_counter() - began))
    by = "the server's scan of the log; then reading the events that count"
    return Line("project turnover and RTP", "events/s", spread(rates), by, aim=Aim(150_000))
