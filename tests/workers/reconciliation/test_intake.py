"""Statements that are put into a folder are taken in once, or moved away with a reason."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from ops.statements import packaged
from tests.workers.history import Casino
from tests.workers.reconciliation.test_statement import HEAD, row
from workers.log import alone
from workers.ports import Ports
from workers.reconciliation import intake
from workers.reconciliation.intake import take_next, take_statements


@pytest.fixture
def ports(casino: Casino) -> Ports:
    """Anna paid 1000.00 in by card, an hour ago; the card's folder has its mapping."""
    casino.player("anna")
    casino.wait(hours=1)
    folder = casino.folder / "statements"
    (folder / "card").mkdir(parents=True)
    (folder / "card" / "mapping.json").write_bytes(packaged("stripe"))
    return replace(casino.ports, statements=folder)


def put(ports: Ports, name: str, text: str, channel: str = "card") -> Path:
    """A file in a channel's folder."""
    path = ports.statements / channel / name
    path.write_text(text)
    return path


def paid(casino: Casino, amount: int = 100_000) -> str:
    """The statement that has anna's payment, in cents."""
    return HEAD + row("pay-anna", amount, casino.now - timedelta(hours=1))


def names(ports: Ports, where: str = "") -> list[str]:
    """What lies in the card's folder or one of its folders, without digests."""
    folder = ports.statements / "card" / where
    return sorted(f"{p.name.split('.')[0]}{p.suffix}" for p in folder.iterdir() if p.is_file())


def register(casino: Casino) -> list[tuple]:
    """What was taken in."""
    return casino.rows(
        "SELECT channel, name, first_day, last_day, lines, agreeing, found FROM {book}.p_statements"
    )


def test_a_statement_is_taken_in_once_by_what_it_holds(casino, ports):
    """Given the same bytes under two names, then they are matched once and both moved."""
    put(ports, "monday.csv", paid(casino))
    put(ports, "monday-again.csv", paid(casino))

    assert {"taken": 1, "known": 1} == take_statements(ports)
    assert {} == take_statements(ports)
    monday = date(2026, 11, 30)
    assert [("card", "monday-again.csv", monday, monday, 1, 1, 0)] == register(casino)
    assert ["mapping.json"] == names(ports)
    assert ["monday-again.csv", "monday.csv"] == names(ports, "taken")


def test_what_differs_is_on_record_and_counted(casino, ports):
    """Given another amount than the book's, then one difference is found."""
    put(ports, "monday.csv", paid(casino, 90_000))

    assert {"taken": 1} == take_statements(ports)
    assert [1] == [line[-1] for line in register(casino)]
    assert [("amount", 100_000, 90_000)] == casino.rows(
        "SELECT kind, here, there FROM {book}.p_differences"
    )


TO_COME = datetime(2026, 12, 11, 12, tzinfo=UTC)
"""A day after the house's, which is in November: its day and month were mistaken."""

UNREADABLE = {
    "a line at fault": (HEAD + "t,x\n", "line 2: 2 cells, and the header has 6"),
    "no lines": (HEAD, "has no lines"),
    "a day to come": (HEAD + row("r", 1, TO_COME), "2026-12-11 has not begun"),
    "another layout": ("a,b\n", "must have once each"),
}


