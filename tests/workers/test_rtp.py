"""The monitoring of returns over a real book: sums worked by hand, looks, alerts and findings."""

from dataclasses import replace

import psycopg
import pytest

from ledger.domain import commands as cmd
from tests.workers.history import CLASSIC, DEUCES, Casino, red, straight
from workers.closing import close_day
from workers.days import day_of
from workers.metrics import registry_for_scrape
from workers.monitoring.alerts import watch_returns
from workers.project import project_all
from workers.projections import rebuild as again, rtp
from workers.projections.base import step
from workers.projections.rebuild import rebuild

RETURNS = (
    "SELECT level, channel, rounds, turnover, returned, squares::int8, watched,"
    " expectation::int8, variance::int8 FROM {book}.p_rtp ORDER BY sheet, level, channel"
)
OUTCOMES = "SELECT draw, outcome, times FROM {book}.p_outcomes ORDER BY draw, outcome"
ALERTS = (
    "SELECT grade, statistic, sheet, subject, value, threshold, rounds, person, finding"
    " FROM {book}.p_rtp_alerts ORDER BY raised_at, grade"
)


def folded(casino: Casino) -> Casino:
    """The casino, sealed and projected."""
    casino.seal()
    project_all(casino.ports)
    return casino


def test_a_round_adds_the_exact_moments_of_all_its_bets(casino):
    """1.00 on 17 and 5.00 on red: 36.00 at 17, which is black, and 10.00 at 18 pockets.

    The totals are 3600 + 18 · 1000 = 21600; 37 · (3600² + 18 · 1000²) - 21600² is 678 960 000. A
    round of 2.00 on red adds 18 · 400 = 7200 and 37 · 18 · 400² - 7200² = 54 720 000 elsewhere.
    """
    session = casino.sit(casino.player("anna"))
    casino.play(session, 17, straight(17), red("5.00"))
    casino.play(session, 0, straight(17), red("5.00"))
    other = casino.sit(casino.player("bruno"), channel="mobile")
    casino.play(other, 1, red("2.00"))

    assert [
        ("up-to-25", "web", 2, 1200, 3600, 2 * 600**2, 2, 2 * 21_600, 2 * 678_960_000),
        ("up-to-5", "mobile", 1, 200, 400, 200**2, 1, 7_200, 54_720_000),
    ] == folded(casino).rows(RETURNS)
    assert [("pocket", "0", 1), ("pocket", "1", 1), ("pocket", "17", 1)] == casino.rows(OUTCOMES)


def test_c4_void_and_refunded_rounds_are_in_no_sum(casino):
    """Given a void round and one in play, then only what was settled is watched."""
    session = casino.sit(casino.player("anna"))
    casino.play(session, 1, red("2.00"))
    casino.void(session, casino.open_round(session, red("3.00")))
    casino.open_round(session, red("4.00"))

    assert [(1, 200)] == [(row[2], row[3]) for row in folded(casino).rows(RETURNS)]


def test_a_hand_counts_by_its_deal_and_its_stake_and_double_ups_by_how_they_end(casino):
    """Three aces are dealt and held, 5 · 0.25 staked, doubled up once and lost against the king."""
    session = casino.sit(casino.player("anna"), sheet=DEUCES)
    round_id = casino.hand(session, (5, "0.25"), ["Ac", "Ad", "Ah", "9s", "4d"], "8s", "3d")
    casino.double(session, round_id, "Jc")

    ((_, _, rounds, turnover, returned, squares, watched, *_),) = folded(casino).rows(RETURNS)
    assert (1, 125, 125, 125 * 125, 0) == (rounds, turnover, returned, squares, watched)
    assert [("deal", "three-of-a-kind", 1), ("double-up", "lost", 1)] == casino.rows(OUTCOMES)


@pytest.mark.parametrize("part", [1, 4, 200_000])
def test_g6_sums_are_the_same_however_the_log_is_cut_and_after_a_rebuild(casino, part, monkeypatch):
    """Given rounds of several steps, when folded an event at a time and again, then the same.

    A rebuild that cuts the log into parts, in the midst of rounds, puts the same sums together.
    """
    monkeypatch.setattr(again, "PART", part)
    anna = casino.sit(casino.player("anna"))
    cards = casino.sit(casino.player("bruno"), sheet=DEUCES)
    for pocket in (4, 17):
        round_id = casino.deal(cards, ["Ac", "Ad", "Ah", "9s", "4d"], 2, "0.50")
        casino.play(anna, pocket, straight(17), red("5.00"))
        casino.act(cards, round_id, {"hold": [1, 2, 3, 4, 5]})
        casino.act(cards, round_id, {"collect": True})
    folded(casino)
    whole = (casino.rows(RETURNS), casino.rows(OUTCOMES))

    rebuild(casino.ports, "rtp")
    assert whole == (casino.rows(RETURNS), casino.rows(OUTCOMES))
    narrow = replace(rtp.PROJECTION, batch=1)
    with casino.connect("worker") as connection:
        connection.execute(f"DELETE FROM {casino.book}.p_projections WHERE name = 'rtp'")
        for table in narrow.tables:
            connection.execute(f"DELETE FROM {casino.book}.{table.name}_rows")
        while step(casino.ports, narrow, connection).lag:
            pass
    assert whole == (casino.rows(RETURNS), casino.rows(OUTCOMES))
    assert 4 == sum(row[2] for row in whole[0])


