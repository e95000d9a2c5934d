"""`kill -9` between any two steps of a save or a seal: nothing is lost or doubled (G3, G4, G6, S3).

The process that is killed is a real one; it stops at a point that the test puts in from outside.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
import pytest

from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.events import DoubleUpResolved
from ledger.domain.ids import command_stream, session_stream, stream_key
from ledger.domain.session import Open
from tests.children import DONE, PATIENCE_SECONDS, THERE, child
from tests.deuces_table import ENGINE, TRIPLE, entropy
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


# --- a double-up ---------------------------------------------------------------------------------


def rigged(house: House, *moves: tuple[object, bytes]) -> tuple[UUID, UUID]:
    """Play moves of Deuces Wild for which these bytes are drawn; the session and the round."""
    house.conto("anna-1", 200_00)
    seat = house.session("anna-1", 100_00, "deuces-wild")
    coming = [draw for _, draw in moves]
    opening, *further = [ENGINE.parse(document) for document, _ in moves]
    with at_house(house.conninfo, house.book, entropy=lambda _: coming.pop(0)) as machine:
        dealt = machine.do(cmd.OpenRound, session=seat, move=opening).command
        for move in further:
            machine.do(cmd.ContinueRound, session=seat, round=dealt, move=move)
    assert coming == []
    return seat, dealt


WON = (
    ({"coins": 5, "coin": "0.25"}, entropy(TRIPLE)),
    ({"hold": [1, 2, 3]}, entropy(["5s", "7c"], TRIPLE)),
)
"""Three of a kind for five coins: 1.25 are held, and 98.75 are left in the posta."""
DOUBLED = (*WON, ({"double_up": {"half": True}}, entropy(["9h"])))
"""0.62 of it are at risk against a nine, and 0.63 are kept."""
AROUND_THE_INSERT = SAVE_POINTS[3:5]


def further(session: UUID, round_id: UUID, document: object) -> cmd.ContinueRound:
    """The command of a further move."""
    return order(cmd.ContinueRound, session=session, round=round_id, move=ENGINE.parse(document))


def killed_and_answered(house: House, command: cmd.ContinueRound, point: str) -> Answer:
    """The answer after a kill at a point, the same from two processes one after the other."""
    with child("ask", house, [command], point) as service:
        service.until(THERE)
        service.kill()
    return answered_twice(house, command)


def answered_twice(house: House, command: cmd.ContinueRound) -> Answer:
    """The accepted answer to a command, which is the same when it is sent again after a restart."""
    answers = []
    for _ in range(2):
        with at_house(house.conninfo, house.book) as recovered:
            answers.append(recovered.ask(command))
    assert answers[0].refusal is None
    assert answers[0].to_bytes() == answers[1].to_bytes()
    return answers[0]


def money_of(house: House, session: UUID) -> tuple[int, int]:
    """The posta and the win, held or at risk, as a process that was just started reads them."""
    with at_house(house.conninfo, house.book) as restarted:
        state = restarted.service.state(session_stream(session))
    assert isinstance(state, Open)
    return state.posta, state.win_box


def happened(house: House, *names: str) -> list[int]:
    """How often events of these names stand in the book."""
    query = "SELECT count(*) FROM events WHERE topic = %s"
    return [house.rows(query, name)[0][0] for name in names]


def assert_picked_once(house: House, session: UUID, answer: Answer) -> None:
    """The four cards are drawn once, and what is left of 1.25 is as the outcome says."""
    (outcome,) = [e.event.outcome for e in answer.entries if isinstance(e.event, DoubleUpResolved)]
    expected = {"won": (98_75, 1_87), "pushed": (98_75, 1_25), "lost": (99_38, 0)}
    assert money_of(house, session) == expected[outcome]
    assert happened(house, "draw-recorded", "double-up-resolved") == [4, 1]
    house.seal()
    assert house.verify() == ()


@pytest.mark.parametrize("point", SAVE_POINTS)
def test_g3_a_pick_killed_between_two_steps_of_its_save_is_decided_once(
    house: House, point: str
) -> None:
    """Won, pushed or lost, the win is there once: 0.63 kept, and twice 0.62, itself or nothing."""
    seat, dealt = rigged(house, *DOUBLED)
    answer = killed_and_answered(house, further(seat, dealt, {"pick": 1}), point)
    assert_picked_once(house, seat, answer)


@pytest.mark.parametrize("point", AROUND_THE_INSERT)
def test_g4_a_double_up_killed_around_its_save_puts_the_win_at_risk_once(
    house: House, point: str
) -> None:
    """The amount at risk and the card to beat are durable together; the win is all there."""
    seat, dealt = rigged(house, *WON)
    killed_and_answered(house, further(seat, dealt, {"double_up": {"half": False}}), point)
    assert money_of(house, seat) == (98_75, 1_25)
    assert happened(house, "double-up-staked", "draw-recorded") == [1, 3]
    again = house.ask(further(seat, dealt, {"double_up": {"half": False}}))
    assert again.refusal == "double-up-in-play"


@pytest.mark.parametrize("point", AROUND_THE_INSERT)
def test_g3_a_held_win_survives_a_kill_and_is_collected_once(house: House, point: str) -> None:
    """The 1.25 reach the posta once, though collecting is asked for again under another id."""
    seat, dealt = rigged(house, *WON)
    assert money_of(house, seat) == (98_75, 1_25)
    killed_and_answered(house, further(seat, dealt, {"collect": True}), point)
    assert house.ask(further(seat, dealt, {"collect": True})).refusal == "round-ended"
    assert money_of(house, seat) == (100_00, 0)
    assert happened(house, "win-collected", "round-settled") == [1, 1]


def test_g7_a_pick_killed_inside_its_save_shows_no_card_and_is_decided_once(house: House) -> None:
    """The four cards that the dead process drew were seen by nobody; others are drawn, once."""
    seat, dealt = rigged(house, *DOUBLED)
    command = further(seat, dealt, {"pick": 4})
    with version_held(house, command_stream(command.id), 1):
        with child("ask", house, [command], None) as service:
            (pid,) = eventually(lambda: blocked_saves(house))
            service.kill()
            house.rows("SELECT pg_terminate_backend(%s, 10000)", pid)
        assert happened(house, "draw-recorded", "double-up-resolved") == [3, 0]
        assert money_of(house, seat) == (98_75, 1_25)
    assert_picked_once(house, seat, answered_twice(house, command))


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
