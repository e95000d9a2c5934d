"""Boxes of a table of Blackjack, worked by hand: their bets apart, settled, void and in play (C4).

Anna, at seat 1, insures 8-8 against an ace, splits to 18 and 20 against 17; bruno, at seat 2, takes
even money. Then anna doubles 11 and the round is void; then bruno has a bet in play.
"""

from datetime import timedelta
from uuid import uuid4

import orjson
import pytest

from tests.blackjack_pit import SHEET
from tests.workers.boxes import Table
from tests.workers.history import MORNING, Casino
from workers.days import day_of
from workers.project import project_all
from workers.projections.rebuild import rebuild
from workers.reports.build import build_report
from workers.reports.periods import of_day


@pytest.fixture(scope="module")
def casino(database, tmp_path_factory):
    """The story, sealed and folded."""
    casino = Casino(database, tmp_path_factory.mktemp("boxes"), book=f"b{uuid4().hex[:8]}")
    table = Table(casino)
    table.play_insured_split_and_void_double()
    table.begin("bruno")
    casino.seal()
    project_all(casino.ports)
    return casino


@pytest.fixture(scope="module")
def told(casino):
    """The sections of the day's report, the day being over, by name."""
    return sections(casino, "game-performance")


@pytest.fixture(scope="module")
def monitored(casino):
    """The sections of that day's monitoring of returns, by name."""
    return sections(casino, "rtp-monitoring")


def sections(casino, kind):
    """The lines of a report of the story's day, by section."""
    casino.now = MORNING + timedelta(days=1)
    path = build_report(casino.ports, kind, of_day(day_of(MORNING)))[2]
    return {s["name"]: s["lines"] for s in orjson.loads(path.read_bytes())["sections"]}


BETS = """
SELECT seat, kind, sum(staked)::int, sum(refunded)::int, sum(winnings)::int,
       sum(stake_returned)::int
  FROM {book}.p_box_bets WHERE settled AND live_table = 'blackjack-1'
 GROUP BY seat, kind ORDER BY seat, kind
"""


def test_c4_insurances_splits_and_doubles_stand_apart_by_table_and_box(casino):
    """Seat 1: the insurance is lost, both hands win 10.00; seat 2: even money."""
    assert [
        (1, "insurance", 500, 0, 0, 0),
        (1, "main", 1_000, 0, 1_000, 1_000),
        (1, "split", 1_000, 0, 1_000, 1_000),
        (2, "main", 1_000, 0, 1_000, 1_000),
    ] == casino.rows(BETS)


def test_c4_a_void_box_is_refunded_bet_by_bet_and_one_in_play_has_no_end(casino):
    """Both are no turnover: neither is settled."""
    query = """SELECT seat, kind, staked, refunded, ended_at IS NULL FROM {book}.p_box_bets
                WHERE NOT settled ORDER BY seat, bet"""

    assert [
        (1, "main", 1_000, 1_000, False),
        (1, "double", 1_000, 1_000, False),
        (2, "main", 1_000, 0, True),
    ] == casino.rows(query)


def test_g1_the_bets_of_boxes_tie_to_their_rounds(casino):
    """Staked, refunded and brought, box by box."""
    sums = """SELECT round, sum(staked)::int, sum(refunded)::int,
                     sum(winnings + stake_returned)::int
                FROM {book}.p_box_bets GROUP BY round ORDER BY round"""
    rounds = """SELECT round, staked::int, refunded::int, (winnings + stake_returned)::int
                  FROM {book}.p_rounds WHERE game = 'live-blackjack' ORDER BY round"""

    assert 4 == len(casino.rows(sums))
    assert casino.rows(sums) == casino.rows(rounds)


def test_c7_a_round_shows_what_decided_its_box(casino):
    """The dealer's hand at the end, or what was decided at once; nothing where it is void."""
    query = "SELECT shown FROM {book}.p_rounds WHERE ended_at IS NOT NULL ORDER BY shown"

    assert [("dealer 17: As 6h",), ("even-money 21: Ac Kd",), (None,)] == casino.rows(query)


