"""Announced bets of French roulette, chip by chip as the rules table them (FR5)."""

import pytest

from games.roulette.french.calls import call_of
from games.roulette.french.sheet import read_sheet
from games.roulette.refusals import RouletteCode
from ledger.domain.refusals import Code
from tests.french_table import SHEET, laid, read, with_game

WHEEL = [
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20,
    14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26,
]  # fmt: skip

NAMED = {
    "voisins": ({(0, 2, 3): 2, (25, 26, 28, 29): 2, (4, 7): 1, (12, 15): 1, (18, 21): 1,
                 (19, 22): 1, (32, 35): 1}, 9),
    "serie": ({(5, 8): 1, (10, 11): 1, (13, 16): 1, (23, 24): 1, (27, 30): 1, (33, 36): 1}, 6),
    "orphelins": ({(1,): 1, (6, 9): 1, (14, 17): 1, (17, 20): 1, (31, 34): 1}, 5),
    "nassa": ({(0, 3): 1, (12, 15): 1, (19,): 1, (26,): 1, (32, 35): 1}, 5),
    "zero-spiel": ({(0, 3): 1, (12, 15): 1, (26,): 1, (32, 35): 1}, 4),
}  # fmt: skip
"""What the rules print for each, with its number of chips."""

FULL = {**dict.fromkeys(range(7), 4), **dict.fromkeys((7, 8, 9), 3)}
HORIZONTAL = {
    **dict.fromkeys(((0, 1), (1, 2), (2, 3), (4, 5), (5, 6)), 5),
    **dict.fromkeys(((7, 8), (8, 9)), 4),
}
VERTICAL = {
    **dict.fromkeys(((0, 3), (1, 4), (2, 5), (3, 6)), 4),
    **dict.fromkeys(((4, 7), (5, 8), (6, 9), (7, 10), (8, 11), (9, 12)), 3),
}
"""The printed table of finals: digits and how many chips they take."""


def final(*digits):
    """What a final lays with a chip of 1.00."""
    return laid({"announced": "final", "digits": list(digits), "chip": "1.00"})


def in_row(a, b):
    """Whether two following numbers lie beside each other on the layout; zero borders on 1."""
    return a == 0 or (a - 1) // 3 == (b - 1) // 3


@pytest.mark.parametrize("name", NAMED)
def test_fr5_each_announced_bet_lays_the_printed_chips(name):
    """Given a chip of 1.00, then each printed placement has its chips, in the printed number."""
    expected, chips = NAMED[name]
    lain = laid({"announced": name, "chip": "1.00"})

    assert {numbers: 100 * n for numbers, n in expected.items()} == lain
    assert 100 * chips == sum(lain.values())


@pytest.mark.parametrize(
    ("name", "arcs"),
    [
        ("voisins", [(22, 25)]),
        ("serie", [(27, 33)]),
        ("orphelins", [(17, 6), (1, 9)]),
    ],
)
def test_fr5_the_three_large_bets_cover_their_arcs_of_the_wheel(name, arcs):
    """Given from where to where each goes around the wheel, then it covers that and no more."""
    twice = WHEEL + WHEEL
    expected = set()
    for first, last in arcs:
        start = twice.index(first)
        expected |= set(twice[start : twice.index(last, start) + 1])

    assert expected == set().union(*laid({"announced": name, "chip": "1.00"}))


def test_fr5_the_three_large_bets_cover_the_wheel_once():
    """Given seventeen, twelve and eight numbers, then all 37 are covered, each by one of them."""
    covered = [
        set().union(*laid({"announced": name, "chip": "1.00"}))
        for name in ("voisins", "serie", "orphelins")
    ]

    assert [17, 12, 8] == list(map(len, covered))
    assert set(range(37)) == set().union(*covered)


@pytest.mark.parametrize("number", range(37))
def test_fr5_a_sector_is_five_straights_around_its_number_on_the_wheel(number):
    """Given each number, then it and two to each side are laid with one chip each."""
    at = WHEEL.index(number)
    around = [(WHEEL[(at + step) % 37],) for step in (-2, -1, 0, 1, 2)]

    lain = laid({"announced": "sector", "number": number, "chip": "2.50"})

    assert dict.fromkeys(around, 250) == lain


@pytest.mark.parametrize(("digit", "chips"), FULL.items())
def test_fr5_a_full_final_is_every_number_that_ends_in_its_digit(digit, chips):
    """Given each digit, then straights on its numbers, four up to 6 and three from 7 on."""
    lain = final(digit)

    assert {(n,): 100 for n in range(37) if str(n)[-1] == str(digit)} == lain
    assert chips == len(lain)


@pytest.mark.parametrize(("digits", "chips"), HORIZONTAL.items())
def test_fr5_a_horizontal_final_joins_numbers_of_a_row_and_plays_the_others_straight(digits, chips):
    """Given each printed pair, then its numbers are on splits where a row joins them."""
    expected = set()
    for tens in (0, 10, 20, 30):
        a, b = (tens + digit for digit in digits)
        if b <= 36:
            expected |= {(a, b)} if in_row(a, b) else {(a,), (b,)}
    lain = final(*digits)

    assert dict.fromkeys(expected, 100) == lain
    assert chips == len(lain)


@pytest.mark.parametrize(("digits", "chips"), VERTICAL.items())
def test_fr5_a_vertical_final_joins_numbers_three_apart_and_leaves_a_single_one_out(digits, chips):
    """Given each printed pair, then splits along the layout, up to the last that is whole."""
    pairs = [tuple(tens + digit for digit in digits) for tens in (0, 10, 20, 30)]
    lain = final(*digits)

    assert dict.fromkeys([pair for pair in pairs if pair[1] <= 36], 100) == lain
    assert chips == len(lain)


