"""The kinds of reports, from a month worked by hand (`tests.workers.november`)."""

from datetime import date
from fractions import Fraction
from typing import Any

import orjson
import psycopg
import pytest

from ledger.domain import commands as cmd
from tests.workers.history import CLASSIC, PREMIUM, Casino, red, uid
from tests.workers.november import FRIDAY, November, november_at
from workers.project import project_all
from workers.projections.rebuild import rebuild
from workers.projections.registry import PROJECTIONS
from workers.reports.build import build_report
from workers.reports.duty import duty_on, rate_of
from workers.reports.periods import read_period
from workers.reports.registry import REPORTS

MONTH, MONDAY, TUESDAY, WEDNESDAY = "2026-11", "2026-11-30", "2026-12-01", "2026-12-02"
LIFE = "life-2026-12-01"


@pytest.fixture(scope="module")
def told(database, tmp_path_factory) -> November:
    """The month, with all of its days over."""
    return november_at(Casino(database, tmp_path_factory.mktemp("november"), FRIDAY, "november"))


def read(told: November, kind: str, period: str) -> dict[str, Any]:
    """A report's card and its sections' lines by name."""
    path = build_report(told.casino.ports, kind, read_period(period))[2]
    document = orjson.loads(path.read_bytes())
    return document["card"] | {s["name"]: s["lines"] for s in document["sections"]}


def cells(lines: list[dict[str, Any]], *names: str) -> list[tuple]:
    """Some cells of lines."""
    return [tuple(line[name] for name in ("line", *names)) for line in lines]


def test_player_sessions_that_ended_on_monday(told):
    """Anna's: 100.00 and a bonus of 7.00 in, 5.00 lost, 2.00 refunded, 102.00 out."""
    (row, *sums) = read(told, "player-sessions", MONDAY)["ended"]

    funded = ("100.00", "0.00", "7.00")
    played = (1, "5.00", "0.00", "2.00", 1, "102.00")
    names = ("funded_initial", "funded_further", "funded_bonus")
    names += ("rounds", "bet", "won", "refunded", "void_rounds", "final_posta")
    assert [("row", *funded, *played)] == cells([row], *names)
    assert (str(told.second), "anna", "operator") == (
        row["session"],
        row["player"],
        row["reason_of_end"],
    )
    assert [("subtotal", *funded, *played), ("total", *funded, *played)] == cells(sums, *names)


def test_player_sessions_that_were_open_at_the_end_hold_what_they_held_then(told):
    """Bruno's held 2,250.00 at midnight, whatever he lost on Tuesday; then none is open."""
    names = ("session", "right", "posta", "stakes", "prison", "win")
    (row, *_) = read(told, "player-sessions", MONDAY)["open"]

    held = ("0.00", "2250.00", "0.00", "0.00", "0.00")
    assert [("row", str(told.over), *held)] == cells([row], *names)
    assert [] == read(told, "player-sessions", TUESDAY)["open"]


def test_g1_player_sessions_tie_to_the_journal_and_to_their_play(told):
    """In November 207.00 in and 232.00 out; 11.00 bet and 36.00 returned."""
    names = ("funded", "journal_funded", "final_posta", "journal_final_posta")
    names += ("left", "bets_less_returns", "ties")

    amounts = ("207.00", "207.00", "232.00", "232.00", "-25.00", "-25.00")
    assert [("row", *amounts, "yes")] == cells(
        read(told, "player-sessions", MONTH)["control"], *names
    )


def test_large_wins_are_those_of_a_thousand_euro_and_more(told):
    """Bruno's 1,750.00 beyond his stake; anna's 35.00 is none, and Tuesday has none."""
    report = read(told, "large-wins", MONTH)

    names = ("round", "player", "staked", "winnings", "stake_returned", "win")
    figures = ("50.00", "1750.00", "50.00", "1750.00")
    assert [("row", str(told.large), "bruno", *figures)] == cells(report["wins"][:1], *names)
    assert ("total", None, None, *figures) == cells(report["wins"], *names)[-1]
    assert [("row", "-1750.00", "-1750.00", "yes")] == cells(
        report["control"], "ggr", "journal_ggr", "ties"
    )
    assert "win at least 1000.00 EUR, 100000.00 RUR" == report["filters"]
    assert "No Activity" == read(told, "large-wins", TUESDAY)["activity"]


