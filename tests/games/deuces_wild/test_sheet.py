"""The game part of a Deuces Wild sheet: the printed table, and nothing that contradicts itself."""

from fractions import Fraction

import orjson
import pytest

from games.deuces_wild.hand import Category
from games.deuces_wild.sheet import read_sheet
from games.sheets import packaged
from ledger.domain.decider import SheetError
from tests.roulette_table import changed

(FILE,) = packaged("games.deuces_wild")
GAME = orjson.loads(FILE.text)["game"]

PRINTED = """
natural-royal    250 500 750 1000 4000
four-deuces      200 400 600 800 1000
wild-royal       25 50 75 100 125
five-of-a-kind   15 30 45 60 75
straight-flush   9 18 27 36 45
four-of-a-kind   4 8 12 16 20
full-house       4 8 12 16 20
flush            3 6 9 12 15
straight         2 4 6 8 10
three-of-a-kind  1 2 3 4 5
"""


def with_game(**rules):
    """The sheet's text with other values in its game part."""
    return changed(lambda document: document["game"].update(rules), FILE.text)


def test_dw1_the_sheet_pays_the_printed_table_for_each_number_of_coins():
    """Given ten winning categories and one to five coins, then fifty figures, and no other win."""
    rows = [line.split() for line in PRINTED.split("\n") if line]
    sheet = read_sheet(FILE.text)

    assert {Category(name): tuple(map(int, pays)) for name, *pays in rows} == dict(sheet.pays)
    assert [4000, 5, 0] == [
        sheet.pay(category, 5)
        for category in (Category.NATURAL_ROYAL, Category.THREE_OF_A_KIND, Category.NOTHING)
    ]
    assert [1, 2, 3, 4] == [sheet.pay(Category.THREE_OF_A_KIND, coins) for coins in (1, 2, 3, 4)]


def test_dw3_dw4_dw6_the_sheet_carries_coins_and_the_bounds_of_the_double_up():
    """Given the sheet, then six coin values, 1,000.00 and five times, and the deuce is highest."""
    sheet = read_sheet(FILE.text)

    assert ((10, 25, 50, 100, 200, 500), 5) == (sheet.coin_values, sheet.coins_max)
    assert (100_000, 5, "3456789TJQKA2") == (sheet.limit, sheet.count_max, sheet.ranks)


def test_c1_the_sheet_carries_the_terms_of_a_session():
    """Given the sheet, then at least 5.00, at most 1,000.00, and twenty minutes to come back."""
    terms = {"right_min": 500, "posta_max": 100_000, "reconnect_seconds": 1200}

    assert terms == orjson.loads(FILE.text)["session"]


@pytest.mark.parametrize(
    ("language", "ends", "first"),
    [
        ("it", ("scade", "autoesclude"), "scegliendo la prima delle quattro carte"),
        ("en", ("expires", "excluded"), "picking the first of the four cards"),
    ],
)
def test_dw5_the_rules_say_how_a_double_up_in_play_ends_without_its_player(language, ends, first):
    """Given an expiry or an exclusion, then players read that the first card is picked for them."""
    told = orjson.loads(FILE.text)["texts"][language]

    assert [True] == [first in text for text in told if all(end in text for end in ends)]


def test_c8_the_declared_returns_round_to_the_printed_ones():
    """Given the sheet, then 97.69 % for one to four coins and 98.91 % for five."""
    returns = read_sheet(FILE.text).returns

    assert {1: "97.69", 2: "97.69", 3: "97.69", 4: "97.69", 5: "98.91"} == {
        coins: f"{float(100 * expected):.2f}" for coins, expected in returns.items()
    }


def test_c8_a_declared_return_of_less_than_nine_tenths_is_refused():
    """Given exactly 9/10 then it is read, given a little less it is not."""
    least = read_sheet(with_game(returns=GAME["returns"] | {"3": "9/10"}))

    assert Fraction(9, 10) == least.returns[3]
    with pytest.raises(SheetError, match="3 coins return"):
        read_sheet(with_game(returns=GAME["returns"] | {"3": "899/1000"}))


def test_a_sheet_is_read_once_and_remembered():
    """Given the same text twice, then the same object."""
    assert read_sheet(FILE.text) is read_sheet(FILE.text)


def pays(**rows):
    """The pay table with other rows; None takes a row away."""
    changes = {name.replace("_", "-"): row for name, row in rows.items()}
    return {
        "pays": {name: row for name, row in (GAME["pays"] | changes).items() if row is not None}
    }


def double_up(**values):
    """The double-up with other values."""
    return {"double_up": GAME["double_up"] | values}


