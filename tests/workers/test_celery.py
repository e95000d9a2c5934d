"""Real workers over real queues: delivered twice, killed, two at once; nothing is done twice."""

from datetime import UTC, datetime, timedelta

import pytest

from ledger.seal.tile_check import TreeTrust, check_tiles
from ledger.seal.tiles import folder as tiles_in
from tests.workers.history import CLASSIC, Casino
from tests.workers.station import Station, counted
from tests.workers.test_projections import everything
from workers.app import Config, make_app, pgmq_options
from workers.metrics import registry_for_scrape
from workers.project import project_all
from workers.projections.rebuild import rebuild
from workers.projections.registry import PROJECTIONS
from workers.schedule import SCHEDULE
from workers.tasks import TASKS, TIME_LIMIT

TUESDAY_MORNING = datetime(2026, 12, 1, 8, tzinfo=UTC)


MESSAGES = {
    "projection": ("project", "turnover"),
    "report": ("report", "game-performance", "2026-11-30"),
}
SEALS = ("contoposta_tasks_total", "seal", "success")
HELD = {"projection": "p_turnover_rows", "report": "p_reports"}


def folded(works: Station) -> dict[str, int]:
    """How far each projection is."""
    return dict(works.casino.rows("SELECT name, position FROM {book}.p_projections WHERE live"))


def clean(casino: Casino) -> dict[str, list[tuple]]:
    """What a rebuild in this process gives."""
    for projection in PROJECTIONS:
        rebuild(casino.ports, projection.name)
    return everything(casino)


def test_a_worker_seals_and_folds_what_is_asked_for_twice_only_once(works):
    """Each message is sent three times to two workers with two children each."""
    for _ in range(3):
        works.send("seal")
    works.start(children=2)
    works.start(children=2)
    works.until(works.is_idle)
    ((size,),) = works.casino.rows("SELECT max(size) FROM {book}.checkpoints")
    for projection in PROJECTIONS:
        for _ in range(3):
            works.send("project", projection.name)
    works.until(works.is_idle)
    works.until(lambda: folded(works) == {p.name: size for p in PROJECTIONS})

    assert everything(works.casino) == clean(works.casino)
    assert [(5, 3000)] == works.casino.rows("SELECT rounds, turnover FROM {book}.p_turnover")


def test_g6_a_worker_publishes_what_it_sealed_where_a_folder_is_set(works):
    """Given a folder for tiles, when a worker seals, then the folder holds the sealed log."""
    folder = works.settings.home / "tiles"
    works.settings = works.settings.model_copy(update={"tiles": folder})
    works.start()
    works.send("seal")
    works.until(works.is_idle)
    works.until((folder / "checkpoint").exists)
    ((note,),) = works.casino.rows("SELECT note FROM {book}.checkpoints")

    assert note == (folder / "checkpoint").read_text()
    assert check_tiles(tiles_in(folder), TreeTrust()).holds


def test_a_report_that_is_asked_for_twice_is_one_report(works):
    """Two workers, four messages: each file and its row in the register once, one closing.

    Nine kinds for the day, eight for the month that it ends, one for all the life; in four forms.
    """
    works.casino.seal()
    works.set_time(TUESDAY_MORNING)
    for _ in range(2):
        works.send("report", "game-performance", "2026-11-30")
        works.send("report_days")
    works.start()
    works.start()
    works.until(works.is_idle)

    assert [(4 * 18,)] == works.casino.rows("SELECT count(*) FROM {book}.p_reports")
    assert [(1,)] == works.casino.rows("SELECT count(*) FROM {book}.day_closings")
    assert 4 * 10 == len(list(works.settings.reports.glob("*-2026-11-30.*")))


@pytest.mark.parametrize("whole", [False, True], ids=["child", "worker"])
@pytest.mark.parametrize("task", ["projection", "report"])
def test_what_is_killed_in_the_middle_of_its_task_is_done_once_all_the_same(works, task, whole):
    """It is held at its first write by a lock, and killed there: a child, or the whole worker.

    A child's message is given to the next child at once, a worker's to another worker in time.
    """
    casino, message = works.casino, MESSAGES[task]
    casino.seal()
    works.set_time(TUESDAY_MORNING)
    worker = works.start(app="tests.workers.impatient")
    with works.held(HELD[task]) as is_waiting:
        works.send(*message)
        works.until(is_waiting)
        works.kill(worker, whole=whole)
    if whole:
        works.start(app="tests.workers.impatient")
    works.until(works.is_idle)

    project_all(casino.ports)
    assert everything(casino) == clean(casino)
    assert [(4 if task == "report" else 0,)] == casino.rows("SELECT count(*) FROM {book}.p_reports")
    assert [(5, 3000)] == casino.rows("SELECT rounds, turnover FROM {book}.p_turnover")