def test_significant_events_of_monday_with_values_before_and_after(told):
    """Account types, a suspension and its end, a notice and a void, in their order."""
    report = read(told, "significant-events", MONDAY)

    names = ("event", "subject", "attribute", "before", "after", "actor", "reason")
    void = (f"session:{told.second}", "in play", "void", "test", "the wheel stopped")
    rows = cells(report["events"], *names)
    assert ("row", "round-voided", void[0]) == rows[0][:3]
    assert void[1:] == rows[0][4:]
    bruno, anna = ("conto:bruno", "account type"), ("conto:anna", "suspended")
    times = "2026-11-30T10:00:00+00:00 to 2026-11-30T11:00:00+00:00"
    assert [
        ("row", "account-type-set", *bruno, None, "RESPECT", "test", "asked"),
        ("row", "account-type-set", *bruno, "RESPECT", "VIP", "test", "earned"),
        ("row", "conto-suspended", *anna, "no", "yes", "test", "two holders"),
        ("row", "conto-reinstated", *anna, "yes", "no", "test", "cleared"),
        ("row", "maintenance-announced", "maintenance", "notice 1", None, times, "test",
         "new switch"),
    ] == rows[1:]  # fmt: skip
    assert [("row", 2), ("row", 1), ("row", 1), ("row", 1), ("row", 1), ("total", 6)] == cells(
        report["counts"], "events"
    )


def test_a_limit_is_told_in_euros_or_in_time_of_play(casino):
    """Given 150.00 a week and 90 minutes a day, then nobody reads cents or seconds for them."""
    casino.player("anna")
    for kind, period, most in (("deposit", "week", 15_000), ("time", "day", 5_400)):
        casino.send(cmd.SetContoLimit, player="anna", limit=kind, period=period, most=most)
    casino.seal()
    project_all(casino.ports)
    query = "SELECT attribute, after FROM {book}.p_significant WHERE event = 'conto-limit-set'"
    since = f"from {casino.now.isoformat()}"

    assert {("deposit a week", f"150.00 {since}"), ("time a day", f"1:30:00 {since}")} == set(
        casino.rows(query)
    )


def test_each_sheet_that_was_published_is_a_new_game_with_its_return(told):
    """Three first versions in November: nothing before, 36/37 and 97.69 percent."""
    games = read(told, "significant-events", MONTH)["games"]

    names = ("sheet", "sheet_version", "theoretical_before_percent", "theoretical_percent")
    assert [
        ("row", "deuces-wild", 1, None, "97.6864"),
        ("row", CLASSIC, 1, None, "97.2973"),
        ("row", PREMIUM, 1, None, "97.2973"),
    ] == cells(games, *names)


def test_a_correction_stands_with_its_approvers_and_its_lines_balances(told):
    """10.00 of 1,142.00 back to the payments; a text that looks like a formula is kept."""
    report = read(told, "corrections", TUESDAY)

    names = ("correction", "corrects", "code", "reason", "approvers")
    who = (str(told.correction), str(told.deposit), "wrong-amount", "=110 for 100")
    assert [("row", *who, "ada and bruno")] == cells(report["corrections"], *names)
    names = ("source", "target", "source_before", "source_after", "amount")
    accounts = ("player:anna:conto", "world:payments")
    assert ("row", *accounts, "1142.00", "1132.00", "10.00") == cells(report["lines"], *names)[0]
    assert [("row", "10.00", "10.00", "yes")] == cells(
        report["control"], "amount", "journal_amount", "ties"
    )
    assert "No Activity" == read(told, "corrections", MONTH)["activity"]


