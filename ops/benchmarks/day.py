"""A whole day of so many rounds: played, projected, reconciled inside with every check, reported.

It is a real book, played by the service, sealed and signed, so that the verifier judges every round
of it. Two processes work side by side, as two workers would: what workers do by tasks of their own
is shared out between them. The figures of several sizes show how the time grows.
"""

import multiprocessing as mp
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, Final

from pydantic import SecretStr

from ops import clock
from ops.benchmarks.concession import Side, accepted, identities, opening, rounds, seated, service
from ops.benchmarks.lines import Aim, Line, spread
from ops.collector import look_seldom
from ops.migrate import migrate
from ops.settings import Settings
from ops.signing_keys import make_signing_key
from ops.workers import ports
from workers.log import connected, sealed_size, transaction
from workers.projections.base import catch_up
from workers.projections.registry import PROJECTIONS
from workers.reconciliation.inside import CHECKS, reconcile_inside
from workers.reports.build import report_days

NOON: Final = datetime(2026, 11, 30, 11, tzinfo=UTC)
"""When all rounds of the day are played."""
NEXT: Final = NOON + timedelta(hours=13)
"""When the day is over and may be closed."""
EACH: Final = 200
"""Rounds of a session, which its posta pays for whatever comes; one save has as many."""
CORES: Final = 2
"""Processes that share each work but the report."""
AIM_ROUNDS: Final = 1_000_000
AIM_SECONDS: Final = 3_600
"""What a day of a million rounds may take on two cores, for each of the two works."""

Tell = Callable[[str], None]


def measure(
    conninfo: str, home: Path, sizes: Sequence[int], tell: Tell = lambda _: None
) -> list[Line]:
    """Play days of several sizes and work on them; each beside the time of the one before."""
    works = []
    for n in sizes:
        tell(f"a whole day of {n:,} rounds")
        works.append((n, _day(conninfo, home / f"day-{n}", n, tell)))
    lines = []
    for place, (n, seconds) in enumerate(works):
        before = works[place - 1] if place else None
        for which, (name, by) in enumerate(_WORKS):
            ratio = None if before is None else spread([seconds[which] / before[1][which]])
            lines.append(
                Line(
                    f"{name} a day of {n:,} rounds",
                    "s",
                    spread([seconds[which]]),
                    by,
                    ratio=ratio,
                    ratio_to="" if before is None else f"{before[0]:,} rounds",
                    aim=_aim(name, n, None if before is None else before[0]),
                )
            )
    return lines


_WORKS: Final = (
    ("play", "decisions, and saves of 200 rounds; then the seal"),
    ("project", "each event read once by a process, for all projections that it folds"),
    ("reconcile", "each event read and checked, each round judged, each projection folded anew"),
    ("report", "projections that are folded already; sums in the server"),
)
_AIMED: Final = ("reconcile", "report")
"""The works that have an aim; the others only make what these need."""

_GROWTH: Final = 1.25
"""A day of ten times as many rounds takes at most twelve and a half times as long."""
AIM_SECONDS_LEAST: Final = 60
"""However small a day is."""


def _aim(name: str, count: int, before: int | None) -> Aim | None:
    if name not in _AIMED:
        return None
    if before is not None:
        return Aim(_GROWTH * count / before, at_most=True)
    return Aim(max(AIM_SECONDS * count / AIM_ROUNDS, AIM_SECONDS_LEAST), at_most=True)


def _day(conninfo: str, home: Path, count: int, tell: Tell) -> tuple[float, ...]:
    """Seconds of each work on a day of so many rounds."""
    book = f"day_{count}"
    migrate(conninfo, book)
    database = SecretStr(conninfo)
    settings = Settings(home=home, database_url=database, book=book, clock="simulated")
    make_signing_key(settings)
    _open(settings)
    seconds = []
    with ProcessPoolExecutor(CORES, mp.get_context("forkserver"), look_seldom) as pool:
        for (name, _), phase in zip(_WORKS, _PHASES, strict=True):
            began = time.perf_counter()
            phase(pool, settings, count)
            seconds.append(time.perf_counter() - began)
            tell(f"  {name}: {seconds[-1]:,.0f} s")
    return tuple(seconds)


def _each(pool: ProcessPoolExecutor, work: Callable[..., None], *shares: Sequence[Any]) -> None:
    """Let each process do its share of a work."""
    for done in [pool.submit(work, *share) for share in zip(*shares, strict=True)]:
        done.result()


def _open(settings: Settings) -> None:
    """Open the book of the day."""
    with closing(_side(settings).store(_conninfo(settings))) as store:
        accepted(service(store, seed=0).handle_many(opening(settings.book, NOON), NOON))


def _side(settings: Settings) -> Side:
    return Side("a day", settings.book)


def _conninfo(settings: Settings) -> str:
    assert settings.database_url is not None
    return settings.database_url.get_secret_value()


def _play(pool: ProcessPoolExecutor, settings: Settings, count: int) -> None:
    """Play the day, a session in a save, and seal it."""
    starts = range(0, count, EACH)
    _each(
        pool,
        _play_share,
        [settings] * CORES,
        [count] * CORES,
        [starts[n::CORES] for n in range(CORES)],
    )
    ports(settings).seal()
    clock.set_simulated(settings, NEXT)


def _play_share(settings: Settings, count: int, starts: Sequence[int]) -> None:
    fresh = identities(f"{settings.book} from {starts[:1]}")
    with closing(_side(settings).store(_conninfo(settings))) as store:
        book = service(store, seed=sum(starts))
        for first in starts:
            session = fresh()
            accepted(book.handle_many(seated(f"p-{first}", session, fresh), NOON))
            turn = islice(rounds([session], fresh), min(EACH, count - first))
            accepted(book.handle_many(list(turn), NOON))


def _project(pool: ProcessPoolExecutor, settings: Settings, _: int) -> None:
    """Fold every projection, as a day's workers would have done by then."""
    names = [p.name for p in PROJECTIONS]
    _each(pool, _project_share, [settings] * CORES, [names[n::CORES] for n in range(CORES)])


def _project_share(settings: Settings, names: Sequence[str]) -> None:
    wired = ports(settings)
    with connected(wired) as connection, transaction(connection) as cursor:
        size = sealed_size(cursor, wired.book)
    catch_up(wired, [p for p in PROJECTIONS if p.name in names], size)


def _reconcile(pool: ProcessPoolExecutor, settings: Settings, _: int) -> None:
    """One process goes through the log while the other makes the other checks."""
    names = [check.name for check in CHECKS]
    _each(pool, _reconcile_share, [settings] * CORES, [names[:1], names[1:]])


def _reconcile_share(settings: Settings, names: Sequence[str]) -> None:
    checks = [check for check in CHECKS if check.name in names]
    outcome = reconcile_inside(ports(settings), checks)
    assert not outcome.found, outcome.found[:3]


def _report(_: ProcessPoolExecutor, settings: Settings, __: int) -> None:
    """Close the day and make every report of it."""
    assert report_days(ports(settings))


_PHASES: Final[tuple[Callable[[ProcessPoolExecutor, Settings, int], None], ...]] = (
    _play,
    _project,
    _reconcile,
    _report,
)
