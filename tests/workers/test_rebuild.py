"""A rebuild that the command line hands to real workers: the same rows, or why there are none."""

import json
import subprocess

import psycopg

from tests.program import BOUND, PROGRAM
from tests.workers.history import Casino
from tests.workers.station import ROOT, Station, counted
from tests.workers.test_projections import everything
from workers.project import project_all
from workers.projections.rebuild import rebuild
from workers.projections.registry import PROJECTIONS

TASKS = "contoposta_tasks_total"
MERGED = ("turnover", "rtp")
"""Projections whose parts are folded side by side."""
REBUILT = (*MERGED, "journal")
PIECEMEAL = "tests.workers.piecemeal"


def ask(works: Station, *arguments: str) -> subprocess.CompletedProcess:
    """Run `contoposta rebuild .. --workers` to its end."""
    return subprocess.run(
        [*PROGRAM, "rebuild", *arguments, "--workers"],
        cwd=ROOT,
        env=works.environment() | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
    )


def generations(works: Station) -> dict[str, int]:
    """The live generation of each projection."""
    return dict(works.casino.rows("SELECT name, generation FROM {book}.p_projections WHERE live"))


def folded_once(works: Station) -> int:
    """Seal and fold everything; how many events that were."""
    works.casino.seal()
    project_all(works.casino.ports)
    ((size,),) = works.casino.rows("SELECT max(size) FROM {book}.checkpoints")
    return size


def test_a_rebuild_by_workers_equals_the_rows_that_were_there_and_one_in_this_process(works):
    """Given parts of five events that are folded side by side, then every row is as before."""
    size = folded_once(works)
    before = everything(works.casino)
    no_worker_is_told_and_none_takes_the_request_later(works)
    for name in REBUILT:
        done = ask(works, name, "--json")

        assert (0, "") == (done.returncode, done.stderr)
        assert {"projection": name, "events": size} == json.loads(done.stdout)
    assert before == everything(works.casino)
    others = {p.name: 1 for p in PROJECTIONS if p.name not in REBUILT}
    assert others | dict.fromkeys(REBUILT, 2) == generations(works)
    parts = -(-size // 5)
    assert len(MERGED) * parts == counted(works, TASKS, "rebuild_part", "success") > 2

    for name in MERGED:
        rebuild(works.casino.ports, name)
    assert before == everything(works.casino)


def no_worker_is_told_and_none_takes_the_request_later(works: Station) -> None:
    """Given a queue without a worker, then exit 3 and a sentence; one that comes drops it."""
    done = ask(works, "turnover", "--patience", "1")
    works.start(children=2, app=PIECEMEAL)
    works.until(works.is_idle)

    assert (3, "") == (done.returncode, done.stdout)
    assert "No worker answered within 1 seconds" in done.stderr
    assert "contoposta worker" in done.stderr
    assert 0.0 == counted(works, TASKS, "rebuild", "started")


def test_a_rebuild_that_does_not_move_or_fails_is_told_and_the_old_rows_are_read_on(works):
    """Given a write that is held back, then exit 3 after the time given; let go, it is swapped in.

    Given workers who may not read events any more, then exit 3 at once, and who can say why.
    """
    folded_once(works)
    before = everything(works.casino)
    works.start(children=2, app=PIECEMEAL)
    works.send("seal")
    works.until(works.is_idle)
    with works.held("p_turnover_rows"):
        stalled = ask(works, "turnover", "--patience", "5", "--json")
    works.until(lambda: generations(works)["turnover"] == 2)
    assert before == everything(works.casino)
    forbid_events(works.casino)
    failed = ask(works, "turnover")

    assert (3, 3, "") == (stalled.returncode, failed.returncode, failed.stdout)
    assert "has not moved for 5 seconds" in json.loads(stalled.stdout)["error"]["message"]
    assert "The rebuild failed in a worker" in failed.stderr
    assert 2 == generations(works)["turnover"]
    assert before == everything(works.casino)


def forbid_events(casino: Casino) -> None:
    """Take the right to read events from workers."""
    with psycopg.connect(casino.conninfo) as connection:
        connection.execute(f"REVOKE SELECT ON {casino.book}.events FROM {casino.book}_worker")
