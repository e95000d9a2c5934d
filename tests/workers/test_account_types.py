"""Play by account type, demo rounds apart, and the timed duties of series, from a real book."""

from dataclasses import replace
from datetime import UTC, date, datetime

import orjson
import pytest

from games.registry import BY_ENGINE
from ledger.domain import commands as cmd
from ledger.seal.verify import Bite
from ops.workers import theoretical_return
from tests.fairplay_desk import RED, SHEET, FairDesk, fair_desk
from tests.house import CODEC
from workers.duties import expire_series, finish_spins
from workers.metrics import registry_for_scrape
from workers.ports import Ports
from workers.project import project_all
from workers.projections.rebuild import rebuild
from workers.reports.build import build_report
from workers.reports.periods import of_day

MONDAY = date(2026, 3, 2)
ONE, ZERO = bytes([1]) * 32, bytes(32)


@pytest.fixture
def at(house, tmp_path) -> FairDesk:
    """Of LITE, 50.00 on red won and lost; of VIP, won by a series; a demo round of 1,500.00."""
    made = fair_desk(house, tmp_path)
    lite = made.sit(made.player("bruno-1", account="LITE"))
    vip = made.sit(made.player("anna-1"))
    for ball in (ONE, ZERO):
        made.coming.append(ball)
        assert made.desk.play(lite, {"bets": [RED]}).refusal is None
    made.spin(vip, made.prepare("anna-1"))
    made.coming.append(ONE)
    made.desk.play_demo(vip, {"bets": [RED | {"amount": "1500.00"}]})
    return made


@pytest.fixture
def ports(at, tmp_path) -> Ports:
    """The workers' ports over the desk's book, folded up to now."""
    made = Ports(
        book=at.house.book,
        connect=at.house.connected,
        codec=CODEC,
        now=lambda: at.house.now,
        handle=at.desk.handle,
        state=at.desk.service.state,
        seal=lambda: 0,
        ask=lambda *_: "unknown",
        finish=at.fairplay.finish,
        series_kept=at.fairplay.keys.kept,
        retire=at.fairplay.retire,
        pass_turn=lambda _: "unknown",
        erase=lambda _: False,
        disconnect_idle=lambda _: "unknown",
        snapshot=at.desk.service.take_snapshot,
        theory=theoretical_return,
        verify=lambda _: Bite(None, None),
        attest=bytes,
        is_attested=lambda *_: False,
        totals=lambda _: (),
        rules=BY_ENGINE.__getitem__,
        reports=tmp_path / "reports",
    )
    fold(at, made)
    return made


def fold(at, ports):
    """Seal and fold."""
    at.house.seal()
    project_all(ports)


def figures(at):
    """Turnover and demo rounds by account type."""
    turnover = """SELECT account, rounds, turnover, winnings + stake_returned FROM p_turnover
        ORDER BY account"""
    demos = "SELECT sheet, account, rounds, staked, credited FROM p_demo_rounds"
    return at.house.rows(turnover), at.house.rows(demos)


def test_c4_turnover_is_by_account_type_and_has_no_demo_round(at, ports):
    """LITE: 100.00 returned of 100.00; VIP: 100.00 of 50.00; a rebuild gives the same."""
    expected = (
        [("LITE", 2, 100_00, 100_00), ("VIP", 1, 50_00, 100_00)],
        [(SHEET, "VIP", 1, 1500_00, 3000_00)],
    )

    assert expected == figures(at)
    rebuild(ports, "turnover")
    assert expected == figures(at)
    assert [("LITE", True), ("LITE", True), ("VIP", False)] == at.house.rows(
        "SELECT account, series IS NULL FROM p_rounds ORDER BY account"
    )


