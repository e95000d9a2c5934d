"""Reports of closed days, from rounds whose figures are worked by hand."""

import hashlib
from datetime import UTC, date, datetime, timedelta
from typing import Any

import orjson
import psycopg
import pytest

from ledger.domain import commands as cmd
from ledger.domain.money import Currency
from ledger.domain.refusals import ClockFault, Refusal
from tests.workers.history import CLASSIC, PREMIUM, Casino, red, straight, uid
from workers import closing
from workers.closing import Closing, DutyCode, StillOpen, close_day, days_due
from workers.days import Days
from workers.log import connected, transaction
from workers.project import project_all
from workers.projections.rebuild import rebuild
from workers.projections.registry import PROJECTIONS
from workers.reports.build import build_report, report_days
from workers.reports.files import ReportDiffers
from workers.reports.performance import play
from workers.reports.periods import of_day

MONDAY = date(2026, 11, 30)
TUESDAY = date(2026, 12, 1)
PERFORMANCE, LIABILITY = "game-performance", "operator-liability"
MONITORING = "rtp-monitoring"
KINDS = (PERFORMANCE, LIABILITY, MONITORING)
MIDNIGHT = datetime(2026, 11, 30, 23, tzinfo=UTC)
"""The end of Monday in Rome."""


def read(casino: Casino, kind: str, day: date = MONDAY) -> dict[str, Any]:
    """A report as its JSON file tells it, its sections by name."""
    paths = build_report(casino.ports, kind, of_day(day))
    assert not isinstance(paths, Refusal), paths
    document = orjson.loads(paths[2].read_bytes())
    return document["card"] | {s["name"]: s for s in document["sections"]}


def lines(section: dict[str, Any], *names: str) -> list[tuple]:
    """Some cells of a section's lines."""
    return [tuple(line[name] for name in ("line", *names)) for line in section["lines"]]


@pytest.fixture
def monday(casino: Casino) -> Casino:
    """Anna at Classic as in the projections' tests, Bruno at Premium; then Tuesday morning."""
    casino.player("anna")
    casino.player("bruno")
    anna = casino.sit("anna")
    bruno = casino.sit("bruno", sheet=PREMIUM, channel="app")
    casino.play(anna, 17, straight(17), red("5.00"))
    casino.play(anna, 0, straight(17), red("5.00"))
    casino.play(bruno, 1, red("50.00"))
    casino.void(anna, casino.open_round(anna, red("1.00")))
    casino.send(cmd.GrantBonus, session=anna, amount=700, currency=Currency.EUR, reason="welcome")
    casino.open_round(anna, red("2.00"))
    casino.now = MIDNIGHT + timedelta(hours=8)
    casino.seal()
    return casino


def test_daily_performance_by_sheet(monday):
    """Classic returned 36.00 of 12.00, Premium 100.00 of 50.00; both promise 36/37."""
    sheets = read(monday, PERFORMANCE)["sheets"]

    theory = ("theoretical_numerator", "theoretical_denominator", "theoretical_percent")
    play_names = ("rounds", "bets", "turnover", "winnings", "stake_returned", "returned")
    assert [
        ("row", CLASSIC, 36, 37, "97.2973", 2, 4, "12.00", "35.00", "1.00", "36.00"),
        ("subtotal", CLASSIC, None, None, None, 2, 4, "12.00", "35.00", "1.00", "36.00"),
        ("row", PREMIUM, 36, 37, "97.2973", 1, 1, "50.00", "50.00", "50.00", "100.00"),
        ("subtotal", PREMIUM, None, None, None, 1, 1, "50.00", "50.00", "50.00", "100.00"),
        ("total", None, None, None, None, 3, 5, "62.00", "85.00", "51.00", "136.00"),
    ] == lines(sheets, "sheet", *theory, *play_names)


