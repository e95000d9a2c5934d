"""A table of Blackjack by hand at the command line: shoe, cards, turns, refusals, what it shows."""

from uuid import uuid4

import pytest

CHIEF = ("--chief", "maria")
BET = '{"bet":"10.00"}'


@pytest.fixture
def table(shop):
    """A table of Blackjack with a shoe, where nobody sits; its name."""
    name = f"b-{uuid4().hex[:8]}"
    shop.say("table", "open", name, "live-blackjack", *CHIEF)
    shop.say("table", "shuffle", name, "208", *told(1))
    return name


def told(number):
    """The options of a message of the feed."""
    return ("--message", f"m-{number}", "--sequence", str(number))


def deal(shop, table, cards, first=2):
    """Cards of the feed, from a message on."""
    for number, card in enumerate(cards.split(), first):
        shop.say("table", "deal", table, card, *told(number))


def begun(shop, table):
    """A new player's session with 50.00, and its round of 10.00, whose bets are closed."""
    player = shop.player(f"p-{uuid4().hex[:8]}")
    session = shop.session(player, sheet="live-blackjack")
    shop.say("session", "sit", session, table)
    shop.say("table", "round", table)
    round_id = shop.say("round", "open", session, BET)["command"]
    shop.say("table", "close-bets", table)
    return session, round_id


def act(shop, session, round_id, action):
    """A player's move; how it ended."""
    return shop.quick("round", "move", session, round_id, f'{{"action":"{action}"}}', "--json")


def test_a_round_of_blackjack_from_the_shuffle_to_the_payment(shop, table):
    """5-6 against an 8 is doubled to 21 and wins 20.00; the table is drawn on the way."""
    session, round_id = begun(shop, table)
    deal(shop, table, "5h 8h 6d")
    shown = shop.say("table", "show", table)
    assert ("dealing", {"seat": 1, "hand": 1, "may": ["hit", "stand", "double"]}) == (
        shown["phase"],
        shown["turn"],
    )
    drawn = shop.quick("table", "show", table).out
    assert "5h 6d" in drawn
    assert "hit, stand, double" in drawn

    assert act(shop, session, round_id, "double").refusal is None
    deal(shop, table, "Tc Tc", first=5)
    assert "dealer 18: 8h Tc" == shop.say("table", "show", table)["outcome"]
    shop.say("table", "settle", table)

    shown = shop.say("session", "show", session)
    assert ("70.00", "20.00", ["dealer 18: 8h Tc"]) == (
        shown["credit"],
        shown["bet_box"],
        shown["history"],
    )


def test_cards_are_drawn_here_where_no_feed_tells_them(shop, table):
    """Two of them; the player sees them with the round, and no turn passes while a card is due."""
    session, _ = begun(shop, table)
    for to in ("seat 1, hand 1", "the dealer"):
        assert f" to {to}" in shop.quick("table", "deal", table).out

    (played,) = shop.say("session", "show", session)["rounds_in_play"]
    assert [1, 1] == [len(h["cards"]) for h in (*played["boxes"][0]["hands"], played["dealer"])]
    passed = shop.quick("table", "pass-turn", table, "--json")
    assert (1, "card-to-come") == (passed.code, passed.refusal)
    shop.say("table", "void", table, "--reason", "cards misread", "--next-round")
    shop.say("session", "rise", session)
    assert "50.00" == shop.say("session", "show", session)["credit"]


def test_a_message_that_changes_nothing_says_why(shop, table):
    """Before the close, and given again."""
    early = ("table", "deal", table, "8h", *told(2))
    assert "untimely" in shop.quick(*early).out
    begun(shop, table)

    assert "repeated" in shop.quick(*early).out
    assert "impossible" in shop.quick("table", "shuffle", table, "20", *told(3)).out
    assert "8h, to seat 1, hand 1" in shop.quick("table", "deal", table, "8h", *told(4)).out


@pytest.mark.parametrize(
    ("arguments", "code", "refusal"),
    [
        (("deal", "{}", "8x", *told(9)), 2, "malformed"),
        (("deal", "{}", "1h", *told(9)), 2, "malformed"),
        (("shuffle", "{}", "0", *told(9)), 2, "malformed"),
        (("shuffle", "{}", '{"cut":1.5}', *told(9)), 2, "malformed"),
        (("outcome", "{}", "17", *told(9)), 1, "table-not-offered"),
        (("deal", "t-x", "8h", *told(9)), 1, "unknown-table"),
        (("deal", "{}"), 1, "no-table-round"),
        (("pass-turn", "{}"), 1, "no-table-round"),
        (("open", "t-8", "live-blackjack", *CHIEF, "--seats", "8"), 1, "malformed"),
    ],
)
def test_what_a_table_cannot_be_told_is_refused_with_its_code(
    shop, table, arguments, code, refusal
):
    """Cards that are none, places that are none, outcomes, tables and rounds that there are not."""
    named = [each.replace("{}", table) if each == "{}" else each for each in arguments]

    ended = shop.quick("table", *named, "--json")

    assert (code, refusal) == (ended.code, ended.refusal)


@pytest.mark.parametrize(
    "arguments",
    [("deal", "t-x", "8h"), ("deal", "t-x", "--message", "m"), ("shuffle", "t-x", "208")],
)
def test_a_card_without_its_message_and_a_message_without_its_card_end_with_two(shop, arguments):
    """They say what to give."""
    ended = shop.quick("table", *arguments)

    assert 2 == ended.code
    assert "Give" in ended.err


def test_a_move_that_is_none_names_those_that_there_are(shop, table):
    """Nothing is on record."""
    session, round_id = begun(shop, table)
    deal(shop, table, "5h 8h 6d")
    before = shop.events()

    ended = act(shop, session, round_id, "surrender")

    assert (2, "malformed", before) == (ended.code, ended.refusal, shop.events())
    assert 1 == act(shop, session, round_id, "split").code
