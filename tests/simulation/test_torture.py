"""Writers, sealers, aborts, savepoints, kills and an idle transaction, all at once (G3 to G6)."""

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from uuid import UUID

import psycopg

from ledger.seal.merkle import root_of
from tests.children import PATIENCE_SECONDS, child
from tests.house import House

SECONDS = 10
SEED = 20260302
WRITERS, SEALERS = 4, 2
PLAYERS = ("anna-1", "bruno-2", "carla-3")


def cast(house: House, seats: list[UUID], dice: random.Random) -> Iterator[tuple[Any, ...]]:
    """Who takes part: processes of two writers each, sealers of small and of large steps."""
    for _ in range(WRITERS):
        yield ("churn", house, PLAYERS, seats, dice.randrange(10**9))
    for batch in (50, 5_000)[:SEALERS]:
        yield ("seal_on", house, batch)


def torture(house: House, seats: list[UUID]) -> list[str]:
    """Let them all run, kill one after the other and start it again; the ids that were answered."""
    dice, answered = random.Random(SEED), []
    with ExitStack() as stack:
        parts = list(cast(house, seats, dice))
        running = [stack.enter_context(child(*part)) for part in parts]
        answered += [writer.line() for writer in running[:WRITERS]]
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            if dice.random() < 0.2:
                idle(house)
            who = dice.randrange(len(parts))
            answered += running[who].kill()
            running[who] = stack.enter_context(child(*parts[who]))
            time.sleep(dice.random())
        for one in running:
            answered += one.kill()
    return answered


def idle(house: House) -> None:
    """Hold the seal back for a second, by a transaction that took an id and does nothing."""
    with psycopg.connect(house.conninfo) as connection:
        connection.execute("SELECT pg_current_xact_id()")
        time.sleep(1)


def test_g6_under_torture_no_event_is_missed_no_save_split_and_no_answer_lost(
    house: House,
) -> None:
    """Afterwards everything is sealed once, in order, whole, and verifies."""
    seats = []
    for player in PLAYERS:
        house.conto(player, 1000_00)
        seats.append(house.session(player, 500_00))
    answered = torture(house, seats)
    seal_to_the_end(house)
    assert len(set(answered)) > 100
    assert_answers_stand(house, answered)
    assert_order_is_whole(house)
    verdict = house.verdict()
    assert (verdict.findings, verdict.size) == ((), house.count())


def seal_to_the_end(house: House) -> None:
    """Seal until nothing waits; the dead may still be cleaned up by the server."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while house.seal() is None or house.count("sealed") < house.count():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def assert_answers_stand(house: House, answered: list[str]) -> None:
    """Each command that was answered is on record, once."""
    found = house.rows(
        """SELECT count(*), count(DISTINCT convert_from(state, 'UTF8')::json->>'command')
             FROM events WHERE topic = 'command-answered'
              AND convert_from(state, 'UTF8')::json->>'command' = ANY(%s)""",
        answered,
    )
    distinct = len(set(answered))
    assert found == [(distinct, distinct)]


def assert_order_is_whole(house: House) -> None:
    """Positions are gapless, saves stand together and in order, and roots are those of RFC 6962."""
    rows = house.rows("SELECT position, xid::text, ord, leaf FROM sealed ORDER BY position")
    assert [row[0] for row in rows] == list(range(house.count()))
    places = [(int(xid), place) for _, xid, place, _ in rows]
    assert places == sorted(places)
    split = house.rows(
        """SELECT xid FROM sealed GROUP BY xid
           HAVING max(position) - min(position) + 1 <> count(*) OR max(ord) + 1 <> count(*)"""
    )
    assert split == []
    leaves = [row[3] for row in rows]
    checkpoints = house.rows("SELECT size, root FROM checkpoints ORDER BY size")
    for size, root in checkpoints[:: max(1, len(checkpoints) // 20)] + checkpoints[-1:]:
        assert root_of(leaves[:size]) == root
