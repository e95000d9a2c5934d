"""The wheel itself, against what the rules say of the neighbours of its pockets."""

from games.roulette.wheel import ORDER


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
