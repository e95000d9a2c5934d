"""Limits by account type hold for sums, per position and per group with a bet (HW1, HW4, S7)."""

import pytest

from games.ranges import Range
from games.roulette.fairplay.limits import (
    Group,
    GroupRange,
    OwnLimits,
    Row,
    RowRange,
    read_own,
)
from games.roulette.refusals import RouletteCode
from ledger.domain.refusals import Code, Refusal
from tests.fairplay_table import (
    ACCOUNTS,
    ENGINE,
    FAIRPLAY,
    GROUPS,
    TABLE,
    code_of,
    place,
    roubles,
    with_first_four,
)

BETS = {
    "straight": [{"numbers": [17]}, {"numbers": [0]}],
    "split": [{"numbers": [0, 2]}, {"numbers": [17, 20]}],
    "street": [{"numbers": [34, 35, 36]}, {"numbers": [0, 1, 2]}, {"numbers": [0, 2, 3]}],
    "corner": [{"numbers": [25, 26, 28, 29]}],
    "six-line": [{"numbers": [1, 2, 3, 4, 5, 6]}],
    "column": [{"numbers": list(range(1, 37, 3))}],
    "dozen": [{"numbers": list(range(13, 25))}],
    "low-high": [{"chance": "low"}, {"chance": "high"}],
    "even-odd": [{"chance": "even"}, {"chance": "odd"}],
    "red-black": [{"chance": "red"}, {"chance": "black"}],
}
"""Placements of each of the ten kinds, as documents write them."""

CASES = [
    (account, row, bet, *TABLE[row][column])
    for column, account in enumerate(ACCOUNTS)
    for row in TABLE
    for bet in BETS[row]
]


def kopecks(amount, more):
    """Roubles and some kopecks more or less, as a document writes them."""
    whole = 100 * amount + more
    return f"{whole // 100}.{whole % 100:02}"


@pytest.mark.parametrize("text", [FAIRPLAY], ids=["sheet"])
def test_hw4_the_sheet_holds_the_tables_of_the_rules(text):
    """Ten kinds and two groups, minimum and maximum in roubles, for three account types."""
    accounts = ENGINE.read_sheet(text).accounts

    assert ACCOUNTS == tuple(accounts)
    for column, account in enumerate(ACCOUNTS):
        limits = accounts[account].limits
        positions = {row: (r.min, r.max) for row, r in limits.positions.items()}
        groups = {group: (r.min, r.max) for group, r in limits.groups.items()}
        assert {k: (100 * v[column][0], 100 * v[column][1]) for k, v in TABLE.items()} == positions
        assert {k: (100 * v[column][0], 100 * v[column][1]) for k, v in GROUPS.items()} == groups


@pytest.mark.parametrize(("account", "row", "bet", "least", "most"), CASES)
def test_hw4_each_position_takes_its_range_and_not_a_kopeck_beyond(account, row, bet, least, most):
    """Minimum and maximum are taken; one kopeck less or more is refused with its code."""
    tried = [kopecks(least, -1), roubles(least), roubles(most), kopecks(most, 1)]
    answers = [place([bet | {"amount": amount}], account) for amount in tried]

    assert [100 * least, 100 * most] == [answer[0].amount for answer in answers[1:3]]
    assert [RouletteCode.POSITION_BELOW_MINIMUM, RouletteCode.POSITION_ABOVE_MAXIMUM] == [
        code_of(answers[0]),
        code_of(answers[3]),
    ]


def test_hw3_the_first_four_is_off_and_where_it_is_on_it_has_the_corners_limits():
    """VIP corners take 20.00 to 200.00."""
    bet = {"numbers": [0, 1, 2, 3]}
    tried = ["19.99", "20.00", "200.00", "200.01"]
    answers = [place([bet | {"amount": a}], text=with_first_four()) for a in tried]

    assert RouletteCode.PLACEMENT_NOT_OFFERED == code_of(place([bet | {"amount": "20.00"}]))
    assert [2000, 20000] == [answer[0].amount for answer in answers[1:3]]
    assert [RouletteCode.POSITION_BELOW_MINIMUM, RouletteCode.POSITION_ABOVE_MAXIMUM] == [
        code_of(answers[0]),
        code_of(answers[3]),
    ]


