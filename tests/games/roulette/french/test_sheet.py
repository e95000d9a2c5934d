"""The sheet of French roulette: what it holds, and that a wrong one is never played."""

from fractions import Fraction

import pytest

from games.roulette.french.sheet import read_sheet
from games.roulette.layout import Kind
from ledger.domain.decider import SheetError
from ledger.domain.sheets import read_head
from tests.french_table import CHANCES, FRENCH, SHEET, changed, with_game

PAYS = {
    "straight": 35, "split": 17, "street": 11, "trio": 11, "corner": 8, "first-four": 8,
    "six-line": 5, "dozen": 2, "column": 2,
    "red": 1, "black": 1, "even": 1, "odd": 1, "low": 1, "high": 1,
}  # fmt: skip
HALVES = {"worth": ["1/2", "1/4", "1/8"], "divided": "1/16", "rounding": "half-up"}

DOZENS = [list(range(first, first + 12)) for first in (1, 13, 25)]


def test_the_sheet_holds_what_the_rules_print():
    """Given version 1, then the table of winnings, the prison, the limits and the replays."""
    assert {Kind(kind): times for kind, times in PAYS.items()} == dict(SHEET.pays)
    assert (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)) == SHEET.prison.worth
    assert Fraction(1, 16) == SHEET.prison.divided
    assert (100, 100_000) == (SHEET.limits.min, SHEET.limits.max)
    assert {"serie": 3, "voisins": 2} == dict(SHEET.whole)
    assert 2 == SHEET.sector_neighbours


def test_fr7_winnings_are_credited_at_once_and_where_not_a_stake_plays_on_for_three_rounds():
    """Given the sheet, then three rounds on dozens, columns and chances, and none on the others."""
    assert "at-once" == SHEET.collecting.mode
    assert dict.fromkeys(map(Kind, ("dozen", "column", *CHANCES)), 3) == SHEET.collecting.rounds


def test_c1_a_session_has_the_common_terms_and_room_for_rounds_with_prisoners():
    """Given 5.00, 1,000.00 and twenty minutes, then twenty rounds may be open beside each other."""
    terms = read_head(FRENCH).session

    assert (500, 100_000, 1200, 20) == (
        terms.right_min,
        terms.posta_max,
        terms.reconnect_seconds,
        terms.rounds_max,
    )


def test_a_sheet_is_read_once_and_remembered():
    """The same text gives the same object."""
    assert read_sheet(FRENCH) is read_sheet(FRENCH)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({"pockets": 38}, "game.pockets"),
        ({"draw": "remainder"}, "game.draw"),
        ({"zero": "loses"}, "game.zero"),
        ({"pays": {kind: times for kind, times in PAYS.items() if kind != "red"}}, "must be paid"),
        ({"pays": PAYS | {"straight": 32}}, "straight returns 33/37"),
        ({"pays": PAYS | {"straight": "35"}}, "game.pays.straight"),
        ({"sector_neighbours": 0}, "game.sector_neighbours"),
        ({"sector_neighbours": 19}, "game.sector_neighbours"),
        ({"announced": {"voisins": [{"numbers": [3, 4], "chips": 1}]}}, "not offered"),
        ({"announced": {}}, "must have a name"),
        ({"finals": {"oblique": []}}, "game.finals.oblique"),
        ({"finals": {"full": [{"digits": [1], "laid": [[1, 3]]}]}}, "not offered"),
        ({"finals": {"full": [{"digits": [1], "laid": []}]}}, "game.finals.full.0.laid"),
        ({"finals": {"full": [{"digits": [], "laid": [[1]]}]}}, "game.finals.full.0.digits"),
        ({"finals": {"vertical": [{"digits": [4, 1], "laid": [[1, 4]]}]}}, "must ascend"),
        ({"finals": {"vertical": [{"digits": [1, 1], "laid": [[1, 4]]}]}}, "must ascend"),
        ({"finals": {"full": [{"digits": [1], "laid": [[1]]}] * 2}}, "stand once"),
        ({"finals": {"full": [{"digits": [9], "laid": DOZENS}]}}, "wins less than its replay"),
        ({"prison": HALVES | {"worth": []}}, "game.prison.worth"),
        ({"prison": HALVES | {"worth": ["1/2", "1/2"]}}, "worth less at each level"),
        ({"prison": HALVES | {"worth": ["1/2"], "divided": "1/2"}}, "worth less at each level"),
        ({"prison": HALVES | {"worth": ["1/1"]}}, "worth less at each level"),
        ({"prison": HALVES | {"worth": ["2/4", "1/8"]}}, "lowest terms"),
        ({"prison": HALVES | {"worth": ["0.5"]}}, "game.prison.worth.0"),
        ({"prison": HALVES | {"divided": "0/1"}}, "game.prison.divided"),
        ({"prison": HALVES | {"rounding": "down"}}, "game.prison.rounding"),
        ({"limits": {"min": 0, "max": 100}}, "game.limits.min"),
        ({"limits": {"min": 101, "max": 100}}, "game.limits"),
        ({"limits": {"min": 100}}, "game.limits.max"),
        ({"replays": {"whole": {"voisins": 3}}}, "voisins brings less"),
        ({"replays": {"whole": {"serie": 4}}}, "serie brings less"),
        ({"replays": {"whole": {"sector": 2}}}, "sector is replayed"),
        ({"collecting": {"mode": "never", "rounds": {}}}, "game.collecting.mode"),
        ({"collecting": {"mode": "manual", "rounds": {"red": 0}}}, "game.collecting.rounds.red"),
        ({"collecting": {"mode": "manual", "rounds": {"basket": 3}}}, "game.collecting.rounds"),
        ({"bonus": True}, "game.bonus"),
    ],
    ids=str,
)
def test_g8_a_sheet_that_is_wrong_anywhere_is_not_read(rules, told):
    """Given another wheel or zero, wrong shares, unknown placements or replays beyond their win."""
    with pytest.raises(SheetError, match=told):
        read_sheet(with_game(**rules))


