"""Projections and reports of a stake in prison over midnight, worked by hand (C4, FR1, G1).

On Monday anna bets 10.00 on red and 2.00 on 17 and zero comes: 2.00 are lost, 10.00 in prison. On
Tuesday a second zero, then she withdraws a quarter: 2.50 for her, 7.50 for the bank.
"""

from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

import orjson
import pytest

from games import registry
from games.roulette.wheel import outcome
from ledger.domain import commands as cmd
from ledger.domain.events import FeedRef
from tests.french_pit import on, read
from tests.workers.history import Casino
from workers.project import project_all
from workers.reports.build import build_report
from workers.reports.periods import of_day

FRENCH = "french-roulette"
MONDAY, TUESDAY = date(2026, 11, 30), date(2026, 12, 1)


def spin(casino: Casino, sequence: int, *bets: Any) -> None:
    """A round of the table in which zero comes, after these commands."""
    casino.send(cmd.OpenTableRound, table="roulette-1")
    for kind, fields in bets:
        casino.send(kind, **fields)
    casino.send(cmd.CloseBets, table="roulette-1")
    feed = FeedRef(message=f"m-{sequence}", sequence=sequence)
    casino.send(cmd.HearOutcome, table="roulette-1", feed=feed, outcome=outcome(0))
    casino.send(cmd.SettleTableRound, table="roulette-1")


@pytest.fixture(scope="module")
def casino(database, tmp_path_factory):
    """The story, sealed and projected on Wednesday morning; Monday's evening was projected too."""
    casino = Casino(database, tmp_path_factory.mktemp("prison"), book=f"p{uuid4().hex[:8]}")
    fields = {"sheet": FRENCH, "sheet_version": 1, "in_force_from": casino.now}
    casino.send(cmd.PublishSheet, text=registry.SHEETS[FRENCH].text, **fields)
    table = {"table": "roulette-1", "sheet": FRENCH, "seats_max": 3, "chief": "maria"}
    casino.send(cmd.OpenTable, **table)
    session = casino.sit(casino.player("anna-1"), sheet=FRENCH)
    casino.send(cmd.TakeSeat, session=session, table="roulette-1")
    move = read({"bets": [on("red", 1000), on([17], 200)]})
    spin(casino, 1, (cmd.OpenRound, {"session": session, "move": move}))
    casino.seal()
    project_all(casino.ports)
    casino.now = datetime(2026, 12, 1, 9, tzinfo=UTC)
    spin(casino, 2)
    out = read({"prison": [{"bet": 1, "choice": "withdraw"}]})
    (held,) = casino.service.state(f"session:{session}").rounds
    casino.send(cmd.ContinueRound, session=session, round=held.round, move=out)
    casino.now = datetime(2026, 12, 2, 9, tzinfo=UTC)
    casino.seal()
    project_all(casino.ports)
    return casino


def sections(casino: Casino, kind: str, day: date) -> dict[str, Any]:
    """The sections of a report by name."""
    path = build_report(casino.ports, kind, of_day(day))[2]
    return {s["name"]: s["lines"] for s in orjson.loads(path.read_bytes())["sections"]}


def test_c4_a_prisoners_stake_counts_once_on_the_day_of_its_settlement(casino):
    """12.00 staked and 2.50 returned on Tuesday, and nothing on Monday."""
    query = "SELECT day, rounds, turnover, winnings, stake_returned FROM {book}.p_turnover"

    assert [(TUESDAY, 1, 1_200, 0, 250)] == casino.rows(query)


def test_c7_rounds_and_sessions_show_the_first_number_and_the_whole_stake(casino):
    """The round's own number is the first zero; the session bet 12.00 and was returned 2.50."""
    query = "SELECT shown, staked, stake_returned, settled FROM {book}.p_rounds"
    assert [("0", 1_200, 250, True)] == casino.rows(query)
    assert [(1, 1_200, 250)] == casino.rows("SELECT rounds, bet, won FROM {book}.p_sessions")


def test_g1_the_day_of_the_settlement_ties_to_the_journal(casino):
    """12.00 staked, 9.50 kept by the house, of them 2.00 on Monday."""
    (line,) = sections(casino, "game-performance", TUESDAY)["control"]

    names = ("turnover", "journal_turnover", "ggr", "journal_ggr", "ties")
    assert ("12.00", "12.00", "9.50", "9.50", "yes") == tuple(line[name] for name in names)


def test_fr1_a_prisoner_is_owed_over_midnight_and_its_round_is_interrupted(casino):
    """10.00 in prison at Monday's end, nothing at Tuesday's."""
    owed = [
        {line["account"]: line["closing"] for line in lines if line["line"] == "row"}
        for day in (MONDAY, TUESDAY)
        for lines in [sections(casino, "operator-liability", day)["liability"]]
    ]
    assert [("10.00", "0.00"), ("0.00", "0.00")] == [(o["prison"], o["stakes"]) for o in owed]

    monday = sections(casino, "game-performance", MONDAY)["interrupted"][0]
    assert (FRENCH, 1, "10.00") == tuple(monday[n] for n in ("sheet", "rounds", "stakes_held"))