def test_daily_performance_tells_account_types_and_demo_rounds_apart(at, ports):
    """100 percent for LITE, 200 for VIP, and demo chips that no other section counts."""
    at.house.now = datetime(2026, 3, 3, 8, tzinfo=UTC)
    paths = build_report(ports, "game-performance", of_day(MONDAY))
    sections = {s["name"]: s["lines"] for s in orjson.loads(paths[2].read_bytes())["sections"]}
    names = ("line", "account", "turnover", "returned", "rtp_percent")
    together = ("total", None, "150.00", "200.00", "133.3333")

    for name in ("accounts", "accounts-last-30-days", "accounts-to-date"):
        assert [
            ("row", "LITE", "100.00", "100.00", "100.0000"),
            ("row", "VIP", "50.00", "100.00", "200.0000"),
            ("subtotal", *together[1:]),
            together,
        ] == [tuple(line[n] for n in names) for line in sections[name]]
    assert [("row", "VIP", "demo", 1, "1500.00", "3000.00")] == [
        tuple(line[n] for n in ("line", "account", "currency", "rounds", "staked", "credited"))
        for line in sections["demo-rounds"]
        if line["line"] == "row"
    ]
    assert "150.00" == sections["sheets"][-1]["turnover"]
    assert ["yes"] == [line["ties"] for line in sections["control"]]


def test_the_page_of_metrics_tells_account_types_and_demo_rounds_apart(at, ports, tmp_path):
    """In roubles; the return of VIP is twice its turnover."""
    page = registry_for_scrape(tmp_path, lambda: ports)
    vip = {"sheet": SHEET, "version": "1", "account": "VIP"}
    lite = vip | {"account": "LITE", "currency": "RUR"}
    names = ("contoposta_turnover_total", "contoposta_rtp")

    assert (100.0, 1.0) == tuple(page.get_sample_value(name, lite) for name in names)
    assert (50.0, 2.0) == tuple(
        page.get_sample_value(name, vip | {"currency": "RUR"}) for name in names
    )
    assert 1.0 == page.get_sample_value("contoposta_demo_rounds_total", vip)


def test_g9_a_number_that_was_taken_and_left_is_drawn_after_two_minutes(at, ports):
    """A moment before it is left to its player; a second run finds that it has ended."""
    session = at.sit("anna-1")
    at.lay(session, at.kept[0])
    fold(at, ports)
    at.house.later(seconds=119)
    early = finish_spins(ports)
    at.house.later(seconds=1)

    assert ({}, {"done": 1}, {"round-ended": 1}) == (
        early,
        finish_spins(ports),
        finish_spins(ports),
    )
    fold(at, ports)
    assert {} == finish_spins(ports)


def test_hw7_the_keys_at_hand_are_looked_through_for_series_that_are_due(at, ports):
    """One is due, the other was prepared an hour later and is kept, whatever is folded of it."""
    at.house.later(hours=1)
    second = at.prepare("anna-1")
    at.house.later(hours=239)

    assert {"done": 1, "kept": 1} == expire_series(ports)
    assert ([second], {"kept": 1}) == (at.kept, expire_series(ports))
    fold(at, ports)
    assert {"kept": 1} == expire_series(ports)


def test_hw7_a_series_whose_time_goes_on_is_not_read(at, ports, monkeypatch):
    """Given three series and pages of one, then only what may be due is looked at, to the moment.

    The second was prepared and played on an hour after the first.
    """
    monkeypatch.setattr("workers.duties.AT_ONCE", 1)
    at.house.later(hours=1)
    session = at.sit("anna-1")
    (first,) = at.kept
    second = at.prepare("anna-1")
    at.spin(session, second)
    fold(at, ports)
    looked = []
    watched = replace(ports, retire=lambda series: looked.append(series) or ports.retire(series))
    at.house.later(hours=239)
    assert ({"done": 1, "kept": 1}, [first]) == (expire_series(watched), looked)
    fold(at, ports)
    at.house.later(minutes=59, seconds=59)
    assert ({"kept": 1}, [first]) == (expire_series(watched), looked)
    at.house.later(seconds=1)

    assert ({"done": 1}, [first, second]) == (expire_series(watched), looked)


def test_an_account_type_holds_for_the_figures_of_the_session_that_it_was_set_before(at, ports):
    """Bruno becomes RESPECT: the open session stays LITE, the next one does not."""
    at.do(cmd.SetAccountType, player="bruno-1", account="RESPECT", reason="as agreed")
    at.coming.append(ZERO)
    at.desk.play(at.sit("bruno-1"), {"bets": [RED]})
    fold(at, ports)

    assert ("RESPECT", 1, 50_00, 0) in figures(at)[0]
