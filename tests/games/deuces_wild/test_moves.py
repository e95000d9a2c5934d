"""How moves of Deuces Wild are written, and what cannot be read at all (fault S6)."""

import pytest

from games.deuces_wild.moves import (
    DeucesCollect,
    DeucesDeal,
    DeucesDoubleUp,
    DeucesHold,
    DeucesPick,
    parse,
)
from ledger.domain.refusals import Code, Refusal


@pytest.mark.parametrize(
    ("document", "move"),
    [
        ({"coins": 5, "coin": "0.25"}, DeucesDeal(coins=5, coin=25)),
        ({"coin": "1", "coins": 6}, DeucesDeal(coins=6, coin=100)),
        ({"hold": []}, DeucesHold(hold=())),
        ({"hold": [1, 4]}, DeucesHold(hold=(1, 4))),
        ({"double_up": {"half": True}}, DeucesDoubleUp(half=True)),
        ({"pick": 9}, DeucesPick(pick=9)),
        ({"collect": True}, DeucesCollect()),
    ],
)
def test_a_move_is_read_as_it_is_written(document, move):
    """What can be read is a move, though the table may refuse it."""
    assert move == parse(document)


AMOUNTS_S6 = [
    "1e-37", "NaN", "sNaN", "Infinity", "-0.6", "0", "0.001", "1e400", "١٠", " 10", True, 10.0, 10,
]  # fmt: skip


@pytest.mark.parametrize("amount", AMOUNTS_S6)
def test_s6_a_coin_is_a_plain_positive_decimal(amount):
    """No sign, blank, exponent, fraction of a cent, other script or JSON number."""
    refusal = parse({"coins": 1, "coin": amount})

    assert isinstance(refusal, Refusal)
    assert Code.MALFORMED == refusal.code


@pytest.mark.parametrize(
    "document",
    [
        None, [], "deal", 1, {}, {"coins": 5}, {"coin": "0.25"},
        {"coins": 5, "coin": "0.25", "hold": [1]},
        {"coins": 0, "coin": "0.25"}, {"coins": -1, "coin": "0.25"},
        {"coins": True, "coin": "0.25"}, {"coins": 5.0, "coin": "0.25"},
        {"coins": "5", "coin": "0.25"}, {"coins": 10**30, "coin": "0.25"},
        {"hold": None}, {"hold": "1"}, {"hold": [True]}, {"hold": ["1"]}, {"hold": [1.0]},
        {"hold": [10**30]}, {"hold": [1] * 100}, {"hold": {"1": 1}},
        {"double_up": True}, {"double_up": {}}, {"double_up": {"half": 1}},
        {"double_up": {"half": "no"}}, {"double_up": {"half": True, "win": "1.00"}},
        {"pick": True}, {"pick": "3"}, {"pick": 3.0}, {"pick": None}, {"pick": 10**30},
        {"collect": False}, {"collect": 1}, {"collect": None},
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_malformed(document):
    """Nothing is guessed: neither a text for a number nor a truth for a one."""
    refusal = parse(document)

    assert isinstance(refusal, Refusal)
    assert Code.MALFORMED == refusal.code


def test_an_amount_that_no_account_can_hold_is_too_large():
    """A number that can be read, but not held."""
    refusal = parse({"coins": 1, "coin": "100000000000.01"})

    assert isinstance(refusal, Refusal)
    assert Code.AMOUNT_TOO_LARGE == refusal.code