@pytest.mark.parametrize(("text", "reason"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_moved_away_with_its_reason_and_keeps_nobody_waiting(
    casino, ports, text, reason
):
    """Given a wrong statement before a good one, then the good one is taken in all the same."""
    put(ports, "a.csv", text)
    put(ports, "b.csv", paid(casino))

    assert {"quarantined": 1, "taken": 1} == take_statements(ports)
    assert ["a.csv", "a.txt"] == names(ports, "quarantine")
    (told,) = (ports.statements / "card" / "quarantine").glob("*.reason.txt")
    assert reason in told.read_text()
    assert ["b.csv"] == [line[1] for line in register(casino)]


def test_a_folder_without_its_own_mapping_says_so(casino, ports):
    """Given none, or the mapping of another channel, then the statement is not guessed at."""
    for channel in ("bank", "other"):
        (ports.statements / channel).mkdir()
        put(ports, "monday.csv", paid(casino), channel)
    put(ports, "mapping.json", packaged("stripe").decode(), "other")

    assert {"quarantined": 2} == take_statements(ports)
    reasons = [p.read_text() for p in sorted(ports.statements.glob("*/quarantine/*.reason.txt"))]
    assert [
        "The folder's mapping.json cannot be read: No such file or directory.\n",
        "The folder's mapping.json is of the channel card.\n",
    ] == reasons


def test_a_statement_that_was_put_right_is_taken_when_it_is_put_back(casino, ports):
    """Given one that was quarantined for its mapping, when both are right, then it is taken in."""
    mapping = ports.statements / "card" / "mapping.json"
    mapping.write_text("{}")
    put(ports, "monday.csv", paid(casino))
    assert {"quarantined": 1} == take_statements(ports)
    mapping.write_bytes(packaged("stripe"))
    (away,) = mapping.parent.glob("quarantine/*.csv")
    away.rename(mapping.parent / "monday.csv")

    assert {"taken": 1} == take_statements(ports)


def test_a_run_that_was_killed_before_it_moved_the_file_is_ended_by_the_next(
    casino, ports, monkeypatch
):
    """Given a crash after the register, or before it, then the next run has one effect."""
    put(ports, "monday.csv", paid(casino, 90_000))
    for step in ("sql", "_move"):
        with monkeypatch.context() as cut:
            cut.setattr(intake, step, _killed(getattr(intake, step)))
            with pytest.raises(KeyboardInterrupt):
                take_statements(ports)

    assert {"known": 1} == take_statements(ports)
    assert [1] == [line[4] for line in register(casino)]
    found = "SELECT count(*) FROM {book}.events WHERE topic = 'difference-found'"
    assert [(1,)] == casino.rows(found)


def _killed(real):
    """A function that is killed when it is about to write the register or to move the file."""

    def killed(*about):
        if about[0] == intake._KNOWN:
            return real(*about)
        raise KeyboardInterrupt

    return killed


def test_a_file_that_grows_while_it_is_read_is_left_for_the_next_run(casino, ports, monkeypatch):
    """Given a second line that comes meanwhile, then nothing is concluded from the first."""
    path = put(ports, "monday.csv", paid(casino))

    def growing(at: Ports, statement: Path):
        arrival = real(at)
        path.write_text(paid(casino) + row("late", 100, casino.now))
        return arrival

    real = intake._mapping_of
    monkeypatch.setattr(intake, "_mapping_of", lambda arrival: growing(arrival, path))
    assert {"changing": 1} == take_statements(ports)
    monkeypatch.undo()

    assert ([], ["mapping.json", "monday.csv"]) == (register(casino), names(ports))
    assert {"taken": 1} == take_statements(ports)
    assert [2] == [line[4] for line in register(casino)]


def test_a_statement_that_cannot_be_taken_yet_keeps_no_other_one_waiting(casino, ports):
    """Given one that changes all the time and one whose name is too long to be moved before it."""
    changing = put(ports, "a.csv", paid(casino))
    put(ports, f"b{'x' * 240}.csv", HEAD)
    put(ports, "c.csv", paid(casino, 90_000))

    def looked(path: Path) -> intake.Arrival:
        arrival = look(path)
        return replace(arrival, changed=0) if path == changing else arrival

    look = intake._look
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intake, "_look", looked)
        outcomes = take_statements(ports)

    assert {"taken": 1, "changing": 1} == outcomes
    assert ["c.csv"] == [line[1] for line in register(casino)]


def test_a_statement_that_is_replaced_while_it_is_matched_is_taken_too(casino, ports, monkeypatch):
    """Given a longer one that comes under its name after it was read, then both are matched."""
    path = put(ports, "monday.csv", paid(casino))

    def replacing(*about):
        outcome = real(*about)
        path.write_text(paid(casino) + row("late", 100, casino.now))
        return outcome

    real = intake.reconcile_statement
    with monkeypatch.context() as patch:
        patch.setattr(intake, "reconcile_statement", replacing)
        assert {"changing": 1} == take_statements(ports)

    assert {"taken": 1} == take_statements(ports)
    assert [1, 2] == sorted(line[4] for line in register(casino))


def test_what_is_not_put_down_whole_or_is_no_file_is_not_looked_at(casino, ports):
    """Given a name that begins with a dot, a folder and no folder at all, then nothing waits."""
    put(ports, ".monday.csv.part", "half")
    (ports.statements / "card" / "old").mkdir()

    assert [None, None, None] == [
        take_next(replace(ports, statements=folder))
        for folder in (ports.statements, casino.folder / "nowhere", None)
    ]


def test_two_runs_at_once_take_nothing_twice(casino, ports):
    """Given a run that is at it, then another one says that it is busy."""
    put(ports, "monday.csv", paid(casino))
    with casino.connect("worker") as connection, alone(connection, ports, intake.WORK) as is_alone:
        assert (True, {"busy": 1}) == (is_alone, take_statements(ports))

    assert {"taken": 1} == take_statements(ports)
