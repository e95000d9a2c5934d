"""What keeps the workers' work whole: a save in a closing, one bad case among many, a rebuild."""

from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from ledger.central import CentralFault
from ledger.domain.refusals import ClockFault
from tests.workers.history import Casino, red, uid
from workers import duties
from workers.closing import close_day
from workers.duties import DutyFault, ask_pending_rights, expire_sessions
from workers.log import sql
from workers.project import project, project_all
from workers.projections.registry import named
from workers.reports import build
from workers.reports.build import ReportsFault, build_report, report_days

MONDAY = date(2026, 11, 30)
MIDNIGHT = datetime(2026, 11, 30, 23, tzinfo=UTC)
ADMIT = "SELECT {book}.admit(%s, '{{}}'::uuid[], '{{}}'::int8[])"


@pytest.fixture
def monday(casino: Casino) -> Casino:
    """A book whose last event of Monday is an hour old when Monday may be closed."""
    casino.now = MIDNIGHT - timedelta(hours=1)
    casino.player("anna")
    casino.seal()
    casino.now = MIDNIGHT + timedelta(minutes=5)
    return casino


def test_g6_a_day_is_not_closed_past_a_save_that_was_admitted_before(monday):
    """Given a save of Monday that passed the check and has no id yet, the closing waits for it."""
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(1))
        slow = stack.enter_context(psycopg.connect(monday.conninfo))
        admit = SQL(ADMIT).format(book=Identifier(monday.book))
        slow.execute(admit, (MIDNIGHT - timedelta(seconds=1),))
        closing = pool.submit(close_day, monday.ports, MONDAY)
        still_running = wait([closing], timeout=1).not_done
        closed_meanwhile = monday.rows("SELECT day FROM {book}.day_closings")
        slow.rollback()
        closed = closing.result(timeout=30)

    assert {closing} == still_running
    assert [] == closed_meanwhile
    assert MONDAY == closed.day


def test_g6_saves_go_on_after_a_closing_and_after_one_that_failed(monday, monkeypatch):
    """Given a closing that ended either way, then nobody is kept waiting by it."""
    monkeypatch.setattr("workers.closing.WAITS", 0)
    with pytest.raises(Exception, match="still running"):
        close_day(monday.ports, MONDAY)
    monday.player("bruno")
    monkeypatch.undo()
    close_day(monday.ports, MONDAY)

    monday.player("carla")
    monday.now = MIDNIGHT - timedelta(seconds=1)
    with pytest.raises(ClockFault):
        monday.player("dino")


def two_waiting(casino: Casino) -> None:
    """Two rights that wait for their answers, the second one second later."""
    for name in ("first", "second"):
        casino.player(name)
        casino.request(uid(name), name, 5_000)
        casino.wait(seconds=1)
    casino.seal()
    project_all(casino.ports)
    casino.wait(minutes=1)


def test_one_right_that_meets_a_fault_does_not_keep_the_others_from_being_asked(casino):
    """Given an older right whose reply is contradictory, then the younger one is asked too."""
    two_waiting(casino)
    asked = []

    def ask(session, participation):
        asked.append(session)
        if session == uid("first"):
            raise CentralFault("The reply contradicts the request.")
        return "done"

    with pytest.raises(DutyFault, match=r"1 cases failed \(CentralFault\), 1 were done"):
        ask_pending_rights(replace(casino.ports, ask=ask))

    assert [uid("first"), uid("second")] == asked


def test_cases_that_stay_do_not_keep_the_next_page_from_being_done(casino, monkeypatch):
    """Given pages of one case and an oldest right that stays unknown, then all are asked once."""
    monkeypatch.setattr(duties, "AT_ONCE", 1)
    two_waiting(casino)
    asked = []
    ports = replace(casino.ports, ask=lambda session, _: asked.append(session) or "unknown")

    assert {"unknown": 2} == ask_pending_rights(ports)
    assert [uid("first"), uid("second")] == asked


def test_c1_every_session_that_is_due_expires_over_several_pages(casino, monkeypatch):
    """Given three sessions due at the same moment and pages of one, then all three are ended."""
    monkeypatch.setattr(duties, "AT_ONCE", 1)
    for name in ("anna", "bruno", "carla"):
        casino.disconnect(casino.sit(casino.player(name)))
    casino.seal()
    project_all(casino.ports)
    casino.wait(minutes=21)

    assert {"done": 3} == expire_sessions(casino.ports)


def test_a_rebuild_for_a_new_version_is_taken_up_where_it_was_left(casino, monkeypatch):
    """Given batches of ten events, then each call goes on; readers keep the old rows till then."""
    session = casino.sit(casino.player("anna"))
    for _ in range(6):
        casino.play(session, 1, red("1.00"))
    casino.seal()
    project_all(casino.ports)
    change = "UPDATE {book}.p_projections SET version = 0 WHERE name = 'sessions'"
    with casino.connect("worker") as connection:
        connection.execute(sql(change, casino.book))
    small = replace(named("sessions"), batch=10)
    monkeypatch.setattr("workers.projections.rebuild.named", lambda _: small)
    positions = [project(casino.ports, "sessions", 1).position for _ in range(2)]
    seen = casino.rows("SELECT rounds FROM {book}.p_sessions")
    project_all(casino.ports)

    assert [10, 20] == positions
    assert [(6,)] == seen
    assert [(6,)] == casino.rows("SELECT rounds FROM {book}.p_sessions")
    assert [(small.version, True)] == casino.rows(
        "SELECT version, live FROM {book}.p_projections WHERE name = 'sessions'"
    )


def test_a_report_that_fails_does_not_keep_the_others_from_being_produced(monday, monkeypatch):
    """Given a liability report that meets a fault, then the performance is still produced."""

    def failing(ports, kind, day):
        if kind == "operator-liability":
            raise ClockFault("No figure of that day can be trusted.")
        return build_report(ports, kind, day)

    monkeypatch.setattr(build, "build_report", failing)
    with pytest.raises(ReportsFault, match="operator-liability of 2026-11-30"):
        report_days(monday.ports)

    produced = monday.rows("SELECT DISTINCT kind FROM {book}.p_reports ORDER BY kind")
    assert [("daily-performance",), ("rtp-monitoring",)] == produced