def test_daily_performance_shows_actual_return_exactly_and_void_rounds_apart(monday):
    """36/12 = 3, 100/50 = 2, and together 136/62 = 68/31 = 219.3548 percent."""
    sheets = read(monday, PERFORMANCE)["sheets"]

    ratio = ("rtp_numerator", "rtp_denominator", "rtp_percent")
    void = ("refunded", "void_rounds", "void_bets", "void_refunded")
    assert [
        ("row", 3, 1, "300.0000", "0.00", 1, 1, "1.00"),
        ("subtotal", 3, 1, "300.0000", "0.00", 1, 1, "1.00"),
        ("row", 2, 1, "200.0000", "0.00", 0, 0, "0.00"),
        ("subtotal", 2, 1, "200.0000", "0.00", 0, 0, "0.00"),
        ("total", 68, 31, "219.3548", "0.00", 1, 1, "1.00"),
    ] == lines(sheets, *ratio, *void)


def test_daily_performance_by_level_and_channel(monday):
    """The void round is a level of its own, without turnover and so without a return."""
    report = read(monday, PERFORMANCE)

    rows = [x for x in lines(report["levels"], "sheet", "level", "rtp_percent") if x[0] == "row"]
    assert [
        ("row", CLASSIC, "up-to-1", None),
        ("row", CLASSIC, "up-to-25", "300.0000"),
        ("row", PREMIUM, "up-to-100", "200.0000"),
    ] == rows
    rows = [x for x in lines(report["channels"], "sheet", "channel") if x[0] == "row"]
    assert [("row", CLASSIC, "web"), ("row", PREMIUM, "app")] == rows


def test_daily_performance_shows_bonuses_and_interrupted_rounds_apart(monday):
    """The house gave 7.00; the round in play at midnight holds 2.00."""
    report = read(monday, PERFORMANCE)

    assert ("row", CLASSIC, 1, "7.00") == lines(report["bonuses"], "sheet", "bonuses", "amount")[0]
    assert ("row", CLASSIC, 1, "2.00") == lines(
        report["interrupted"], "sheet", "rounds", "stakes_held"
    )[0]


def test_operator_liability_by_kind_of_account(monday):
    """Conto 1,800.00; posta 129.00 and 150.00; 2.00 at stake; the bank down 24.00 and 50.00."""
    report = read(monday, LIABILITY)

    assert [
        ("row", "conto", "0.00", "1800.00"),
        ("row", "posta", "0.00", "279.00"),
        ("row", "prison", "0.00", "0.00"),
        ("row", "right", "0.00", "0.00"),
        ("row", "stakes", "0.00", "2.00"),
        ("row", "win", "0.00", "0.00"),
        ("total", None, "0.00", "2081.00"),
    ] == lines(report["liability"], "account", "opening", "closing")
    assert [
        ("row", "bank", "-74.00"),
        ("row", "bonus", "-7.00"),
        ("row", "payments", "-2000.00"),
        ("total", None, "-2081.00"),
    ] == lines(report["contra"], "account", "closing")


def test_g1_operator_liability_ties_to_the_journal(monday):
    """All accounts are zero together, and the journal's lines move what the accounts say."""
    control = read(monday, LIABILITY)["control"]
    ((moved,),) = monday.rows("SELECT sum(amount)::int8 FROM {book}.p_journal")

    assert [("row", "EUR", "0.00", f"{moved / 100:.2f}", "yes")] == lines(
        control, "currency", "all_accounts", "journal_lines", "ties"
    )


def test_g1_a_journal_line_that_was_changed_by_force_no_longer_ties(monday):
    """The control says no."""
    read(monday, PERFORMANCE)
    with psycopg.connect(monday.conninfo, autocommit=True) as superuser:
        superuser.execute(f"DELETE FROM {monday.book}.p_journal_rows WHERE event = 'posta-funded'")

    assert [("row", "no")] == lines(read(monday, LIABILITY)["control"], "ties")


