"""The book against itself: each check finds what is wrong in its own matter, and in no other.

Rows are changed by force, as only their owner can. Whatever row of a projection is changed, a fresh
fold of the log gives another; that check is named beside the one whose matter it is.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import psycopg
import pytest

from ledger.domain import commands as cmd
from ledger.domain.events import CorrectionLine
from ledger.domain.money import Currency
from tests.force import by_force, edit
from tests.house import House
from tests.workers.evening import evening_at
from tests.workers.history import Casino, red, straight
from workers.project import project_all
from workers.reconciliation.inside import CHECKS, reconcile_inside


def owned(casino: Casino) -> House:
    """The casino's book in the hands of its owner."""
    return House(casino.conninfo, casino.book, casino.service, None, casino.key)


def findings(casino: Casino) -> set[tuple[str, str]]:
    """Each check that has something to tell, and of which kind."""
    found = reconcile_inside(casino.ports).found
    return {(d.scope, d.kind) for d in found}


@pytest.fixture(scope="module")
def evening(database: str, tmp_path_factory: pytest.TempPathFactory) -> Casino:
    """An evening at cards and at the wheel, of two players, of whom one has closed her session."""
    casino = evening_at(Casino(database, tmp_path_factory.mktemp("evening"))).casino
    session = casino.sit(casino.player("bea"))
    casino.play(session, 17, straight(17), red("5.00"))
    casino.send(cmd.CloseSession, session=session)
    waiting = casino.request(session_of := casino.sit(casino.player("carla")), "carla", 500)
    assert waiting != session_of
    casino.seal()
    assert ((), set()) == (casino.verify().verdict.findings, findings(casino))
    return casino


@contextmanager
def broken(casino: Casino, table: str, change: str, where: str) -> Iterator[None]:
    """A projection's rows changed by force, and put back afterwards."""
    options = f"-c search_path={casino.book}"
    with psycopg.connect(casino.conninfo, autocommit=True, options=options) as connection:
        connection.execute(f"CREATE TABLE kept AS SELECT * FROM {table} WHERE {where}")
        assert connection.execute(f"UPDATE {table} SET {change} WHERE {where}").rowcount > 0
        try:
            yield
        finally:
            connection.execute(f"DELETE FROM {table} WHERE {where}")
            connection.execute(f"INSERT INTO {table} SELECT * FROM kept")
            connection.execute("DROP TABLE kept")


BREAKS = {
    "journal": (
        "p_journal_rows",
        "amount = amount + 1, source_after = source_after - 1, target_after = target_after + 1",
        "event = 'bet-placed'",
    ),
    "conto": ("p_balances_rows", "balance = balance + 1", "account = 'player:bea:conto'"),
    "session": ("p_sessions_rows", "won = won + 1", "state = 'closed'"),
    "duplicate": ("p_payments_rows", "reference = 'pay-bea', channel = 'card'", "way = 'deposit'"),
}


@pytest.mark.parametrize("check", BREAKS)
def test_a_row_that_is_changed_is_found_by_its_check_and_a_fresh_fold_alone(evening, check):
    """It is open until the row is put back, and is closed by rule then."""
    with broken(evening, *BREAKS[check]):
        assert {(check, check), ("projection", "projection")} == findings(evening)
        assert set() == findings(evening)

    mended = reconcile_inside(evening.ports)
    assert ((), 0) == (mended.found, mended.standing)
    assert mended.cleared >= 2


def test_a_round_that_stays_in_play_too_long_is_found_since_it_was_opened(evening):
    """The evening leaves one at risk; a day and a minute later it is a difference."""
    before = evening.now
    evening.now += timedelta(days=1, minutes=1)
    try:
        (found,) = reconcile_inside(evening.ports).found
    finally:
        evening.now = before
    opened = evening.rows("SELECT round, opened_at FROM {book}.p_rounds WHERE ended_at IS NULL")

    assert [(f"round {r}", at) for r, at in opened] == [(found.subject, found.since)]
    assert 1 == reconcile_inside(evening.ports).cleared


def test_a_fresh_fold_leaves_nothing_behind(evening):
    """Neither rows nor a place in the register."""
    before = evening.rows("SELECT name, generation FROM {book}.p_projections ORDER BY 1")
    assert set() == findings(evening)

    assert before == evening.rows("SELECT name, generation FROM {book}.p_projections ORDER BY 1")
    assert [(1,)] == evening.rows("SELECT count(DISTINCT generation) FROM {book}.p_rounds_rows")


