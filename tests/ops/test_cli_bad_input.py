"""Bad input at the command line: a typed refusal that says what to do, and nothing written."""

import json
from uuid import uuid4

import pytest

from tests.program import SHEET, Shop

AMOUNTS = ["1e-37", "NaN", "sNaN", "Infinity", "-0.6", "0", "0.001", "1e400", "١٠", " 10", "true"]
AMOUNTS += ["10,00", "+1", "1_0", "0x10", "", "007", "100000000000.01"]


@pytest.fixture(scope="module")
def seated(shop):
    """A session of 100.00 at a table, for refusals that change nothing."""
    return shop.session(shop.player("anna-1", "300.00"), "100.00")


def refused_unrecorded(shop: Shop, *arguments: str, stdin: bytes = b"") -> dict:
    """The document of a command that is wrong input: exit code 2, and not one event."""
    before = shop.events()
    done = shop.quick(*arguments, "--json", stdin=stdin)
    assert (2, False, before) == (done.code, done.document["accepted"], shop.events()), done
    return done.document["refusal"]


def refused_on_record(shop: Shop, code: str, *arguments: str) -> None:
    """A command that is refused: exit code 1, its code, and no event but its own record."""
    before = shop.events()
    done = shop.quick(*arguments, "--json")
    assert (1, code) == (done.code, done.refusal), done
    last = "SELECT topic FROM events ORDER BY epoch, xid, ord OFFSET %s"
    assert [("command-answered",)] == shop.rows(last, before)


def balance(shop: Shop, player: str = "anna-1") -> str:
    """What a player's conto holds."""
    return shop.say("conto", "show", player)["balance"]


@pytest.mark.parametrize("amount", AMOUNTS)
def test_s6_an_argument_that_is_no_amount_is_refused_and_nothing_is_written(shop, seated, amount):
    """Given texts that others took for money, when paid in, then refused, and the conto is read."""
    refusal = refused_unrecorded(shop, "conto", "deposit", "anna-1", "--json", "--", amount)

    assert "malformed" == refusal["code"]
    assert "200.00" == balance(shop)


@pytest.mark.parametrize("amount", [*map(json.dumps, AMOUNTS), "10.0", "10", "true", "null", "{}"])
def test_s6_a_bet_that_is_no_amount_is_refused_and_nothing_is_written(shop, seated, amount):
    """Given a bet whose amount is no plain decimal text, when played, then not one event."""
    document = f'{{"bets":[{{"chance":"red","amount":{amount}}}]}}'

    assert refused_unrecorded(shop, "play", seated, document)["code"] in {
        "malformed",
        "amount-too-large",
    }


PLACEMENTS = [[3, 4], [0, 4], [12, 16], [1, 36], [5, 5], [36, 37], [0, 1, 3], [-1], [37]]
PLACEMENTS += [[1, 2, 3, 4, 5, 6, 7, 8, 9], [2, 3, 4, 5, 6, 7], [0, 36], list(range(37))]


@pytest.mark.parametrize("numbers", PLACEMENTS, ids=str)
def test_s9_what_is_no_placement_is_refused_and_never_turned_into_another_bet(
    shop, seated, numbers
):
    """Given numbers that no chip can cover, when bet, then the record of the refusal alone."""
    document = json.dumps({"bets": [{"numbers": numbers, "amount": "1.00"}]})

    refused_on_record(shop, "illegal-placement", "play", seated, document)