def test_a_worker_goes_on_when_its_idle_children_are_killed_again_and_again(works):
    """Given children that wait for a task, when killed, then their successors do the next one.

    The only child of a worker always holds the lock of its queue while it waits.
    """
    worker = works.start()
    for killed in range(4):
        works.send("seal")
        works.until(lambda count=killed + 1: counted(works, *SEALS) == count and works.is_idle())
        works.kill(worker, whole=False)

    assert worker.poll() is None


def test_s18_a_task_whose_time_lies_beyond_the_visibility_timeout_has_one_effect(works):
    """It is handed out again before it is due, and runs twice; one session expires once."""
    casino = works.casino
    session = casino.sit(casino.player("bruno"))
    casino.disconnect(session)
    casino.seal()
    project_all(casino.ports)
    works.set_time(casino.now + timedelta(minutes=20))
    pair = [works.start(app="tests.workers.impatient") for _ in range(2)]
    works.until(lambda: all(works.children(worker) for worker in pair))
    works.send("expire_sessions", countdown=15)
    works.until(lambda: counted(works, "contoposta_tasks_total", "expire_sessions", "success") > 1)

    expired = "SELECT count(*) FROM {book}.events WHERE topic = 'session-expired'"
    assert [(1,)] == casino.rows(expired)


def test_metrics_add_up_over_workers_and_children_that_are_gone(works):
    """Ten seals by children that are replaced after two tasks each."""
    for _ in range(2):
        works.start(app="tests.workers.impatient")
    for _ in range(10):
        works.send("seal")

    works.until(lambda: counted(works, "contoposta_tasks_total", "seal", "success") == 10)
    ((size,),) = works.casino.rows("SELECT max(size) FROM {book}.checkpoints")
    registry = registry_for_scrape(works.settings.metrics_dir, lambda: works.casino.ports)
    assert float(size) == registry.get_sample_value("contoposta_sealed_events_total")
    assert 0.0 == registry.get_sample_value("contoposta_seal_lag_events")


def test_money_metrics_are_those_of_the_projections(works, tmp_path):
    """Five rounds of 6.00 that each won 36.00: turnover 30.00, winnings 175.00, returns sixfold."""
    works.casino.seal()
    project_all(works.casino.ports)
    registry = registry_for_scrape(tmp_path, lambda: works.casino.ports)
    labels = {"sheet": CLASSIC, "version": "1", "account": "", "currency": "EUR"}
    figures = ("rounds", "bets", "turnover", "winnings", "stakes_returned", "refunded")

    assert [5.0, 10.0, 30.0, 175.0, 5.0, 0.0] == [
        registry.get_sample_value(f"contoposta_{name}_total", labels) for name in figures
    ]
    assert 6.0 == registry.get_sample_value("contoposta_rtp", labels)


def test_beat_sends_only_tasks_that_there_are():
    """Their arguments are names of projections."""
    names = {task.__name__ for task in TASKS}

    assert {timed.task for timed in SCHEDULE} <= names
    assert [(p.name,) for p in PROJECTIONS] == [t.arguments for t in SCHEDULE if t.arguments]


def test_the_day_is_reported_five_minutes_after_its_end_in_rome():
    """The schedule's clock is Rome's, also on the days when clocks change."""
    (rhythm,) = (t.every for t in SCHEDULE if t.task == "report_days")

    assert 5 in rhythm.minute
    assert set(range(24)) == rhythm.hour
    assert "Europe/Rome" == make_app(config()).conf.timezone


def config() -> Config:
    """An application that is only looked at."""
    return Config("looked_at", "memory://", "cache+memory://", {}, wire=lambda: None)


def test_the_application_is_as_safe_as_its_design_says():
    """Late acknowledgement, small prefetch, JSON alone, no remote control, a queue of its book."""
    conf = make_app(config()).conf

    assert (True, True, 4) == (
        conf.task_acks_late,
        conf.task_reject_on_worker_lost,
        conf.worker_prefetch_multiplier,
    )
    assert (["json"], "json", "json") == (
        conf.accept_content,
        conf.task_serializer,
        conf.result_serializer,
    )
    assert (False, False) == (conf.worker_enable_remote_control, conf.worker_send_task_events)
    assert "tasks_looked_at" == conf.task_default_queue


def test_s18_a_message_stays_invisible_for_twice_the_longest_task():
    """So that a task that runs is not started beside itself."""
    assert pgmq_options("host=x")["visibility_timeout"] >= 2 * TIME_LIMIT
