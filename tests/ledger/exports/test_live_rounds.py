"""A live table's own rounds are judged, and what they showed is what each player is told."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import orjson
import pytest

from games import registry
from ledger.domain import commands as cmd
from ledger.exports.verifier import Trust, verify
from tests.french_pit import on, read
from tests.french_table import MANUAL
from tests.packages import MONDAY, TUESDAY, Forgery, export
from tests.workers.history import Casino
from tests.workers.test_live_tables import bet, first_table, second_table, spin

SHEET = "french-roulette"
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def played(database: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Casino, Any]:
    """Two tables, of whose four rounds one is void and one goes on; the package of their day."""
    folder = tmp_path_factory.mktemp("live")
    casino = Casino(database, folder, book=f"v{uuid4().hex[:8]}")
    told = {"sheet": SHEET, "sheet_version": 1, "in_force_from": casino.now}
    casino.send(cmd.PublishSheet, **told, text=MANUAL)
    for name in ("roulette-1", "roulette-2"):
        casino.send(cmd.OpenTable, table=name, sheet=SHEET, seats_max=3, chief="maria")
    anna, bruno = (casino.sit(casino.player(p), 10_000, sheet=SHEET) for p in ("anna", "bruno"))
    first_table(casino, anna)
    second_table(casino, anna, bruno)
    casino.now = datetime(2026, 12, 1, 9, tzinfo=UTC)
    casino.seal()
    export(casino, folder / "package", (MONDAY, MONDAY), None)
    return casino, folder / "package"


def trust(casino: Casino) -> Trust:
    """The key of the book, and the second methods."""
    return Trust(keys=(casino.key.verifying_key,), audits=registry.AUDITS)


def test_g7_the_rounds_of_live_tables_are_judged_with_those_of_their_players(played):
    """Given four rounds of tables and four of players, then each is judged, and all hold."""
    casino, package = played

    verdict = verify(package, trust(casino))

    assert [] == list(verdict.findings)
    assert 8 == verdict.rounds


def other_number(event: dict[str, Any]) -> None:
    """26, which is black, in place of what came."""
    event.update(shown="26", details=event["details"] | {"pocket": 26, "colour": "black"})


def other_colour(event: dict[str, Any]) -> None:
    """A number in a colour that the wheel has not."""
    event.update(details=event["details"] | {"colour": "green"})


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("outcome-recorded", other_number, "told what its table did not show"),
        ("outcome-recorded", other_colour, "is shown as"),
        ("outcome-told", other_number, "told what its table did not show"),
    ],
)
def test_g7_an_outcome_that_its_table_did_not_show_is_found_though_it_was_signed_again(
    played, tmp_path, name: str, change: Change, said: str
):
    """Given a number changed at the table or in what a player is told, then the round is named."""
    casino, package = played
    forged = Forgery.of(package, tmp_path)
    lines = forged.events()
    at = next(n for n, line in enumerate(lines) if orjson.loads(line)["name"] == name)
    document = orjson.loads(lines[at])
    change(document["entry"]["event"])
    lines[at] = orjson.dumps(document) + b"\n"
    forged.relog(lines, casino.key)

    found = [f for f in verify(forged.path, trust(casino)).findings if f.check == "rounds"]

    assert any(said in f.found for f in found), found


TABLE = {"table": "roulette-1"}


def seated(casino: Casino) -> tuple[UUID, UUID]:
    """Anna and bruno at a table where winnings are collected."""
    told = {"sheet": SHEET, "sheet_version": 1, "in_force_from": casino.now}
    casino.send(cmd.PublishSheet, **told, text=MANUAL)
    casino.send(cmd.OpenTable, **TABLE, sheet=SHEET, seats_max=3, chief="maria")
    anna, bruno = (casino.sit(casino.player(p), 10_000, sheet=SHEET) for p in ("anna", "bruno"))
    for session in (anna, bruno):
        casino.send(cmd.TakeSeat, session=session, **TABLE)
    return anna, bruno


def before_midnight(casino: Casino, anna: UUID, bruno: UUID) -> UUID:
    """Zero imprisons anna's bet and pays bruno's; then a round is void. Bruno's round."""
    casino.send(cmd.OpenTableRound, **TABLE)
    bet(casino, anna, on("red", 1_001))
    won = bet(casino, bruno, on([0], 100))
    spin(casino, "roulette-1", 0)
    casino.send(cmd.OpenTableRound, **TABLE)
    bet(casino, anna, on([17], 300))
    casino.send(cmd.VoidTableRound, **TABLE, reason="the ball jumped", refund="next-round")
    return won


def after_midnight(casino: Casino, anna: UUID, bruno: UUID, won: UUID) -> None:
    """The refund is made, 4 takes the prisoner, bruno collects, and both go."""
    casino.send(cmd.OpenTableRound, **TABLE)
    spin(casino, "roulette-1", 4)
    collect = read({"collect": True})
    casino.send(cmd.ContinueRound, session=bruno, round=won, move=collect)
    for session in (anna, bruno):
        casino.send(cmd.CloseSession, session=session)


def test_g9_what_a_table_leaves_open_over_midnight_holds_on_both_days(
    database: str, tmp_path: Path
):
    """Given a prisoner, a held win and a refund that wait over midnight, then both days hold."""
    casino = Casino(database, tmp_path, book=f"v{uuid4().hex[:8]}")
    anna, bruno = seated(casino)
    won = before_midnight(casino, anna, bruno)
    casino.seal()
    casino.now = datetime(2026, 12, 1, 9, tzinfo=UTC)
    export(casino, tmp_path / "monday", (MONDAY, MONDAY), None)
    after_midnight(casino, anna, bruno, won)
    casino.seal()
    casino.now = datetime(2026, 12, 2, 9, tzinfo=UTC)
    export(casino, tmp_path / "tuesday", (TUESDAY, TUESDAY), tmp_path / "monday")

    first = verify(tmp_path / "monday", trust(casino))
    alone = verify(tmp_path / "tuesday", trust(casino))
    following = replace(trust(casino), previous=tmp_path / "monday")
    second = verify(tmp_path / "tuesday", following)

    assert ((), (), ()) == (first.findings, alone.findings, second.findings)
    # Monday: two rounds of the table and three of its players; Tuesday: what went on, and one more.
    assert (5, 4) == (first.rounds, second.rounds)
