"""An amount is a sum of the chips of its family (ER4)."""

import pytest
from hypothesis import given, settings, strategies as st

from games.roulette.chips import chips_of

FAMILIES = [(25, 50, 100, 500, 1000), (100, 500, 1000, 2500, 5000), (500, 2500, 5000, 10000, 50000)]


@pytest.mark.parametrize("values", FAMILIES, ids=["classic", "premium", "vip"])
def test_er4_the_families_make_every_multiple_of_their_smallest_chip(values):
    """All their chips are multiples of the smallest one, so nothing else can be made."""
    chips = chips_of(values)

    for amount in range(2 * values[-1]):
        assert (amount > 0 and amount % values[0] == 0) == chips.make(amount)


@settings(deadline=None)
@given(st.sets(st.integers(1, 30), min_size=1, max_size=5))
def test_er4_any_chips_make_exactly_the_sums_that_can_be_counted_out(values):
    """Chips of any worth, against sums counted up from zero one chip at a time."""
    chips = chips_of(tuple(sorted(values)))
    sums = {0}
    for amount in range(1, 300):
        if any(amount - chip in sums for chip in values):
            sums.add(amount)

    assert sums - {0} == {amount for amount in range(300) if chips.make(amount)}


def test_er4_an_amount_of_any_size_is_decided():
    """Three and seven make everything from twelve on, and eleven not."""
    chips = chips_of((3, 7))

    assert (chips.make(11), chips.make(12), chips.make(10**13)) == (False, True, True)