def test_a_day_opens_with_what_the_day_before_closed_with(monday):
    """Tuesday is empty but for what Monday left, and moves nothing."""
    read(monday, LIABILITY)
    monday.now += timedelta(days=1)
    tuesday = read(monday, LIABILITY, TUESDAY)

    assert [("total", "2081.00", "0.00", "0.00", "2081.00")] == [
        x
        for x in lines(tuesday["liability"], "opening", "debited", "credited", "closing")
        if x[0] == "total"
    ]


def test_the_card_says_what_the_report_was_built_from(monday):
    """Title, day, zone, book, clock, checkpoint; "generated at" is the last sealed event's time."""
    report = read(monday, PERFORMANCE)
    ((size, root, last),) = monday.rows(
        "SELECT size, root, last_recorded FROM {book}.checkpoints ORDER BY size DESC LIMIT 1"
    )

    assert {
        "title": "Game performance",
        "report_version": 3,
        "edition": 1,
        "replaces": "none",
        "period": "day",
        "first_day": "2026-11-30",
        "last_day": "2026-11-30",
        "time_zone": "Europe/Rome",
        "begins": "2026-11-29T23:00:00+00:00",
        "ends": "2026-11-30T23:00:00+00:00",
        "book": monday.book,
        "clock": "simulated",
        "generated_at": last.isoformat(),
        "checkpoint_size": size,
        "checkpoint_root": root.hex(),
        "filters": "none",
        "activity": "Activity",
    } == {name: value for name, value in report.items() if not isinstance(value, dict)}


def test_an_empty_day_says_no_activity(casino):
    """Both reports are produced all the same."""
    casino.now = MIDNIGHT + timedelta(hours=1)
    casino.seal()

    for kind, section in ((PERFORMANCE, "sheets"), (LIABILITY, "liability")):
        report = read(casino, kind)
        assert ("No Activity", []) == (report["activity"], report[section]["lines"])
        assert "No Activity" == report[section]["note"]


def test_s19_the_total_of_two_days_is_the_sum_of_the_days(casino):
    """On the 25-hour day one round plays in its first half hour and one in its last."""
    casino.now = datetime(2026, 10, 24, 12, tzinfo=UTC)
    casino = Casino(casino.conninfo, casino.folder, casino.now)
    casino.player("anna")
    session = casino.sit("anna")
    for hour, amount in ((24, "1.00"), (25, "2.00")):
        casino.now = datetime(2026, 10, hour, 22, 30, tzinfo=UTC)
        casino.play(session, 0, red(amount))
    casino.now = datetime(2026, 10, 25, 23, 30, tzinfo=UTC)
    casino.play(session, 0, red("5.00"))
    casino.now = datetime(2026, 10, 27, 12, tzinfo=UTC)
    casino.seal()
    days = [date(2026, 10, n) for n in (24, 25, 26)]
    single = [read(casino, PERFORMANCE, day)["sheets"]["lines"] for day in days]

    assert [None, "3.00", "5.00"] == [x[-1]["turnover"] if x else None for x in single]
    with connected(casino.ports) as connection, transaction(connection) as cursor:
        period = ("period", Days(days[1], days[2]))
        together = play(cursor, casino.ports, period, ("sheet", "currency"))
    turnover = [c.name for c in together.columns].index("turnover")
    assert 800 == together.lines[-1].cells[turnover]


def test_g6_the_same_checkpoint_gives_the_same_bytes_whatever_came_later(monday):
    """More play, a newer checkpoint and rebuilt projections change no byte."""
    first = files(monday)
    project_all(monday.ports)
    ((session,),) = monday.rows("SELECT session FROM {book}.p_sessions WHERE player = 'anna'")
    ((open_round,),) = monday.rows("SELECT round FROM {book}.p_rounds WHERE ended_at IS NULL")
    monday.void(session, open_round)
    monday.play(session, 17, straight(17))
    monday.send(cmd.CloseSession, session=session)
    monday.seal()
    for path in (monday.folder / monday.book).iterdir():
        path.unlink()
    for projection in PROJECTIONS:
        rebuild(monday.ports, projection.name)

    assert first == files(monday)


