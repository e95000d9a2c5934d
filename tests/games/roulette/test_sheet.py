"""The game part of a roulette sheet: a sheet that is wrong or pays too little is never played."""

import pytest

from games.roulette.layout import Kind
from ledger.domain.decider import SheetError
from tests.roulette_table import CLASSIC, ENGINE, PREMIUM, VIP, changed, with_game

PAYS = {
    "straight": 35, "split": 17, "street": 11, "trio": 11, "corner": 8, "first-four": 8,
    "six-line": 5, "dozen": 2, "column": 2,
    "red": 1, "black": 1, "even": 1, "odd": 1, "low": 1, "high": 1,
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "chips"),
    [
        (CLASSIC, (25, 50, 100, 500, 1000)),
        (PREMIUM, (100, 500, 1000, 2500, 5000)),
        (VIP, (500, 2500, 5000, 10000, 50000)),
    ],
    ids=["classic", "premium", "vip"],
)
def test_er4_the_families_differ_by_their_chips_alone(text, chips):
    """All pay the printed table, take the three announced bets and set no further limits."""
    sheet = ENGINE.read_sheet(text)

    assert chips == sheet.chips.values
    assert {Kind(kind): times for kind, times in PAYS.items()} == dict(sheet.pays)
    assert {"voisins", "serie", "orphelins"} == set(sheet.announced)
    assert (dict(sheet.positions), sheet.table_max) == ({}, None)


@pytest.mark.parametrize("text", [CLASSIC, PREMIUM, VIP], ids=["classic", "premium", "vip"])
def test_c1_the_sheets_carry_the_terms_of_a_session(text):
    """At least 5.00, at most 1,000.00, and twenty minutes to come back."""
    changed_only = changed(
        lambda d: d.update(
            session={"right_min": 500, "posta_max": 100000, "reconnect_seconds": 1200}
        ),
        text,
    )

    assert text == changed_only


def test_a_sheet_is_read_once_and_remembered():
    """The same text gives the same object."""
    assert ENGINE.read_sheet(CLASSIC) is ENGINE.read_sheet(CLASSIC)


@pytest.mark.parametrize(
    ("kind", "lowest"),
    [("straight", 33), ("split", 16), ("corner", 8), ("six-line", 5), ("dozen", 2), ("red", 1)],
)
def test_c8_a_kind_that_returns_less_than_nine_tenths_is_refused(kind, lowest):
    """34 numbers' worth for a straight is 34/37 = 91.9 %; 33 would be 89.2 %."""
    ENGINE.read_sheet(with_game(pays=PAYS | {kind: lowest}))
    if lowest > 1:
        with pytest.raises(SheetError, match=kind):
            ENGINE.read_sheet(with_game(pays=PAYS | {kind: lowest - 1}))


@pytest.mark.parametrize(
    "rules",
    [
        {"pockets": 38},
        {"pockets": 37.0},
        {"draw": "remainder"},
        {"zero": "half"},
        {"pays": {}},
        {"pays": PAYS | {"basket": 6}},
        {"pays": PAYS | {"straight": 0}},
        {"pays": PAYS | {"straight": 35.5}},
        {"pays": PAYS | {"straight": "35"}},
        {"pays": PAYS | {"straight": True}},
        {"pays": PAYS | {"straight": 10**6}},
        {"chips": []},
        {"chips": [0, 25]},
        {"chips": [50, 25]},
        {"chips": [25, 25]},
        {"chips": [10**9]},
        {"announced": {"Voisins": []}},
        {"announced": {"voisins": [{"numbers": [3, 4], "chips": 1}]}},
        {"announced": {"voisins": [{"numbers": [], "chips": 1}]}},
        {"announced": {"voisins": [{"numbers": [4, 7], "chips": 0}]}},
        {"announced": {"voisins": [{"numbers": [4, 7], "chips": 1, "colour": 1}]}},
        {"pays": {"straight": 35}},
        {"limits": {"positions": {}}},
        {"limits": {"positions": {"basket": {}}, "table_max": None}},
        {"limits": {"positions": {"red": {"max": 0}}, "table_max": None}},
        {"limits": {"positions": {}, "table_max": -1}},
        {"bonus": True},
    ],
)
def test_g8_a_sheet_that_is_wrong_anywhere_is_not_read(rules):
    """Another wheel, draw or zero rule, wrong types, unknown kinds, chips out of order."""
    with pytest.raises(SheetError):
        ENGINE.read_sheet(with_game(**rules))


@pytest.mark.parametrize("name", ["roulette/2", "blackjack/1", "roulette"])
def test_g8_a_sheet_for_another_engine_is_not_read(name):
    """The semantics that a sheet names are the only ones that may judge it."""
    with pytest.raises(SheetError, match="engine"):
        ENGINE.read_sheet(changed(lambda document: document.update(engine=name)))
