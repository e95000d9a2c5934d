"""What `quote` answers for hands, replacements and double-ups, worked by hand from the rules."""

from pathlib import Path

import orjson
import pytest

from games.deuces_wild.quote import quote
from games.deuces_wild.refusals import DeucesCode
from ledger.domain.refusals import Code
from tests.deuces_table import DEUCES, ENGINE, NOTHING, ROYAL, TRIPLE


def ask(**document):
    """The answer to a document."""
    return quote(ENGINE, DEUCES, document)


def refusal(answer):
    """The code of a refused document."""
    assert answer["accepted"] is False
    return answer["refusal"]["code"]


def test_the_forms_of_the_readme_are_answered():
    """Given each document under Deuces Wild, then what it credits, by the printed table."""
    readme = Path(__file__).parents[3] / "README.md"
    text = readme.read_text(encoding="utf-8").partition("A hand of Deuces Wild is judged")[2]
    documents = [line.strip() for line in text.split("\n\n")[1].splitlines()]

    assert ["1000.00", "5.00", "4.00", "2.00"] == [
        ask(**orjson.loads(document))["credited"] for document in documents
    ]


def test_a_final_hand_is_answered_with_its_category_and_what_is_credited():
    """Two deuces with king, queen and jack of clubs: a wild royal, 125 coins of 0.25."""
    expected = {
        "accepted": True,
        "final": ["2s", "Kc", "Jc", "2d", "Qc"],
        "category": "wild-royal",
        "staked": "1.25",
        "winnings": "30.00",
        "stake_returned": "1.25",
        "credited": "31.25",
    }

    assert expected == ask(coins=5, coin="0.25", final=["2s", "Kc", "Jc", "2d", "Qc"])


@pytest.mark.parametrize(
    ("coins", "credited"),
    [(1, "62.50"), (2, "125.00"), (3, "187.50"), (4, "250.00"), (5, "1000.00")],
)
def test_a_natural_royal_pays_by_coins(coins, credited):
    """250, 500, 750, 1,000 and 4,000 coins of 0.25."""
    assert credited == ask(coins=coins, coin="0.25", final=ROYAL)["credited"]


def test_a_hand_that_makes_nothing_credits_nothing():
    """The stake is lost."""
    answer = ask(coins=5, coin="0.25", final=NOTHING)

    assert ("nothing", "1.25", "0.00", "0.00", "0.00") == tuple(
        answer[k] for k in ("category", "staked", "winnings", "stake_returned", "credited")
    )


def test_dw5_a_replacement_is_answered_with_the_proposed_hold():
    """Held first and fourth, the drawn cards stand in the other places: four of a kind, 5.00."""
    deal = ["3c", "9s", "3d", "3h", "Jc"]

    answer = ask(coins=5, coin="0.25", deal=deal, hold=[1, 4], draw=["2s", "3s", "8c"])

    assert [1, 3, 4] == answer["proposed_hold"]
    assert ["3c", "2s", "3s", "3h", "8c"] == answer["final"]
    assert ("four-of-a-kind", "5.00") == (answer["category"], answer["credited"])


def test_dw5_nothing_is_proposed_without_a_win():
    """All five cards are replaced, and three twos and two aces are five of a kind: 75 coins."""
    draw = ["2s", "2h", "2d", "As", "Ah"]

    answer = ask(coins=5, coin="0.25", deal=NOTHING, hold=[], draw=draw)

    assert ([], draw) == (answer["proposed_hold"], answer["final"])
    assert ("five-of-a-kind", "18.75") == (answer["category"], answer["credited"])


@pytest.mark.parametrize(
    ("is_half", "picked", "expected"),
    [
        (False, "Kd", ("won", "2.00", "0.00", "4.00", "4.00")),
        (False, "9d", ("pushed", "2.00", "0.00", "2.00", "2.00")),
        (False, "8d", ("lost", "2.00", "0.00", "0.00", "0.00")),
        (False, "2d", ("won", "2.00", "0.00", "4.00", "4.00")),
        (True, "Kd", ("won", "1.00", "1.00", "3.00", "3.00")),
        (True, "9d", ("pushed", "1.00", "1.00", "2.00", "2.00")),
        (True, "8d", ("lost", "1.00", "1.00", "0.00", "1.00")),
    ],
)
def test_dw4_a_double_up_of_two_euro_against_a_nine(is_half, picked, expected):
    """Outcome, at risk, kept, on offer, and what the player would have in the end."""
    told = half("9h", picked) if is_half else whole("9h", picked)
    answer = ask(double_up={"win": "2.00"} | told)

    names = ("outcome", "at_risk", "kept", "on_offer", "credited")
    assert expected == tuple(answer[name] for name in names)


def whole(shown, picked):
    """One double-up of a whole win."""
    return {"half": False, "shown": shown, "picked": picked}


def half(shown, picked):
    """One double-up of half a win."""
    return {"half": True, "shown": shown, "picked": picked}


