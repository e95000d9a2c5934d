"""Checks in bites find what they find in one go; what is carried between bites is not to be forged.

A bite here is of a few events, so that a small book has many.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from tests.force import edit
from tests.house import House
from tests.workers.history import Casino, red, straight
from tests.workers.station import Station
from workers.log import connected, transaction
from workers.projections.base import catch_up
from workers.projections.rebuild import rebuild
from workers.projections.registry import PROJECTIONS
from workers.reconciliation import bites, inside, refolding
from workers.reconciliation.bites import Forged, load, save
from workers.reconciliation.carry import Outcome, prepare
from workers.reconciliation.inside import CHECKS, Next, go_on, reconcile_inside


@pytest.fixture
def table(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> Casino:
    """Bea has played three rounds; ranges, spans and batches are short."""
    monkeypatch.setattr(inside, "RANGE", 11)
    monkeypatch.setattr(inside, "SPAN", 5)
    monkeypatch.setattr(inside, "SPANS", 2)
    monkeypatch.setattr("workers.reconciliation.refolding.STEPS", 1)
    session = casino.sit(casino.player("bea"))
    for pocket in (17, 4, 0):
        casino.play(session, pocket, straight(17), red("5.00"))
    return casino


def force(casino: Casino, statement: str) -> int:
    """Change rows as their owner can; how many there were."""
    options = f"-c search_path={casino.book}"
    with psycopg.connect(casino.conninfo, autocommit=True, options=options) as connection:
        return connection.execute(statement).rowcount


def forge(casino: Casino) -> None:
    """Pay a cent too much in the log, and change a line of the journal and a round's row."""
    house = House(casino.conninfo, casino.book, casino.service, None, casino.key)
    edit(house, "round-settled", lambda event: event.update(winnings=event["winnings"] + 1))
    casino.seal()
    assert set() == {d.scope for d in reconcile_inside(casino.ports, CHECKS[1:]).found}
    more = "amount = amount + 1, source_after = source_after - 1, target_after = target_after + 1"
    assert force(casino, f"UPDATE p_journal_rows SET {more} WHERE event = 'bet-placed'") > 0
    assert force(casino, "UPDATE p_rounds_rows SET bets = bets + 1") > 0


def to_the_end(casino: Casino, name: str) -> tuple[Outcome, int]:
    """All bites of a run that begins now, and how many there were."""
    run, made = casino.now, 1
    while (after := go_on(casino.ports, name, run)) is Next.BITE:
        made += 1
    assert isinstance(after, Outcome)
    return after, made


def test_g5_each_check_in_bites_finds_what_it_finds_in_one_go(table: Casino) -> None:
    """Differences are found by bites, and a run in one go then finds the same and nothing new."""
    forge(table)
    bitten = {check.name: to_the_end(table, check.name) for check in CHECKS}
    found = {d.difference for outcome, _ in bitten.values() for d in outcome.found}
    again = reconcile_inside(table.ports)

    assert {"log", "journal", "projection"} == {n for n, (o, _) in bitten.items() if o.found}
    assert {"log", "journal", "projection"} == {n for n, (_, made) in bitten.items() if made > 2}
    assert ((), len(found), 0) == (again.found, again.standing, again.cleared)


def test_g5_what_a_run_had_found_is_not_taken_out_of_its_row(table: Casino) -> None:
    """The row is changed by force between two bites; the next run begins anew and finds it."""
    forge(table)
    table.wait(seconds=1)
    while not table.rows("SELECT FROM {book}.check_runs WHERE found <> %s", b"[]"):
        assert go_on(table.ports, "journal", table.now) is Next.BITE
    force(table, "UPDATE check_runs SET found = convert_to('[]', 'UTF8')")
    with pytest.raises(Forged):
        go_on(table.ports, "journal", table.now)

    assert [(0,)] == table.rows("SELECT count(*) FROM {book}.p_differences")
    table.wait(seconds=1)
    assert to_the_end(table, "journal")[0].found


@pytest.mark.parametrize("change", ["carried = sha256(carried)", "size = 1", "is_over = true"])
def test_g5_nothing_that_a_run_carries_may_be_changed(table: Casino, change: str) -> None:
    """Neither what the verifier goes on from nor how far it is to go."""
    assert go_on(table.ports, "log", table.now) is Next.BITE
    assert 1 == force(table, f"UPDATE check_runs SET {change}")
    with pytest.raises(Forged):
        go_on(table.ports, "log", table.now)


def test_g5_a_row_that_pretends_to_be_of_a_later_run_keeps_no_run_from_beginning(table: Casino):
    """It is told to have begun in a hundred years, and to be over."""
    assert go_on(table.ports, "log", table.now) is Next.BITE
    later = "begun = begun + interval '100 years', is_over = true"
    assert 1 == force(table, f"UPDATE check_runs SET {later}")

    assert go_on(table.ports, "log", table.now) is Next.BITE