def end_day(casino: Casino) -> None:
    """The casino's day is over, closed and looked at."""
    day = day_of(casino.now)
    casino.wait(days=1)
    casino.seal()
    close_day(casino.ports, day)


def one_pocket(casino: Casino, name: str, rounds: int) -> None:
    """A player's session in which the ball falls into 17 so often."""
    session = casino.sit(casino.player(name))
    for _ in range(rounds):
        casino.play(session, 17, red())


def test_a_wheel_that_always_stops_at_17_is_told_once_with_its_figures(casino):
    """Of the 148 biases looked for, the pocket at 2/37 makes 20 in a row 2^20 times likelier.

    At 5/4 it is 86.7 times, and a bias of one of the 36 others at 1/2, 4/5, 5/4 and 2 is 1.317,
    1.117, 0.870 and 0.569 times likelier: 139.4 together. ln((1 048 576 + 86.7 + 139.4) / 148) is
    8.866.
    """
    one_pocket(casino, "anna", 20)
    end_day(casino)

    assert {"done": 1} == watch_returns(casino.ports)
    assert {} == watch_returns(casino.ports)
    folded(casino)
    ((*told, value, threshold, rounds, person, finding),) = casino.rows(ALERTS)
    assert ["alarm", "outcomes", CLASSIC, "pocket"] == told
    assert 8.866 == pytest.approx(float(value), abs=0.001)
    assert ("4.606", 20, None, None) == (threshold, rounds, person, finding)


def test_an_open_alert_is_not_raised_again_and_counting_begins_anew_after_its_finding(casino):
    """Given an alarm, when the next day looks the same, then nothing; after the finding, anew."""
    one_pocket(casino, "anna", 20)
    end_day(casino)
    watch_returns(casino.ports)
    one_pocket(casino, "bruno", 20)
    end_day(casino)
    assert {} == watch_returns(casino.ports)
    ((alert,),) = folded(casino).rows("SELECT alert FROM {book}.p_rtp_alerts")
    found = {"alert": alert, "person": "ada", "finding": "a worn separator, replaced"}
    casino.send(cmd.AcknowledgeRtpAlert, **found)
    end_day(casino)
    assert {} == watch_returns(casino.ports)
    one_pocket(casino, "carla", 20)
    end_day(casino)

    assert {"done": 1} == watch_returns(casino.ports)
    folded(casino)
    assert [(20, "ada"), (20, None)] == [(r[6], r[7]) for r in casino.rows(ALERTS)]


def test_the_metrics_page_tells_how_far_returns_and_outcomes_are_from_chance(casino):
    """20 reds of 1.00 lost at 17: (0 - 20 · 36/37) / √(20 · 4 · 18 · 19 / 37²) is -4.353."""
    one_pocket(casino, "anna", 20)
    end_day(casino)
    watch_returns(casino.ports)
    folded(casino)
    page = registry_for_scrape(casino.folder, lambda: casino.ports)
    sheet = {"sheet": CLASSIC, "version": "1"}
    z = page.get_sample_value("contoposta_rtp_z", sheet | {"currency": "EUR"})
    draws = sheet | {"table": "", "draw": "pocket"}

    assert -4.353 == pytest.approx(z, abs=0.001)
    assert 8.866 == pytest.approx(
        page.get_sample_value("contoposta_outcome_evidence", draws), abs=0.001
    )
    assert [1.0, 0.0] == [
        page.get_sample_value("contoposta_rtp_alerts_open", {"grade": grade})
        for grade in ("alarm", "warning")
    ]


def test_returns_out_of_range_in_the_first_look_are_told_with_their_threshold(casino):
    """512 losses of 1.00 on red, two days running: the look falls due at 1,024 rounds.

    17 is black; 2.807 is the z that half of the alarm's 1 % leaves outside.
    """
    for name in ("anna", "bruno"):
        session = casino.sit(casino.player(name), 100_000)
        for _ in range(512):
            casino.play(session, 17, red())
        end_day(casino)

    watch_returns(casino.ports)
    folded(casino)
    told = [row for row in casino.rows(ALERTS) if row[1] == "returns"]
    (z,) = [float(row[4]) for row in told]
    assert -(36 / 37) * 1_024 / (1_024 * 4 * 18 * 19 / 37**2) ** 0.5 == pytest.approx(z, abs=0.001)
    assert [("alarm", "EUR", "2.807", 1_024)] == [(r[0], r[3], r[5], r[6]) for r in told]


def test_g3_a_look_that_is_killed_before_it_is_noted_raises_nothing_twice(casino):
    """Given a look whose note was lost, when it is made again, then the alert is still one."""
    one_pocket(casino, "anna", 20)
    end_day(casino)
    watch_returns(casino.ports)
    forget(casino)

    assert {} == watch_returns(casino.ports)
    assert 1 == len(folded(casino).rows(ALERTS))


def forget(casino: Casino) -> None:
    """Lose the notes of all looks, as if they had been killed just before."""
    with psycopg.connect(casino.conninfo) as connection:
        connection.execute(f"DELETE FROM {casino.book}.p_rtp_looks")
