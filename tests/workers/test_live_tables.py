"""Live tables told apart, worked by hand: play, refunds and drop of each, tied to the journal (C4).

Winnings are collected. At roulette-1 anna, who brought 100.00, bets 10.00 on red: 3 wins, the stake
plays on and 4 takes it, and she collects. At roulette-2 bruno, who brought 50.00 and then 20.00 and
a bonus, loses 2.00 and has 1.00 refunded by a void; anna moves there and loses 3.00.
"""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID, uuid4

import orjson
import pytest

from games.roulette.wheel import outcome
from ledger.domain import commands as cmd
from ledger.domain.events import FeedRef
from ledger.domain.money import Currency
from tests.french_pit import on, read
from tests.french_table import MANUAL
from tests.workers.history import Casino
from workers import duties
from workers.duties import disconnect_idle, pass_turns
from workers.project import project_all
from workers.projections.rebuild import rebuild
from workers.reports.build import build_report
from workers.reports.periods import of_day

FRENCH = "french-roulette"
MONDAY = date(2026, 11, 30)


def bet(casino: Casino, session: UUID, *lines: Any) -> UUID:
    """Lines laid by a session; its round."""
    move = read({"bets": list(lines)})
    return casino.send(cmd.OpenRound, session=session, move=move).command


def spin(casino: Casino, table: str, pocket: int) -> None:
    """Close the bets, hear a number, and settle."""
    casino.send(cmd.CloseBets, table=table)
    feed = FeedRef(message=f"m-{casino.sent}", sequence=casino.sent)
    casino.send(cmd.HearOutcome, table=table, feed=feed, outcome=outcome(pocket))
    casino.send(cmd.SettleTableRound, table=table)


def first_table(casino: Casino, anna: UUID) -> None:
    """Anna wins, plays on, loses, and collects."""
    casino.send(cmd.TakeSeat, session=anna, table="roulette-1")
    casino.send(cmd.OpenTableRound, table="roulette-1")
    round_id = bet(casino, anna, on("red", 1000))
    spin(casino, "roulette-1", 3)
    casino.send(cmd.OpenTableRound, table="roulette-1")
    spin(casino, "roulette-1", 4)
    collect = read({"collect": True})
    casino.send(cmd.ContinueRound, session=anna, round=round_id, move=collect)
    casino.send(cmd.LeaveSeat, session=anna)


def second_table(casino: Casino, anna: UUID, bruno: UUID) -> None:
    """Bruno brings more, loses, and is refunded; anna loses."""
    casino.send(cmd.TakeSeat, session=bruno, table="roulette-2")
    more = casino.request(bruno, "bruno", 2_000, sheet=FRENCH)
    casino.validate(bruno, more, 2_000)
    bonus = {"amount": 500, "currency": Currency.EUR, "reason": "welcome"}
    casino.send(cmd.GrantBonus, session=bruno, **bonus)
    casino.send(cmd.OpenTableRound, table="roulette-2")
    bet(casino, bruno, on([17], 100))
    casino.send(cmd.VoidTableRound, table="roulette-2", reason="the wheel broke")
    casino.send(cmd.TakeSeat, session=anna, table="roulette-2")
    casino.send(cmd.OpenTableRound, table="roulette-2")
    bet(casino, bruno, on([17], 200))
    bet(casino, anna, on([17], 300))
    spin(casino, "roulette-2", 4)


@pytest.fixture(scope="module")
def casino(database, tmp_path_factory):
    """The story, sealed on Tuesday morning."""
    casino = Casino(database, tmp_path_factory.mktemp("tables"), book=f"l{uuid4().hex[:8]}")
    casino.send(
        cmd.PublishSheet, sheet=FRENCH, sheet_version=1, in_force_from=casino.now, text=MANUAL
    )
    for name in ("roulette-1", "roulette-2"):
        casino.send(cmd.OpenTable, table=name, sheet=FRENCH, seats_max=3, chief="maria")
    anna = casino.sit(casino.player("anna"), 10_000, sheet=FRENCH)
    bruno = casino.sit(casino.player("bruno"), 5_000, sheet=FRENCH)
    first_table(casino, anna)
    second_table(casino, anna, bruno)
    casino.now = datetime(2026, 12, 1, 9, tzinfo=UTC)
    casino.seal()
    project_all(casino.ports)
    return casino


def report(casino: Casino) -> dict[str, Any]:
    """Monday's sections by name."""
    path = build_report(casino.ports, "game-performance", of_day(MONDAY))[2]
    return {s["name"]: s["lines"] for s in orjson.loads(path.read_bytes())["sections"]}


