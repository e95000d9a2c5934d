"""Players of French roulette at a live table: many seats, their bets in one save, true sums."""

import random

import pytest

from games.registry import ENGINES, SHEETS
from ledger.domain.events import Details
from ledger.domain.ids import session_stream
from ops.central.local import InstantCentral
from ops.desk import Desk
from ops.habits import HABITS, MIXED, Whim
from ops.live_tables import deals, is_live, simulate_live
from ops.simulation import Plan
from ops.vault import Vault
from tests.house import opened_house

FRENCH, BLACKJACK = "french-roulette", "live-blackjack"
ENGINE = ENGINES["french-roulette/1"]
SHEET = ENGINE.read_sheet(SHEETS[FRENCH].text)


@pytest.fixture
def house(database, book):
    """A house at whose tables 0, 5, 0, 0 and 18 come."""
    pockets = iter([0, 5, 0, 0, 18])
    with opened_house(database, book, entropy=lambda _: bytes([next(pockets)])) as opened:
        yield opened


@pytest.fixture
def desk(house, tmp_path):
    """A desk over the book of a house, in which every right is valid at once."""

    def events(session):
        return (entry.event for entry in house.service.history(session_stream(session)))

    vault = Vault(tmp_path / "vault")
    return Desk(house.service, InstantCentral(events), vault, "simulation", lambda: house.now)


def test_the_games_of_live_tables_are_told_from_the_others():
    """French roulette and Live Blackjack; the latter deals cards."""
    assert [FRENCH, BLACKJACK] == [sheet for sheet in SHEETS if is_live(sheet)]
    assert [BLACKJACK] == [sheet for sheet in SHEETS if deals(sheet)]


@pytest.mark.parametrize("habit", HABITS[FRENCH][MIXED])
def test_every_document_of_a_habit_can_be_read(habit):
    """Bets of fifty rounds, and what is done with two stakes in prison."""
    whim = Whim(random.Random(3), SHEET)
    held = {"chance": "red", "amount": "1.00", "level": 1, "worth": "0.50"}
    screen = {"prison": [held | {"bet": 1}, held | {"bet": 2}], "may": []}

    for _ in range(50):
        assert isinstance(ENGINE.parse(habit.bet(whim)), Details)
        assert isinstance(ENGINE.parse(habit.move(whim, screen)), Details)


def test_seven_boxes_are_dealt_to_and_played_as_the_book_holds_it(database, book, tmp_path):
    """By the print and carelessly: every bet is in a settled round, the figures are the sums."""
    with opened_house(database, book) as house:

        def events(session):
            return (entry.event for entry in house.service.history(session_stream(session)))

        vault = Vault(tmp_path / "vault")
        desk = Desk(house.service, InstantCentral(events), vault, "simulation", lambda: house.now)
        document = simulate_live(desk, Plan(BLACKJACK, players=7, rounds=2, seed=7)).document()
        sums = house.rows(
            """SELECT count(*), sum((e->>'amount')::int), count(DISTINCT e->>'round')
                 FROM (SELECT convert_from(state, 'UTF8')::json->'event' AS e FROM events
                        WHERE topic = 'bet-placed') AS placed"""
        )
        house.seal()
        found = house.verify()

    ((bets, staked, rounds),) = sums
    assert (round(float(document["staked"]) * 100), document["rounds"]) == (staked, rounds)
    assert bets >= rounds
    assert () == found


@pytest.mark.parametrize("strategy", HABITS[BLACKJACK])
def test_every_document_of_a_habit_at_blackjack_can_be_read(strategy):
    """Bets that a box takes or none does, and an action among those that may be taken."""
    engine = ENGINES["live-blackjack/1"]
    whim = Whim(random.Random(3), engine.read_sheet(SHEETS[BLACKJACK].text))
    screen = {
        "boxes": [{"seat": 2, "hands": [{"cards": ["8h", "8d"]}]}],
        "dealer": {"cards": ["6c"]},
        "turn": {"seat": 2, "hand": 1, "may": ["hit", "stand", "split"]},
    }

    moves = [habit.move(whim, screen)["action"] for habit in HABITS[BLACKJACK][strategy]]
    bets = [habit.bet(whim) for habit in HABITS[BLACKJACK][strategy] for _ in range(20)]

    assert "split" == moves[0]
    assert set(moves) <= set(screen["turn"]["may"])
    assert any(isinstance(engine.parse(bet), Details) for bet in bets)


def test_thirty_seats_play_at_a_table_as_the_book_holds_it(house, desk):
    """Given rounds of all habits with a zero among them, then the figures are the events' sums."""
    document = simulate_live(desk, Plan(FRENCH, players=30, rounds=5, seed=7)).document()

    told = house.rows(
        """SELECT topic, count(*), count(DISTINCT xid) FROM events
            WHERE topic IN ('table-round-settled', 'round-settled', 'stake-imprisoned',
                            'prisoner-released', 'round-opened') GROUP BY topic ORDER BY topic"""
    )
    counts = {topic: rows for topic, rows, _ in told}
    assert 150 == counts["round-opened"] + document["refused"]["position-below-minimum"]
    assert counts["round-opened"] == counts["round-settled"] == document["rounds"]
    assert counts["stake-imprisoned"] == counts["prisoner-released"] > 0
    assert ("round-opened", counts["round-opened"], 5) in told
    sums = house.rows(
        """SELECT sum((e->>'staked')::int), sum((e->>'winnings')::int + (e->>'stake_returned')::int)
             FROM (SELECT convert_from(state, 'UTF8')::json->'event' AS e FROM events
                    WHERE topic = 'round-settled') AS settled"""
    )
    assert sums == [tuple(round(float(document[n]) * 100) for n in ("staked", "credited"))]
    house.seal()
    assert () == house.verify()
