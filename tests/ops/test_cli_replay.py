"""A session told again at the command line: words, moments, wrong input, the same everywhere."""

import json
import subprocess
from uuid import UUID, uuid4

import pytest

from ops.bootstrap import codec
from ops.story.reading import read_case
from tests.force import replace_in_states
from tests.house import at_house
from tests.program import PROGRAM, ROOT, Shop, environment

BETS = '{"bets":[{"numbers":[17],"amount":"1.00"},{"announced":"voisins","chip":"0.50"}]}'


@pytest.fixture(scope="module")
def played(shop: Shop) -> tuple[str, str]:
    """A session of 50.00 and the round that was played in it."""
    session = shop.session(shop.player("anna-1"))
    return session, shop.say("play", session, BETS)["command"]


def test_a_session_is_told_in_words_and_holds(shop, played):
    """Given a round, then bets, outcome and balances are told, and exit code 0: it holds."""
    session, round_id = played

    done = shop.quick("replay", session)

    assert (0, "") == (done.code, done.err)
    for said in (
        f"REPLAY · Replay of session {session}",
        "on straight 17",
        "drawn: ",
        "posta 50.00 → 49.00",
        f"round {round_id} judged again",
        "Outcome, payouts and postings are those that the rules give.",
    ):
        assert said in done.out


def test_a_round_is_told_by_its_own_id(shop, played):
    """Given the id of a round, then it is told without the rest of its session."""
    session, round_id = played

    told = shop.say("replay", round_id)

    assert (session, round_id, True, True) == tuple(
        told[name] for name in ("session", "round", "replay", "holds")
    )
    assert "round-opened" == told["steps"][0]["event"]
    assert "1.00 on 17; voisins with chips of 0.50" in told["steps"][0]["words"]
    assert "round-settled" == told["steps"][-1]["event"]
    assert ["50.00", "0.00"] == [told["steps"][0]["before"][p] for p in ("posta", "stakes")]
    assert all(c["booked"] and c["by_the_rules"] for c in told["rounds"][0]["consequences"])
    assert all(p["booked"] == p["by_the_rules"] for p in told["rounds"][0]["postings"])


def test_a_session_is_told_up_to_a_version_or_a_moment(shop, played):
    """Given a version, or a moment before everything, then the rest is left out."""
    session, _ = played

    early = shop.say("replay", session, "--at", "3")
    never = shop.say("replay", session, "--at", "2000-01-01T00:00:00Z")

    assert "session-opened" == early["steps"][-1]["event"]
    assert [] == never["steps"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((str(UUID(int=5)),), 1, "unknown-session"),
        (("anna-1",), 2, "--help"),
        (("SESSION", "--at", "0"), 2, "2026-11-30T09:00:00Z"),
        (("SESSION", "--at", "yesterday"), 2, "2026-11-30T09:00:00Z"),
        (("SESSION", "--language", "fr"), 2, "it, en"),
    ],
)
def test_what_cannot_be_told_is_refused_with_what_to_do(shop, played, arguments, code, said):
    """Given an unknown id, or a wrong moment or language, then nothing is told but why."""
    given = [played[0] if each == "SESSION" else each for each in arguments]

    done = shop.quick("replay", *given)

    assert (code, "") == (done.code, done.out)
    assert said in done.err


def test_g6_a_story_is_the_same_bytes_on_any_machine(shop, played):
    """Given other time zones, languages, encodings and hash seeds, then no character differs."""
    session, _ = played
    settings = (
        {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "1", "COLUMNS": "60"},
        {"TZ": "America/New_York", "PYTHONIOENCODING": "latin-1", "FORCE_COLOR": "1"},
    )

    told = [_elsewhere(shop, given, session) for given in settings]

    assert told[0].startswith(b"REPLICA")
    assert 1 == len(set(told))


def _elsewhere(shop: Shop, given: dict[str, str], session: str) -> bytes:
    """What a process prints whose environment is another one."""
    done = subprocess.run(
        [*PROGRAM, "replay", session, "--language", "it"],
        env=environment(shop.home, **shop.settings) | given,
        capture_output=True,
        check=True,
        cwd=ROOT,
    )
    return done.stdout


def test_a_replay_can_write_nothing(shop, played):
    """Given a connection on which nothing may be written, then the case is read all the same."""
    session, _ = played

    with at_house(shop.conninfo, shop.book) as house, house.connected() as connection:
        connection.execute("SET default_transaction_read_only = on")
        found = read_case(connection, shop.book, codec(), UUID(session))

    assert (UUID(session), None) == (found.session, found.round)


def test_a_payout_that_was_changed_by_force_is_named(shop):
    """Given a payout of another amount in the rows, then exit code 4, and both stand there."""
    session = shop.session(shop.player(f"p-{uuid4().hex[:8]}"))
    while True:
        played = shop.say("play", session, '{"bets":[{"chance":"red","amount":"1.00"}]}')
        if "payout-credited" in {event["name"] for event in played["events"]}:
            break
    with at_house(shop.conninfo, shop.book) as house:
        where = (
            f"topic = 'payout-credited' AND strpos(convert_from(state, 'UTF8'), '{session}') > 0"
        )
        replace_in_states(house, '"winnings":100', '"winnings":900', where)

    done = shop.quick("replay", session, "--json")

    assert 4 == done.code
    told = json.loads(done.out)
    assert told["holds"] is False
    wrong = [
        c for r in told["rounds"] for c in r["consequences"] if c["booked"] != c["by_the_rules"]
    ]
    assert {
        "bet 1 wins 9.00 and returns its stake 1.00 EUR",
        "bet 1 wins 1.00 and returns its stake 1.00 EUR",
    } == {c["words"] for c in wrong}
    differing = [
        p for r in told["rounds"] for p in r["postings"] if p["booked"] != p["by_the_rules"]
    ]
    assert ["house:roulette:bank"] == [p["from"] for p in differing]
