"""The wheel itself, against what the rules say of the neighbours of its pockets."""

import pytest

from games.roulette.wheel import ORDER, neighbours


def test_er1_the_wheel_has_each_of_37_pockets_once():
    """Zero to thirty-six."""
    assert list(range(37)) == sorted(ORDER)


def test_the_three_series_are_sectors_of_the_wheel():
    """Seventeen numbers around zero, twelve opposite, and the eight orphans between them."""
    turned = ORDER[-9:] + ORDER[:8]
    voisins = {0, 2, 3, 4, 7, 12, 15, 18, 19, 21, 22, 25, 26, 28, 29, 32, 35}
    serie = {5, 8, 10, 11, 13, 16, 23, 24, 27, 30, 33, 36}

    assert voisins == set(turned)
    assert serie == set(ORDER[11:23])
    assert {1, 6, 9, 14, 17, 20, 31, 34} == set(ORDER) - voisins - serie


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (17, (2, 25, 17, 34, 6)),
        (7, (18, 29, 7, 28, 12)),
        (0, (3, 26, 0, 32, 15)),
        (26, (35, 3, 26, 0, 32)),
        (15, (0, 32, 15, 19, 4)),
    ],
)
def test_hw1_the_neighbours_of_a_number_are_two_to_each_side_of_it_on_the_wheel(number, expected):
    """As the rules print them for 17 and 7, and across the zero as the wheel is printed."""
    assert expected == neighbours(number, 2)


def test_hw1_neighbours_are_mutual():
    """Each pocket has four others beside it, and is beside each of them."""
    around = {number: set(neighbours(number, 2)) - {number} for number in ORDER}

    assert {4} == {len(others) for others in around.values()}
    assert all(number in around[other] for number in ORDER for other in around[number])