def test_c4_each_live_table_has_its_rounds_turnover_returns_refunds_and_drop(casino):
    """A stake that plays on is a bet of its own; who moves brings nothing to drop again."""
    names = ("live_table", "rounds", "bets", "turnover", "winnings", "stake_returned", "returned")
    more = ("refunded", "void_rounds", "void_bets", "void_refunded", "drop")
    rows = [line for line in report(casino)["tables"] if line["line"] == "row"]

    assert [
        ("roulette-1", 1, 2, "20.00", "10.00", "10.00", "20.00", "0.00", 0, 0, "0.00", "100.00"),
        ("roulette-2", 2, 2, "5.00", "0.00", "0.00", "0.00", "0.00", 1, 1, "1.00", "70.00"),
    ] == [tuple(line[name] for name in (*names, *more)) for line in rows]


def test_g1_the_tables_together_tie_to_all_bets_and_to_the_journal(casino):
    """25.00 staked, 5.00 kept."""
    sections = report(casino)

    total = next(line for line in sections["tables"] if line["line"] == "total")
    (control,) = sections["control"]
    assert ("25.00", "170.00") == (total["turnover"], total["drop"])
    names = ("turnover", "journal_turnover", "ggr", "journal_ggr", "ties")
    assert ("25.00", "25.00", "5.00", "5.00", "yes") == tuple(control[n] for n in names)


def test_c4_what_rights_brought_is_counted_at_the_seat_where_it_came(casino):
    """The bonus is the house's and is none of it."""
    query = "SELECT live_table, seat, drop FROM {book}.p_table_drop ORDER BY live_table"

    assert [("roulette-1", 1, 10_000), ("roulette-2", 1, 7_000)] == casino.rows(query)
    rights = "SELECT sum(amount)::int8 FROM {book}.p_journal WHERE source LIKE '%%:right'"
    assert [(17_000,)] == casino.rows(rights)


def test_a_tables_outcome_is_counted_once_whoever_bet_and_void_rounds_are_not(casino):
    """3 and 4 fell at the first table, 4 at the second, where two had bet and a round was void.

    10.00 on red bring 20.00 at 18 pockets and are worth 5.00 at zero: 36 500 and
    37 · (18 · 2000² + 500²) - 36 500² = 1 341 000 000, twice, for the stake played on. The 5.00 on
    17 of two sessions bring 180.00 at one pocket: 18 000 and 36 · 18 000² = 11 664 000 000.
    """
    fell = "SELECT live_table, draw, outcome, times FROM {book}.p_outcomes ORDER BY 1, 3"
    names = "live_table, outcomes, rounds, turnover, returned, expectation::int8, variance::int8"
    whole = " FROM {book}.p_table_returns WHERE level = '' AND channel = '' ORDER BY live_table"

    assert [
        ("roulette-1", "pocket", "3", 1),
        ("roulette-1", "pocket", "4", 1),
        ("roulette-2", "pocket", "4", 1),
    ] == casino.rows(fell)
    assert [
        ("roulette-1", 2, 2, 2_000, 2_000, 2 * 36_500, 2 * 1_341_000_000),
        ("roulette-2", 1, 2, 500, 0, 18_000, 11_664_000_000),
    ] == casino.rows(f"SELECT {names}{whole}")
    assert [] == casino.rows("SELECT * FROM {book}.p_rtp WHERE live_table <> ''")


def test_g6_a_rebuild_gives_the_same_bytes(casino):
    """Rounds and sessions folded again, in one go."""
    first = report(casino)
    for name in ("rounds", "sessions"):
        rebuild(casino.ports, name)

    assert first == report(casino)


def test_bj8_the_duties_of_live_tables_ask_for_each_table_and_each_seat_once(casino):
    """Both sit at roulette-2 now; the table that was left has nobody to wait for."""
    tables, sessions = [], []
    ports = replace(
        casino.ports,
        pass_turn=lambda name: tables.append(name) or "done",
        disconnect_idle=lambda session: sessions.append(session) or "not-yet-due",
    )

    assert ({"done": 1}, {"not-yet-due": 2}) == (pass_turns(ports), disconnect_idle(ports))

    assert ["roulette-2"] == tables
    seats = casino.rows("SELECT session FROM {book}.p_sessions WHERE live_table = 'roulette-2'")
    assert sorted(sessions) == sorted(session for (session,) in seats)


def test_bj8_no_table_is_left_out_however_few_cases_are_read_at_once(casino, monkeypatch):
    """Given no room for a page, then the table is asked for all the same."""
    monkeypatch.setattr(duties, "AT_ONCE", 0)

    assert {"done": 1} == pass_turns(replace(casino.ports, pass_turn=lambda _: "done"))
