"""A round of Deuces Wild by hand at the command line: cards, double-ups, refusals, repeats."""

import json
import re
from uuid import UUID, uuid4

import pytest

from ledger.domain import commands as cmd
from ops import clock
from tests.deuces_table import ENGINE, TRIPLE, entropy
from tests.house import at_house

COINS = '{"coins":5,"coin":"0.25"}'
ASCENDING = "3456789TJQKA2"


@pytest.fixture
def seated(shop):
    """A session of Deuces Wild with 50.00."""
    return deuces_session(shop)


@pytest.fixture
def won(shop, seated):
    """The round of the session in which three of a kind won 1.25, which is held."""
    return round_won(shop, seated)


@pytest.fixture(scope="module")
def waiting(shop):
    """A session and its round with a held win, for tests that leave both as they are."""
    session = deuces_session(shop)
    return session, round_won(shop, session)


def deuces_session(shop):
    """A session of a new player, with 50.00."""
    return shop.session(shop.player(f"p-{uuid4().hex[:8]}"), sheet="deuces-wild")


def round_won(shop, seated):
    """A round in which three of a kind was dealt and wins five coins, as it stands then."""
    coming = [entropy(TRIPLE), entropy(["5s", "7c"], TRIPLE)]
    with at_house(shop.conninfo, shop.book, entropy=lambda _: coming.pop(0)) as house:
        house.now = clock.now()
        fields = {"session": UUID(seated)}
        dealt = house.do(cmd.OpenRound, **fields, move=ENGINE.parse(json.loads(COINS))).command
        hold = ENGINE.parse({"hold": [1, 2, 3]})
        house.do(cmd.ContinueRound, **fields, round=dealt, move=hold)
    return str(dealt)


def move(shop, session, round_id, document, *options):
    """A move as it is typed."""
    return shop.quick("round", "move", session, round_id, json.dumps(document), *options)


def moved(shop, session, round_id, document):
    """The events of a move that was accepted and given twice with one id, by their names."""
    told = ("--json", "--id", str(uuid4()))
    first = move(shop, session, round_id, document, *told)
    before = shop.events()
    again = move(shop, session, round_id, document, *told)
    assert (0, first.out, before) == (again.code, again.out, shop.events()), first
    return {event["name"]: event["event"] for event in first.document["events"]}


def boxes(shop, session):
    """Credit, bet box and win box of the screen."""
    shown = shop.say("session", "show", session)
    return tuple(shown[name] for name in ("credit", "bet_box", "win_box"))


def test_a_hand_is_told_with_its_cards_and_the_proposed_hold_and_ends_with_them(shop, seated):
    """Given a bet, then five cards and what to hold; given the hold, then what the hand makes."""
    dealt = shop.quick("round", "open", seated, COINS)
    (round_id,) = re.findall(r"Round ([0-9a-f-]{36})\n", dealt.out)
    (cards,) = re.findall(r"\n  cards: (.*)\n", dealt.out)
    (hold,) = re.findall(r"\n  proposed hold: (.*)\n", dealt.out)
    (shown,) = shop.say("session", "show", seated)["rounds_in_play"]
    assert "bet 1: 1.25 EUR on " in dealt.out
    assert (cards.split(", "), ["hold"], "1.25") == (
        shown["cards"],
        shown["may"],
        shown["at_stake"],
    )
    assert hold == (", ".join(map(str, shown["proposed_hold"])) or "-")

    held = [] if hold == "-" else [int(place) for place in hold.split(", ")]
    final = move(shop, seated, round_id, {"hold": held})

    (made,) = re.findall(r"\n  drawn: (.*): (.+)\n", final.out)
    kept = [cards.split(", ")[place - 1] for place in held]
    assert kept == [made[0].split()[place - 1] for place in held]
    assert shop.say("session", "show", seated)["history"][0].startswith(made[0])
    assert ("held until collected" in final.out) == (made[1] != "nothing")


