"""Reports that list what happened follow from the events too: sessions, duty, wins, corrections."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import orjson
import pytest

from ledger.domain import commands as cmd
from ledger.domain.events import CorrectionLine
from ledger.domain.money import Currency
from ledger.exports.verifier import lists
from tests.packages import MONDAY, TUESDAY, Days, Forgery, export
from tests.workers.history import PREMIUM, Casino, red, straight, uid
from workers.projections import significant
from workers.reports import duty, large_wins


def corrected(casino: Casino, player: str) -> None:
    """A deposit that was booked twice, set right in two lines."""
    told = {"player": player, "currency": Currency.EUR, "amount": 1_000, "channel": "card"}
    deposit = casino.send(cmd.Deposit, **told, reference="twice").command
    lines = tuple(
        CorrectionLine(source=f"player:{player}:conto", target="world:payments", amount=amount)
        for amount in (700, 300)
    )
    casino.send(
        cmd.PostCorrection, corrects=deposit, code="booked-twice", reason="paid once",
        approvers=("ada", "carlo"), currency=Currency.EUR, lines=lines,
    )  # fmt: skip


@pytest.fixture(scope="module")
def days(database: str, tmp_path_factory: pytest.TempPathFactory) -> Days:
    """Anna wins 1,750.00 and ends; bruno plays over midnight; carla's right is rejected."""
    folder = tmp_path_factory.mktemp("lists")
    casino = Casino(database, folder, book=f"y{uuid4().hex[:8]}")
    anna = casino.sit(casino.player("anna"), 20_000, sheet=PREMIUM)
    bruno = casino.sit(casino.player("bruno"), channel="app")
    casino.send(cmd.GrantBonus, session=anna, amount=700, currency=Currency.EUR, reason="welcome")
    casino.play(anna, 17, straight(17, "50.00"), red("10.00"))
    casino.void(anna, casino.open_round(anna, red("5.00")))
    casino.send(cmd.CloseSession, session=anna)
    casino.play(bruno, 0, red("5.00"))
    corrected(casino, "anna")
    casino.send(cmd.SuspendConto, player="anna", reason="two holders")
    never = uid(f"{casino.book}:never")
    right = casino.request(never, casino.player("carla"), 5_000)
    casino.send(cmd.RejectParticipation, session=never, participation=right, reason="R-1")
    casino.wait(days=1)
    casino.seal()
    export(casino, folder / "monday", (MONDAY, MONDAY), None)
    casino.play(bruno, 1, red("5.00"))
    casino.send(cmd.CloseSession, session=bruno)
    casino.send(cmd.ReinstateConto, player="anna", reason="one holder")
    casino.wait(days=1)
    casino.seal()
    export(casino, folder / "tuesday", (TUESDAY, TUESDAY), folder / "monday")
    return Days(casino, folder / "monday", folder / "tuesday")


def test_g6_honest_lists_hold_alone_and_after_the_previous_package(days: Days):
    """Given both days, then nothing is found, whether sessions were seen to begin or not."""
    for path, previous in (
        (days.monday, None), (days.tuesday, days.monday), (days.tuesday, None),
    ):  # fmt: skip
        assert () == days.verify(path, previous).findings
    alone = days.verify(days.tuesday).taken
    assert "Sums of sessions not made again: 1 sessions began before." in alone


def lines_of(days: Days, kind: str, section: str) -> list[dict[str, Any]]:
    """The rows of a section on Monday."""
    content = (days.monday / "reports" / f"{kind}-2026-11-30.json").read_bytes()
    sections = {s["name"]: s["lines"] for s in orjson.loads(content)["sections"]}
    return [line for line in sections[section] if line["line"] == "row"]


def test_g6_what_is_listed_is_what_happened(days: Days):
    """Given Monday by hand, then its reports tell the win of 35 times 50.00 and red's loss."""
    (win,) = lines_of(days, "large-wins", "wins")
    never, ended = lines_of(days, "player-sessions", "ended")
    (duty,) = lines_of(days, "duty", "duty")

    assert ("carla", "rejected", None) == tuple(
        never[name] for name in ("player", "reason_of_end", "opened")
    )
    assert ("60.00", "1750.00", "anna") == (win["staked"], win["win"], win["player"])
    # 200.00 and a bonus of 7.00 came in, and 60.00 were bet, of which 1,800.00 came back.
    assert ("1947.00", "60.00", "1800.00") == (ended["final_posta"], ended["bet"], ended["won"])
    assert ("-1740.00", "0.00", "25.5000") == (duty["base"], duty["duty"], duty["rate_percent"])


