"""Quote by account type: every worked example of the rules, and divided stakes (HW1, HW2)."""

import pytest

from games.roulette.fairplay.quote import quote
from games.roulette.refusals import RouletteCode
from ledger.domain.refusals import Code
from tests.fairplay_table import ENGINE, FAIRPLAY, ask, code_of, with_game

NEIGHBOURS = {"neighbours": 17, "stake": "50.00"}


def named(name, amount="50.00"):
    """A sector with a stake that is divided."""
    return {"announced": name, "stake": amount}


@pytest.mark.parametrize(
    ("bet", "outcome", "credited"),
    [
        *((NEIGHBOURS, pocket, "360.00") for pocket in (2, 25, 17, 34, 6)),
        (NEIGHBOURS, 4, "0.00"),
        (named("zero-spiel"), 12, "225.00"),
        (named("zero-spiel"), 26, "450.00"),
        (named("voisins"), 2, "133.33"),
        (named("voisins"), 35, "100.00"),
        (named("voisins"), 26, "100.00"),
        (named("orphelins"), 14, "180.00"),
        (named("orphelins"), 1, "360.00"),
        (named("orphelins"), 17, "360.00"),
        (named("serie"), 10, "150.00"),
        (named("serie"), 12, "0.00"),
    ],
)
def test_hw1_hw2_the_worked_examples_of_the_rules_credit_what_they_say(bet, outcome, credited):
    """50 roubles on neighbours and on each sector, and numbers that they do not cover.

    Corner 25-26-28-29 has two ninths of 50.00: 9 times 11.11.. is 100.00. Both splits of the
    orphans hold 17: twice 180.00.
    """
    answer = ask(account="VIP", bets=[bet], outcome=outcome)

    assert ("50.00", credited) == (answer["staked"], answer["credited"])
    assert [("50.00", credited)] == [(b["amount"], b["credited"]) for b in answer["bets"]]


@pytest.mark.parametrize(
    ("bet", "chip", "account"),
    [
        (NEIGHBOURS, {"neighbours": 17, "chip": "10.00"}, "VIP"),
        (named("zero-spiel"), {"announced": "zero-spiel", "chip": "12.50"}, "VIP"),
        (named("voisins", "45.00"), {"announced": "voisins", "chip": "5.00"}, "RESPECT"),
        (named("orphelins"), {"announced": "orphelins", "chip": "10.00"}, "RESPECT"),
        (named("serie", "48.00"), {"announced": "serie", "chip": "8.00"}, "LITE"),
    ],
)
def test_hw1_a_stake_that_divides_into_whole_kopecks_is_the_chip_on_each_part(bet, chip, account):
    """At every pocket the same is staked, won, returned and credited."""
    totals = ("accepted", "staked", "winnings", "stake_returned", "credited", "outcome")
    for pocket in range(37):
        stake, chips = (ask(account=account, bets=[each], outcome=pocket) for each in (bet, chip))
        assert [stake[key] for key in totals] == [chips[key] for key in totals]


@pytest.mark.parametrize(
    ("bet", "outcome", "expected"),
    [
        (named("orphelins", "0.01"), 17, ("0.07", "0.07", "0.00")),
        (named("orphelins", "0.01"), 14, ("0.04", "0.04", "0.00")),
        (named("zero-spiel", "0.01"), 12, ("0.05", "0.05", "0.00")),
        (named("zero-spiel", "0.02"), 12, ("0.09", "0.08", "0.01")),
        (named("voisins", "0.01"), 2, ("0.03", "0.03", "0.00")),
        (named("voisins", "50.00"), 2, ("133.33", "122.22", "11.11")),
        (named("serie", "50.00"), 10, ("150.00", "141.67", "8.33")),
    ],
)
def test_c2_what_is_credited_is_rounded_half_up_once_on_the_bets_total(bet, outcome, expected):
    """A kopeck on the orphans has a fifth on each split: 18 fifths at 14, and 36 at 17.

    36 fifths of a kopeck are 7.2, so 0.07; two splits rounded apart would be 0.08. On zero spiel
    18 quarters are 4.5, so 0.05. The returned stake is rounded so too, and the winnings are the
    rest: 2 quarters are 0.5, so 0.01.
    """
    answer = ask(account="LITE", bets=[bet], outcome=outcome, text=LOOSE)

    assert expected == (answer["credited"], answer["winnings"], answer["stake_returned"])


