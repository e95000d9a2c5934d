"""A live table by hand at the command line: its steps, seats, bets, prison, refusals, repeats."""

import json
from uuid import uuid4

import pytest

CHIEF = ("--chief", "maria")
LIMITS = '{"max":"100.00","min":"1.00"}'
RED = '{"bets":[{"chance":"red","amount":"10.00"}]}'


@pytest.fixture
def table(shop):
    """A table of French roulette where nobody sits; its name."""
    name = f"t-{uuid4().hex[:8]}"
    shop.say("table", "open", name, "french-roulette", *CHIEF, "--limits", LIMITS, "--seats", "3")
    return name


def seated(shop, table):
    """A session of a new player with 50.00, who sits at a table."""
    player = shop.player(f"p-{uuid4().hex[:8]}")
    session = shop.session(player, sheet="french-roulette")
    shop.say("session", "sit", session, table)
    return session


def test_a_round_of_a_table_from_the_first_bet_to_the_last_payment(shop, table):
    """10.00 on red: zero imprisons it, and 5.00 come back when it is withdrawn."""
    session = seated(shop, table)
    shop.say("table", "round", table)
    round_id = shop.say("round", "open", session, RED)["command"]
    shop.say("table", "close-bets", table)
    shop.say("table", "outcome", table, '{"pocket":0}', "--message", "m-1", "--sequence", "1")
    assert "told" == shop.say("table", "show", table)["phase"]

    shop.say("table", "settle", table)

    shown = shop.say("session", "show", session)
    (held,) = shown["rounds_in_play"]
    assert ("40.00", "0.00", "10.00") == (shown["credit"], held["at_stake"], held["in_prison"])
    expected = {"bet": 1, "chance": "red", "amount": "10.00", "level": 1, "worth": "5.00"}
    assert [expected] == held["prison"]
    out = json.dumps({"prison": [{"bet": 1, "choice": "withdraw"}]})
    shop.say("round", "move", session, round_id, out)
    assert "45.00" == shop.say("session", "show", session)["credit"]


def test_g3_a_settlement_that_is_given_again_is_answered_the_same(shop, table):
    """Byte for byte, though the table's payments stand in another order in the log."""
    last = [seated(shop, table) for _ in range(2)][-1]
    shop.say("table", "round", table)
    shop.say("round", "open", last, RED)
    shop.say("table", "close-bets", table)
    shop.say("table", "outcome", table)
    command = str(uuid4())

    first = shop.quick("table", "settle", table, "--id", command, "--json")

    assert (0, first.out) == (first.code, _again(shop, table, command).out)


def _again(shop, table, command):
    return shop.quick("table", "settle", table, "--id", command, "--json")


def test_a_message_of_the_feed_that_changes_nothing_says_so_and_is_on_record(shop, table):
    """Given before the bets are closed, it never counts afterwards; the next one does, once."""
    early = ("table", "outcome", table, "17", "--message", "m-1", "--sequence", "1")
    told = ("table", "outcome", table, "8", "--message", "m-2", "--sequence", "2")
    shop.say("table", "round", table)
    assert "untimely" in shop.quick(*early).out
    shop.say("table", "close-bets", table)
    assert "repeated" in shop.quick(*early).out
    shop.say(*told)
    assert "repeated" in shop.quick(*told).out

    shown = shop.say("table", "show", table)
    assert ("8", 2) == (shown["outcome"], shown["last_sequence"])


def test_a_message_that_names_another_round_of_the_table_changes_nothing(shop, table):
    """The first round was voided; the message of it comes in the second, and says so."""
    shop.say("table", "round", table)
    shop.say("table", "void", table, "--reason", "the ball fell out")
    shop.say("table", "round", table)
    shop.say("table", "close-bets", table)

    late = shop.quick("table", "outcome", table, "17", *_message(1), "--round", "1")
    shop.say("table", "outcome", table, "8", *_message(2), "--round", "2")

    assert "late" in late.out
    assert "8" == shop.say("table", "show", table)["outcome"]
    void = shop.quick("table", "void", table, "--reason", "no", "--json")
    assert (1, "round-decided") == (void.code, void.refusal)


def _message(number):
    return ("--message", f"m-{number}", "--sequence", str(number))


def test_fr8_a_late_bet_is_taken_with_the_chiefs_leave_alone(shop, table):
    """Refused with exit code 1; with the leave it lies."""
    session = seated(shop, table)
    shop.say("table", "round", table)
    shop.say("table", "close-bets", table)

    late = shop.quick("round", "open", session, RED, "--json")

    assert (1, "table-takes-no-bets") == (late.code, late.refusal)
    shop.say("round", "open", session, RED, "--leave", "maria")
    shop.say("table", "void", table, "--reason", "the ball fell out")
    assert "50.00" == shop.say("session", "show", session)["credit"]


def test_a_table_is_suspended_resumed_limited_and_closed(shop, table):
    """Each on record with the chief; who sits there leaves with its close."""
    session = seated(shop, table)
    shop.say("table", "suspend", table, *CHIEF, "--reason", "no signal")
    assert "table-suspended" == shop.quick("table", "round", table, "--json").refusal
    shop.say("table", "resume", table, *CHIEF)
    shop.say("table", "limits", table, '{"min":"2.00","max":"50.00"}', *CHIEF)
    assert '{"max":"50.00","min":"2.00"}' == shop.say("table", "show", table)["limits"]
    shop.say("table", "limits", table, "none", *CHIEF)

    shop.say("table", "close", table, *CHIEF)

    assert shop.say("session", "show", session)["table"] is None
    assert "table-closed" == shop.quick("table", "show", table, "--json").refusal
    shop.say("session", "close", session)


@pytest.mark.parametrize(
    ("arguments", "code", "refusal"),
    [
        (("open", "t-x", "french-roulette", *CHIEF, "--limits", '{"max":"1.00"}'), 2, "malformed"),
        (("open", "t-x", "european-roulette-classic", *CHIEF), 1, "table-not-offered"),
        (("limits", "t-x", LIMITS, *CHIEF), 1, "unknown-table"),
        (("outcome", "t-x", "17", "--message", "m", "--sequence", "1"), 1, "unknown-table"),
        (("show", "t-x"), 1, "unknown-table"),
        (("settle", "t-x"), 1, "unknown-table"),
    ],
)
def test_what_a_table_cannot_be_told_is_refused_with_its_code(shop, arguments, code, refusal):
    """Limits without a least, a game without tables, tables that there are not."""
    ended = shop.quick("table", *arguments, "--json")

    assert (code, refusal) == (ended.code, ended.refusal)


@pytest.mark.parametrize(
    "arguments",
    [
        ("outcome", "t-x", "17"),
        ("outcome", "t-x", "--message", "m"),
        ("round", "T X"),
        ("open", "t-x", "french-roulette", "--chief", "María"),
    ],
)
def test_wrong_input_about_a_table_ends_with_two_and_says_what_to_give(shop, arguments):
    """An outcome without its message, a message without its outcome, names that are none."""
    ended = shop.quick("table", *arguments)

    assert 2 == ended.code
    assert "Give" in ended.err


def test_s6_an_outcome_that_is_no_number_of_the_wheel_is_refused(shop, table):
    """37, a fraction, a word: nothing is on record."""
    shop.say("table", "round", table)
    shop.say("table", "close-bets", table)
    before = shop.events()

    for told in ("37", "1.5", '{"pocket":"17"}', "true", "null", "{"):
        arguments = ("--message", "m-1", "--sequence", "1", "--json")
        assert "malformed" == shop.quick("table", "outcome", table, told, *arguments).refusal

    assert before == shop.events()