CELLS = [
    ("player-sessions", "ended", "player", "bruno"),
    ("player-sessions", "ended", "won", "0.01"),
    ("player-sessions", "ended", "reason_of_end", "expired"),
    ("player-sessions", "open", "posta", "95.01"),
    ("player-sessions", "control", "journal_funded", "207.01"),
    ("duty", "days", "base", "-1739.99"),
    ("duty", "duty", "duty", "1.00"),
    ("duty", "duty", "rate_percent", "25.0000"),
    ("large-wins", "wins", "win", "1749.99"),
    ("large-wins", "wins", "player", "bruno"),
    ("large-wins", "control", "ggr", "-1740.01"),
    ("corrections", "corrections", "reason", "paid twice"),
    ("corrections", "corrections", "actor", "somebody"),
    ("corrections", "lines", "amount", "7.01"),
    ("corrections", "lines", "source_before", "900.01"),
    ("corrections", "control", "amount", "10.01"),
    ("significant-events", "events", "actor", "somebody"),
    ("significant-events", "events", "position", 1),
    ("significant-events", "counts", "events", 99),
]
"""A figure or a word of Monday's reports, and what a forger would rather tell."""


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: "-".join(map(str, cell[:3])))
def test_g6_a_list_that_does_not_follow_from_its_events_is_found(
    days: Days, tmp_path: Path, cell: tuple[str, str, str, Any]
):
    """Given one cell changed in the document for machines, then its section is named."""
    kind, section, column, other = cell
    forged = Forgery.of(days.monday, tmp_path)

    def change(content: bytes) -> bytes:
        document = orjson.loads(content)
        (lines,) = (s["lines"] for s in document["sections"] if s["name"] == section)
        assert lines[0][column] != other
        lines[0][column] = other
        return orjson.dumps(document)

    forged.edit(f"reports/{kind}-2026-11-30.json", change)
    forged.resign(days.casino.key)

    found = {f.found.partition(":")[0] for f in days.verify(forged.path).findings}
    assert section in found


@pytest.mark.parametrize(
    ("kind", "section"),
    [
        ("player-sessions", "ended"),
        ("large-wins", "wins"),
        ("corrections", "corrections"),
        ("significant-events", "events"),
    ],
)
def test_g6_a_row_that_is_left_out_or_told_twice_is_found(
    days: Days, tmp_path: Path, kind: str, section: str
):
    """Given the first row gone or repeated, then its section is named."""
    for how in (lambda lines: lines[1:], lambda lines: [lines[0], *lines]):
        forged = Forgery.of(days.monday, tmp_path)

        def change(content: bytes, how: Any = how) -> bytes:
            document = orjson.loads(content)
            (told,) = (s for s in document["sections"] if s["name"] == section)
            told["lines"] = how(told["lines"])
            return orjson.dumps(document)

        forged.edit(f"reports/{kind}-2026-11-30.json", change)
        forged.resign(days.casino.key)
        found = {f.found.partition(":")[0] for f in days.verify(forged.path).findings}
        assert section in found


def test_g6_the_player_of_a_session_is_known_from_the_previous_package(days: Days, tmp_path: Path):
    """Given bruno's end told as anna's, then Monday's package knows whose session it is."""
    forged = Forgery.of(days.tuesday, tmp_path)
    name = "reports/player-sessions-2026-12-01"
    for ending in ("json", "csv", "it.csv"):
        forged.edit(f"{name}.{ending}", lambda content: content.replace(b"bruno", b"anna"))
    forged.resign(days.casino.key)

    assert [] == list(days.verify(forged.path).findings)
    assert {f"{name}.json"} == {f.place for f in days.verify(forged.path, days.monday).findings}


def test_g6_the_verifiers_own_lists_are_those_of_the_reports():
    """Given what is significant, large and taxed by the reports, then the second lists agree."""
    assert set(significant.PROJECTION.topics) == lists.SIGNIFICANT
    assert {currency.value: least for currency, least in large_wins.LEAST.items()} == lists.LARGE
    assert tuple(reversed(duty.RATES)) == lists.RATES