def test_a_session_whose_right_was_rejected_is_in_no_duty(casino):
    """Given one session that ended and one that never opened, then duty counts one."""
    anna = casino.player("anna")
    never = uid("never")
    right = casino.request(never, anna, 1_000)
    casino.send(cmd.RejectParticipation, session=never, participation=right, reason="R-1")
    casino.send(cmd.CloseSession, session=casino.sit(anna))
    casino.wait(days=1)
    casino.seal()
    duty = build_report(casino.ports, "duty", read_period(MONDAY))[2]
    days = orjson.loads(duty.read_bytes())["sections"][0]["lines"]

    assert [("row", 1), ("total", 1)] == cells(days, "sessions")


@pytest.mark.parametrize(
    ("period", "base", "duty"),
    [(MONDAY, "5.00", "1.28"), (TUESDAY, "-1700.00", "0.00"), (MONTH, "-25.00", "0.00")],
)
def test_duty_is_on_what_closed_sessions_kept(told, period, base, duty):
    """25.5 percent of Monday's 5.00 is 1.275; what was lost to players owes nothing."""
    report = read(told, "duty", period)

    names = ("rate_since", "rate_percent", "base", "duty")
    assert ("row", "2025-01-01", "25.5000", base, duty) == cells(report["duty"], *names)[0]
    assert ["yes"] == [line["ties"] for line in report["identity"]]


def test_duty_shows_bonuses_apart_and_each_day_on_which_sessions_ended(told):
    """Friday -30.00 and Monday 5.00, of which bonus 7.00 was funded."""
    names = ("closed_on", "sessions", "funded", "bonus", "final_posta", "bets", "returns", "base")

    assert [
        ("row", "2026-11-27", 1, "100.00", "0.00", "130.00", "6.00", "36.00", "-30.00"),
        ("row", "2026-11-30", 1, "107.00", "7.00", "102.00", "5.00", "0.00", "5.00"),
        ("total", None, 2, "207.00", "7.00", "232.00", "11.00", "36.00", "-25.00"),
    ] == cells(read(told, "duty", MONTH)["days"], *names)


@pytest.mark.parametrize(
    ("period", "amounts"),
    [
        (MONTH, ("-25.00", "0.00", "-1750.00", "-1775.00", "-1775.00")),
        (MONDAY, ("5.00", "0.00", "-1750.00", "-1745.00", "-1745.00")),
        (TUESDAY, ("-1700.00", "-1750.00", "0.00", "50.00", "50.00")),
        (LIFE, ("-1725.00", "0.00", "0.00", "-1725.00", "-1725.00")),
    ],
)
def test_g1_sessions_still_open_reconcile_the_base_with_all_rounds(told, period, amounts):
    """Bruno's 1,750.00 is of November's rounds and of December's sessions."""
    names = ("base", "open_before", "open_after", "base_and_open", "ggr")

    assert [("row", *amounts, "yes")] == cells(
        read(told, "duty", period)["reconciliation"], *names, "ties"
    )


def test_the_rate_of_duty_is_that_of_the_day():
    """20 percent from 2011, 25 from 2019, 25.5 from 2025, and none before; half a cent goes up."""
    days = [date(2010, 12, 31), date(2011, 1, 1), date(2018, 12, 31), date(2019, 1, 1)]
    days += [date(2024, 12, 31), date(2025, 1, 1)]

    expected = [Fraction(0), Fraction(1, 5), Fraction(1, 5), Fraction(1, 4), Fraction(1, 4)]
    assert [*expected, Fraction(51, 200)] == [rate_of(day)[1] for day in days]
    rate = Fraction(51, 200)
    assert [0, 1, 128, 25_500, 0] == [duty_on(n, rate) for n in (1, 2, 500, 100_000, -500)]


