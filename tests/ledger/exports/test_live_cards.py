"""Cards of Live Blackjack in a package: drawn ones follow from entropy, told ones from the table.

The verifier hands the second method a table's shoe with all that was dealt from it, over rounds
and days, and with what boxes were told before the end.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import orjson
import pytest

from games.blackjack.moves import BlackjackCard, BlackjackCut
from ledger.domain import commands as cmd
from ledger.domain.events import FeedRef
from tests.blackjack_pit import SHEET, read
from tests.packages import MONDAY, TUESDAY, Days, Forgery, export
from tests.workers.history import Casino

TABLE = {"table": "blackjack-1"}
EIGHTH = bytes([0, 7] * 16)
"""Draws the eighth of the cards that are left: the last two of clubs of a fresh shoe."""


@dataclass(slots=True)
class Evening:
    """Anna alone at a table, and cards that are drawn or told."""

    casino: Casino
    anna: UUID
    round: UUID | None = None

    def at(self, kind: type[cmd.Command], **fields: Any) -> None:
        """A command at the table."""
        self.casino.coming = [EIGHTH]
        self.casino.send(kind, **TABLE, **fields)
        self.casino.coming = []

    def told(self, details: Any) -> cmd.Told:
        """What the feed tells next."""
        feed = FeedRef(message=f"m-{self.casino.sent}", sequence=self.casino.sent)
        return cmd.Told(feed=feed, details=details)

    def begin(self) -> None:
        """Open a round, bet 10.00, and close the bets."""
        self.at(cmd.OpenTableRound)
        bet = {"session": self.anna, "move": read({"bet": "10.00"})}
        self.round = self.casino.send(cmd.OpenRound, **bet).command
        self.at(cmd.CloseBets)

    def hear(self, cards: str) -> None:
        """Cards of the feed."""
        for card in cards.split():
            self.at(cmd.DealCard, told=self.told(BlackjackCard(card=card)))

    def draw(self, count: int) -> None:
        """Cards that are drawn here."""
        for _ in range(count):
            self.at(cmd.DealCard)

    def act(self, action: str) -> None:
        """Anna's move."""
        at = {"session": self.anna, "round": self.round, "move": read({"action": action})}
        self.casino.send(cmd.ContinueRound, **at)


def first_day(evening: Evening) -> None:
    """Two shoes: a Blackjack paid at once, a drawn round, a void one, and one that is shuffled in.

    The second shoe comes between the void round and its refunds, the third while bets are placed.
    """
    evening.at(cmd.ShuffleShoe)
    evening.begin()
    evening.hear("Ac 5d Kd")
    evening.at(cmd.SettleTableRound)
    evening.begin()
    evening.draw(3)
    evening.act("stand")
    evening.hear("Kc Ks")
    evening.at(cmd.SettleTableRound)
    evening.begin()
    evening.draw(2)
    evening.at(cmd.VoidTableRound, reason="the camera failed", refund="next-round")
    evening.at(cmd.ShuffleShoe, told=evening.told(BlackjackCut(cards=208)))
    evening.at(cmd.OpenTableRound)
    evening.at(cmd.ShuffleShoe)
    evening.at(cmd.CloseBets)
    evening.at(cmd.VoidTableRound, reason="nobody has bet", refund="at-once")
    evening.begin()
    evening.draw(1)


def second_day(evening: Evening) -> None:
    """The round from before midnight ends, and the third shoe goes on."""
    evening.draw(2)
    evening.act("stand")
    evening.hear("Kc Ks")
    evening.at(cmd.SettleTableRound)
    evening.begin()
    evening.draw(3)


@pytest.fixture(scope="module")
def days(database: str, tmp_path_factory: pytest.TempPathFactory) -> Days:
    """Monday and Tuesday, exported."""
    folder = tmp_path_factory.mktemp("cards")
    casino = Casino(database, folder, book=f"k{uuid4().hex[:8]}")
    told = {"sheet": SHEET.sheet, "sheet_version": SHEET.version, "text": SHEET.text}
    casino.send(cmd.PublishSheet, **told, in_force_from=casino.now)
    casino.send(cmd.OpenTable, **TABLE, sheet=SHEET.sheet, seats_max=7, chief="maria")
    anna = casino.sit(casino.player("anna"), 10_000, sheet=SHEET.sheet)
    casino.send(cmd.TakeSeat, session=anna, **TABLE)
    evening = Evening(casino, anna)
    first_day(evening)
    casino.now = datetime(2026, 12, 1, 9, tzinfo=UTC)
    casino.seal()
    export(casino, folder / "monday", (MONDAY, MONDAY), None)
    second_day(evening)
    casino.now += timedelta(days=1)
    casino.seal()
    export(casino, folder / "tuesday", (TUESDAY, TUESDAY), folder / "monday")
    return Days(casino, folder / "monday", folder / "tuesday")


