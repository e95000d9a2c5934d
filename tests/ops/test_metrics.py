"""Worker, beat and the metrics page as real processes: what they count is what the book holds."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from ops.cluster import Cluster, start
from ops.embedded import temporary_cluster
from tests.program import BOUND, PROGRAM, ROOT, SHEET, Shop, environment, opened_shop
from workers.projections.registry import PROJECTIONS

COMMANDS = "contoposta_commands_total"
EXPIRED = ("contoposta_duties_total", "expire_sessions", "done")
BY = ("", "EUR", SHEET, "1")
SEALS = ("contoposta_tasks_total", "success", "contoposta.seal")
UP = ("contoposta_up", "database")
RED = '{"bets":[{"chance":"red","amount":"5.00"}]}'


@contextmanager
def running(shop: Shop, *arguments: str) -> Iterator[subprocess.Popen]:
    """A long-running command of the program, stopped by TERM to its main process alone."""
    log = shop.home / f"{arguments[0]}.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*PROGRAM, *arguments],
            env=environment(shop.home, **shop.settings),
            stdout=file,
            stderr=file,
            start_new_session=True,
            cwd=ROOT,
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(BOUND)
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def scrape(port: int) -> str:
    """The page; empty while it is not served."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=BOUND) as page:
            return page.read().decode()
    except URLError:
        return ""


def figures(page: str) -> dict[tuple, float]:
    """The samples of a page by name and the values of labels, in the order of the labels' names."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


def until_told(port: int, enough: Callable[[dict[tuple, float]], bool]) -> str:
    """The page when it tells what is expected of it, or what it still told after long."""
    page = ""
    for _ in range(BOUND * 2):
        page = scrape(port)
        if enough(figures(page)):
            return page
        time.sleep(0.5)
    return page


def lost_player(shop: Shop) -> str:
    """A session whose player was cut off twenty minutes ago with a bet on the table."""
    lost = shop.session(shop.player("carla"))
    shop.say("round", "open", lost, RED)
    shop.say("session", "disconnect", lost)
    clock = shop.home / "clock"
    later = datetime.fromisoformat(clock.read_text()) + timedelta(minutes=20)
    clock.write_text(later.isoformat())
    return lost


@dataclass(frozen=True, slots=True)
class Scene:
    """What was played, and what the page and the logs told of it."""

    shop: Shop
    lost: str
    played: dict[str, Any]
    page: str
    logs: str

    @property
    def told(self) -> dict[tuple, float]:
        """The page's samples."""
        return figures(self.page)


def scene_of(shop: Shop) -> Scene:
    """A simulation and an expiry under worker, beat and page, until the page tells of both."""
    lost = lost_player(shop)
    port = free_port()
    with (
        running(shop, "worker", "--processes", "1"),
        running(shop, "beat"),
        running(shop, "metrics", "--port", str(port)),
    ):
        until_told(port, lambda told: SEALS in told)
        done = shop("simulate", "--players", "5", "--rounds", "20", "--json")
        assert 0 == done.code, done
        expected = {EXPIRED: 1.0, ("contoposta_rounds_total", *BY): done.document["rounds"] + 1}
        page = until_told(port, lambda told: expected.items() <= told.items())
    logs = [(shop.home / f"{name}.log").read_text() for name in ("worker", "beat", "metrics")]
    return Scene(shop, lost, done.document, page, "".join(logs))


def test_the_page_tells_what_the_book_holds_while_beat_and_worker_do_their_duties(timed_shop):
    """Given play, a lost player and beat's messages alone, then every figure is the book's own."""
    scene = scene_of(timed_shop)

    beat_and_a_worker_ended_the_session_of_the_lost_player(scene)
    tasks_are_told_by_the_worker_and_lags_by_the_book(scene)
    refusals_and_latencies_are_told_by_the_process_that_answered(scene)
    money_and_rtp_are_those_of_the_projection(scene)
    no_secret_and_nobodys_name_is_told(scene)


def beat_and_a_worker_ended_the_session_of_the_lost_player(scene: Scene) -> None:
    """Given beat's messages alone, then the duty is done once, and counted once."""
    assert "expired" == scene.shop.say("session", "show", scene.lost)["reason"]
    assert 1.0 == scene.told[EXPIRED]
    assert 1.0 == scene.told[COMMANDS, "expire-session", "accepted"]