ROWS = ("straight", "split", "street", "corner", "six-line", "column", "dozen")
LOOSE = with_game(
    accounts={
        "LITE": {
            "positions": {
                row: {"min": 1, "max": 100_000}
                for row in (*ROWS, "low-high", "even-odd", "red-black")
            },
            "groups": {g: {"min": 1, "max": 900_000} for g in ("inside", "outside")},
            "own_limits": False,
        }
    }
)
"""The sheet with an account type that is hardly limited."""


def test_a_sum_of_divided_stakes_and_chips_is_judged_bet_by_bet():
    """Voisins of 50.00 and 12.00 on its split 12-15: at 12 both win, 100.00 and 216.00."""
    answer = ask(
        account="RESPECT",
        bets=[named("voisins"), {"numbers": [15, 12], "amount": "12.00"}],
        outcome=12,
    )
    voisins = [0, 2, 3, 4, 7, 12, 15, 18, 19, 21, 22, 25, 26, 28, 29, 32, 35]

    assert {
        "accepted": True,
        "staked": "62.00",
        "winnings": "298.44",
        "stake_returned": "17.56",
        "credited": "316.00",
        "bets": [
            {"kind": "split", "numbers": [12, 15], "amount": "12.00", "credited": "216.00"},
            {"kind": "voisins", "numbers": voisins, "amount": "50.00", "credited": "100.00"},
        ],
        "outcome": 12,
    } == answer


@pytest.mark.parametrize(
    ("account", "bets", "code"),
    [
        ("LITE", [NEIGHBOURS], RouletteCode.POSITION_ABOVE_MAXIMUM),
        ("RESPECT", [named("zero-spiel")], RouletteCode.POSITION_ABOVE_MAXIMUM),
        ("RESPECT", [named("zero-spiel", "50.01")], RouletteCode.POSITION_ABOVE_MAXIMUM),
        ("VIP", [{"neighbours": 17, "stake": "20.00"}], RouletteCode.POSITION_BELOW_MINIMUM),
        ("VIP", [named("voisins", "4.99")], RouletteCode.GROUP_BELOW_MINIMUM),
        (
            "RESPECT",
            [named("voisins"), {"numbers": [12, 15], "amount": "14.45"}],
            RouletteCode.POSITION_ABOVE_MAXIMUM,
        ),
        ("VIP", [named("nassa")], RouletteCode.ANNOUNCED_NOT_OFFERED),
        ("VIP", [{"neighbours": 37, "stake": "50.00"}], RouletteCode.ILLEGAL_PLACEMENT),
        ("GOLD", [NEIGHBOURS], RouletteCode.UNKNOWN_ACCOUNT),
    ],
)
def test_s7_a_divided_stake_is_held_to_the_limits_too(account, bets, code):
    """Exactly, with what else lies on a position: 5.55.. and 14.45 are more than 20.00.

    The minimum of a position is not asked of a fraction of a kopeck, which no chips could lay.
    """
    assert code == code_of(ask(account=account, bets=bets, outcome=1))


def test_s7_a_sum_with_a_fraction_may_reach_the_maximum_and_not_pass_it():
    """14.44 on split 12-15 beside 5.55.. of the voisins are 19.99.. out of 20.00."""
    split = {"numbers": [12, 15], "amount": "14.44"}

    assert ask(account="RESPECT", bets=[named("voisins"), split], outcome=1)["accepted"]


@pytest.mark.parametrize(
    ("number", "offset", "outcome"),
    [(7, 30, 0), (22, 5, 27), (27, 36, 26), (12, 0, 12), (36, 36, 35)],
)
def test_hw6_a_series_number_and_an_offset_stand_in_place_of_the_outcome(number, offset, outcome):
    """As the rules work it out; an offset that is left out is zero."""
    bet = {"numbers": [outcome], "amount": "5.00"}
    answer = ask(account="VIP", bets=[bet], series_number=number, offset=offset)
    without = ask(account="VIP", bets=[], series_number=number)

    assert (outcome, "180.00") == (answer["outcome"], answer["credited"])
    assert number == without["outcome"]


