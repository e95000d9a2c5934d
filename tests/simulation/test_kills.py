"""`kill -9` between any two steps of a save or a seal: nothing is lost or doubled (G3, G4, G6, S3).

The process that is killed is a real one; it stops at a point that the test puts in from outside.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from ledger.domain import commands as cmd
from ledger.domain.ids import command_stream, session_stream, stream_key
from ledger.domain.session import Open
from tests.children import DONE, PATIENCE_SECONDS, THERE, child
from tests.house import RED, House, at_house, bets, bonus_order, order, play_order

SAVE_POINTS = (
    "ledger.service:Service._answer:before",
    "ledger.store.recorder:BookRecorder.select_streams:after",
    "ledger.draft:Draft.write:after",
    "ledger.store.recorder:BookRecorder.insert_events:before",
    "ledger.store.recorder:BookRecorder.insert_events:after",
    "ledger.folding:Folds.keep:after",
)


@pytest.mark.parametrize("point", SAVE_POINTS)
def test_g3_a_service_killed_between_two_steps_of_a_save_did_it_once_or_not_at_all(
    house: House, point: str
) -> None:
    """The same command, sent again after the kill, is done once; its bytes are the same twice."""
    seat = house.seat()
    command = bonus_order(seat, 7_00)
    with child("ask", house, [command], point) as service:
        service.until(THERE)
        service.kill()
    with at_house(house.conninfo, house.book) as recovered:
        first, second = recovered.ask(command), recovered.ask(command)
        state = recovered.service.state(session_stream(seat))
    assert (first.refusal, first.to_bytes()) == (None, second.to_bytes())
    assert state.posta == 107_00
    house.seal()
    assert house.verify() == ()


# --- inside the save -----------------------------------------------------------------------------


def insert_of(house: House, stream: str, version: int) -> str:
    """The statement that takes a version of a stream."""
    return f"""INSERT INTO {house.book}.events
        (originator_id, originator_version, topic, state, ord)
        VALUES ('{stream_key(stream)}', {version}, 'taken', '', 0)"""


@contextmanager
def version_held(house: House, stream: str, version: int) -> Iterator[None]:
    """While a version is taken by a save under way, that is rolled back at the end."""
    with psycopg.connect(house.conninfo) as connection:
        connection.execute(insert_of(house, stream, version))
        yield
        connection.rollback()


def eventually(question: Callable[[], Any]) -> Any:
    """The first answer that is true, asked for a bounded time."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (answer := question()):
        assert time.monotonic() < deadline, question
        time.sleep(0.01)
    return answer


def blocked_saves(house: House) -> list[int]:
    """Server processes whose INSERT of this book waits for another transaction."""
    query = """SELECT pid FROM pg_stat_activity WHERE application_name = %s
        AND wait_event_type = 'Lock' AND query LIKE '%%INSERT%%'"""
    return [pid for (pid,) in house.rows(query, f"{house.book}_writer")]


def laid_rounds(house: House, players: int = 5) -> cmd.VoidRounds:
    """Five sessions, each with an open round of two bets of one and five euro, to be voided."""
    rounds = []
    for number in range(players):
        seat = house.seat(f"player-{number}")
        lines = ({"numbers": [17], "amount": "1.00"}, {"chance": "red", "amount": "5.00"})
        rounds.append(cmd.RoundRef(session=seat, round=house.lay(seat, *lines)))
    return order(cmd.VoidRounds, rounds=tuple(rounds), reason="the wheel stood still")


def recover_twice(house: House, void: cmd.VoidRounds) -> None:
    """Recovery sends the same command again, in two processes one after the other."""
    answers = []
    for _ in range(2):
        with at_house(house.conninfo, house.book) as recovered:
            answers.append(recovered.ask(void).to_bytes())
    assert answers[0] == answers[1]


def assert_all_voided_once(house: House, void: cmd.VoidRounds) -> None:
    """Each of ten stakes is back, and a round is void only with all its refunds."""
    postas = [house.service.state(session_stream(ref.session)) for ref in void.rounds]
    assert [(s.posta, s.rounds) for s in postas if isinstance(s, Open)] == [(100_00, ())] * 5
    counts = house.rows(
        """SELECT topic, count(*) FROM events WHERE topic IN ('bet-refunded', 'round-voided')
            GROUP BY 1 ORDER BY 1"""
    )
    assert counts == [("bet-refunded", 10), ("round-voided", 5)]
    house.seal()
    assert house.verify() == ()


