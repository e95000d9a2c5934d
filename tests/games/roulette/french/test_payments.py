"""The order in which a table's winning bets are paid (FR4)."""

from itertools import permutations, product

import pytest

from games.roulette.french.payments import Due, Payer, in_order
from games.roulette.layout import PLACEMENTS, Kind
from tests.french_table import SHEET

GROUPS = [
    {"column"},
    {"dozen"},
    {"red", "black", "even", "odd", "low", "high"},
    {"six-line"},
    {"street", "trio"},
    {"corner", "first-four"},
    {"split"},
    {"straight"},
]
"""As the rules list them: each before all that follow."""


def place(kind):
    """The place of a kind in the rules' list."""
    return next(at for at, kinds in enumerate(GROUPS) if kind in kinds)


def paid(pocket, *dues, payment=SHEET.payment):
    """Bets of (seat, kind, stake) in the order of their payment, without the index of the bet."""
    bets = [Due(seat, bet, a(kind), stake) for bet, (seat, kind, stake) in enumerate(dues, 1)]
    return [(due.seat, due.position.kind, due.stake) for due in in_order(payment, pocket, bets)]


def a(kind, number=0):
    """A position of a kind: its first, or the one after so many."""
    return [placement for placement in PLACEMENTS if placement.kind == kind][number]


@pytest.mark.parametrize("pocket", [0, 1, 2, 35, 36])
def test_fr4_kinds_are_paid_in_the_rules_order_whatever_number_came(pocket):
    """Given every two kinds at one seat with any stakes, then the earlier group is paid first."""
    for one, other in product(Kind, Kind):
        if place(one) < place(other):
            for less, more in ((100, 900), (900, 100)):
                expected = [(1, one, less), (1, other, more)]

                assert expected == paid(pocket, *expected)
                assert expected == paid(pocket, *expected[::-1])


@pytest.mark.parametrize("pocket", [7, 8])
def test_fr4_of_columns_and_dozens_the_largest_is_paid_first(pocket):
    """Given stakes of 5, 20 and 10 around the table, then 20, 10 and 5."""
    for kind in ("column", "dozen"):
        dues = [(1, kind, 500), (3, kind, 2000), (2, kind, 1000)]

        assert [2000, 1000, 500] == [stake for _, _, stake in paid(pocket, *dues)]


@pytest.mark.parametrize("pocket", [7, 8])
@pytest.mark.parametrize(
    "kind",
    ["six-line", "street", "trio", "corner", "first-four", "split", "straight"],
)
def test_fr4_of_multiple_chances_the_smallest_is_paid_first(kind, pocket):
    """Given stakes of 5, 20 and 10 around the table, then 5, 10 and 20."""
    dues = [(1, kind, 500), (3, kind, 2000), (2, kind, 1000)]

    assert [500, 1000, 2000] == [stake for _, _, stake in paid(pocket, *dues)]


@pytest.mark.parametrize(
    ("pocket", "seats"), [(36, [3, 2, 1]), (1, [1, 2, 3]), (0, [3, 2, 1])], ids=str
)
def test_fr4_of_simple_chances_the_seat_farthest_from_the_payer_is_paid_first(pocket, seats):
    """Given seats counted from the left, then on even numbers the left croupier pays seat 3 first.

    On odd ones the right croupier pays seat 1 first; zero is paid as even numbers are. Neither the
    stake nor which of the six chances it is has any part in it.
    """
    dues = [(1, "high", 500), (3, "red", 2000), (2, "even", 100)]
    for order in permutations(dues):
        assert seats == [seat for seat, _, _ in paid(pocket, *order)]


def test_fr4_among_equals_the_lower_seat_and_the_earlier_bet_are_paid_first():
    """Given the same stakes in every order, then one order of payment."""
    dues = [Due(seat, bet, a("split", 9 - bet), 500) for seat, bet in product((1, 2), (1, 2))]
    for order in permutations(dues):
        assert [(1, 1), (1, 2), (2, 1), (2, 2)] == [
            (due.seat, due.bet) for due in in_order(SHEET.payment, 17, order)
        ]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("dozen", [(1, 2), (1, 4), (2, 1), (1, 1), (1, 3)]),
        ("split", [(1, 1), (1, 3), (2, 1), (1, 2), (1, 4)]),
    ],
)
def test_fr4_bets_on_one_position_are_one_bet_and_paid_together(kind, expected):
    """Given 4 and 4 on one position, 6 and 6 on another and 10 at the next seat, then 8, 10, 12."""
    one, other = a(kind), a(kind, 1)
    mine = [Due(1, 1, one, 400), Due(1, 2, other, 600), Due(1, 3, one, 400), Due(1, 4, other, 600)]
    for order in permutations([*mine, Due(2, 1, a(kind, 2), 1000)]):
        assert expected == [(due.seat, due.bet) for due in in_order(SHEET.payment, 7, order)]


def test_fr4_the_side_of_the_first_seat_and_the_payer_of_zero_are_the_sheets():
    """Given seats counted from the right and zero paid from there, then zero pays as odd does."""
    payer = Payer(even="left", odd="right", zero="right")
    payment = SHEET.payment.model_copy(update={"seat_one": "right", "payer": payer})
    dues = [(1, "red", 100), (2, "red", 100)]

    assert [2, 1] == [seat for seat, _, _ in paid(0, *dues, payment=payment)]
    assert [2, 1] == [seat for seat, _, _ in paid(1, *dues, payment=payment)]
    assert [1, 2] == [seat for seat, _, _ in paid(2, *dues, payment=payment)]