FULL = {
    ("LITE", "inside"): [{"numbers": [n], "amount": "5.00"} for n in range(19)],
    ("RESPECT", "inside"): [{"numbers": [n], "amount": "10.00"} for n in range(19)],
    ("VIP", "inside"): [{"numbers": [n], "amount": "50.00"} for n in range(19)],
    ("LITE", "outside"): [
        {"chance": c, "amount": "45.00"} for c in ("red", "black", "even", "low")
    ],
    ("RESPECT", "outside"): [{"chance": c, "amount": "300.00"} for c in ("red", "even", "low")],
    ("VIP", "outside"): [{"chance": c, "amount": "1000.00"} for c in ("red", "even")],
}
"""Bets up to 5.00, 10.00, 50.00, 20.00, 100.00 and 1,000.00 short of the group's maximum."""
LAST = {
    ("LITE", "inside"): ({"numbers": [35, 36]}, "5.00", "5.01"),
    ("RESPECT", "inside"): ({"numbers": [35, 36]}, "10.00", "10.01"),
    ("VIP", "inside"): ({"numbers": [35, 36]}, "50.00", "50.01"),
    ("LITE", "outside"): ({"chance": "odd"}, "20.00", "20.01"),
    ("RESPECT", "outside"): ({"chance": "odd"}, "100.00", "100.01"),
    ("VIP", "outside"): ({"chance": "odd"}, "1000.00", "1000.01"),
}
"""The bet that fills the group exactly, and passes it by a kopeck; its position takes more."""


@pytest.mark.parametrize(("account", "group"), FULL)
def test_s7_hw1_a_groups_maximum_holds_for_the_sum_of_all_its_bets(account, group):
    """One more bet fills the group exactly; a kopeck more is refused."""
    bet, fits, beyond = LAST[account, group]
    bets = FULL[account, group]
    most = GROUPS[group][ACCOUNTS.index(account)][1]

    assert 100 * most == sum(e.amount for e in place([*bets, bet | {"amount": fits}], account))
    assert RouletteCode.GROUP_ABOVE_MAXIMUM == code_of(
        place([*bets, bet | {"amount": beyond}], account)
    )


@pytest.mark.parametrize(
    ("account", "more"),
    [("LITE", {"chance": "high", "amount": "1.00"}), ("VIP", {"numbers": [36], "amount": "5.00"})],
)
def test_s7_a_full_group_takes_no_further_position(account, more):
    """200.00 outside at LITE and 1,000.00 inside at VIP are full, whatever a position takes."""
    group = (account, "outside" if account == "LITE" else "inside")
    bet, fits, _ = LAST[group]
    full = [*FULL[group], bet | {"amount": fits}]

    assert RouletteCode.GROUP_ABOVE_MAXIMUM == code_of(place([*full, more], account))


def test_hw1_each_group_is_counted_apart_and_looked_at_only_when_it_has_a_bet():
    """Full inside and full outside together; inside alone although outside would be below 20.00."""
    inside = [*FULL["VIP", "inside"], {"numbers": [35, 36], "amount": "50.00"}]
    outside = [*FULL["VIP", "outside"], {"chance": "odd", "amount": "1000.00"}]

    assert 400_000 == sum(e.amount for e in place([*inside, *outside]))
    assert 100_000 == sum(e.amount for e in place(inside))
    assert () == place([])


def test_hw1_a_groups_minimum_holds_for_the_sum_of_its_bets():
    """With a minimum of 30.00 inside, 15.00 and 14.99 are refused and 15.00 twice are taken."""
    own = {"limits": {"groups": {"inside": {"min": "30.00", "max": "1000.00"}}}}
    first = {"numbers": [1], "amount": "15.00"}
    short, enough = ({"numbers": [2], "amount": amount} for amount in ("14.99", "15.00"))

    assert RouletteCode.GROUP_BELOW_MINIMUM == code_of(place([first, short], **own))
    assert 3000 == sum(e.amount for e in place([first, enough], **own))
    assert 1 == len(place([{"chance": "red", "amount": "50.00"}], **own))


def test_s7_the_same_position_twice_is_summed():
    """RESPECT takes 300.00 on red: 200.00 twice are refused, 150.00 twice are one bet."""
    half, more = ({"chance": "red", "amount": amount} for amount in ("150.00", "200.00"))

    assert RouletteCode.POSITION_ABOVE_MAXIMUM == code_of(place([more, more], "RESPECT"))
    assert [30000] == [e.amount for e in place([half, half], "RESPECT")]


def test_s7_hw1_named_and_plain_bets_add_up_on_a_position():
    """17 has 10.00 among its neighbours, so VIP takes 40.00 more on it and no kopeck beyond."""
    named = {"neighbours": 17, "chip": "10.00"}
    plain, beyond = ({"numbers": [17], "amount": amount} for amount in ("40.00", "40.01"))
    placed = place([named, plain])

    assert {2: 1000, 25: 1000, 17: 5000, 34: 1000, 6: 1000} == {
        e.details.numbers[0]: e.amount for e in placed
    }
    assert RouletteCode.POSITION_ABOVE_MAXIMUM == code_of(place([named, beyond]))


def test_hw1_a_plain_bet_can_lift_a_named_one_over_the_minimum_of_each_position():
    """VIP splits begin at 10.00: a serie of 9.00 is refused, and taken with 1.00 on each split."""
    serie = {"announced": "serie", "chip": "9.00"}
    splits = [[5, 8], [10, 11], [13, 16], [23, 24], [27, 30], [33, 36]]
    ones = [{"numbers": split, "amount": "1.00"} for split in splits]

    assert RouletteCode.POSITION_BELOW_MINIMUM == code_of(place([serie]))
    assert [1000] * 6 == [e.amount for e in place([serie, *ones])]