def test_g6_boxes_that_are_folded_again_are_the_same(casino):
    """In one go, from the first event."""
    before = casino.rows("SELECT * FROM {book}.p_box_bets ORDER BY round, bet")

    rebuild(casino.ports, "boxes")

    assert before == casino.rows("SELECT * FROM {book}.p_box_bets ORDER BY round, bet")


def figures(lines, *names):
    """Some columns of a section's rows."""
    return [tuple(line[name] for name in names) for line in lines if line["line"] == "row"]


def test_c4_a_report_tells_each_seat_of_a_table_with_all_bets_of_its_box(told):
    """Seat 1 staked 25.00 and got 40.00, besides a void box of two bets; seat 2 10.00 and 20.00."""
    names = ("live_table", "seat", "rounds", "bets", "turnover", "returned", "void_refunded")

    assert [
        ("blackjack-1", 1, 1, 3, "25.00", "40.00", "20.00"),
        ("blackjack-1", 2, 1, 1, "10.00", "20.00", "0.00"),
    ] == figures(told["boxes"], *names)
    assert ["160.0000", "200.0000"] == [
        line["rtp_percent"] for line in told["boxes"] if line["line"] == "row"
    ]


def test_each_box_stands_beside_the_least_return_that_its_sheet_declares(told):
    """The printed strategy's 0.9921674 of the sheet is less than the 0.99260178 of the best play.

    4960837/5000000 is in lowest terms; sums of several boxes have no theory of their own.
    """
    names = ("seat", "theoretical_numerator", "theoretical_denominator", "theoretical_percent")

    assert [(seat, 4_960_837, 5_000_000, "99.2167") for seat in (1, 2)] == figures(
        told["boxes"], *names
    )
    sums = [line["theoretical_percent"] for line in told["boxes"] if line["line"] != "row"]
    assert [None, None] == sums


def test_c4_a_report_tells_insurances_splits_and_doubles_of_each_seat_apart(told):
    """The double was void: it is no bet of the turnover."""
    names = ("seat", "bet_kind", "bets", "turnover", "returned", "void_bets")

    assert [
        (1, "double", 0, "0.00", "0.00", 1),
        (1, "insurance", 1, "5.00", "0.00", 0),
        (1, "main", 1, "10.00", "20.00", 1),
        (1, "split", 1, "10.00", "20.00", 0),
        (2, "main", 1, "10.00", "20.00", 0),
    ] == figures(told["box-bets"], *names)
    assert "rounds" not in told["box-bets"][0], "a round with a split would be two in the total"
    (total,) = (line for line in told["box-bets"] if line["line"] == "total")
    assert (4, "35.00", "60.00") == (total["bets"], total["turnover"], total["returned"])


def test_g1_the_boxes_of_a_report_tie_to_the_journal(told):
    """35.00 staked and 60.00 returned: the house lost 25.00."""
    names = ("turnover", "journal_turnover", "ggr", "journal_ggr", "ties")

    assert [("35.00", "35.00", "-25.00", "-25.00", "yes")] == figures(told["box-control"], *names)


def test_c4_boxes_are_monitored_without_a_deviation_for_cards_of_a_shoe_are_no_draws(monitored):
    """Two rounds staked 35.00 and returned 60.00, 171.4286 %; no outcome is held against chance."""
    names = ("sheet", "rounds", "turnover", "returned", "rtp_percent", "z", "state")

    assert [(SHEET.sheet, 2, "35.00", "60.00", "171.4286", None, "unknown")] == figures(
        monitored["sheets"], *names
    )
    assert [] == monitored["outcomes-to-date"] == monitored["outcome-tests-to-date"]


def test_a_report_of_boxes_says_what_players_errors_do_to_the_return(told):
    """One remark for the sheet that was played."""
    ((sheet, version, remark),) = figures(told["box-remarks"], "sheet", "sheet_version", "remark")

    assert (SHEET.sheet, SHEET.version) == (sheet, version)
    assert "the least of those that the sheet declares" in remark
    assert "lower the actual return" in remark
