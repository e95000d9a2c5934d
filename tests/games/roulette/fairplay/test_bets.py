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
from games.roulette.fairplay.limits import Group, GroupRange, OwnLimits, Row, RowRange
from ledger.domain.refusals import Code, Refusal

S6 = ["1e-37", "NaN", "sNaN", "Infinity", "-0.6", "0", "0.001", "1e400", "١٠", " 10", True, 10.0]
RED = {"chance": "red", "amount": "50.00"}


def test_the_four_ways_to_write_a_bet_are_read():
    """Numbers, a chance, a named bet and neighbours with their chip, amounts in kopecks."""
    document = {
        "account": "VIP",
        "offset": 36,
        "bets": [
            {"numbers": [17], "amount": "5.01"},
            {"chance": "red", "amount": "50"},
            {"announced": "zero-spiel", "chip": "12.5"},
            {"neighbours": 17, "chip": "10.00"},
        ],
    }

    assert FairPlayBets(
        account="VIP",
        offset=36,
        lines=(
            NumbersLine(numbers=(17,), amount=501),
            ChanceLine(chance="red", amount=5000),
            AnnouncedLine(announced="zero-spiel", chip=1250),
            NeighboursLine(neighbours=17, chip=1000),
        ),
    ) == parse(document)


def test_hw5_no_bet_and_a_demo_round_can_be_written():
    """Nothing is said of account and offset: the ledger fills in what holds for the player."""
    move = parse({"bets": [], "demo": True})

    assert FairPlayBets(lines=(), demo=True) == move
    assert (None, None, None, False) == (move.account, move.limits, move.offset, move.series)


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
        {"bets": [RED], "account": None},
        {"bets": [RED], "account": "V I P"},
        {"bets": [RED], "account": ""},
        {"bets": [RED], "account": ["VIP"]},
        {"bets": [RED], "offset": -1},
        {"bets": [RED], "offset": 37},
        {"bets": [RED], "offset": 5.0},
        {"bets": [RED], "offset": "5"},
        {"bets": [RED], "offset": True},
        {"bets": [RED], "offset": None},
        {"bets": [RED], "demo": 1},
        {"bets": [RED], "demo": None},
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
    """Own limits, a series and a stake to be divided are among what no player can write."""
    refusal = parse(document)

    assert isinstance(refusal, Refusal)
    assert refusal.code == Code.MALFORMED


@pytest.mark.parametrize(
    "move",
    [
        FairPlaySpin(),
        FairPlayOutcome(number=36, offset=36, pocket=35, colour="black"),
        parse({"bets": [{"neighbours": 0, "chip": "5.00"}, RED], "account": "LITE", "offset": 0}),
        FairPlayBets(
            lines=(),
            account="VIP",
            series=True,
            offset=7,
            limits=OwnLimits(
                positions=(RowRange(row=Row.STRAIGHT, min=100, max=900000),),
                groups=(GroupRange(group=Group.INSIDE, min=100, max=990000),),
            ),
        ),
    ],
)
def test_g3_a_move_on_record_is_read_as_the_same_move(move):
    """Through JSON and back nothing changes, so that a command's digest is its content."""
    assert move == type(move).model_validate_json(move.model_dump_json())