def test_c7_the_screen_shows_what_is_at_risk_and_the_win_until_it_is_in_the_posta(
    shop, seated, won
):
    """Given a win of 1.25 doubled by half, then 0.62 at risk; what comes of the pick is as dealt.

    Higher brings 0.63 and 1.24, equal leaves 1.25, lower ends the round with the 0.63 kept.
    """
    assert ("48.75", "0.00", "1.25") == boxes(shop, seated)

    doubled = moved(shop, seated, won, {"double_up": {"half": True}})
    assert ("0.62", "0.63") == _euro(doubled["double-up-staked"], "at_risk", "kept")
    assert ("48.75", "0.62", "1.25") == boxes(shop, seated)
    (shown,) = shop.say("session", "show", seated)["rounds_in_play"]
    to_beat = doubled["draw-recorded"]["details"]["card"]
    assert (to_beat, ["pick"]) == (shown["card_to_beat"], shown["may"])

    picked = moved(shop, seated, won, {"pick": 3})
    drawn = picked["draw-recorded"]["details"]
    mine, other = (ASCENDING.index(card[0]) for card in (drawn["cards"][2], to_beat))
    outcome, win, credit = _after(mine, other)
    assert outcome == picked["double-up-resolved"]["outcome"]
    if win:
        assert ("48.75", "0.00", win) == boxes(shop, seated)
        assert "win-collected" in moved(shop, seated, won, {"collect": True})
    assert credit == boxes(shop, seated)[0]

    shop.say("session", "close", seated)
    assert credit == shop.say("session", "show", seated)["final_posta"]


def _after(mine, other):
    """Outcome of the pick, the win on offer, and the credit when all is collected."""
    if mine == other:
        return "pushed", "1.25", "50.00"
    return ("won", "1.87", "50.62") if mine > other else ("lost", None, "49.38")


def _euro(data, *names):
    return tuple(f"{data[name] // 100}.{data[name] % 100:02}" for name in names)


def test_a_held_win_stops_a_close_and_a_new_deal_and_is_collected_once(shop, seated, won):
    """Given a held win, then neither; given collect, then posta; given it again, round-ended."""
    for begins in (("session", "close", seated), ("round", "open", seated, COINS)):
        refused = shop.quick(*begins, "--json")
        assert (1, "round-in-play") == (refused.code, refused.refusal)

    collected = move(shop, seated, won, {"collect": True})
    assert "1.25 EUR collected into the posta" in collected.out
    assert ("50.00", "0.00", "0.00") == boxes(shop, seated)

    again = move(shop, seated, won, {"collect": True}, "--json")
    assert (1, "round-ended") == (again.code, again.refusal)
    assert "50.00" == boxes(shop, seated)[0]


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"hold": [1]}, "cards-replaced"),
        ({"pick": 1}, "no-double-up"),
        ({"coins": 1, "coin": "0.25"}, "cards-dealt"),
    ],
)
def test_a_move_out_of_turn_is_refused_with_its_code_and_moves_no_money(
    shop, waiting, document, code
):
    """Given a held win and no double-up, then exit 1, the code, and a sentence for people."""
    before = boxes(shop, waiting[0])
    told = ("--id", str(uuid4()))

    refused = move(shop, *waiting, document, "--json", *told)
    people = move(shop, *waiting, document, *told)

    assert (1, code, before) == (refused.code, refused.refusal, boxes(shop, waiting[0]))
    assert (1, "", True) == (people.code, people.out, f"Refused ({code}): " in people.err)


def test_during_a_double_up_only_a_pick_of_four_is_taken(shop, seated, won):
    """Given a card to beat, then nothing else moves, and no refusal tells a card."""
    moved(shop, seated, won, {"double_up": {"half": False}})
    wrong = {
        "double-up-in-play": ({"collect": True}, {"double_up": {"half": True}}),
        "no-such-pick": ({"pick": 0}, {"pick": 5}),
        "cards-replaced": ({"hold": []},),
    }

    for code, documents in wrong.items():
        for document in documents:
            refused = move(shop, seated, won, document, "--json")
            assert (1, code) == (refused.code, refused.refusal)
            assert not re.search(r"\b[2-9TJQKA][cdhs]\b", refused.document["refusal"]["message"])
    assert ("48.75", "1.25", "1.25") == boxes(shop, seated)


@pytest.mark.parametrize(
    "text",
    ['{"pick":"3"}', '{"hold":[1],"pick":1}', '{"double_up":{}}', '{"collect":false}', "[]", "{"],
)
def test_a_move_that_cannot_be_read_is_wrong_input_and_writes_nothing(shop, waiting, text):
    """Given what is no move, then exit 2 with code malformed, and as many events as before."""
    before = shop.events()

    done = shop.quick("round", "move", *waiting, text, "--json")

    assert (2, "malformed", before) == (done.code, done.refusal, shop.events())
