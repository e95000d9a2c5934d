"""A whole day of so many rounds: reconciled inside with every check, and reported.

It is a real book, played by the service, sealed and signed, so that the verifier judges every round
of it. The figures of several sizes show how the time grows.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Final

from pydantic import SecretStr

from ops import clock
from ops.benchmarks.concession import Side, accepted, identities, opening, rounds, seated, service
from ops.benchmarks.lines import Aim, Line, spread
from ops.migrate import migrate
from ops.settings import Settings
from ops.signing_keys import make_signing_key
from ops.workers import ports
from workers.ports import Ports
from workers.reconciliation.inside import reconcile_inside
from workers.reports.build import report_days

NOON: Final = datetime(2026, 11, 30, 11, tzinfo=UTC)
"""When all rounds of the day are played."""
NEXT: Final = NOON + timedelta(hours=13)
"""When the day is over and may be closed."""
EACH: Final = 200
"""Rounds of a session, which its posta pays for whatever comes; one save has as many."""
AIM_ROUNDS: Final = 1_000_000
AIM_SECONDS: Final = 3_600
"""What a day of a million rounds may take on two cores, for each of the two works."""


def measure(conninfo: str, home: Path, sizes: Sequence[int]) -> list[Line]:
    """Reconcile and report days of several sizes; each beside the time of the one before."""
    works = [(n, *_day(conninfo, home / f"day-{n}", n)) for n in sizes]
    lines = []
    for place, (n, *seconds) in enumerate(works):
        before = works[place - 1] if place else None
        for which, (name, by) in enumerate(_WORKS, 1):
            ratio = None if before is None else spread([seconds[which - 1] / before[which]])
            lines.append(
                Line(
                    f"{name} a day of {n:,} rounds",
                    "s",
                    spread([seconds[which - 1]]),
                    by,
                    ratio=ratio,
                    ratio_to="" if before is None else f"{before[0]:,} rounds",
                    aim=_aim(n) if before is None else Aim(_GROWTH * n / before[0], at_most=True),
                )
            )
    return lines


_WORKS: Final = (
    ("reconcile", "each event read and checked, each round judged, each projection folded anew"),
    ("report", "projections that are folded already; sums in the server"),
)


_GROWTH: Final = 1.25
"""A day of ten times as many rounds takes at most twelve and a half times as long."""


def _aim(count: int) -> Aim:
    return Aim(max(AIM_SECONDS * count / AIM_ROUNDS, AIM_SECONDS_LEAST), at_most=True)


AIM_SECONDS_LEAST: Final = 60
"""However small a day is."""


def _day(conninfo: str, home: Path, count: int) -> tuple[float, float]:
    """Seconds to reconcile and to report a day of so many rounds."""
    side = Side("a day", f"day_{count}")
    migrate(conninfo, side.book)
    database = SecretStr(conninfo)
    settings = Settings(home=home, database_url=database, book=side.book, clock="simulated")
    make_signing_key(settings)
    _play(conninfo, side, count)
    clock.set_simulated(settings, NEXT)
    wired = ports(settings)
    return _timed(lambda: _reconcile(wired)), _timed(lambda: report_days(wired))


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _reconcile(wired: Ports) -> None:
    """The first run also folds the projections, as a day's workers would have done by then."""
    outcome = reconcile_inside(wired)
    assert not outcome.found, outcome.found[:3]


def _play(conninfo: str, side: Side, count: int) -> None:
    """Play the day, a session in a save."""
    fresh = identities(f"{side.book} at play")
    with closing(side.store(conninfo)) as store:
        book = service(store, seed=count)
        accepted(book.handle_many(opening(side.book, NOON), NOON))
        for number, first in enumerate(range(0, count, EACH)):
            session = fresh()
            accepted(book.handle_many(seated(f"p-{number}", session, fresh), NOON))
            turn = islice(rounds([session], fresh), min(EACH, count - first))
            accepted(book.handle_many(list(turn), NOON))