def test_monitored_returns_stand_beside_what_chance_allows_by_sheet_level_and_channel(monday):
    """At Classic 36.00 came of 12.00: E is 2 · 21600/37, V is 2 · 678960000/37², in cents.

    z is (3600 - 1167.57) / 995.94 = 2.442, and 1.96 · 995.94 / 1200 is 162.67 %. At Premium 100.00
    came of 50.00 on red: (10000 - 4864.86) / 4998.17 = 1.027. Two or one rounds are few.
    """
    monitored = read(monday, MONITORING)
    names = ("sheet", "rounds", "turnover", "returned", "rtp_percent", "theoretical_percent", "z")
    classic = ("row", CLASSIC, 2, "12.00", "36.00", "300.0000", "97.2973", "2.442")
    premium = ("row", PREMIUM, 1, "50.00", "100.00", "200.0000", "97.2973", "1.027")

    for section in ("sheets", "sheets-last-30-days", "sheets-to-date", "levels", "channels"):
        assert [classic, premium] == lines(monitored[section], *names)
    more = ("level", "tolerance_warning_percent", "state")
    (level, tolerance, state) = lines(monitored["levels-to-date"], *more)[0][1:]
    assert ("up-to-25", "few-rounds") == (level, state)
    assert 162.67 == pytest.approx(float(tolerance), abs=0.005)
    assert ["web", "app"] == [row[1] for row in lines(monitored["channels"], "channel")]
    assert [(37, "2")] == [
        (sum(row["sheet"] == CLASSIC for row in monitored["outcomes-to-date"]["lines"]),
         str(monitored["outcome-tests-to-date"]["lines"][0]["draws"]))
    ]  # fmt: skip
    assert [] == monitored["alerts"]["lines"]


def test_a_period_without_rounds_is_monitored_too(monday):
    """Tuesday has none: its card says so, and what was played before stands to date."""
    monday.now = MIDNIGHT + timedelta(hours=32)
    monday.seal()
    monitored = read(monday, MONITORING, TUESDAY)

    assert "No Activity" == monitored["activity"] == monitored["sheets"]["note"]
    assert 2 == len(monitored["sheets-to-date"]["lines"])


def files(casino: Casino) -> dict[str, bytes]:
    """The files of Monday's reports."""
    paths = [p for k in KINDS for p in build_report(casino.ports, k, of_day(MONDAY))]
    return {path.name: path.read_bytes() for path in paths}


def test_reports_have_stable_names_and_stand_in_the_register(monday):
    """The register alone says when a file was first produced; producing it again adds nothing."""
    produced = files(monday)
    when = monday.now
    monday.wait(hours=1)
    files(monday)

    assert {
        f"{kind}-2026-11-30.{ending}"
        for kind in KINDS
        for ending in ("csv", "it.csv", "json", "pdf")
    } == set(produced)
    assert {
        (name, hashlib.sha256(content).digest(), when) for name, content in produced.items()
    } == {
        (name, bytes(digest), at)
        for name, digest, at in monday.rows(
            "SELECT file, sha256, produced_at FROM {book}.p_reports"
        )
    }


def test_a_report_that_would_change_is_not_written(monday):
    """Somebody must look; the file stays as it was."""
    path = build_report(monday.ports, PERFORMANCE, of_day(MONDAY))[0]
    before = path.read_bytes()
    with psycopg.connect(monday.conninfo, autocommit=True) as superuser:
        superuser.execute(f"UPDATE {monday.book}.p_turnover_rows SET rounds = rounds + 1")

    with pytest.raises(ReportDiffers):
        build_report(monday.ports, PERFORMANCE, of_day(MONDAY))
    assert before == path.read_bytes()


