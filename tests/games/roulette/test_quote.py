"""Quote judges a document by the same rules as play, and records nothing."""

import pytest

from games.roulette.quote import quote
from tests.roulette_table import CLASSIC, ENGINE, VIP

STRAIGHT = {"numbers": [17], "amount": "1.00"}


def code_of(document, text=CLASSIC):
    """The refusal code of a document."""
    answer = quote(ENGINE, text, document)
    assert {"accepted", "refusal"} == set(answer)
    assert answer["accepted"] is False
    return answer["refusal"]["code"]


def test_the_answer_tells_each_bet_and_the_totals():
    """17 is black: the straight brings 36.00, red and the neighbours of zero lose."""
    document = {
        "bets": [STRAIGHT, {"chance": "red", "amount": "5.00"}, {"numbers": [2, 1], "amount": "2"}],
        "outcome": 17,
    }
    reds = [1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]

    assert {
        "accepted": True,
        "staked": "8.00",
        "winnings": "35.00",
        "stake_returned": "1.00",
        "credited": "36.00",
        "bets": [
            {"kind": "straight", "numbers": [17], "amount": "1.00", "credited": "36.00"},
            {"kind": "red", "numbers": reds, "amount": "5.00", "credited": "0.00"},
            {"kind": "split", "numbers": [1, 2], "amount": "2.00", "credited": "0.00"},
        ],
    } == quote(ENGINE, CLASSIC, document)


@pytest.mark.parametrize("outcome", [None, True, False, -1, 37, 17.0, "17", [17], 10**40])
def test_er1_an_outcome_is_a_whole_number_from_0_to_36(outcome):
    """Anything else is malformed, and so is none."""
    assert code_of({"bets": [STRAIGHT], "outcome": outcome}) == "malformed"
    assert code_of({"bets": [STRAIGHT]}) == "malformed"


@pytest.mark.parametrize("document", [None, 1, True, "x", [], [{}], {}, {"outcome": 17}])
def test_s6_what_is_no_document_is_malformed(document):
    """Never an exception."""
    assert code_of(document) == "malformed"


def test_s6_an_unknown_field_is_malformed():
    """Also beside a known one."""
    assert code_of({"bets": [STRAIGHT], "outcome": 17, "stake": "1.00"}) == "malformed"


@pytest.mark.parametrize("posta", ["1e3", "-1", 10, 1.5, True, None, "", "000"])
def test_s6_a_posta_that_is_no_amount_is_malformed(posta):
    """Given at all, it must be readable."""
    assert code_of({"bets": [STRAIGHT], "outcome": 17, "posta": posta}) == "malformed"


def test_g2_bets_beyond_the_posta_are_refused_as_in_play():
    """6.00 staked out of 5.99 is refused with the session's own code; out of 6.00 it is not."""
    bets = [STRAIGHT, {"chance": "red", "amount": "5.00"}]

    assert code_of({"bets": bets, "outcome": 17, "posta": "5.99"}) == "insufficient-posta"
    assert code_of({"bets": bets, "outcome": 17, "posta": "0.00"}) == "insufficient-posta"
    assert quote(ENGINE, CLASSIC, {"bets": bets, "outcome": 17, "posta": "6.00"})["accepted"]


def test_er5_a_quote_without_a_bet_is_refused():
    """As a round without one is."""
    assert code_of({"bets": [], "outcome": 17}) == "no-bet"


def test_er4_each_family_judges_by_its_own_chips():
    """1.00 is a chip of Classic and none of VIP."""
    assert code_of({"bets": [STRAIGHT], "outcome": 17}, VIP) == "not-a-sum-of-chips"


def test_the_largest_amounts_are_judged_or_refused_and_never_fail():
    """Just under what can be booked the answer is exact; the largest text is too large."""
    most = {"bets": [{"numbers": [17], "amount": "2777777777.75"}], "outcome": 17}
    more = {"bets": [{"numbers": [17], "amount": "100000000000.00"}], "outcome": 17}

    assert quote(ENGINE, CLASSIC, most)["credited"] == "99999999999.00"
    assert code_of(more) == "amount-too-large"