def test_a_months_performance_is_the_sum_of_its_days_and_tells_no_other_windows(told):
    """November: 6.00, 50.00 and 5.00 of turnover; to Tuesday 50.00 more."""
    month, life = (read(told, "game-performance", period) for period in (MONTH, LIFE))

    names = ("rounds", "turnover", "returned", "void_refunded")
    assert ("total", 3, "61.00", "1836.00", "2.00") == cells(month["sheets"], *names)[-1]
    assert ("total", 4, "111.00", "1836.00", "2.00") == cells(life["sheets"], *names)[-1]
    assert {"last-30-days", "to-date"}.isdisjoint(month)
    for report in (month, life):
        assert ["yes"] == [line["ties"] for line in report["control"]]
    card = ("period", "first_day", "last_day", "begins", "ends")
    assert [
        ("month", "2026-11-01", "2026-11-30", "2026-10-31T23:00:00+00:00",
         "2026-11-30T23:00:00+00:00"),
        ("life", "2026-11-27", "2026-12-01", "2026-11-27T09:00:00+00:00",
         "2026-12-01T23:00:00+00:00"),
    ] == [tuple(report[name] for name in card) for report in (month, life)]  # fmt: skip


def test_operator_liability_of_a_month_opens_with_what_stood_before_it(told):
    """The book began in November: nothing before, 1,132.00 with the contos less 100.00 in play."""
    month = read(told, "operator-liability", MONTH)

    names = ("account", "opening", "closing")
    assert ("row", "posta", "0.00", "2250.00") in cells(month["liability"], *names)
    assert ["yes"] == [line["ties"] for line in month["control"]]


@pytest.mark.parametrize("kind", [kind.name for kind in REPORTS])
def test_every_kind_says_no_activity_of_a_day_without_any(told, kind):
    """Wednesday was empty; what players are owed stands there all the same."""
    report = read(told, kind, WEDNESDAY)

    expected = "Activity" if kind == "operator-liability" else "No Activity"
    assert expected == report["activity"]


BY_FORCE = (
    ("player-sessions", LIFE, "control", "DELETE FROM p_journal_rows WHERE event = 'posta-funded'"),
    ("large-wins", LIFE, "control", "DELETE FROM p_journal_rows WHERE event = 'payout-credited'"),
    (
        *("corrections", LIFE, "control"),
        """UPDATE p_journal_rows SET amount = amount + 1, source_after = source_after - 1,
                  target_after = target_after + 1 WHERE event = 'correction-posted'""",
    ),
    ("duty", LIFE, "identity", "UPDATE p_sessions_rows SET bet = bet + 1"),
    ("duty", MONTH, "reconciliation", "UPDATE p_turnover_rows SET turnover = turnover + 1"),
)


def test_g1_what_was_changed_by_force_no_longer_ties(database, tmp_path):
    """Given one table changed after the other, then the control of the report over it says no."""
    told = november_at(Casino(database, tmp_path, FRIDAY))
    project_all(told.casino.ports)
    options = f"-c search_path={told.casino.book}"
    with psycopg.connect(database, autocommit=True, options=options) as superuser:
        for kind, period, section, change in BY_FORCE:
            superuser.execute(change)
            ties = [line["ties"] for line in read(told, kind, period)[section]]
            assert "no" in ties, (kind, section)


def test_g6_every_kind_has_the_same_bytes_from_its_checkpoint_whatever_came_later(told):
    """Built for the month, then again from projections that were rebuilt after more events."""
    casino = told.casino
    first = built(told)
    casino.player("carla")
    casino.play(casino.sit("carla"), 5, red("2.00"))
    casino.seal()
    for projection in PROJECTIONS:
        rebuild(casino.ports, projection.name)
    for path in (casino.folder / casino.book).iterdir():
        path.unlink()

    assert first == built(told)


def built(told: November) -> dict[str, bytes]:
    """The files of every kind for November."""
    kinds = (kind.name for kind in REPORTS)
    month = read_period(MONTH)
    paths = (path for kind in kinds for path in build_report(told.casino.ports, kind, month))
    return {path.name: path.read_bytes() for path in paths}