def without(*place):
    """The sheet without what stands at a place of its game part."""

    def change(document):
        *path, last = place
        part = document["game"]
        for step in path:
            part = part[step]
        del part[last]

    return changed(change, FRENCH)


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (("names", "kinds", "split"), "kind of bet .* must have a name"),
        (("names", "finals", "vertical"), "shape of a final must have a name"),
        (("names", "announced", "nassa"), "announced bet must have a name"),
        (("announced", "nassa"), "and none besides them"),
        (("names", "kinds", "split", "fr"), "game.names.kinds.split.fr"),
        (("payment", "groups", 3), "game.payment"),
        (("payment", "payer", "zero"), "game.payment.payer.zero"),
        (("payment", "seat_one"), "game.payment.seat_one"),
        (("collecting",), "game.collecting"),
    ],
    ids=str,
)
def test_g8_a_sheet_that_leaves_a_name_or_a_place_of_payment_out_is_not_read(place, told):
    """Given a bet without a name, a kind that nobody pays or a side left open, then no sheet."""
    with pytest.raises(SheetError, match=told):
        read_sheet(without(*place))


def test_g8_a_kind_that_is_paid_in_two_groups_is_not_read():
    """Given straights among the splits too, then which of the two would come first is unknown."""

    def twice(document):
        document["game"]["payment"]["groups"][6]["kinds"].append("straight")

    with pytest.raises(SheetError, match=r"game\.payment"):
        read_sheet(changed(twice, FRENCH))


def test_c8_a_prison_that_returns_less_than_nine_tenths_cannot_be():
    """Given shares as small as can be written, then 36/37 of a chance is still returned."""
    prison = {"worth": ["1/9999"], "divided": "1/9999", "rounding": "half-up"}
    with pytest.raises(SheetError, match="less"):
        read_sheet(with_game(prison=prison))
    tiny = prison | {"worth": ["2/9999"]}

    assert Fraction(2, 9999) == read_sheet(with_game(prison=tiny)).prison.worth[0]


@pytest.mark.parametrize("name", ["french-roulette/2", "roulette/1", "french-roulette"])
def test_g8_a_sheet_for_another_engine_is_not_read(name):
    """The semantics that a sheet names are the only ones that may judge it."""
    with pytest.raises(SheetError, match="engine"):
        read_sheet(changed(lambda document: document.update(engine=name), FRENCH))
