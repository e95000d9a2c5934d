"""`monitor`: what who watches returns types, and what they are told when nothing can be told."""

from datetime import UTC, date, datetime
from uuid import uuid4

import pytest

from ledger.domain import commands as cmd
from ops.bootstrap import service
from ops.settings import Settings
from tests.program import SHEET

RED = '{"bets":[{"chance":"red","amount":"5.00"}]}'
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
BY_ADA = ("--by", "Ada Neri", "--finding", "wheel 4 was levelled")


@pytest.fixture(scope="module")
def played(shop):
    """Three rounds of 5.00 on red, sealed and projected."""
    session = shop.session(shop.player("anna-1"))
    for _ in range(3):
        shop.say("play", session, RED)
    shop.say("seal")
    shop.say("project")
    return shop


def test_returns_are_shown_for_a_day_for_30_and_since_the_start(played):
    """15.00 were staked; each red has variance 25·4·18·19/37², so 1.96 deviations are 113.1 %.

    √(3 · 25 · 4 · 18 · 19) / 37 is 8.657, and 1.96 · 8.657 / 15 is 1.1312.
    """
    told = played.say("monitor", "show", SHEET)
    (won,) = played.rows("SELECT sum(winnings + stake_returned)::int8 FROM p_rounds")[0]

    assert ["day", "30-days", "life"] == [row["period"] for row in told["returns"]]
    for row in told["returns"]:
        assert (3, "15.00", f"{won / 100:.2f}") == (row["rounds"], row["turnover"], row["returned"])
        assert ("97.2973", "few-rounds") == (row["theoretical"], row["state"])
        assert 113.12 == pytest.approx(float(row["tolerance_warning"]), abs=0.01)
    (fell,) = told["outcomes"]
    assert ("pocket", 3, 36, 3) == (
        fell["draw"], fell["draws"], fell["freedom"], sum(fell["counts"].values())
    )  # fmt: skip


def test_returns_are_told_apart_by_level_and_channel(played):
    """5.00 a round is the second level, and the program plays through one channel."""
    by_level = played.say("monitor", "show", SHEET, "--by", "level")["returns"]
    by_channel = played.say("monitor", "show", SHEET, "--by", "channel")["returns"]

    assert ["up-to-5"] * 3 == [row["of"] for row in by_level]
    assert [3] * 3 == [row["rounds"] for row in by_channel]
    people = played.quick("monitor", "show", "--by", "level")
    assert (0, True) == (people.code, "up-to-5" in people.out)


def test_g6_a_plot_is_the_same_file_whoever_draws_it(played, tmp_path):
    """Given two processes that draw, then their files are equal."""
    first, second = tmp_path / "a.svg", tmp_path / "b.svg"
    day = ("--day", date.max.replace(year=2999).isoformat())
    told = played.say("monitor", "plot", SHEET, str(first), *day)
    played("monitor", "plot", SHEET, str(second), *day)

    assert {"file": str(first), "rounds": 3, "day": "2999-12-31"} == told
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("show", "keno"), "contoposta sheets"),
        (("show", "--day", "yesterday"), "2026-11-30"),
        (("show", "--by", "player"), "level"),
        (("plot", SHEET, "rtp.pdf"), ".svg or .png"),
        (("plot", SHEET, "nowhere/rtp.svg"), "There is no folder"),
        (("show", SHEET, "--day", "2000-01-01"), "up to 2000-01-01"),
        (("plot", SHEET, "rtp.svg", "--version", "2"), "No round of"),
        (("plot", SHEET, "rtp.svg", "--day", "2000-01-01"), "No round of"),
        (("acknowledge", "17", *BY_ADA), "UUID"),
        (("acknowledge", str(uuid4()), "--by", "Ada"), "--finding"),
        (("acknowledge", str(uuid4()), "--by", "", "--finding", "x"), "word"),
    ],
)
def test_wrong_input_is_told_with_what_to_give_instead(played, arguments, says):
    """Given input that is wrong, then exit code 2, a sentence that helps, and not one event."""
    before = played.events()
    done = played.quick("monitor", *arguments)

    assert (2, before) == (done.code, played.events()), done
    assert says in " ".join((done.out + done.err).split())


def test_a_folder_is_no_file_to_draw_into(played, tmp_path):
    """Given a folder whose name ends as a picture's, then exit code 2 and nothing in it."""
    folder = tmp_path / "folder.svg"
    folder.mkdir()
    done = played.quick("monitor", "plot", SHEET, str(folder))

    assert (2, True) == (done.code, "is a folder; name a file" in done.err), done
    assert [folder] == list(tmp_path.rglob("*"))


def test_a_finding_is_recorded_once_by_who_is_named(timed_shop):
    """Given an alert, when it is acknowledged, then it waits no more, and its finding stands."""
    alert = raised(timed_shop)
    timed_shop.say("seal")
    timed_shop.say("project")
    (waiting,) = timed_shop.say("monitor", "alerts")
    timed_shop.say("monitor", "acknowledge", alert, *BY_ADA)
    again = timed_shop.quick("monitor", "acknowledge", alert, *BY_ADA, "--json")
    unknown = timed_shop.quick("monitor", "acknowledge", str(uuid4()), *BY_ADA, "--json")
    timed_shop.say("seal")
    timed_shop.say("project")

    assert (alert, "alarm", "5.104", None) == tuple(
        waiting[name] for name in ("alert", "grade", "value", "person")
    )
    assert (1, "alert-acknowledged") == (again.code, again.refusal)
    assert (1, "unknown-alert") == (unknown.code, unknown.refusal)
    assert [] == timed_shop.say("monitor", "alerts")
    (answered,) = timed_shop.say("monitor", "alerts", "--all")
    assert ("Ada Neri", "wheel 4 was levelled") == (answered["person"], answered["finding"])
    assert timed_shop.say("verify")["holds"]


def raised(shop) -> str:
    """An alert of the newest checkpoint, raised as the duty does; its id."""
    shop.say("seal")
    ((size, root),) = shop.rows("SELECT size, root FROM checkpoints ORDER BY size DESC LIMIT 1")
    command = cmd.RaiseRtpAlert(
        id=uuid4(), actor="timed-duty", grade="alarm", statistic="outcomes", sheet=SHEET,
        sheet_version=1, subject="pocket", period="life", first_day=date(2026, 1, 1),
        last_day=date(2026, 11, 30), value="5.104", threshold="4.606", rounds=20_000,
        checkpoint_size=size, checkpoint_root=bytes(root).hex(),
    )  # fmt: skip
    settings = Settings(home=shop.home, book=shop.book, database_url=shop.conninfo)
    assert service(settings, 1).handle(command, NOON).refusal is None
    return str(command.id)
