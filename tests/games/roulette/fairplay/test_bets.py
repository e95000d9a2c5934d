"""A player's document is read strictly, and what the house holds cannot be written into it (S6)."""

import pytest

from games.roulette.bets import (
    LINES_MAX,
    AnnouncedLine,
    ChanceLine,
    NeighboursLine,
    NumbersLine,
)
from games.roulette.fairplay.bets import FairPlayBets, FairPlayOutcome, FairPlaySpin, parse
from ledger.domain.refusals import Code, Refusal

S6 = ["1e-37", "NaN", "sNaN", "Infinity", "-0.6", "0", "0.001", "1e400", "١٠", " 10", True, 10.0]
RED = {"chance": "red", "amount": "50.00"}


def test_the_four_ways_to_write_a_bet_are_read():
    """Numbers, a chance, a named bet and neighbours with their chip, amounts in kopecks."""
    document = {
        "bets": [
            {"numbers": [17], "amount": "5.01"},
            {"chance": "red", "amount": "50"},
            {"announced": "zero-spiel", "chip": "12.5"},
            {"neighbours": 17, "chip": "10.00"},
        ],
    }

    assert FairPlayBets(
        lines=(
            NumbersLine(numbers=(17,), amount=501),
            ChanceLine(chance="red", amount=5000),
            AnnouncedLine(announced="zero-spiel", chip=1250),
            NeighboursLine(neighbours=17, chip=1000),
        ),
    ) == parse(document)


def test_hw5_no_bet_can_be_written():
    """It is a spin, and is recorded as such."""
    assert FairPlayBets(lines=()) == parse({"bets": []})


@pytest.mark.parametrize("amount", S6)
@pytest.mark.parametrize(
    "line", [{"numbers": [17]}, {"chance": "red"}, {"announced": "serie"}, {"neighbours": 17}]
)
def test_s6_an_amount_that_is_no_plain_decimal_is_malformed(line, amount):
    """Each of these is refused in every way of writing a bet, and the place is named."""
    key = "chip" if {"announced", "neighbours"} & set(line) else "amount"
    refusal = parse({"bets": [RED, line | {key: amount}]})

    assert refusal.code == Code.MALFORMED
    assert refusal.message.startswith("Bet 2: ")


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"account": "VIP"},
        {"bets": None},
        {"bets": [RED], "limits": {}},
        {"bets": [RED], "series": True},
        {"bets": [RED], "outcome": 17},
        {"bets": [RED], "account": "VIP"},
        {"bets": [RED], "offset": 5},
        {"bets": [RED], "demo": True},
        {"bets": [{"neighbours": "17", "chip": "10.00"}]},
        {"bets": [{"neighbours": [17], "chip": "10.00"}]},
        {"bets": [{"neighbours": True, "chip": "10.00"}]},
        {"bets": [{"neighbours": 10**30, "chip": "10.00"}]},
        {"bets": [{"neighbours": 17, "amount": "10.00"}]},
        {"bets": [{"neighbours": 17, "stake": "50.00"}]},
        {"bets": [{"announced": "voisins", "stake": "50.00"}]},
        {"bets": [{"announced": "Voisins", "chip": "50.00"}]},
        {"bets": [RED] * (LINES_MAX + 1)},
    ],
)
def test_s6_a_document_that_is_not_exactly_a_move_is_malformed(document):
    """What the house holds of a player, and a stake to be divided, cannot be written."""
    refusal = parse(document)

    assert isinstance(refusal, Refusal)
    assert refusal.code == Code.MALFORMED


@pytest.mark.parametrize(
    "move",
    [
        FairPlaySpin(),
        FairPlayOutcome(number=36, offset=36, pocket=35, colour="black"),
        parse({"bets": [{"neighbours": 0, "chip": "5.00"}, RED]}),
        parse({"bets": []}),
    ],
)
def test_g3_a_move_on_record_is_read_as_the_same_move(move):
    """Through JSON and back nothing changes, so that a command's digest is its content."""
    assert move == type(move).model_validate_json(move.model_dump_json())
