"""The demo from start to end, again, afresh, and interrupted: it leaves data and no process."""

import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.program import BOUND, ROOT, environment

BOOK = "shown"


@pytest.fixture
def home() -> Iterator[Path]:
    """A data folder with a short path."""
    folder = Path(tempfile.mkdtemp(prefix="contoposta-demo-"))
    yield folder / "home"
    left_behind = working_in(folder / "home")
    for process in left_behind:
        process.kill()
    shutil.rmtree(folder)


def demo(home: Path, *options: str) -> subprocess.Popen:
    """Start the demo as its script does, in a folder and a book of its own."""
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "ops.demonstration", *options],
        env=environment(home, BOOK=BOOK, CLOCK="simulated"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
    )


def working_in(home: Path) -> list[psutil.Process]:
    """Every process that works in the folder or was started for it."""
    found = []
    for process in psutil.process_iter():
        try:
            started_for = process.environ().get("CONTOPOSTA_HOME") == str(home)
            if started_for or process.cwd().startswith(str(home)):
                found.append(process)
        except psutil.Error:
            continue
    return found


def reports(home: Path) -> set[str]:
    """The days that have all files: nine kinds in four forms."""
    names = [path.name for path in (home / "reports" / BOOK).glob("*-20*")]
    days = {re.search(r"20\d\d-\d\d-\d\d", name)[0] for name in names}
    return {day for day in days if ALL <= sum(day in name for name in names)}


ALL = 9 * 4
OTHERS = ("deuces-wild", "roulette-fairplay", "french-roulette", "live-blackjack")
"""The sheets of the day besides the families of European roulette."""
ALONE = "Another demo is running here; let it end first.\n"


def until(running: subprocess.Popen, moment: Callable[[], bool]) -> None:
    """Wait for a moment of a demo that is running."""
    for _ in range(BOUND * 100):
        if moment() or running.poll() is not None:
            return
        time.sleep(0.01)


def interrupted(running: subprocess.Popen, moment: Callable[[], bool], stop: int) -> str:
    """Signal the demo when a moment has come; what it printed, after it ended with 130."""
    until(running, moment)
    running.send_signal(stop)
    printed, _ = running.communicate(timeout=BOUND)
    assert 130 == running.returncode, printed
    assert "no process is left running" in printed
    return printed


def test_the_demo_plays_a_day_carries_on_with_the_next_and_starts_over(home):
    """Given a day, a second one stopped while verified, and a fresh one while the worker works."""
    first = demo(home, "--rounds", "2")
    until(first, (home / "demo.lock").exists)
    second = run_to_its_end(home, CLOCK="simulated")
    assert (1, ALONE) == (second.returncode, second.stdout)
    printed, _ = first.communicate(timeout=BOUND)
    assert 0 == first.returncode, printed
    assert "rounds judged again. The book holds." in printed
    families = [f"european-roulette-{family}" for family in ("classic", "premium", "vip")]
    for sheet in (*families, *OTHERS):
        assert re.search(rf"{sheet} +│ +\d+ │ +\d+\.\d\d │", printed), sheet
    assert "Carla topped up" in printed
    assert re.search(r"Wins were doubled up \d+ times: [\d.]+ at risk, [\d.]+ returned", printed)
    assert re.search(r"a win of [\d.]+ that waited for his word: it was held, collected", printed)
    assert "2.00 were refunded" in printed
    assert 9 == len(re.findall(rf"/reports/{BOOK}/[a-z-]+-20[0-9-]+\.pdf", printed)), printed
    assert [] == working_in(home)
    day = reports(home)
    assert 1 == len(day)

    interrupted(demo(home, "--rounds", "2"), lambda: len(reports(home)) > 1, signal.SIGTERM)
    assert [] == working_in(home)
    assert 2 == len(reports(home)) > len(day - reports(home)) == 0

    def waits_for_its_worker_afresh() -> bool:
        return not reports(home) and (home / "vault" / BOOK / "carla.1.key").exists()

    interrupted(demo(home, "--fresh", "--rounds", "1"), waits_for_its_worker_afresh, signal.SIGINT)
    assert [] == working_in(home)
    assert set() == reports(home)


def test_the_demo_ends_what_it_started_whenever_it_is_stopped(home):
    """Given signals while it makes its server, starts it, and plays with its worker starting."""
    moments = [
        (
            lambda: any((home / name).exists() for name in ("postgres.new", "postgres")),
            signal.SIGINT,
        ),
        ((home / "postgres" / "postmaster.pid").exists, signal.SIGTERM),
        (lambda: len(list((home / "vault" / BOOK).glob("*.key"))) > 6, signal.SIGHUP),
    ]
    for moment, stop in moments:
        interrupted(demo(home, "--rounds", "2"), moment, stop)

        assert [] == working_in(home), stop


def test_the_demo_is_for_a_simulated_clock_alone(home):
    """Given the real clock, when started, then one sentence, exit code 1, and no data folder."""
    real = run_to_its_end(home, CLOCK="real")

    assert (1, True) == (real.returncode, "start it by ./ops/demo" in real.stdout)
    assert not home.exists()


def run_to_its_end(home: Path, **settings: str) -> subprocess.CompletedProcess:
    """The demo run while something else decides how it ends."""
    return subprocess.run(
        [sys.executable, "-m", "ops.demonstration", "--rounds", "1"],
        env=environment(home, BOOK=BOOK, **settings),
        stdout=subprocess.PIPE,
        text=True,
        timeout=BOUND,
        check=False,
        cwd=ROOT,
    )
