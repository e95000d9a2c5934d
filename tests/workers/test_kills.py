"""Killed between any two steps, then done again: nothing is lost and nothing is doubled.

A child process kills itself at its n-th statement or file operation, for every n until it comes
through (in the last test, which makes a book for each, for every 17th n); what a death leaves is
looked at, the work is done again, and the result must equal a run that nobody killed.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

import psycopg
import pytest

from ledger.store.recorder import session_options
from tests.workers.history import MORNING, Casino, red, straight
from tests.workers.test_projections import everything
from workers.ports import Ports
from workers.project import project, project_all
from workers.projections.rebuild import rebuild
from workers.projections.registry import PROJECTIONS
from workers.reports.build import build_report
from workers.reports.periods import of_day

FILE_STEPS = ("open", "os.rename", "os.remove", "tempfile.mkstemp")
PERFORMANCE, LIABILITY = "game-performance", "operator-liability"
NOVEMBER_30 = of_day(date(2026, 11, 30))


@dataclass
class Fuse:
    """Ends the process at a numbered step."""

    left: int

    def step(self) -> None:
        """One step nearer to the end."""
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(self, event: str, _: object) -> None:
        """File operations are steps too."""
        if event in FILE_STEPS:
            self.step()


def fused(casino: Casino, fuse: Fuse) -> Ports:
    """The ports of a process whose statements are counted, the end of its transactions too."""

    class Cursor(psycopg.Cursor):
        def execute(self, *arguments, **options):
            fuse.step()
            found = super().execute(*arguments, **options)
            fuse.step()
            return found

    @contextmanager
    def connect(role: str) -> Iterator[psycopg.Connection]:
        options = session_options(f"{casino.book}_{role}")
        with psycopg.connect(
            casino.conninfo, autocommit=True, cursor_factory=Cursor, **options
        ) as connection:
            yield connection
            fuse.step()

    return replace(casino.ports, connect=connect)


def dies(casino: Casino, number: int, work: Callable[[Ports], object]) -> bool:
    """Whether a child that is killed at this step was killed before it came through."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            fuse = Fuse(number)
            sys.addaudithook(fuse.audit)
            work(fused(casino, fuse))
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) == 0
    return False


def deaths(casino: Casino, work: Callable[[Ports], object], first: int = 1) -> Iterator[int]:
    """Every step at which the work can be killed, each killed in turn."""
    number = first
    while dies(casino, number, work):
        yield number
        number += 1


def wait_for_the_dead(casino: Casino) -> None:
    """Until the server has noticed that the killed worker is gone."""
    gone = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"
    with psycopg.connect(casino.conninfo, autocommit=True) as connection:
        while connection.execute(gone, (f"{casino.book}_worker",)).fetchone() != (0,):
            connection.execute("SELECT pg_sleep(0.01)")


@pytest.fixture
def played(casino: Casino) -> Casino:
    """A sealed book that nobody has folded."""
    casino.player("anna")
    session = casino.sit("anna")
    casino.play(session, 17, straight(17), red("5.00"))
    casino.void(session, casino.open_round(session, red("1.00")))
    casino.open_round(session, red("2.00"))
    casino.seal()
    return casino


def forget(casino: Casino) -> None:
    """Back to a book that nobody has folded."""
    with casino.connect("worker") as connection:
        for projection in PROJECTIONS:
            for table in projection.tables:
                connection.execute(f"DELETE FROM {casino.book}.{table.name}_rows")
        connection.execute(f"DELETE FROM {casino.book}.p_projections")


@pytest.mark.parametrize("name", ["journal", "sessions"])
def test_g6_projections_that_are_killed_at_any_step_equal_a_clean_run(played, name):
    """Given one of several tables, or one that reads its rows again, then a run after each death.

    The steps are those of every projection; the last test kills while others are folded.
    """

    def fold(ports: Ports) -> None:
        project(ports, name, steps=1)

    fold(played.ports)
    clean = everything(played)
    forget(played)
    killed = 0
    for _ in deaths(played, fold):
        killed += 1
        wait_for_the_dead(played)
        fold(played.ports)

        assert clean == everything(played)
        forget(played)
    assert killed > 4


def test_g6_a_rebuild_that_is_killed_at_any_step_leaves_what_was_there(played):
    """Readers see the old rows or the new ones, and both are the same."""
    project_all(played.ports)
    clean = everything(played)
    killed = 0
    for _ in deaths(played, lambda ports: rebuild(ports, "turnover")):
        killed += 1

        assert clean == everything(played)
        wait_for_the_dead(played)
        rebuild(played.ports, "turnover")
        assert clean == everything(played)
    assert [(1,)] == played.rows(
        "SELECT count(*) FROM {book}.p_projections WHERE name = 'turnover'"
    )
    assert killed > 8


def test_g6_a_report_that_is_killed_at_any_step_is_whole_or_absent(played):
    """After each death the files that are there are whole, and a second run makes all of them."""
    played.now = datetime(2026, 12, 1, 8, tzinfo=UTC)
    clean = {p.name: p.read_bytes() for p in build_report(played.ports, LIABILITY, NOVEMBER_30)}
    folder = played.folder / played.book
    killed = 0
    for path in folder.iterdir():
        path.unlink()
    for _ in deaths(played, lambda ports: build_report(ports, LIABILITY, NOVEMBER_30)):
        killed += 1
        seen = {p.name: p.read_bytes() for p in folder.iterdir() if not p.name.startswith(".")}

        assert seen.items() <= clean.items()
        wait_for_the_dead(played)
        build_report(played.ports, LIABILITY, NOVEMBER_30)
        assert clean == {
            p.name: p.read_bytes() for p in folder.iterdir() if not p.name.startswith(".")
        }
        for path in folder.iterdir():
            path.unlink()
    assert killed > 3 * 4


def test_g6_a_first_report_that_is_killed_on_its_way_equals_a_clean_run(database, tmp_path):
    """Closing, folding, writing and registering: a twin book tells what a clean run makes."""
    number, came_through = 1, False
    figures = set()
    while not came_through:
        casino = Casino(database, tmp_path, book=f"kill{number}")
        session = casino.sit(casino.player("anna"))
        casino.play(session, 17, straight(17), red("5.00"))
        casino.seal()
        casino.now = MORNING + timedelta(days=1)
        came_through = not dies(casino, number, first_reports)
        wait_for_the_dead(casino)
        first_reports(casino.ports)
        paths = (casino.folder / casino.book).glob("[!.]*.csv")
        figures.add(tuple(sorted(_sheets(path.read_text()) for path in paths)))
        number += 17
    assert 1 == len(figures)
    assert number > 17 * 4


def first_reports(ports: Ports) -> None:
    """Two reports of a day that nobody has closed."""
    for kind in (PERFORMANCE, LIABILITY):
        build_report(ports, kind, NOVEMBER_30)


def _sheets(text: str) -> str:
    """What of a report does not name its book."""
    return "\n".join(line for line in text.splitlines() if line.startswith(("sheets", "liability")))
