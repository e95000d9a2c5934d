"""What each bet is called in Italian and French, as the rules of the casino print it."""

import pytest

from games.roulette.french.names import name_of
from tests.french_table import BY_NUMBERS, COVERED, SHEET


@pytest.mark.parametrize(
    ("numbers", "it", "fr"),
    [
        ((0,), "pieno 0", "plein 0"),
        ((17,), "pieno 17", "plein 17"),
        ((5, 8), "cavallo 5-8", "cheval 5-8"),
        ((0, 2, 3), "terzina 0-3", "transversale pleine 0-3"),
        ((0, 1, 2), "terzina 0-2", "transversale pleine 0-2"),
        ((4, 5, 6), "terzina 4-6", "transversale pleine 4-6"),
        ((1, 2, 3), "tre primi", "trois premiers"),
        ((34, 35, 36), "tre ultimi", "trois derniers"),
        ((25, 26, 28, 29), "carré 25-29", "carré 25-29"),
        ((0, 1, 2, 3), "quattro primi", "quatre premiers"),
        (tuple(range(4, 10)), "sestina 4-9", "sixaine 4-9"),
        (tuple(range(1, 7)), "sei primi", "six premiers"),
        (tuple(range(31, 37)), "sei ultimi", "six derniers"),
        (tuple(range(1, 13)), "prima dozzina", "douze premier"),
        (tuple(range(13, 25)), "dozzina di mezzo", "douze milieu"),
        (tuple(range(25, 37)), "ultima dozzina", "douze dernier"),
        (tuple(range(1, 37, 3)), "colonna 34", "colonne 34"),
        (tuple(range(2, 37, 3)), "colonna 35", "colonne 35"),
        (tuple(range(3, 37, 3)), "colonna 36", "colonne 36"),
        (tuple(sorted(COVERED["red"])), "rosso", "rouge"),
        (tuple(sorted(COVERED["black"])), "nero", "noir"),
        (tuple(sorted(COVERED["even"])), "pari", "pair"),
        (tuple(sorted(COVERED["odd"])), "dispari", "impair"),
        (tuple(sorted(COVERED["low"])), "manque", "manque"),
        (tuple(sorted(COVERED["high"])), "passe", "passe"),
    ],
)
def test_a_placement_is_called_by_its_own_name_or_by_its_kind_and_numbers(numbers, it, fr):
    """Given each kind, then the lowest number first, a column by its foot, chances by name."""
    name = name_of(SHEET.names, BY_NUMBERS[numbers])

    assert (it, fr) == (name.it, name.fr)


@pytest.mark.parametrize("language", ["it", "fr"])
def test_no_two_placements_are_called_alike(language):
    """Given all 157, then as many names in each language, so that a call means one bet."""
    names = {getattr(name_of(SHEET.names, bet), language) for bet in BY_NUMBERS.values()}

    assert 157 == len(names)
