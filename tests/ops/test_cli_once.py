"""A command given again with its id at the command line: the same bytes, and done once (S2, S4)."""

from uuid import uuid4, uuid5

import pytest

from ledger.domain.ids import NAMESPACE
from tests.program import SHEET, Shop

RED = '{"bets":[{"chance":"red","amount":"1.00"}]}'
BLACK = '{"bets":[{"chance":"black","amount":"1.00"}]}'


@pytest.fixture(scope="module")
def seated(shop):
    """A session of a player with money left in the conto."""
    return shop.session(shop.player("anna-1", "500.00"), "50.00")


def given_twice(shop: Shop, *arguments: str) -> dict:
    """The document of a command that was given twice with one id, and was answered the same."""
    command = str(uuid4())
    first = shop.quick(*arguments, "--json", "--id", command)
    between = shop.events()
    again = shop.quick(*arguments, "--json", "--id", command)
    assert (first.code, first.out, between) == (again.code, again.out, shop.events())
    assert command == first.document["command"]
    return first.document


def test_s4_every_command_given_again_prints_the_same_bytes_and_writes_nothing_more(shop):
    """Given the commands of a session's life, each twice with one id, then one effect of each."""
    assert given_twice(shop, "conto", "open", "bruno", "--name", "Bruno Neri")["accepted"]
    given_twice(shop, "conto", "deposit", "bruno", "100.00")
    given_twice(shop, "conto", "withdraw", "bruno", "10.00")
    session = given_twice(shop, "session", "open", "bruno", SHEET, "20.00")["session"]
    assert "validated" == given_twice(shop, "session", "topup", session, "5.00")["right"]
    given_twice(shop, "session", "bonus", session, "1.00", "--reason", "welcome")
    given_twice(shop, "play", session, RED)
    round_id = given_twice(shop, "round", "open", session, RED)["command"]
    given_twice(shop, "round", "finish", session, round_id)
    other = given_twice(shop, "round", "open", session, BLACK)["command"]
    given_twice(shop, "round", "void", f"{session}:{other}", "--reason", "wheel stopped")
    given_twice(shop, "session", "disconnect", session)
    given_twice(shop, "session", "reconnect", session)
    given_twice(shop, "session", "close", session)
    given_twice(shop, "conto", "suspend", "bruno", "--reason", "two holders")
    given_twice(shop, "conto", "reinstate", "bruno", "--reason", "papers seen")
    shop.say("session", "open", "bruno", SHEET, "5.00")
    given_twice(shop, "conto", "exclude", "bruno", "--until", "2999-12-31")

    assert "65.00" == shop.say("conto", "statement", "bruno")["lines"][3]["balance"]
    assert [100_00, -10_00, -20_00, -5_00] == [
        round(float(line["amount"]) * 100)
        for line in shop.say("conto", "statement", "bruno")["lines"][:4]
    ]


def test_s4_a_repeat_after_the_session_closed_is_still_answered_as_at_first(shop):
    """Given rounds and rights of a closed session, when given again, then their first answers."""
    session = shop.session(shop.player("carla"))
    commands = {
        str(uuid4()): ("play", session, RED),
        str(uuid4()): ("session", "topup", session, "5.00"),
        str(uuid4()): ("session", "disconnect", session),
    }
    first = [shop.quick(*said, "--json", "--id", key).out for key, said in commands.items()]
    shop.say("session", "reconnect", session)
    shop.say("session", "close", session)
    before = shop.events()

    again = [shop.quick(*said, "--json", "--id", key).out for key, said in commands.items()]

    assert (first, before) == (again, shop.events())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("conto", "deposit", "anna-1", "5.00"), ("conto", "deposit", "anna-1", "6.00")),
        (("conto", "deposit", "anna-1", "5.00"), ("conto", "withdraw", "anna-1", "5.00")),
        (("play", "SESSION", RED), ("play", "SESSION", BLACK)),
        (("play", "SESSION", RED), ("round", "open", "SESSION", RED)),
    ],
    ids=["amount", "kind", "bets", "steps"],
)
def test_g3_an_id_that_stands_for_another_content_is_a_conflict_and_writes_nothing(
    shop, seated, one, other
):
    """Given a command on record, when its id comes with other content, then command-conflict."""
    command = str(uuid4())
    one, other = ([seated if w == "SESSION" else w for w in said] for said in (one, other))
    shop.say(*one, "--id", command)
    before = shop.events()

    done = shop.quick(*other, "--json", "--id", command)

    assert (1, "command-conflict", before) == (done.code, done.refusal, shop.events())


def test_s1_one_payment_is_booked_once_whatever_command_brings_it(shop):
    """Given a payment on record, when another command brings it, then refused."""
    payment = ("conto", "deposit", shop.player("gina"), "5.00", "--reference", "bank-77")
    shop.say(*payment)

    again = shop.quick(*payment, "--json")

    assert (1, "payment-already-booked") == (again.code, again.refusal)
    assert "105.00" == shop.say("conto", "show", "gina")["balance"]


def test_g3_a_refused_command_stays_refused_when_its_reason_is_gone(shop):
    """Given a bet beyond the posta, when it comes again after a top-up, then refused the same."""
    session = shop.session(shop.player("dario"), "5.00")
    bet = ("play", session, '{"bets":[{"chance":"red","amount":"6.00"}]}', "--id", str(uuid4()))
    first = shop.quick(*bet, "--json")
    shop.say("session", "topup", session, "10.00")
    before = shop.events()

    again = shop.quick(*bet, "--json")

    assert (1, "insufficient-posta") == (first.code, first.refusal)
    assert (first.code, first.out, before) == (again.code, again.out, shop.events())


def test_s2_a_refund_before_its_bet_leaves_a_tombstone_and_both_are_on_record(shop, seated):
    """Given the refund of an unseen bet, when the bet comes, then refused, also when repeated."""
    credit = shop.say("session", "show", seated)["credit"]
    late = str(uuid4())
    refund = ("round", "refund", seated, late, "--reason", "came late")

    assert given_twice(shop, *refund)["accepted"]
    bet = ("play", seated, RED, "--json", "--id", late)
    first, again = shop.quick(*bet), shop.quick(*bet)

    assert (1, "refunded-before-placed") == (first.code, first.refusal)
    assert (first.code, first.out) == (again.code, again.out)
    assert credit == shop.say("session", "show", seated)["credit"]
    topics = "SELECT topic FROM events WHERE originator_id = %s ORDER BY originator_version"
    key = uuid5(NAMESPACE, f"command:{late}")
    assert [("command-revoked",), ("command-answered",)] == shop.rows(topics, key)


def test_g4_a_void_of_two_rounds_refunds_both_or_none(shop):
    """Given rounds of two sessions, one named wrongly, then none is void; then both at once."""
    sessions = [shop.session(shop.player(name)) for name in ("elena", "fabio")]
    rounds = [shop.say("round", "open", session, RED)["command"] for session in sessions]
    refs = [f"{s}:{r}" for s, r in zip(sessions, rounds, strict=True)]

    wrong = shop.quick(
        "round", "void", refs[0], f"{sessions[1]}:{uuid4()}", "--reason", "x", "--json"
    )
    assert (1, "49.00") == (wrong.code, shop.say("session", "show", sessions[0])["credit"])

    shop.say("round", "void", *refs, "--reason", "the wheel stopped")
    assert ["50.00", "50.00"] == [shop.say("session", "show", s)["credit"] for s in sessions]