def test_hw5_a_quote_without_a_bet_is_accepted():
    """Nothing is staked and nothing comes."""
    assert {
        "accepted": True,
        "staked": "0.00",
        "winnings": "0.00",
        "stake_returned": "0.00",
        "credited": "0.00",
        "bets": [],
        "outcome": 17,
    } == ask(account="LITE", bets=[], outcome=17)


def test_hw4_own_limits_are_given_in_the_document():
    """80.00 on a straight are beyond VIP's 50.00 and within the player's own."""
    bet = {"numbers": [17], "amount": "80.00"}
    own = {"positions": {"straight": {"min": "1.00", "max": "80.00"}}}
    document = {"account": "VIP", "bets": [bet], "outcome": 17}

    assert RouletteCode.POSITION_ABOVE_MAXIMUM == code_of(ask(**document))
    assert "2880.00" == ask(**document, limits=own)["credited"]
    assert RouletteCode.OWN_LIMITS_NOT_OFFERED == code_of(
        ask(**document | {"account": "LITE"}, limits=own)
    )


@pytest.mark.parametrize("bet", [NEIGHBOURS, {"neighbours": 17, "chip": "10.00"}])
def test_g2_bets_beyond_the_posta_are_refused_as_in_play(bet):
    """50.00 staked out of 49.99 and of nothing."""
    document = {"account": "VIP", "bets": [bet], "outcome": 17}

    assert Code.INSUFFICIENT_POSTA == code_of(ask(**document, posta="49.99"))
    assert Code.INSUFFICIENT_POSTA == code_of(ask(**document, posta="0.00"))
    assert ask(**document, posta="50.00")["accepted"]


GOOD = {"account": "VIP", "bets": [NEIGHBOURS], "outcome": 17}


def without(key):
    """A good document with one field left out."""
    return {name: value for name, value in GOOD.items() if name != key}


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        without("bets"),
        without("outcome"),
        GOOD | {"series_number": 17},
        GOOD | {"offset": 0},
        GOOD | {"demo": False},
        GOOD | {"bonus": 1},
        GOOD | {"outcome": 37},
        GOOD | {"outcome": True},
        GOOD | {"account": 5},
        GOOD | {"posta": 10},
        GOOD | {"limits": {}},
        GOOD | {"limits": None},
        without("outcome") | {"series_number": 37},
        without("outcome") | {"series_number": "7"},
        without("outcome") | {"series_number": 7, "offset": 37},
        without("outcome") | {"series_number": 7, "offset": -1},
        GOOD | {"bets": [{"neighbours": 17, "stake": 50}]},
        GOOD | {"bets": [{"neighbours": 17.0, "stake": "50.00"}]},
        GOOD | {"bets": [{"neighbours": 17, "stake": "50.00", "chip": "10.00"}]},
        GOOD | {"bets": [{"announced": "Voisins", "stake": "50.00"}]},
        GOOD | {"bets": [{"announced": "voisins", "stake": "1e2"}]},
        GOOD | {"bets": [{"numbers": [17], "stake": "50.00"}]},
    ],
)
def test_s6_what_is_no_document_is_malformed(document):
    """A wrong type, a missing or unknown field, an outcome told twice or with an offset."""
    assert Code.MALFORMED == code_of(quote(ENGINE, FAIRPLAY, document))


def test_what_cannot_be_read_comes_before_what_is_too_large():
    """Precedence is by code, not by place in the document."""
    large = {"numbers": [1], "amount": "100000000000.01"}
    document = GOOD | {"bets": [large], "posta": "x"}

    assert Code.AMOUNT_TOO_LARGE == code_of(ask(**GOOD | {"bets": [large]}))
    assert Code.MALFORMED == code_of(ask(**document))


def test_a_quote_without_an_account_type_is_refused_with_those_there_are():
    """It is not guessed."""
    answer = ask(**without("account"))

    assert RouletteCode.UNKNOWN_ACCOUNT == code_of(answer)
    assert "LITE, RESPECT, VIP" in answer["refusal"]["message"]
