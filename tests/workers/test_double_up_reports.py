"""Reports of a day with held wins and double-ups, from an evening worked by hand (C4)."""

from datetime import UTC, date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import uuid4

import orjson
import psycopg
import pytest

from games.registry import SHEETS
from tests.deuces_table import TRIPLE, entropy
from tests.workers.evening import LOWER, Evening, evening_at
from tests.workers.history import DEUCES, Casino
from workers.project import project_all
from workers.reports.build import build_report
from workers.reports.periods import of_day

MONDAY, TUESDAY = date(2026, 11, 30), date(2026, 12, 1)
PERFORMANCE, LIABILITY = "game-performance", "operator-liability"
DECLARED = orjson.loads(SHEETS[DEUCES].text)["game"]["returns"]
"""The returns that the published sheet declares, by number of coins."""


@pytest.fixture(scope="module")
def told(database: str, tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """Monday evening; on Tuesday the last double-up is lost; Wednesday has begun."""
    folder: Path = tmp_path_factory.mktemp("evening")
    played = evening_at(Casino(database, folder, book=f"d{uuid4().hex[:8]}"))
    casino = played.casino
    casino.now = datetime(2026, 12, 1, 9, tzinfo=UTC)
    casino.pick(played.session, played.open, LOWER)
    casino.now = datetime(2026, 12, 2, 9, tzinfo=UTC)
    casino.seal()
    return played


def read(told: Evening, kind: str, day: date = MONDAY) -> dict[str, Any]:
    """The sections of a report by name."""
    path = build_report(told.casino.ports, kind, of_day(day))[2]
    return {s["name"]: s["lines"] for s in orjson.loads(path.read_bytes())["sections"]}


def cells(lines: list[dict[str, Any]], *names: str) -> list[tuple]:
    """Some cells of lines."""
    return [tuple(line[name] for name in ("line", *names)) for line in lines]


def test_c8_each_number_of_coins_stands_beside_its_own_theoretical_return(told: Evening):
    """One and two coins promise 97.69 percent and five 98.91; a void hand has no kind."""
    lines = [x for x in read(told, PERFORMANCE)["sheets"] if x["line"] == "row"]

    expected = [Fraction(DECLARED[coins]) for coins in ("1", "2", "5")]
    assert ["97.69", "97.69", "98.91"] == [f"{float(100 * x):.2f}" for x in expected]
    pairs = [(x["theoretical_numerator"], x["theoretical_denominator"]) for x in lines[:3]]
    assert expected == [Fraction(*pair) for pair in pairs]
    assert [f"{float(100 * x):.4f}" for x in expected] == [
        x["theoretical_percent"] for x in lines[:3]
    ]
    assert ["1-coin", "2-coins", "5-coins", None] == [x["bet_kind"] for x in lines]


def test_c4_the_base_game_returns_what_hands_brought_whatever_was_doubled(told: Evening):
    """3.00 of 1.00, nothing of 1.00, 1.25 of 1.25: 4.25 of 3.25 is 17/13."""
    names = ("rounds", "turnover", "returned", "void_refunded", "rtp_percent")
    together = (3, "3.25", "4.25", "1.25", "130.7692")

    assert [
        ("row", 1, "1.00", "3.00", "0.00", "300.0000"),
        ("row", 1, "1.00", "0.00", "0.00", "0.0000"),
        ("row", 1, "1.25", "1.25", "0.00", "100.0000"),
        ("row", 0, "0.00", "0.00", "1.25", None),
        ("subtotal", *together),
        ("total", *together),
    ] == cells(read(told, PERFORMANCE)["sheets"], *names)


def test_c4_double_ups_are_apart_with_their_own_return_beside_one(told: Evening):
    """1.25 + 1.25 + 2.50 + 1.50 brought 2.50 + 1.25 + 0.00 + 3.00: 6.75 of 6.50 is 27/26."""
    names = ("double_ups", "staked", "returned", "rtp_numerator", "rtp_denominator", "rtp_percent")
    lines = read(told, PERFORMANCE)["double-ups"]

    figures = (4, "6.50", "6.75", 27, 26, "103.8462")
    assert [(line, *figures) for line in ("row", "subtotal", "total")] == cells(lines, *names)
    theory = ("theoretical_numerator", "theoretical_denominator", "theoretical_percent")
    assert ("row", DEUCES, 1, 1, "100.0000") == cells(lines, "sheet", *theory)[0]


def test_g1_c4_all_bets_together_tie_to_the_journal(told: Evening):
    """3.25 and 6.50 are 9.75; 4.25 and 6.75 are 11.00; the house gave 1.25."""
    report = read(told, PERFORMANCE)

    names = ("base_turnover", "double_ups_staked", "turnover")
    names += ("base_returned", "double_ups_returned", "returned", "ggr")
    amounts = ("3.25", "6.50", "9.75", "4.25", "6.75", "11.00", "-1.25")
    assert ("total", *amounts) == cells(report["all-bets"], *names)[-1]
    names = ("turnover", "journal_turnover", "ggr", "journal_ggr", "ties")
    assert [("row", "9.75", "9.75", "-1.25", "-1.25", "yes")] == cells(report["control"], *names)


def test_c4_a_round_counts_whole_on_the_day_of_its_settlement(told: Evening):
    """Held on Monday, lost on Tuesday: 1.25 for 1.25, 0.62 for nothing; to date 7.12 for 6.75."""
    report = read(told, PERFORMANCE, TUESDAY)

    names = ("turnover", "journal_turnover", "ggr", "journal_ggr", "ties")
    assert [("row", "1.87", "1.87", "0.62", "0.62", "yes")] == cells(report["control"], *names)
    names = ("double_ups", "staked", "returned")
    assert ("row", 1, "0.62", "0.00") == cells(report["double-ups"], *names)[0]
    for section in ("double-ups-to-date", "double-ups-last-30-days"):
        assert ("row", 5, "7.12", "6.75") == cells(report[section], *names)[0]
    five = next(x for x in report["to-date"] if x["bet_kind"] == "5-coins")
    assert ("2.50", "2.50") == (five["turnover"], five["returned"])


def test_a_round_with_a_held_win_is_interrupted_by_midnight_with_what_it_holds(told: Evening):
    """0.62 at risk and 0.63 kept."""
    lines = read(told, PERFORMANCE)["interrupted"]

    names = ("sheet", "rounds", "stakes_held", "wins_held")
    assert ("row", DEUCES, 1, "0.62", "0.63") == cells(lines, *names)[0]


def test_g1_players_are_owed_what_they_hold_and_what_they_have_at_risk(told: Evening):
    """Conto 900.00, posta 100.00, 0.62 at stake and 0.63 held; the bank is down by 1.25."""
    report = read(told, LIABILITY)

    assert [
        ("row", "conto", "900.00"),
        ("row", "posta", "100.00"),
        ("row", "prison", "0.00"),
        ("row", "right", "0.00"),
        ("row", "stakes", "0.62"),
        ("row", "win", "0.63"),
        ("total", None, "1001.25"),
    ] == cells(report["liability"], "account", "closing")
    assert [
        ("row", "bank", "-1.25"),
        ("row", "payments", "-1000.00"),
        ("total", None, "-1001.25"),
    ] == cells(report["contra"], "account", "closing")
    assert [("row", "yes")] == cells(report["control"], "ties")


@pytest.mark.parametrize(
    ("bet_at", "won_at", "collected_at", "day"),
    [
        ("22:50", "22:55", "23:05", TUESDAY),
        ("22:50", "23:00", "22:59", MONDAY),
        ("23:01", "22:58", "22:59", MONDAY),
    ],
    ids=["begun the day before", "won by a clock after midnight", "bet by a clock after midnight"],
)
def test_g1_c4_a_round_around_midnight_ties_whichever_clock_dated_its_events(
    casino, bet_at, won_at, collected_at, day
):
    """Midnight is 23:00 in UTC: 1.25 for 1.25 counts on the day on which it was collected."""
    opened, won, collected = (
        datetime.fromisoformat(f"2026-11-30T{moment}+00:00")
        for moment in (bet_at, won_at, collected_at)
    )
    casino.now = min(opened, won)
    casino.wait(hours=-1)
    anna = casino.sit(casino.player("anna"), sheet=DEUCES)
    casino.now = opened
    dealt = casino.deal(anna, TRIPLE, 5, "0.25")
    casino.now = won
    casino.act(anna, dealt, {"hold": [1, 2, 3]}, entropy(["5s", "7c"], TRIPLE))
    casino.now = collected
    casino.act(anna, dealt, {"collect": True})
    casino.seal()
    casino.now = datetime(2026, 12, 2, 9, tzinfo=UTC)
    project_all(casino.ports)

    path = build_report(casino.ports, PERFORMANCE, of_day(day))[2]
    report = {s["name"]: s["lines"] for s in orjson.loads(path.read_bytes())["sections"]}
    names = ("turnover", "journal_turnover", "ggr", "journal_ggr", "ties")
    assert [("row", "1.25", "1.25", "0.00", "0.00", "yes")] == cells(report["control"], *names)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE {}.p_turnover_rows SET double_ups_staked = 501 WHERE double_ups_staked = 500",
        "DELETE FROM {}.p_journal_rows WHERE event = 'double-up-staked'",
        "DELETE FROM {}.p_journal_rows WHERE event = 'win-held'",
        "DELETE FROM {}.p_turnover_rows",
        "DELETE FROM {}.p_journal_rows",
    ],
)
def test_g1_figures_of_double_ups_that_were_changed_by_force_no_longer_tie(casino, change):
    """Given a turnover or a journal line changed, or all of them lost, then the control says no."""
    played = evening_at(casino)
    casino.now = datetime(2026, 12, 1, 9, tzinfo=UTC)
    project_all(casino.ports)
    with psycopg.connect(casino.conninfo, autocommit=True) as superuser:
        assert superuser.execute(change.format(casino.book)).rowcount > 0

    assert [("row", "no")] == cells(read(played, PERFORMANCE)["control"], "ties")