@pytest.mark.parametrize(
    ("now", "day", "code"),
    [
        (MIDNIGHT + timedelta(minutes=4, seconds=59), MONDAY, DutyCode.DAY_NOT_OVER),
        (MIDNIGHT + timedelta(hours=1), date(2026, 11, 29), DutyCode.BEFORE_FIRST_DAY),
    ],
)
def test_a_day_that_cannot_be_reported_is_refused_with_its_reason(monday, now, day, code):
    """Five minutes after its end it can; before the book began there is nothing."""
    monday.now = now

    assert code is build_report(monday.ports, PERFORMANCE, of_day(day)).code
    assert [] == monday.rows("SELECT * FROM {book}.day_closings")


def test_a_book_with_nothing_sealed_has_no_reports(casino):
    """The refusal says what to do first."""
    casino.now = MIDNIGHT + timedelta(hours=1)

    assert () == days_due(casino.ports)
    assert DutyCode.BOOK_EMPTY is close_day(casino.ports, MONDAY).code


def test_a_closed_day_keeps_its_checkpoint_and_takes_no_more_events(monday):
    """Closing again answers the same; a command with an earlier time is a fault of the clock."""
    closed = close_day(monday.ports, MONDAY)
    monday.player("carla")
    monday.seal()

    assert closed == close_day(monday.ports, MONDAY)
    monday.now = MIDNIGHT - timedelta(seconds=1)
    with pytest.raises(ClockFault):
        monday.player("dino")


def test_what_was_played_but_not_sealed_is_in_the_closing(monday):
    """The closing seals first."""
    monday.now = MIDNIGHT - timedelta(seconds=1)
    session = monday.sit("bruno", sheet=PREMIUM)
    monday.play(session, 0, red("5.00"))
    monday.now = MIDNIGHT + timedelta(minutes=5)

    total = read(monday, PERFORMANCE)["sheets"]["lines"][-1]
    assert "67.00" == total["turnover"]


def test_s16_a_day_stays_open_while_an_older_save_is_running(monday, monkeypatch):
    """The closing waits for it, then gives up and may be tried again."""
    monkeypatch.setattr(closing, "WAITS", 3)
    with psycopg.connect(monday.conninfo) as slow:
        slow.execute("SELECT pg_current_xact_id()")

        with pytest.raises(StillOpen):
            close_day(monday.ports, MONDAY)
    assert [] == monday.rows("SELECT * FROM {book}.day_closings")
    assert isinstance(close_day(monday.ports, MONDAY), Closing)


def test_every_due_day_gets_its_reports_once(monday):
    """After two days of nobody looking, three days are closed and reported, and then none.

    The first of them ends a month, of which eight kinds tell, and one of all the life.
    """
    monday.now += timedelta(days=2)
    made = report_days(monday.ports)

    assert 4 * (3 * 9 + 8 + 1) == len(made)
    assert () == report_days(monday.ports)
    assert [(date(2026, 11, 30),), (date(2026, 12, 1),), (date(2026, 12, 2),)] == monday.rows(
        "SELECT day FROM {book}.day_closings ORDER BY day"
    )


def test_an_unknown_report_is_an_error_of_the_caller(monday):
    """Nothing is closed for it."""
    with pytest.raises(KeyError):
        build_report(monday.ports, "no-such-report", of_day(MONDAY))
    assert [] == monday.rows("SELECT * FROM {book}.day_closings")


def test_two_currencies_are_never_added(monday):
    """A conto in roubles has its own lines and totals."""
    fields = {"player": uid("rouble").hex, "currency": Currency.RUR}
    monday.now = MIDNIGHT - timedelta(hours=1)
    monday.send(cmd.OpenConto, **fields, personal=())
    monday.send(cmd.Deposit, **fields, amount=5, reference="pay-9", channel="card")
    monday.now = MIDNIGHT + timedelta(hours=1)

    totals = [
        x for x in lines(read(monday, LIABILITY)["liability"], "currency", "closing")
        if x[0] == "total"
    ]  # fmt: skip
    assert [("total", "EUR", "2081.00"), ("total", "RUR", "0.05")] == totals
