"""A live table's own rounds are judged, and what they showed is what each player is told."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import orjson
import pytest

from games import registry
from ledger.domain import commands as cmd
from ledger.exports.verifier import Trust, verify
from tests.french_table import MANUAL
from tests.packages import MONDAY, Forgery, export
from tests.workers.history import Casino
from tests.workers.test_live_tables import first_table, second_table

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