@pytest.mark.parametrize(
    "rules",
    [
        {"draw": "remainder"},
        {"coins_max": 0},
        {"coins_max": 4},
        {"coins_max": 6},
        {"coins_max": 5.0},
        {"coin_values": []},
        {"coin_values": [0, 25]},
        {"coin_values": [50, 25]},
        {"coin_values": [25, 25]},
        {"coin_values": [10**9]},
        {"coin_values": ["25"]},
        {"pays": {}},
        pays(flush=None),
        pays(nothing=[1, 2, 3, 4, 5]),
        pays(pair_of_jacks=[1, 2, 3, 4, 5]),
        pays(flush=[3, 6, 9, 12]),
        pays(flush=[3, 6, 9, 12, 15, 18]),
        pays(flush=[3, 6, 6, 12, 15]),
        pays(flush=[3, 6, 9, 12, 11]),
        pays(flush=[5, 6, 9, 12, 15]),
        pays(flush=[3, 6, 9, 12, 21]),
        pays(three_of_a_kind=[0, 2, 3, 4, 5]),
        pays(three_of_a_kind=[1, 2, 3, 4, 5.0]),
        pays(three_of_a_kind=[1, 2, 3, 4, "5"]),
        pays(three_of_a_kind=[True, 2, 3, 4, 5]),
        pays(natural_royal=[250, 500, 750, 1000, 10**6]),
        double_up(limit=0),
        double_up(count_max=0),
        double_up(count_max="5"),
        double_up(ranks="3456789TJQKA"),
        double_up(ranks="3456789TJQKAA"),
        double_up(ranks="3456789TJQKA22"),
        double_up(ranks="3456789TJQKA1"),
        double_up(ranks=list("3456789TJQKA2")),
        double_up(colour="red"),
        {"returns": {}},
        {"returns": {str(coins): "98/100" for coins in range(1, 6)}},
        {"returns": GAME["returns"] | {"6": "49/50"}},
        {"returns": GAME["returns"] | {"05": "49/50"}},
        {"returns": GAME["returns"] | {"5": "0.98"}},
        {"returns": GAME["returns"] | {"5": "-49/50"}},
        {"returns": GAME["returns"] | {"5": "49/0"}},
        {"returns": GAME["returns"] | {"5": "1" * 500 + "/7"}},
        {"returns": GAME["returns"] | {"5": 1}},
        {"variances": {}},
        {"variances": GAME["variances"] | {"1": "24/2"}},
        {"bonus": True},
    ],
)
def test_g8_a_sheet_that_is_wrong_anywhere_is_not_read(rules):
    """Given another draw, tables that fall, ranks twice, loose fractions, then `SheetError`."""
    with pytest.raises(SheetError):
        read_sheet(with_game(**rules))


@pytest.mark.parametrize("rounds", [2, 200])
def test_dw4_a_sheet_with_more_than_one_round_at_a_time_is_not_read(rounds):
    """Given two rounds in play, then cards could be dealt beside a win that is on offer."""
    text = changed(lambda document: document["session"].update(rounds_max=rounds), FILE.text)

    with pytest.raises(SheetError, match="one round at a time"):
        read_sheet(text)


def test_g2_a_double_up_that_could_pass_the_largest_amount_is_not_read():
    """Four pushes of the limit and a win bring six times the limit, beside 10,000,000,000,000."""
    assert 1_666_666_666_666 == read_sheet(with_game(**double_up(limit=1_666_666_666_666))).limit
    with pytest.raises(SheetError, match="could pass the largest amount"):
        read_sheet(with_game(**double_up(limit=1_666_666_666_667)))


def test_g8_a_lower_category_may_pay_as_much_as_the_next_higher_one():
    """Given a flush that pays as a full house, then the sheet is read: four of a kind does too."""
    rows = pays(flush=GAME["pays"]["full-house"])["pays"]

    assert (4, 8, 12, 16, 20) == read_sheet(with_game(pays=rows)).pays[Category.FLUSH]


def test_g8_the_order_in_which_the_text_names_the_pays_does_not_matter():
    """Given rows written backwards, then the sheet lists them from the highest category down."""
    backwards = dict(reversed(GAME["pays"].items()))
    names = list(Category)

    assert names[:-1] == list(read_sheet(with_game(pays=backwards)).pays)


@pytest.mark.parametrize("field", ["draw", "coins_max", "coin_values", "pays", "double_up"])
def test_g8_a_missing_rule_is_named(field):
    """Given a sheet without one of its rules, then the error says which."""
    text = changed(lambda document: document["game"].pop(field), FILE.text)

    with pytest.raises(SheetError, match=field):
        read_sheet(text)


@pytest.mark.parametrize("name", ["deuces-wild/2", "roulette/1", "deuces-wild"])
def test_g8_a_sheet_for_another_engine_is_not_read(name):
    """Given a sheet that names other semantics, then this reader may not judge by it."""
    with pytest.raises(SheetError, match="engine"):
        read_sheet(changed(lambda document: document.update(engine=name), FILE.text))
