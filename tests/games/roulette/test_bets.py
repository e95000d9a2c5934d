"""What a player writes is read strictly: refused with its place, or read as it stands (S6)."""

import pytest

from games.roulette.bets import (
    LINES_MAX,
    AnnouncedLine,
    ChanceLine,
    NumbersLine,
    RouletteBets,
    Spin,
    parse,
)
from ledger.domain.refusals import Code, Refusal

S6 = ["1e-37", "NaN", "sNaN", "Infinity", "-0.6", "0", "0.001", "1e400", "١٠", " 10", True, 10.0]
STRANGE = ["", "1,00", "+1", "1.", ".5", "01", "1_0", "1.00\n", "１", None, 1, [], {}]


def test_the_three_ways_to_write_a_bet_are_read():
    """Numbers, a chance, and an announced bet with its chip, amounts in cents."""
    document = {
        "bets": [
            {"numbers": [17], "amount": "1.00"},
            {"chance": "red", "amount": "5"},
            {"announced": "voisins", "chip": "0.5"},
        ]
    }

    assert RouletteBets(
        lines=(
            NumbersLine(numbers=(17,), amount=100),
            ChanceLine(chance="red", amount=500),
            AnnouncedLine(announced="voisins", chip=50),
        )
    ) == parse(document)


@pytest.mark.parametrize("amount", [*S6, *STRANGE])
@pytest.mark.parametrize("line", [{"numbers": [17]}, {"chance": "red"}, {"announced": "voisins"}])
def test_s6_an_amount_that_is_no_plain_decimal_is_malformed(line, amount):
    """Each of these is refused in every way of writing a bet, and the place is named."""
    key = "chip" if "announced" in line else "amount"
    refusal = parse({"bets": [{"numbers": [1], "amount": "1.00"}, line | {key: amount}]})

    assert refusal.code == Code.MALFORMED
    assert refusal.message.startswith("Bet 2: ")


def test_s6_an_amount_past_all_bounds_is_too_large():
    """One cent past a hundred thousand million euro is more than the book holds."""
    refusal = parse({"bets": [{"numbers": [1], "amount": "100000000000.01"}]})

    assert refusal.code == Code.AMOUNT_TOO_LARGE


@pytest.mark.parametrize(
    "document",
    [
        None,
        True,
        1,
        "bets",
        [],
        {},
        {"bets": None},
        {"bets": {}},
        {"bets": "17"},
        {"bets": [], "bonus": 1},
        {"Bets": []},
        {"bets": [None]},
        {"bets": [[]]},
        {"bets": [{}]},
        {"bets": [{"numbers": [1]}]},
        {"bets": [{"amount": "1.00"}]},
        {"bets": [{"numbers": [1], "amount": "1.00", "extra": 1}]},
        {"bets": [{"numbers": [1], "chance": "red", "amount": "1.00"}]},
        {"bets": [{"numbers": [1], "chip": "1.00"}]},
        {"bets": [{"announced": "voisins", "amount": "1.00"}]},
        {"bets": [{"numbers": "17", "amount": "1.00"}]},
        {"bets": [{"numbers": {"17": 1}, "amount": "1.00"}]},
        {"bets": [{"numbers": [True], "amount": "1.00"}]},
        {"bets": [{"numbers": [17.0], "amount": "1.00"}]},
        {"bets": [{"numbers": ["17"], "amount": "1.00"}]},
        {"bets": [{"numbers": [None], "amount": "1.00"}]},
        {"bets": [{"numbers": [10**30], "amount": "1.00"}]},
        {"bets": [{"numbers": list(range(38)), "amount": "1.00"}]},
        {"bets": [{"chance": "purple", "amount": "1.00"}]},
        {"bets": [{"chance": "RED", "amount": "1.00"}]},
        {"bets": [{"chance": ["red"], "amount": "1.00"}]},
        {"bets": [{"chance": None, "amount": "1.00"}]},
        {"bets": [{"announced": "", "chip": "1.00"}]},
        {"bets": [{"announced": "Voisins\n", "chip": "1.00"}]},
        {"bets": [{"announced": 9, "chip": "1.00"}]},
        {"bets": [{"announced": "\ud800", "chip": "1.00"}]},
        {"bets": [{"chance": "red", "amount": "1.00"}] * (LINES_MAX + 1)},
    ],
)
def test_s6_a_document_that_is_not_exactly_a_list_of_bets_is_malformed(document):
    """A wrong type, a missing or unknown field, or too much of anything."""
    refusal = parse(document)

    assert isinstance(refusal, Refusal)
    assert refusal.code == Code.MALFORMED


def test_the_first_of_several_malformed_bets_is_named():
    """Bet 2 and bet 3 are wrong: the message tells of bet 2."""
    good = {"chance": "red", "amount": "1.00"}
    refusal = parse({"bets": [good, {"numbers": 5, "amount": "1.00"}, {}]})

    assert refusal.message.startswith("Bet 2")


def test_what_cannot_be_read_comes_before_what_is_too_large():
    """Precedence is by code, not by place."""
    large = {"numbers": [1], "amount": "100000000000.01"}

    assert parse({"bets": [large, {}]}).code == Code.MALFORMED


def test_the_longest_document_is_read():
    """Five hundred bets are allowed."""
    move = parse({"bets": [{"chance": "red", "amount": "1.00"}] * LINES_MAX})

    assert len(move.lines) == LINES_MAX


def test_no_bets_can_be_written_and_are_refused_later():
    """An empty list is a readable move; that a round needs a bet is said when it is decided."""
    assert RouletteBets(lines=()) == parse({"bets": []})


@pytest.mark.parametrize(
    "move",
    [
        Spin(),
        parse(
            {
                "bets": [
                    {"numbers": [1, 0], "amount": "1.00"},
                    {"chance": "high", "amount": "1.00"},
                    {"announced": "serie", "chip": "1.00"},
                ]
            }
        ),
    ],
)
def test_g3_a_move_on_record_is_read_as_the_same_move(move):
    """Through JSON and back nothing changes, so that a command's digest is its content."""
    assert move == type(move).model_validate_json(move.model_dump_json())