def test_a_later_run_takes_the_place_of_one_that_was_not_ended(table: Casino) -> None:
    """What the first had made is taken away, and its next message does nothing."""
    first = table.now
    for _ in range(2):
        assert go_on(table.ports, "projection", first) is Next.BITE
    fresh = "SELECT count(*) FROM {book}.p_projections WHERE NOT live"
    assert [(len(PROJECTIONS),)] == table.rows(fresh)
    table.wait(minutes=1)
    to_the_end(table, "projection")

    assert [(0,)] == table.rows(fresh)
    assert Next.NOTHING is go_on(table.ports, "projection", first)
    assert Next.NOTHING is go_on(table.ports, "projection", table.now)


def test_a_run_that_found_too_much_takes_nothing_of_a_rebuild_that_followed(table, monkeypatch):
    """Given rows that were rebuilt after such a run, when the next one begins, then they stand.

    The rebuild may have the number of a generation that the run had made and taken away.
    """
    monkeypatch.setattr(inside, "MOST", 2)
    table.seal()
    assert set() == {d.scope for d in reconcile_inside(table.ports, CHECKS[1:]).found}
    bets = "SELECT round, bets FROM {book}.p_rounds ORDER BY round"
    rounds = table.rows(bets)
    assert force(table, "UPDATE p_rounds_rows SET bets = bets + 1") == len(rounds) == 3
    assert to_the_end(table, "projection")[0].found
    rebuild(table.ports, "rounds")
    table.wait(minutes=1)
    after, _ = to_the_end(table, "projection")

    assert (rounds, ()) == (table.rows(bets), after.found)


def test_a_projection_with_more_wrong_rows_than_are_told_closes_no_difference(table, monkeypatch):
    """Given two wrong rows on record and a third before them, then the last is not closed."""
    monkeypatch.setattr(inside, "MOST", 2)
    assert () == to_the_end(table, "projection")[0].found
    wrong = "UPDATE p_rounds_rows SET bets = bets + 1 WHERE round {} (SELECT round {})"
    first = "FROM p_rounds ORDER BY round LIMIT 1"
    assert 2 == force(table, wrong.format("NOT IN", first))
    table.wait(minutes=1)
    assert 2 == len(to_the_end(table, "projection")[0].found)
    assert 1 == force(table, wrong.format("IN", first))
    table.wait(minutes=1)
    after, _ = to_the_end(table, "projection")

    assert (1, 1, 0) == (len(after.found), after.standing, after.cleared)


def test_live_rows_may_be_kept_still_for_longer_than_a_transaction_may_idle(table, monkeypatch):
    """Given rows to catch up with for longer than that, then they are compared all the same."""

    @contextmanager
    def impatient(role: str) -> Iterator[psycopg.Connection]:
        with table.connect(role) as connection:
            connection.execute("SET idle_in_transaction_session_timeout = 1000")
            yield connection

    def slow(*about: object) -> int:
        time.sleep(1.2)
        return fold(*about)

    fold = refolding._fold
    size = prepare(table.ports)
    catch_up(table.ports, PROJECTIONS, size)
    fresh = refolding.fold_on(table.ports, refolding.begin_fresh(table.ports), size)
    monkeypatch.setattr(refolding, "_fold", slow)
    ports = replace(table.ports, connect=impatient)

    assert [] == refolding.differing(ports, fresh, inside.MOST)


def test_a_bite_that_two_workers_made_counts_once(table: Casino) -> None:
    """Whoever comes second keeps nothing."""
    go_on(table.ports, "log", table.now)
    with connected(table.ports) as connection, transaction(connection) as cursor:
        before = load(cursor, table.ports, "log")
    assert before is not None
    assert before.run is not None
    after = before.run.after(bites.Bite((), b"further"), inside.MOST)

    assert [True, False] == [save(table.ports, "log", before, after) for _ in range(2)]


def test_workers_make_the_bites_of_all_checks_side_by_side(works: Station) -> None:
    """Two processes, ranges of 15 events; a forged payment and an old round are found once."""
    casino = works.casino
    session = casino.sit(casino.player("bea"))
    casino.open_round(casino.sit("bea"), red())
    for pocket in (17, 4, 0):
        casino.play(session, pocket, straight(17), red("5.00"))
    house = House(casino.conninfo, casino.book, casino.service, None, casino.key)
    edit(house, "round-settled", lambda event: event.update(winnings=event["winnings"] + 1))
    casino.seal()
    works.set_time(casino.now + timedelta(days=2))
    works.start(children=2, app="tests.workers.piecemeal")
    works.send("reconcile_inside")
    works.until(works.is_idle)
    found = casino.rows("SELECT DISTINCT scope FROM {book}.p_differences ORDER BY 1")
    made = dict(casino.rows("SELECT name, bites FROM {book}.check_runs WHERE is_over"))

    assert [("log",), ("round",)] == found
    assert {check.name for check in CHECKS} == set(made)
    assert min(made["log"], made["journal"], made["projection"]) > 2