def half_saved(void: cmd.VoidRounds) -> tuple[str, int]:
    """A version that the save takes after about half of its rows: rows go in by stream key."""
    keys = sorted((stream_key(session_stream(r.session)), r.session) for r in void.rounds)
    return session_stream(keys[2][1]), 8  # requested, validated, opened, funded, round and two bets


@pytest.mark.parametrize("server_dies", [True, False])
def test_s3_a_void_of_five_rounds_killed_inside_its_save_refunds_each_stake_once(
    house: House, server_dies
) -> None:
    """The save stands half done when its process dies; the server drops it or completes it."""
    void = laid_rounds(house)
    with version_held(house, *half_saved(void)), child("ask", house, [void], None) as service:
        (pid,) = eventually(lambda: blocked_saves(house))
        service.kill()
        assert house.rows("SELECT count(*) FROM events WHERE topic = 'bet-refunded'") == [(0,)]
        if server_dies:
            assert house.rows("SELECT pg_terminate_backend(%s, 10000)", pid) == [(True,)]
    recover_twice(house, void)
    assert_all_voided_once(house, void)


@pytest.mark.parametrize("point", SAVE_POINTS[2:5])
def test_s3_a_void_of_five_rounds_killed_around_its_save_refunds_each_stake_once(
    house: House, point: str
) -> None:
    """Before and after the one statement it is nothing, or all."""
    void = laid_rounds(house)
    with child("ask", house, [void], point) as service:
        service.until(THERE)
        service.kill()
    recover_twice(house, void)
    assert_all_voided_once(house, void)


def test_g7_a_round_killed_inside_its_save_shows_no_outcome_and_plays_once(house: House) -> None:
    """What was drawn by the dead process was seen by nobody; the command is played anew, once."""
    seat = house.seat()
    command = play_order(seat, RED)
    with version_held(house, command_stream(command.id), 1):
        with child("ask", house, [command], None) as service:
            (pid,) = eventually(lambda: blocked_saves(house))
            service.kill()
            house.rows("SELECT pg_terminate_backend(%s, 10000)", pid)
        drawn = house.rows("SELECT count(*) FROM events WHERE topic = 'draw-recorded'")
        assert drawn == [(0,)]
    assert house.ask(command).to_bytes() == house.ask(command).to_bytes()
    drawn = house.rows("SELECT count(*) FROM events WHERE topic = 'draw-recorded'")
    assert drawn == [(1,)]


# --- a seal --------------------------------------------------------------------------------------

SEAL_POINTS = (
    "ledger.seal.sealer:Sealer._alone:after",
    "ledger.seal.sealer:Sealer._last:after",
    "ledger.seal.sealer:Sealer._append:after",
    "ledger.seal.sealer:Sealer._check:before",
    "ledger.seal.sealer:Sealer._check:after",
    "ledger.seal.sealer:Sealer.step:after",
)


@pytest.mark.parametrize("point", SEAL_POINTS)
def test_g6_a_sealer_killed_between_two_steps_is_followed_by_another(
    house: House, point: str
) -> None:
    """No position is given twice or left out, and readers see whole steps alone."""
    seat = house.seat()
    house.seal()
    before = house.count("sealed")
    for _ in range(3):
        house.play(seat)
    with child("seal", house, point) as sealer:
        sealer.until(THERE)
        seen = house.count("sealed")
        sealer.kill()
    assert seen == (house.count() if point.endswith("step:after") else before)
    eventually(lambda: house.seal() and house.count("sealed") == house.count())
    verdict = house.verdict()
    assert (verdict.findings, verdict.size) == ((), house.count())


def test_g6_a_sealer_that_waits_leaves_the_work_to_the_next_and_one_works_at_a_time(
    house: House,
) -> None:
    """While one holds the lock another seals nothing, and says so at once."""
    house.seat()
    with child("seal", house, SEAL_POINTS[0]) as sealer, house.connected("sealer") as connection:
        sealer.until(THERE)
        assert house.sealer.step(connection) == 0
        sealer.kill()
        eventually(lambda: house.sealer.step(connection))
    assert house.verify() == ()


def test_g6_a_sealer_that_ends_well_says_so(house: House) -> None:
    """The child of these tests does what it is for when nobody kills it."""
    seat = house.seat()
    house.ask(order(cmd.OpenRound, session=seat, move=bets(RED)))
    with child("seal", house, None) as sealer:
        sealer.until(DONE)
    assert house.count("sealed") == house.count()