def tasks_are_told_by_the_worker_and_lags_by_the_book(scene: Scene) -> None:
    """Given beat's seconds, then seals and folds that succeeded, and everything sealed counted."""
    told, size = scene.told, scene.shop.rows("SELECT max(size) FROM checkpoints")[0][0]

    assert told[SEALS] > 0
    assert told[*SEALS[:2], "contoposta.project"] > 0
    assert float(size) == told["contoposta_sealed_events_total",]
    assert 0.0 == told["contoposta_seal_lag_events",]
    lags = {key[1] for key in told if key[0] == "contoposta_projection_lag_events"}
    assert {projection.name for projection in PROJECTIONS} == lags


def refusals_and_latencies_are_told_by_the_process_that_answered(scene: Scene) -> None:
    """Given a simulation with careless players, then its own count of refusals is the page's."""
    told = scene.told
    answers = {k[2]: n for k, n in told.items() if k[:2] == (COMMANDS, "play-round")}
    accepted = answers.pop("accepted")

    assert {} != scene.played["refused"] == answers
    assert scene.played["rounds"] == accepted
    asked = told["contoposta_command_seconds_count", "play-round"]
    assert accepted + sum(answers.values()) == asked


def money_and_rtp_are_those_of_the_projection(scene: Scene) -> None:
    """Given the turnover projection's rows, then bets, turnover, payouts and returns equal them."""
    told = scene.told
    turnover, winnings, returned, bets = scene.shop.rows(
        "SELECT sum(turnover), sum(winnings), sum(stake_returned), sum(bets) FROM p_turnover"
    )[0]

    assert float(bets) == told["contoposta_bets_total", *BY]
    assert float(turnover) / 100 == told["contoposta_turnover_total", *BY]
    assert float(winnings) / 100 == told["contoposta_winnings_total", *BY]
    assert float(returned) / 100 == told["contoposta_stakes_returned_total", *BY]
    assert float((winnings + returned) / turnover) == pytest.approx(told["contoposta_rtp", *BY])


def no_secret_and_nobodys_name_is_told(scene: Scene) -> None:
    """Given the keys of seal and vault and the holders' names, then none is told anywhere."""
    folder = scene.shop.home
    keys = [path.read_bytes().hex() for path in (folder / "vault").glob("*.key")]
    seal = (folder / "seal.key").read_text().split("+")[-1].strip()

    assert 6 == len(keys)
    assert "Traceback" not in scene.logs
    secrets = [seal, *keys, "Player player-1", "player-1"]
    assert [] == [word for word in secrets if word in scene.page + scene.logs]


@contextmanager
def shop_with_its_own_server(forks: subprocess.Popen, folder: Path) -> Iterator[Shop]:
    """A book in a server that nobody else needs."""
    home = Path(tempfile.mkdtemp(prefix="contoposta-test-"))
    try:
        with temporary_cluster(home / "home", with_broker=False) as conninfo:
            yield opened_shop(home / "home", forks, conninfo, folder)
    finally:
        shutil.rmtree(home)


def test_while_the_database_is_down_the_page_tells_what_can_be_told(forks, tmp_path):
    """Given a server that stops, starts and stops, then each scrape is served and says so."""
    with shop_with_its_own_server(forks, tmp_path) as shop:
        played = shop("simulate", "--players", "1", "--rounds", "3", "--json").document["rounds"]
        events, port = shop.events(), free_port()
        shop.say("down")
        with running(shop, "metrics", "--port", str(port)):
            without = figures(until_told(port, bool))
            start(Cluster(shop.home))
            served = figures(until_told(port, lambda told: told.get(UP) == 1.0))
            shop.say("down")
            stopped = figures(scrape(port))

    assert [0.0, 1.0, 0.0] == [told.get(UP) for told in (without, served, stopped)]
    assert 3 == played
    for told in (without, served, stopped):
        assert float(played) == told[COMMANDS, "play-round", "accepted"]
    assert float(events) == served["contoposta_seal_lag_events",]
    assert [] == [name for told in (without, stopped) for name, *_ in told if "lag" in name]


def test_a_port_that_is_taken_is_a_fault_and_no_page_is_promised(shop):
    """Given a port that somebody listens on, when served, then exit 3 and no address printed."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = shop.quick("metrics", "--port", str(taken.getsockname()[1]))

    assert (3, "") == (done.code, done.out)
    assert "already in use" in done.err