def test_a_fresh_fold_that_is_cut_off_leaves_nothing_behind(evening, monkeypatch):
    """It meets a fault half way."""
    monkeypatch.setattr("workers.reconciliation.refolding._fold", fail)
    with pytest.raises(RuntimeError):
        reconcile_inside(evening.ports)

    assert [(1,)] == evening.rows("SELECT count(*) FROM {book}.p_projections WHERE name='rounds'")


def fail(*_):
    """Something breaks."""
    raise RuntimeError


@pytest.fixture
def table(casino: Casino) -> Casino:
    """Bea has won 35.00 on 17 and lost 5.00 on red; not yet sealed."""
    session = casino.sit(casino.player("bea"))
    casino.play(session, 17, straight(17), red("5.00"))
    return casino


def test_g7_a_round_that_balances_and_is_still_wrong_is_found(table: Casino):
    """Ten euro more were paid and settled: sums agree everywhere, and the sheet gives another."""
    for topic in ("payout-credited", "round-settled"):
        edit(owned(table), topic, lambda event: event.update(winnings=event["winnings"] + 1_000))
    table.seal()

    assert {("log", "judgement")} == findings(table)


FORGED = (
    "CREATE TABLE kept AS SELECT * FROM events",
    "UPDATE events SET state = convert_to('{}', 'UTF8') WHERE topic = 'payout-credited'",
    "UPDATE events SET topic = E'session\\nopened' WHERE topic = 'session-opened'",
)
PUT_BACK = """
UPDATE events AS e SET state = k.state, topic = k.topic FROM kept AS k
 WHERE (e.originator_id, e.originator_version) = (k.originator_id, k.originator_version)
"""


@pytest.mark.parametrize("folded", [True, False], ids=["folded-before", "not-folded"])
def test_a_row_that_cannot_be_read_keeps_no_check_from_telling(table: Casino, folded):
    """Given such a row, and a name with a line break, then what the verifier finds is on record.

    Checks that would read the row say that they could not; all is closed when it is put back.
    """
    table.seal()
    if folded:
        project_all(table.ports)
    by_force(owned(table), *FORGED)
    found = [(d.scope, d.subject) for d in reconcile_inside(table.ports).found]
    unread = {"journal", "projection"}

    assert {
        (name, "unreadable")
        for name in (unread if folded else unread | {"conto", "session", "round", "duplicate"})
    } == {each for each in found if each[0] != "log"}
    assert any("(session?opened) cannot be read" in subject for _, subject in found)
    by_force(owned(table), PUT_BACK)
    mended = reconcile_inside(table.ports)
    assert ((), 0, len(found)) == (mended.found, mended.standing, mended.cleared)


def test_a_payment_that_is_booked_twice_under_one_reference_is_found(table: Casino):
    """The second one is given the first one's reference where nothing guards it."""
    table.player("dora")
    edit(owned(table), "funds-deposited", lambda event: event.update(reference="pay-bea"))
    table.seal()

    assert {("duplicate", "duplicate")} == findings(table)


def test_a_conto_that_was_corrected_is_what_payments_and_corrections_give(table: Casino):
    """Given 10.00 too much paid in, and taken back by two approvers, then nothing differs."""
    payment = {"reference": "pay-9", "channel": "card", "currency": Currency.EUR}
    wrong = table.send(cmd.Deposit, player="bea", amount=11_000, **payment).command
    line = CorrectionLine(source="player:bea:conto", target="world:payments", amount=1_000)
    why = {"code": "wrong-amount", "reason": "110 for 100", "approvers": ("ada", "bruno")}
    table.send(cmd.PostCorrection, corrects=wrong, **why, currency=Currency.EUR, lines=(line,))
    table.seal()

    assert set() == findings(table)


def test_a_checkpoint_that_does_not_go_on_from_the_rows_is_found(table: Casino):
    """Its root was changed."""
    table.seal()
    by_force(owned(table), "UPDATE checkpoints SET root = decode(repeat('00', 32), 'hex')")

    assert {"log"} == {scope for scope, _ in findings(table)}


def test_a_check_with_more_to_tell_than_it_may_closes_nothing(table: Casino, monkeypatch):
    """Two of three are told; none is closed by the run that does not tell it."""
    monkeypatch.setattr("workers.reconciliation.inside.MOST", 2)
    for _ in range(3):
        table.open_round(table.sit("bea", 1_000), red())
    table.wait(days=2)
    table.seal()
    first, second = reconcile_inside(table.ports), reconcile_inside(table.ports)

    assert (2, 0) == (len(first.found), first.cleared)
    assert (0, 2, 0) == (len(second.found), second.standing, second.cleared)


def test_the_checks_are_a_plain_list():
    """Each has a name of its own."""
    assert ["log", "journal", "conto", "session", "round", "duplicate", "projection"] == [
        check.name for check in CHECKS
    ]
