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