def test_g7_honest_shoes_hold_over_rounds_and_days(days: Days):
    """Given three shoes over two days, then every draw is judged and none is found."""
    first, second = days.verify(days.monday), days.verify(days.tuesday, days.monday)

    assert ((), ()) == (first.findings, second.findings)
    # Monday: five rounds of the table, four of Anna's; Tuesday: those from before, and one more.
    assert (9, 4) == (first.rounds, second.rounds)
    assert [] == [said for said in (*first.taken, *second.taken) if "shoe" in said]


def test_a_package_alone_says_that_it_cannot_judge_the_draws_of_an_earlier_shoe(days: Days):
    """Given Tuesday alone, then the round that was dealt from Monday's shoe is told, and holds."""
    verdict = days.verify(days.tuesday)

    assert () == verdict.findings
    assert "Draws not judged: 1 rounds of an earlier shoe." in verdict.taken


Change = Callable[[dict[str, Any]], None]


def forged(days: Days, folder: Path, which: tuple[str, int], change: Change) -> Path:
    """Monday with one event changed, the one at a place among those of its name; signed anew."""
    name, at = which
    forgery = Forgery.of(days.monday, folder)
    lines = forgery.events()
    place = [n for n, line in enumerate(lines) if orjson.loads(line)["name"] == name][at]
    document = orjson.loads(lines[place])
    change(document["entry"]["event"])
    lines[place] = orjson.dumps(document) + b"\n"
    forgery.relog(lines, days.casino.key)
    return forgery.path


def another_card(event: dict[str, Any]) -> None:
    """The two of hearts, and the entropy left as it was."""
    event["details"]["card"] = "2h"


def other_entropy(event: dict[str, Any]) -> None:
    """Raw bytes that draw the first card that is left."""
    event["entropy"] = "0000"


def another_cut(event: dict[str, Any]) -> None:
    """The cutting card one card further on, where it may lie too."""
    event["details"]["cards"] += 1


def another_number(event: dict[str, Any]) -> None:
    """A shoe that was left out."""
    event["number"] += 1


def queen(event: dict[str, Any]) -> None:
    """A queen in place of the king: it counts the same."""
    event["details"]["boxes"][0]["hands"][0][1] = "Qd"
    event["shown"] = event["shown"].replace("Kd", "Qd")


def lower(event: dict[str, Any]) -> None:
    """A four in place of the dealer's five."""
    event["details"]["dealer"] = ["4d"]


@pytest.mark.parametrize(
    ("which", "change", "said"),
    [
        (("card-dealt", 3), another_card, "the entropy on record gives 2c"),
        (("card-dealt", 4), other_entropy, "the entropy on record gives 2c"),
        (("shoe-shuffled", 0), another_cut, "the entropy on record gives"),
        (("shoe-shuffled", 1), another_number, "is not its next"),
        (("box-decided", 0), queen, "a box is told what does not lie on the table"),
        (("box-decided", 0), lower, "a box is told what does not lie on the table"),
    ],
    ids=["card", "entropy", "cut", "number", "box", "dealer"],
)
def test_g7_a_card_that_its_entropy_does_not_give_or_its_table_did_not_show_is_found(
    days: Days, tmp_path: Path, which: tuple[str, int], change: Change, said: str
):
    """Given a drawn card, a shuffle or a told box changed and signed anew, then it is named."""
    assert said in days.found(forged(days, tmp_path, which, change))


def test_g7_a_card_drawn_from_yesterdays_shoe_is_found(days: Days, tmp_path: Path):
    """Given other entropy on Tuesday, then Monday's package tells what was left in the shoe."""
    forgery = Forgery.of(days.tuesday, tmp_path)
    forgery.edit(
        "events.jsonl", lambda content: content.replace(b'"entropy":"0007', b'"entropy":"0000')
    )

    assert "shoe 3 of table:blackjack-1" in days.found(forgery.path, days.monday)
    assert "entropy" not in days.found(forgery.path)
