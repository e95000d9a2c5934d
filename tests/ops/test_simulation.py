"""Players of Deuces Wild who play by themselves: what they do by what they see, and its sums."""

import random
from collections import Counter

import pytest

from games.registry import ENGINES, SHEETS
from ledger.domain.ids import session_stream
from ops.central.local import InstantCentral
from ops.desk import Desk
from ops.habits import HABITS, Whim
from ops.simulation import Plan, simulate
from ops.vault import Vault

DEUCES = "deuces-wild"
SHEET = ENGINES["deuces-wild/1"].read_sheet(SHEETS[DEUCES].text)
(PERFECT,) = HABITS[DEUCES]["perfect"]
PAIRS, CHANCE = HABITS[DEUCES]["poor"]
MAY = ["collect", "double-up", "half double-up"]


def whim(seed=1):
    """A player's dice at the machine."""
    return Whim(random.Random(seed), SHEET)


@pytest.fixture
def desk(house, tmp_path):
    """A desk over the book of a house, in which every right is valid at once."""

    def events(session):
        return (entry.event for entry in house.service.history(session_stream(session)))

    vault = Vault(tmp_path / "vault")
    return Desk(house.service, InstantCentral(events), vault, "simulation", lambda: house.now)


def told(house, topic, *fields):
    """The sums of some fields over all events of a name, as they stand in the rows."""
    sums = ", ".join(f"sum((event->>'{field}')::int)" for field in fields)
    (row,) = house.rows(
        f"""SELECT count(*), {sums} FROM (
            SELECT convert_from(state, 'UTF8')::json->'event' AS event
            FROM events WHERE topic = '{topic}') AS named"""
    )
    return row


def euro(document):
    """Minor units of some amounts of a document."""
    return [round(float(amount) * 100) for amount in document]


@pytest.mark.parametrize(
    ("cards", "perfect", "pairs"),
    [
        (["Ts", "3h", "Js", "Qs", "Ks"], [1, 3, 4, 5], []),
        (["2s", "9d", "4c", "9h", "Kh"], [1, 2, 4], [1, 2, 4]),
        (["3c", "5d", "7h", "9s", "Jc"], [], []),
    ],
)
def test_the_perfect_player_holds_what_pays_most_and_a_poor_one_sees_pairs_alone(
    cards, perfect, pairs
):
    """Given four cards of a royal, a deuce beside a pair, and nothing, then these are held."""
    screen = {"cards": cards, "proposed_hold": [], "may": ["hold"]}

    assert {"hold": perfect} == PERFECT.move(whim(), screen)
    assert {"hold": pairs} == PAIRS.move(whim(), screen)


def test_a_win_is_doubled_whole_by_half_or_not_as_the_player_is_and_the_screen_offers():
    """Given all offers, then each player's own; given one cent, no half; at the limit, collect."""
    whole, half, none = ({"may": MAY[:2]}, {"may": MAY}, {"may": MAY[:1]})
    collect = {"collect": True}

    assert {"double_up": {"half": True}} == PAIRS.move(whim(), half)
    assert [collect, collect] == [PAIRS.move(whim(), seen) for seen in (whole, none)]
    assert {"double_up": {"half": False}} == CHANCE.move(whim(), half)
    assert collect == CHANCE.move(whim(), none)
    chosen = [tuple(PERFECT.move(whim(seed), half)) for seed in range(20)]
    assert {("collect",), ("double_up",)} == set(chosen)


def test_the_perfect_player_bets_all_coins_and_a_careless_one_too_many_now_and_then():
    """Given a hundred bets, then five coins each; then of one to six, six about ten times."""
    seated = whim()

    assert {5} == {PERFECT.bet(seated)["coins"] for _ in range(100)}
    counts = Counter(CHANCE.bet(seated)["coins"] for _ in range(100))
    assert (set(range(1, 7)), True) == (set(counts), 1 <= counts[6] <= 30)


@pytest.mark.parametrize("strategy", ["perfect", "poor"])
def test_a_simulation_tells_bets_and_double_ups_apart_as_the_book_holds_them(house, desk, strategy):
    """Given rounds of either strategy, then its figures are the sums of the events by name."""
    outcome = simulate(desk, Plan(DEUCES, players=4, rounds=12, seed=5, strategy=strategy))
    document = outcome.document()
    bets, staked = told(house, "bet-placed", "amount")
    _, winnings, returned = told(house, "win-held", "winnings", "stake_returned")
    doubled, at_risk, back = told(house, "double-up-resolved", "at_risk", "returned")

    assert 48 == document["rounds"] + sum(document["refused"].values())
    assert (bets, [staked, winnings + returned]) == (
        document["rounds"],
        euro([document["staked"], document["credited"]]),
    )
    apart = document["double_ups"]
    assert (doubled, [at_risk, back]) == (
        apart["count"],
        euro([apart["staked"], apart["returned"]]),
    )
    assert f"{100 * back / at_risk:.4f}%" == apart["actual_rtp"]
    house.seal()
    assert () == house.verify()


def test_players_by_account_type_play_in_roubles_within_their_limits(house, desk):
    """Given eight players, then LITE, RESPECT and VIP have rounds, and the careless refusals alone.

    Of 240 spins some have no bet; the sums are those of the events.
    """
    outcome = simulate(desk, Plan("roulette-fairplay", players=8, rounds=30, seed=3)).document()
    settled, staked, won, back = told(
        house, "round-settled", "staked", "winnings", "stake_returned"
    )

    accounts = house.rows(
        """SELECT DISTINCT convert_from(state, 'UTF8')::json->'event'->>'account' FROM events
            WHERE topic = 'round-opened' ORDER BY 1"""
    )

    assert [("LITE",), ("RESPECT",), ("VIP",)] == accounts
    assert 240 == outcome["rounds"] + sum(outcome["refused"].values())
    assert {"position-below-minimum"} == set(outcome["refused"])
    assert (outcome["rounds"], *euro([outcome["staked"], outcome["credited"]])) == (
        settled,
        staked,
        won + back,
    )
    house.seal()
    assert () == house.verify()


def test_players_of_rounds_with_several_moves_share_their_saves(house, desk):
    """Given five players, then all bet in one save, and their first holds are one save too."""
    simulate(desk, Plan(DEUCES, players=5, rounds=2, seed=1, strategy="perfect"))
    saves = house.rows(
        """SELECT topic, count(*) FROM events WHERE topic IN ('round-opened', 'move-made')
            GROUP BY topic, xid ORDER BY min(xid)"""
    )

    assert [("round-opened", 5), ("move-made", 5)] == saves[:2]
