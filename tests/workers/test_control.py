"""What a report is held against: the journal's lines of closed days, each read once (G1, G6).

By hand: on Friday 6.00 were bet and 36.00 came back, on Monday 55.00 and 1,800.00, and on Tuesday
50.00 and nothing; nobody played at the week's end.
"""

from dataclasses import replace
from datetime import date

import psycopg
import pytest

from tests.workers.history import Casino
from tests.workers.november import FRIDAY, November, november_at
from tests.workers.two_days import tampered
from workers.days import Days
from workers.log import connected, sql, transaction
from workers.reports.build import build_report
from workers.reports.control import journal_of
from workers.reports.performance import CONTROL
from workers.reports.periods import of_day, of_life

TUESDAY = date(2026, 12, 1)
LIFE = of_life(TUESDAY)
BY_DAY = [
    (date(2026, 11, 27), {"EUR": [600, -3_000]}),
    (date(2026, 11, 28), {}),
    (date(2026, 11, 29), {}),
    (date(2026, 11, 30), {"EUR": [5_500, -174_500]}),
    (TUESDAY, {"EUR": [5_000, 5_000]}),
]
TOGETHER = {"EUR": (11_100, -172_500)}
KEPT = f"""SELECT day, sums FROM {{book}}.p_day_sums
            WHERE control = 'control' AND folded_by = '{CONTROL.folded_by}' ORDER BY day"""


@pytest.fixture(scope="module")
def told(database, tmp_path_factory) -> November:
    """The end of November, of which the life's performance is built."""
    november = november_at(Casino(database, tmp_path_factory.mktemp("told"), FRIDAY, "sums"))
    build_report(november.casino.ports, "game-performance", LIFE)
    return november


def journal(casino: Casino, days: Days, control=CONTROL) -> dict[str, tuple[int, int]]:
    """What the control is told of some days."""
    with connected(casino.ports) as connection, transaction(connection, frozen=True) as cursor:
        return dict(journal_of(cursor, casino.ports, days, control))


def test_g1_the_sums_of_closed_days_are_the_journals_lines_of_all_of_them(told):
    """Given a life, then each day is kept as worked by hand, and all lines give the same."""
    assert BY_DAY == told.casino.rows(KEPT)
    assert TOGETHER == journal(told.casino, LIFE.days)
    with connected(told.casino.ports) as connection, transaction(connection) as cursor:
        span = {"begins": LIFE.days.begins, "ends": LIFE.days.ends}
        assert [("EUR", *TOGETHER["EUR"])] == cursor.execute(
            sql(CONTROL.lines, told.casino.book), span
        ).fetchall()


def test_g6_a_closed_day_is_read_once_and_by_another_version_of_a_projection_again(told):
    """Given the lines of Friday gone by force, then the life stands, and a new reading finds it."""
    casino = told.casino
    others = replace(CONTROL, projections=("journal", "rounds", "sessions"))
    rows = "p_journal_rows"

    with tampered(casino, rows, f"DELETE FROM {rows} WHERE recorded < '2026-11-28'"):
        assert TOGETHER == journal(casino, LIFE.days)
        assert {"EUR": (10_500, -169_500)} == journal(casino, LIFE.days, others)


def test_g5_a_days_sums_are_not_changed_by_who_keeps_them(told):
    """Given the sums, when a worker or the owner would change them, then both are refused."""
    casino = told.casino
    change = sql("UPDATE {book}.p_day_sums SET sums = '{{}}'", casino.book)
    with connected(casino.ports) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(change)
    with psycopg.connect(casino.conninfo) as owner, pytest.raises(psycopg.Error, match="only ever"):
        owner.execute(change)


def test_a_day_that_another_report_kept_first_is_not_kept_twice(told):
    """Given Monday told alone after the life, then its control is of the same row."""
    build_report(told.casino.ports, "game-performance", of_day(date(2026, 11, 30)))

    assert BY_DAY == told.casino.rows(KEPT)