def test_hw1_two_chips_lie_on_the_parts_that_take_two():
    """RESPECT streets and corners begin at 5.00: voisins of 2.50 is taken, of 2.49 refused."""
    placed = place([{"announced": "voisins", "chip": "2.50"}], "RESPECT")

    assert [500, 250, 250, 250, 250, 500, 250] == [e.amount for e in placed]
    assert RouletteCode.POSITION_BELOW_MINIMUM == code_of(
        place([{"announced": "voisins", "chip": "2.49"}], "RESPECT")
    )


@pytest.mark.parametrize(
    ("bets", "expected"),
    [
        (
            [{"numbers": [1], "amount": "0.01"}, {"numbers": [3, 4], "amount": "10.00"}],
            "illegal-placement",
        ),
        (
            [{"numbers": [1], "amount": "0.01"}, {"neighbours": 37, "chip": "10.00"}],
            "illegal-placement",
        ),
        (
            [{"numbers": [1], "amount": "99.00"}, {"numbers": [2], "amount": "4.99"}],
            "position-below-minimum",
        ),
        (
            [*FULL["VIP", "inside"], {"numbers": [35, 36], "amount": "100.01"}],
            "position-above-maximum",
        ),
    ],
)
def test_where_several_limits_are_broken_the_first_code_by_precedence_is_answered(bets, expected):
    """The order of the published codes decides, not the order of the bets."""
    assert expected == code_of(place(bets))


# --- own limits ----------------------------------------------------------------------------------


OWN = {
    "positions": {"straight": {"min": "1.00", "max": "80.00"}},
    "groups": {"outside": {"min": "1.00", "max": "60.00"}},
}


def test_hw4_own_limits_are_read_as_a_sheet_lays_them_out():
    """Amounts are written as in any document and read into kopecks."""
    assert OwnLimits(
        positions=(RowRange(row=Row.STRAIGHT, min=100, max=8000),),
        groups=(GroupRange(group=Group.OUTSIDE, min=100, max=6000),),
    ) == read_own(OWN)


def test_hw4_own_limits_hold_in_place_of_those_they_name_and_the_others_stay():
    """Straights 1.00 to 80.00, outside together at most 60.00; splits stay at 10.00 to 100.00."""
    own = {"limits": OWN}
    taken = [{"numbers": [1], "amount": "1.00"}, {"numbers": [2], "amount": "80.00"}]
    refused = [
        ({"numbers": [1], "amount": "80.01"}, RouletteCode.POSITION_ABOVE_MAXIMUM),
        ({"numbers": [1, 2], "amount": "9.99"}, RouletteCode.POSITION_BELOW_MINIMUM),
        ({"chance": "red", "amount": "60.01"}, RouletteCode.GROUP_ABOVE_MAXIMUM),
    ]

    assert [100, 8000] == [e.amount for e in place(taken, **own)]
    for bet, code in refused:
        assert code == code_of(place([bet], **own))


@pytest.mark.parametrize("account", ["LITE", "RESPECT"])
def test_hw4_own_limits_are_for_vip_accounts(account):
    """Other account types have the sheet's limits."""
    answer = place([], account, limits=OWN)

    assert RouletteCode.OWN_LIMITS_NOT_OFFERED == code_of(answer)


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"tables": {}},
        {"positions": []},
        {"positions": {"red": {"min": "1.00", "max": "2.00"}}},
        {"positions": {"trio": {"min": "1.00", "max": "2.00"}}},
        {"groups": {"middle": {"min": "1.00", "max": "2.00"}}},
        {"positions": {"straight": {"min": "1.00"}}},
        {"positions": {"straight": {"min": "1.00", "max": "2.00", "by": "me"}}},
        {"positions": {"straight": {"min": 100, "max": 200}}},
        {"positions": {"straight": {"min": "0", "max": "2.00"}}},
        {"positions": {"straight": {"min": "2.01", "max": "2.00"}}},
        {"positions": {"straight": ["1.00", "2.00"]}},
    ],
)
def test_s6_own_limits_that_are_not_exactly_ranges_are_malformed(document):
    """A wrong type, an unknown name, a missing or further field, a minimum over the maximum."""
    refusal = read_own(document)

    assert isinstance(refusal, Refusal)
    assert refusal.code == Code.MALFORMED


def test_own_limits_on_record_that_cannot_be_read_are_no_limits():
    """A round under them is refused, and not played by the account type's."""
    assert Code.MALFORMED == code_of(place([], limits={"tables": {}}))


def test_a_range_whose_least_is_more_than_its_most_cannot_be_made():
    """In a sheet as little as on record."""
    assert (5, 5) == (Range(min=5, max=5).min, Range(min=5, max=5).max)
    with pytest.raises(ValueError, match="least"):
        Range(min=6, max=5)
