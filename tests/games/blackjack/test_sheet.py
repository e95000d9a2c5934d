"""The game part of a sheet of Live Blackjack: the printed rules, and no contradiction."""

from fractions import Fraction

import orjson
import pytest

from games.blackjack.sheet import read_sheet
from games.engine import RETURN_MIN
from games.ranges import Range
from ledger.domain.decider import SheetError
from tests.blackjack_table import FILE, SHEET, ask, box
from tests.roulette_table import changed

GAME = orjson.loads(FILE.text)["game"]


def with_game(**rules):
    """The sheet's text with other values in its game part."""
    return changed(lambda document: document["game"].update(rules), FILE.text)


def test_bj1_the_shoe_has_eight_decks_and_is_cut_about_the_middle():
    """Given 416 cards, then 192 to 224 of them before the cutting card, evenly about 208."""
    assert (8, 192, 224) == (SHEET.decks, SHEET.cut.fewest, SHEET.cut.most)
    assert 8 * 52 == SHEET.cut.fewest + SHEET.cut.most


def test_the_sheet_carries_the_rules_as_printed():
    """Given BJ1 to BJ6, then these rules, and 3 to 2, a half and 2 to 1."""
    rules = SHEET.rules

    assert (False, {9, 10, 11}, False) == (
        rules.hits_soft_17,
        rules.double_totals,
        rules.double_after_split,
    )
    assert (False, False) == (rules.split_by_rank, rules.split_aces_play)
    assert (Fraction(3, 2), Fraction(1, 2), Fraction(2)) == (
        rules.blackjack_pays,
        rules.insurance_share,
        rules.insurance_pays,
    )


def test_bj8_the_sheet_carries_seats_limits_and_times():
    """Given the sheet, then seven seats, any bet that a session can pay, 20 seconds, 10 minutes."""
    assert (7, Range(min=1, max=100_000)) == (SHEET.seats, SHEET.limits)
    assert (20, 600) == (SHEET.act_seconds, SHEET.inactive_seconds)


def test_c1_the_sheet_carries_the_terms_of_a_session():
    """Given the sheet, then at least 5.00, at most 1,000.00, and twenty minutes to come back."""
    terms = {"right_min": 500, "posta_max": 100_000, "reconnect_seconds": 1200}

    assert terms == orjson.loads(FILE.text)["session"]


def test_c8_every_strategy_that_the_sheet_declares_returns_nine_tenths():
    """Given the declared returns, then none is less than 90 %."""
    assert all(declared.expected >= RETURN_MIN for declared in SHEET.returns.values())
    assert "printed" in SHEET.returns


def test_c8_a_declared_return_of_less_than_nine_tenths_is_refused():
    """Given exactly 9/10 then it is read, given a little less it is not."""
    told = {"expected": "9/10", "variance": "1/1"}

    least = read_sheet(with_game(returns={"printed": told}))

    assert Fraction(9, 10) == least.returns["printed"].expected
    with pytest.raises(SheetError, match="printed play returns"):
        read_sheet(with_game(returns={"printed": told | {"expected": "899/1000"}}))


@pytest.mark.parametrize(
    ("rules", "match"),
    [
        ({"shoe": {"decks": 8, "cut_min": 225, "cut_max": 224}}, "fewest cards"),
        ({"shoe": {"decks": 8, "cut_min": 208, "cut_max": 279}}, "behind the cutting card"),
        ({"shoe": {"decks": 2, "cut_min": 50, "cut_max": 50}}, "behind the cutting card"),
        ({"limits": {"min": 1, "max": 10**11 + 1}}, "could bring more"),
        ({"limits": {"min": 2, "max": 1}}, "limits"),
        ({"insurance": GAME["insurance"] | {"share": "3/2"}}, "not more than the bet"),
        ({"insurance": GAME["insurance"] | {"share": "2/4"}}, "lowest terms"),
        ({"insurance": GAME["insurance"] | {"rounding": "half-up"}}, "insurance.rounding"),
        ({"blackjack_pays": "6/4"}, "lowest terms"),
        ({"blackjack_pays": "21/2"}, "10 times its stake"),
        ({"insurance": GAME["insurance"] | {"pays": "11/1"}}, "10 times its stake"),
        ({"double": {"totals": [], "after_split": False}}, "double.totals"),
        ({"double": {"totals": [21], "after_split": False}}, "double.totals"),
        ({"soft_17": "draws"}, "soft_17"),
        ({"seats": 8}, "seats"),
        ({"times": {"act": 20, "inactive": 299}}, "times.inactive"),
        ({"times": {"act": 20, "inactive": 601}}, "times.inactive"),
        ({"returns": {}}, "returns"),
        ({"returns": {"perfect": {"expected": "1/1", "variance": "1/1"}}}, "returns"),
        ({"surrender": "late"}, "surrender"),
    ],
)
def test_g8_a_sheet_that_contradicts_itself_is_not_read(rules, match):
    """Given each change, then the sheet is refused and the place of the fault is named."""
    with pytest.raises(SheetError, match=match):
        read_sheet(with_game(**rules))


def test_a_round_fits_behind_the_cutting_card_to_the_last_card():
    """Given 278 cards before it, then the most that 15 hands can take, 138, are left."""
    shoe = {"decks": 8, "cut_min": 208, "cut_max": 278}

    assert 278 == read_sheet(with_game(shoe=shoe)).cut.most


@pytest.mark.parametrize(
    ("rules", "boxes", "shoe", "credited"),
    [
        ({"soft_17": "hits"}, [box("stand")], "Tc Ad 8c 6d 2d", "0.00"),
        ({"soft_17": "hits"}, [box("stand")], "Tc Td 8c 7d", "20.00"),
        ({"blackjack_pays": "6/5"}, [box()], "Ac 6d Kc", "22.00"),
        ({"double": {"totals": [16], "after_split": True}},
         [box("split", "stand", "double")], "8c 6d 8d 2c 8s 4c Td 2d", "40.00"),
        ({"split": {"equal": "value", "aces": "played"}},
         [box("split", "hit", "stand", "stand")], "Ac 6d Ad 5c 9c 4c Td 2d", "40.00"),
        ({"insurance": {"share": "1/5", "rounding": "down", "pays": "3/1"}},
         [box("stand", insurance=True)], "Tc Ad 8c Kd", "8.00"),
    ],
)  # fmt: skip
def test_g8_a_house_with_other_rules_is_judged_by_its_own_sheet(rules, boxes, shoe, credited):
    """Given another rule, then the same cards bring what that rule gives."""
    assert credited == ask(boxes, shoe, with_game(**rules))["credited"]


def test_g8_pairs_by_rank_alone_are_a_rule_of_the_sheet():
    """Given a sheet that splits by rank, then T-K is no pair, and K-K is one."""
    text = with_game(split={"equal": "rank", "aces": "one-card"})

    assert not ask([box("split")], "Tc 6d Kc 2c 3c Td Kd", text)["accepted"]
    assert ask([box("split")], "Kc 6d Kd 2c 3c Td Kd", text)["accepted"]