@pytest.mark.parametrize(
    ("code", "bets"),
    [
        ("not-a-sum-of-chips", [{"chance": "red", "amount": "0.10"}]),
        ("insufficient-posta", [{"chance": "red", "amount": "100.25"}]),
        (
            "insufficient-posta",
            [{"chance": "red", "amount": "60.00"}, {"chance": "black", "amount": "60.00"}],
        ),
        (
            "insufficient-posta",
            [{"announced": "voisins", "chip": "10.00"}, {"numbers": [7], "amount": "10.25"}],
        ),
        ("no-bet", []),
        ("announced-not-offered", [{"announced": "zero-spiel", "chip": "1.00"}]),
    ],
)
def test_s7_bets_beyond_the_table_or_the_posta_are_refused_whole(shop, seated, code, bets):
    """Given bets whose sum the rules do not allow, when played, then none of them is placed."""
    refused_on_record(shop, code, "play", seated, json.dumps({"bets": bets}))

    assert "100.00" == shop.say("session", "show", seated)["credit"]


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"bets":[]',
        b'{"bets":{}}',
        b'{"bets":[{"chance":"red","amount":"1.00"}],"bets":[]}',
        b'{"bets":[{"chance":"red","amount":"1.00","tip":1}]}',
        b'{"bets":[{"chance":"rosso","amount":"1.00"}]}',
        b'{"bets":[{"numbers":[1.5],"amount":"1.00"}]}',
        b'{"bets":[{"numbers":["1"],"amount":"1.00"}]}',
        b'{"bets":[{"numbers":[true],"amount":"1.00"}]}',
        b'{"bets":[{"amount":"1.00"}]}',
        b"\xff\xfe",
        b"[" * 90_000,
        b'{"bets":' + b" " * 100_000 + b"[]}",
    ],
    ids=range(16),
)
def test_a_malformed_document_is_refused_and_nothing_is_written(shop, seated, document):
    """Given a document from standard input that cannot be read, then code malformed, exit 2."""
    assert "malformed" == refused_unrecorded(shop, "play", seated, "-", stdin=document)["code"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("conto", "open", "Anna 1"),
        ("conto", "open", "anna_2"),
        ("conto", "open", "a" * 41),
        ("conto", "open", "dan", "--name", "two\nlines"),
        ("conto", "open", "dan", "--name", "\x1b[31m"),
        ("conto", "open", "dan", "--birth-date", "3 May"),
        ("conto", "deposit", "anna-1", "5", "--currency", "USD"),
        ("conto", "deposit", "anna-1", "5", "--reference", "a\nb"),
        ("conto", "deposit", "anna-1", "5", "--id", "no-uuid"),
        ("conto", "deposit", "anna-1"),
        ("conto", "deposit", "anna-1", "5", "--tip"),
        ("session", "show", "anna-1"),
        ("play", "SESSION", "@no-such-file"),
        ("round", "void", "SESSION", "--reason", "x"),
        ("maintenance", "announce", "2026-12-01T02:00", "2026-12-01T03:00Z", "--reason", "x"),
        ("maintenance", "announce", "0001-01-01T00:00+23:00", "now", "--reason", "x"),
        ("report", "daily", "9999-12-31"),
        ("report", "daily", "30/11/2026"),
        ("rebuild", "no-projection"),
        ("duties", "no-duty"),
        ("rtp", "no-sheet"),
        ("simulate", "--sheet", "no-sheet"),
        ("simulate", "--strategy", "perfect"),
        ("simulate", "--sheet", "deuces-wild", "--strategy", "lucky"),
        ("conto", "shwo", "anna-1"),
        ("statement", "anna-1"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_read_ends_with_two_and_says_where_to_look(shop, seated, arguments):
    """Given arguments that mean nothing, then one document with code malformed and a way out."""
    given = [seated if word == "SESSION" else word for word in arguments]

    refusal = refused_unrecorded(shop, *given)

    assert "malformed" == refusal["code"]
    assert "See: contoposta" in refusal["message"] or "Wrong at reference" in refusal["message"]


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("unknown-conto", ("conto", "deposit", "nobody", "5.00")),
        ("wrong-currency", ("conto", "deposit", "anna-1", "5.00", "--currency", "RUR")),
        ("insufficient-conto", ("conto", "withdraw", "anna-1", "200.01")),
        ("conto-already-open", ("conto", "open", "anna-1")),
        ("unknown-conto", ("session", "open", "nobody", SHEET, "50.00")),
        ("unknown-sheet", ("session", "open", "anna-1", "no-sheet", "50.00")),
        ("right-below-minimum", ("session", "open", "anna-1", SHEET, "4.99")),
        ("posta-above-maximum", ("session", "open", "anna-1", SHEET, "1000.01")),
        ("insufficient-conto", ("session", "open", "anna-1", SHEET, "200.01")),
        ("posta-above-maximum", ("session", "topup", "SESSION", "900.01")),
        ("session-connected", ("session", "reconnect", "SESSION")),
        ("unknown-session", ("session", "close", "0b0e0000-0000-4000-8000-000000000000")),
        ("unknown-notice", ("maintenance", "end", "7")),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_g3_what_may_not_be_is_refused_and_leaves_its_record_alone(shop, seated, code, arguments):
    """Given commands that a rule forbids, then each ends with one, its code, and its record."""
    refused_on_record(shop, code, *(seated if w == "SESSION" else w for w in arguments))


def test_a_closed_session_takes_no_bet_and_says_so_on_record(shop):
    """Given a session that was closed, when a bet or a top-up comes, then session-closed."""
    session = shop.session(shop.player("bruno"))
    shop.say("session", "close", session)
    red = '{"bets":[{"chance":"red","amount":"1.00"}]}'

    refused_on_record(shop, "session-closed", "play", session, red)
    refused_on_record(shop, "session-closed", "round", "open", session, red)
    refused_on_record(shop, "session-closed", "session", "topup", session, "5.00")


def test_another_session_cannot_finish_or_void_a_round(shop):
    """Given a round of one session, when another session names it, then not its round."""
    mine = shop.session(shop.player("carla"))
    theirs = shop.session(shop.player("dario"))
    red = '{"bets":[{"chance":"red","amount":"1.00"}]}'
    opened = shop.say("round", "open", mine, red)["command"]
    before = shop.events()

    finish = shop.quick("round", "finish", theirs, opened, "--json")
    assert (1, "unknown-round", before) == (finish.code, finish.refusal, shop.events())

    void = ("round", "void", f"{theirs}:{opened}", "--reason", "wrong")
    refused_on_record(shop, "unknown-round", *void)
    assert "1.00" == shop.say("session", "show", mine)["rounds_in_play"][0]["at_stake"]


def test_a_round_that_has_ended_cannot_be_finished_or_moved_in(shop):
    """Given a round that was played and one that was void, then round-ended, each on record.

    Given the session closed too, then session-closed, as for any move.
    """
    session = shop.session(shop.player(f"p-{uuid4().hex[:8]}"))
    red = '{"bets":[{"chance":"red","amount":"1.00"}]}'
    played = shop.say("play", session, red)["command"]
    void = shop.say("round", "open", session, red)["command"]
    shop.say("round", "void", f"{session}:{void}", "--reason", "wheel stopped")

    for ended in (played, void):
        refused_on_record(shop, "round-ended", "round", "finish", session, ended)
        refused_on_record(shop, "round-ended", "round", "move", session, ended, red)
    shop.say("session", "close", session)
    refused_on_record(shop, "session-closed", "round", "finish", session, played)
    refused_on_record(shop, "session-closed", "round", "move", session, played, red)


def test_an_unknown_session_cannot_be_shown_or_played(shop):
    """Given a session id that nobody opened, then unknown-session, exit 1, nothing written."""
    before, nobody = shop.events(), str(uuid4())

    for arguments in (("session", "show", nobody), ("play", nobody, '{"bets":[]}')):
        done = shop.quick(*arguments, "--json")
        assert (1, "unknown-session") == (done.code, done.refusal)

    assert before == shop.events()


def test_texts_of_people_are_printed_as_they_are(shop):
    """Given a name in square brackets and colons, when shown, then no markup takes it apart."""
    shop.say("conto", "open", "eve", "--name", "[/] [bold]Eve :smile:", "--nickname", "Forlì")

    done = shop.quick("conto", "show", "eve")

    assert 0 == done.code
    assert "name [/] [bold]Eve :smile:, nickname Forlì" in done.out