def test_dw4_a_chain_is_answered_step_by_step():
    """2.00; half won 3.00, pushed 3.00, whole won 6.00, half lost: the kept 3.00 is collected."""
    chain = [
        half("9h", "Kd"),
        whole("9h", "9d"),
        whole("3c", "4c"),
        half("Ac", "3c"),
    ]

    answer = ask(win="2.00", double_ups=chain)

    on_offer = [s["on_offer"] for s in answer["double_ups"]]
    assert (["3.00", "3.00", "6.00", "0.00"], "3.00") == (on_offer, answer["credited"])
    assert ["won", "pushed", "won", "lost"] == [s["outcome"] for s in answer["double_ups"]]


def test_a_chain_of_none_credits_the_win():
    """Collected at once."""
    assert {"accepted": True, "double_ups": [], "credited": "2.00"} == ask(
        win="2.00", double_ups=[]
    )


PUSH = whole("9h", "9d")


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"coins": 6, "coin": "0.25", "final": ROYAL}, DeucesCode.COINS_NOT_OFFERED),
        ({"coins": 5, "coin": "0.20", "final": ROYAL}, DeucesCode.COIN_NOT_OFFERED),
        (
            {
                "coins": 5,
                "coin": "0.25",
                "deal": TRIPLE,
                "hold": [1, 1],
                "draw": ["5s", "7c", "8d"],
            },
            DeucesCode.CARD_HELD_TWICE,
        ),
        (
            {"coins": 5, "coin": "0.25", "deal": TRIPLE, "hold": [6], "draw": ["5s"]},
            DeucesCode.NO_SUCH_CARD,
        ),
        ({"win": "1000.01", "double_ups": [PUSH]}, DeucesCode.DOUBLE_UP_ABOVE_LIMIT),
        ({"win": "0.01", "double_ups": [half("9h", "9d")]}, DeucesCode.NO_HALF),
        ({"win": "1.00", "double_ups": [PUSH] * 6}, DeucesCode.DOUBLE_UPS_USED),
        ({"win": "1.00", "double_ups": [whole("9h", "8d"), PUSH]}, DeucesCode.NO_WIN),
        ({"win": "1.00", "double_ups": [half("9h", "8d"), PUSH]}, DeucesCode.NO_WIN),
        (
            {"double_up": {"win": "0.01", "half": True, "shown": "9h", "picked": "Kd"}},
            DeucesCode.NO_HALF,
        ),
    ],
)
def test_what_the_game_does_not_allow_is_refused_with_its_code(document, code):
    """The same codes as in play."""
    assert code == refusal(ask(**document))


def test_dw4_a_win_at_the_limit_is_doubled_and_then_no_more():
    """1,000.00 becomes 2,000.00, which is above the limit."""
    won = whole("9h", "Kd")

    assert "2000.00" == ask(win="1000.00", double_ups=[won])["credited"]
    assert DeucesCode.DOUBLE_UP_ABOVE_LIMIT == refusal(ask(win="1000.00", double_ups=[won, won]))


HAND = {"coins": 5, "coin": "0.25"}


@pytest.mark.parametrize(
    "document",
    [
        {},
        HAND,
        HAND | {"final": ROYAL, "deal": ROYAL},
        HAND | {"final": ROYAL[:4]},
        HAND | {"final": [*ROYAL[:4], "Ts"]},
        HAND | {"final": [*ROYAL[:4], "10s"]},
        HAND | {"final": [*ROYAL[:4], "as"]},
        HAND | {"final": "TsJsQsKsAs"},
        HAND | {"deal": TRIPLE, "hold": [1, 2, 3], "draw": ["5s"]},
        HAND | {"deal": TRIPLE, "hold": [1, 2, 3], "draw": ["5s", "3c"]},
        HAND | {"deal": TRIPLE, "hold": [1, 2, 3], "draw": ["5s", "9s"]},
        HAND | {"deal": TRIPLE, "hold": [1, 2, 3], "draw": ["5s", "5s"]},
        {"coins": 0, "coin": "0.25", "final": ROYAL},
        {"coins": 5, "coin": 0.25, "final": ROYAL},
        {"double_up": {"win": "2.00", "half": False, "shown": "9h"}},
        {"double_up": {"win": "2.00", "half": False, "shown": "9h", "picked": "9h"}},
        {"double_up": {"win": "2.00", "half": 0, "shown": "9h", "picked": "Kd"}},
        {"double_up": {"win": 2, "half": False, "shown": "9h", "picked": "Kd"}},
        {"double_up": [1]},
        {"win": "2.00", "double_ups": None},
        {"win": "2.00", "double_ups": [None]},
        {"win": "0.00", "double_ups": []},
        {"win": "2.00", "double_ups": [PUSH] * 100},
    ],
)
def test_what_cannot_be_read_is_malformed(document):
    """A card twice, a card that was dealt, too few cards, a number for an amount."""
    assert Code.MALFORMED == refusal(ask(**document))


@pytest.mark.parametrize("document", [None, [], "hand", 5])
def test_what_is_no_object_is_malformed(document):
    """The answer shows how to write one."""
    assert Code.MALFORMED == refusal(quote(ENGINE, DEUCES, document))
