"""The game part of a sheet by account type: one that is wrong or pays too little is not read."""

from fractions import Fraction

import orjson
import pytest

from games.roulette.fairplay.game import returns
from games.roulette.layout import Kind
from ledger.domain.decider import SheetError
from tests.fairplay_table import ENGINE, FAIRPLAY, changed, with_game

PAYS = {
    "straight": 35, "split": 17, "street": 11, "trio": 11, "corner": 8, "six-line": 5,
    "dozen": 2, "column": 2, "red": 1, "black": 1, "even": 1, "odd": 1, "low": 1, "high": 1,
}  # fmt: skip

PARTS = {
    "zero-spiel": {(0, 3): 1, (12, 15): 1, (26,): 1, (32, 35): 1},
    "voisins": {
        (0, 2, 3): 2, (4, 7): 1, (12, 15): 1, (18, 21): 1, (19, 22): 1, (25, 26, 28, 29): 2,
        (32, 35): 1,
    },
    "orphelins": {(1,): 1, (6, 9): 1, (14, 17): 1, (17, 20): 1, (31, 34): 1},
    "serie": {(5, 8): 1, (10, 11): 1, (13, 16): 1, (23, 24): 1, (27, 30): 1, (33, 36): 1},
}  # fmt: skip


def test_hw1_hw3_the_sheet_pays_by_the_rules_and_has_the_four_sectors():
    """No first four, streets with zero as streets; four, nine, five and six parts."""
    sheet = ENGINE.read_sheet(FAIRPLAY)

    assert {Kind(kind): times for kind, times in PAYS.items()} == dict(sheet.pays)
    assert PARTS == {
        name: {part.bet.numbers: part.chips for part in parts}
        for name, parts in sheet.announced.items()
    }
    assert (2, 5, 50, 37, 240 * 60 * 60, ("2D",)) == (
        sheet.neighbours,
        sheet.series.numbers_min,
        sheet.series.numbers_max,
        sheet.series.offsets,
        sheet.series.keep_seconds,
        sheet.series.clients,
    )
    assert {"LITE": False, "RESPECT": False, "VIP": True} == {
        name: account.own_limits for name, account in sheet.accounts.items()
    }


def test_c8_every_kind_of_bet_returns_36_of_37():
    """For each account type alike."""
    table = returns(ENGINE.read_sheet(FAIRPLAY))

    assert list(PAYS) == [each.kind for each in table]
    assert {Fraction(36, 37)} == {each.expected for each in table}


def test_hw6_hw8_the_rule_text_says_what_md5_no_longer_promises_and_what_sha_256_adds():
    """In both languages, in one paragraph that names both."""
    texts = orjson.loads(FAIRPLAY)["texts"]
    told = {"it": "L'MD5 da solo non vincola più", "en": "MD5 alone no longer binds"}

    for language, sentence in told.items():
        paragraphs = [text for text in texts[language] if sentence in text]
        assert 1 == len(paragraphs)
        assert "SHA-256" in paragraphs[0]


LITE = {
    "positions": {
        kind: {"min": 100, "max": 500}
        for kind in (
            "straight", "split", "street", "corner", "six-line",
            "column", "dozen", "low-high", "even-odd", "red-black",
        )
    },
    "groups": {"inside": {"min": 100, "max": 500}, "outside": {"min": 100, "max": 500}},
    "own_limits": False,
}  # fmt: skip
SERIES = {
    "numbers_min": 5, "numbers_max": 50, "offsets": 37, "keep_seconds": 1, "clients": [],
}  # fmt: skip


def without(document, part, name):
    """A document with one field of a part left out."""
    return document | {part: {k: v for k, v in document[part].items() if k != name}}


def test_g8_a_sheet_with_one_account_type_and_no_offsets_is_read():
    """What the refused sheets below differ from."""
    text = changed(
        lambda document: document.update(series=SERIES), with_game(accounts={"LITE": LITE})
    )
    sheet = ENGINE.read_sheet(text)

    assert (["LITE"], ()) == (list(sheet.accounts), sheet.series.clients)


@pytest.mark.parametrize(
    "rules",
    [
        {"pockets": 38},
        {"draw": "remainder"},
        {"zero": "half"},
        {"pays": {}},
        {"pays": PAYS | {"basket": 6}},
        {"pays": PAYS | {"straight": 32}},
        {"pays": {k: v for k, v in PAYS.items() if k != "straight"}, "announced": {}},
        {"announced": {"voisins": [{"numbers": [3, 4], "chips": 1}]}},
        {"announced": {"voisins": [{"numbers": [0, 1, 2, 3], "chips": 1}]}},
        {"neighbours": 0},
        {"neighbours": 19},
        {"neighbours": 2.0},
        {"accounts": {}},
        {"accounts": {"lite": LITE}},
        {"accounts": {"LITE": without(LITE, "positions", "dozen")}},
        {"accounts": {"LITE": without(LITE, "groups", "inside")}},
        {"accounts": {"LITE": LITE | {"groups": LITE["groups"] | {"middle": {}}}}},
        {"accounts": {"LITE": LITE | {"positions": LITE["positions"] | {"red": {}}}}},
        {
            "accounts": {
                "LITE": LITE
                | {"positions": LITE["positions"] | {"dozen": {"min": 501, "max": 500}}}
            }
        },
        {
            "accounts": {
                "LITE": LITE | {"positions": LITE["positions"] | {"dozen": {"min": 0, "max": 500}}}
            }
        },
        {"accounts": {"LITE": LITE | {"own_limits": 0}}},
        {"chips": [100]},
    ],
)
def test_g8_a_sheet_that_is_wrong_anywhere_is_not_read(rules):
    """Another wheel, draw or zero rule, limits with gaps or upside down."""
    with pytest.raises(SheetError):
        ENGINE.read_sheet(with_game(**rules))


@pytest.mark.parametrize(
    "terms",
    [
        SERIES | {"numbers_max": 51},
        SERIES | {"numbers_min": 51},
        SERIES | {"numbers_min": 0},
        SERIES | {"numbers_min": 6, "numbers_max": 5},
        SERIES | {"offsets": 36},
        SERIES | {"keep_seconds": 0},
        SERIES | {"clients": "2D"},
        {key: value for key, value in SERIES.items() if key != "clients"},
        None,
    ],
)
def test_hw6_a_sheet_whose_series_could_not_be_played_is_not_read(terms):
    """Longer than fifty, fewest more than most, an offset for each pocket but one, kept no time."""
    with pytest.raises(SheetError):
        ENGINE.read_sheet(changed(lambda document: document.update(series=terms)))


@pytest.mark.parametrize("name", ["roulette/1", "roulette-fairplay/2", "roulette-fairplay"])
def test_g8_a_sheet_for_another_engine_is_not_read(name):
    """The semantics that a sheet names are the only ones that may judge it."""
    with pytest.raises(SheetError, match="engine"):
        ENGINE.read_sheet(changed(lambda document: document.update(engine=name)))