def test_fr5_the_final_8_9_is_laid_as_the_rules_print_it():
    """Given 8-9, then the splits 8-9 and 28-29 and the straights 18 and 19."""
    assert {(8, 9): 100, (18,): 100, (19,): 100, (28, 29): 100} == final(8, 9)


def test_fr5_no_final_is_offered_beyond_the_printed_table():
    """Given every number and pair up to 13, then 27 finals are taken and all others refused.

    Neither 3-4 nor 6-7 is among them, nor a vertical that would begin at 10.
    """
    asked = [(a,) for a in range(-1, 14)]
    asked += [(a, b) for a in range(14) for b in range(a, 14)]
    taken = {digits for digits in asked if isinstance(final(*digits), dict)}

    assert {(digit,) for digit in FULL} | set(HORIZONTAL) | set(VERTICAL) == taken
    assert 27 == len(taken)
    assert {RouletteCode.ANNOUNCED_NOT_OFFERED} == {
        final(*digits).code for digits in asked if digits not in taken
    }


def test_fr5_digits_are_taken_in_any_order():
    """Given 6 and 3, then it is the final 3-6."""
    assert final(3, 6) == final(6, 3)


def test_fr5_a_refused_final_is_told_which_there_are():
    """Given 3-4, then the list of finals, which does not have it."""
    message = final(3, 4).message

    assert "2-3, 4-5" in message
    assert "9-12" in message
    assert "3-4" not in message


@pytest.mark.parametrize("number", [-1, 37, 999])
def test_s9_a_sector_around_no_number_of_the_wheel_is_refused(number):
    """Given a number that is on no wheel, then no other is taken for it."""
    refusal = laid({"announced": "sector", "number": number, "chip": "1.00"})

    assert RouletteCode.ILLEGAL_PLACEMENT == refusal.code


@pytest.mark.parametrize(
    "line",
    [
        {"announced": "voisins", "number": 17, "chip": "1.00"},
        {"announced": "voisins", "digits": [1], "chip": "1.00"},
        {"announced": "sector", "number": "17", "chip": "1.00"},
        {"announced": "sector", "number": True, "chip": "1.00"},
        {"announced": "sector", "number": 17.0, "chip": "1.00"},
        {"announced": "sector", "number": 1000, "chip": "1.00"},
        {"announced": "sector", "number": 17, "amount": "1.00"},
        {"announced": "sector", "number": 17, "digits": [1], "chip": "1.00"},
        {"announced": "final", "digits": [], "chip": "1.00"},
        {"announced": "final", "digits": [1, 2, 3], "chip": "1.00"},
        {"announced": "final", "digits": 1, "chip": "1.00"},
        {"announced": "final", "digits": ["1"], "chip": "1.00"},
        {"announced": "final", "digits": [1, 2.0], "chip": "1.00"},
        {"announced": "final", "digits": [False], "chip": "1.00"},
        {"announced": "final", "digits": [1], "chip": "1e2"},
        {"announced": "sector", "number": 17, "chip": 1},
        {"announced": ["final"], "digits": [1], "chip": "1.00"},
    ],
)
def test_s6_what_cannot_be_read_as_a_call_is_malformed(line):
    """Given a wrong type, a wrong key or a wrong amount, then nothing is guessed."""
    assert Code.MALFORMED == read(line).code


@pytest.mark.parametrize("name", ["sector", "final", "tiers"])
def test_fr5_a_call_that_the_sheet_does_not_know_is_not_offered(name):
    """Given a sector without a number, a final without digits or a foreign name, then no bet."""
    refusal = laid({"announced": name, "chip": "1.00"})

    assert RouletteCode.ANNOUNCED_NOT_OFFERED == refusal.code
    assert "nassa, orphelins, serie, voisins, zero-spiel" in refusal.message


@pytest.mark.parametrize(
    ("line", "chips", "it", "fr"),
    [
        ({"announced": "voisins"}, 9, "vicini dello zero", "voisins du zéro"),
        ({"announced": "serie"}, 6, "serie 5-8", "tiers du cylindre"),
        ({"announced": "orphelins"}, 5, "orfanelli", "orphelins"),
        ({"announced": "nassa"}, 5, "nassa", "nassa"),
        ({"announced": "zero-spiel"}, 4, "zero spiel", "zéro spiel"),
        ({"announced": "sector", "number": 17}, 5, "settore 17", "numéro et deux voisins 17"),
        ({"announced": "final", "digits": [7]}, 3, "finale in pieno 7", "finale en plein 7"),
        (
            {"announced": "final", "digits": [9, 8]},
            4,
            "finale a cavallo orizzontale 8-9",
            "finale à cheval horizontale 8-9",
        ),
        (
            {"announced": "final", "digits": [9, 12]},
            3,
            "finale a cavallo verticale 9-12",
            "finale à cheval verticale 9-12",
        ),
    ],
)
def test_fr5_a_call_has_its_chips_and_its_name_in_italian_and_french(line, chips, it, fr):
    """Given each kind of call, then what the croupier repeats."""
    call = call_of(SHEET, read(line | {"chip": "1.00"}), "Bet 1")

    assert (chips, it, fr) == (call.chips, call.name.it, call.name.fr)


def test_the_width_of_a_sector_and_the_finals_are_the_sheets():
    """Given a sheet with three neighbours and one final, then seven straights and that final."""
    finals = {"full": [{"digits": [1], "laid": [[1], [11]]}], "horizontal": [], "vertical": []}
    sheet = read_sheet(with_game(sector_neighbours=3, finals=finals))

    assert 7 == len(laid({"announced": "sector", "number": 0, "chip": "1.00"}, sheet))
    one = {"announced": "final", "digits": [1], "chip": "1.00"}
    assert {(1,): 100, (11,): 100} == laid(one, sheet)
