"""What games show of chance alone: every kind of draw has chances that are one together."""

from fractions import Fraction

import pytest

from games.registry import BY_ENGINE, SHEETS

BY_SHEET = {name: (BY_ENGINE[file.engine], file.text) for name, file in SHEETS.items()}
WATCHED = {name: both for name, both in BY_SHEET.items() if both[0].watch is not None}


@pytest.mark.parametrize(("game", "text"), WATCHED.values(), ids=WATCHED)
def test_the_chances_of_each_kind_of_draw_are_one_together(game, text):
    """Given each sheet of a game that is watched, then nothing is left out or twice."""
    chances = game.watch.chances(game.engine.read_sheet(text))

    assert [Fraction(1)] * len(chances) == [sum(of.values()) for of in chances.values()]


def test_every_game_is_watched_and_the_cards_of_a_shoe_by_what_it_still_held():
    """Cards of one shoe are not independent: what was dealt changes the chances of the next."""
    assert {*BY_SHEET} == {*WATCHED}
    assert {"live-blackjack"} == {name for name, (game, _) in WATCHED.items() if game.watch.shoe}


def test_a_wheel_has_37_pockets_by_what_the_screen_shows_of_them():
    """0 to 36, each as likely."""
    game, text = WATCHED["european-roulette-vip"]
    chances = game.watch.chances(game.engine.read_sheet(text))

    assert {"pocket": {str(n): Fraction(1, 37) for n in range(37)}} == chances


def test_a_deal_is_dealt_by_the_number_of_hands_and_a_double_up_by_cards():
    """4 of C(52, 5) hands are natural royals; of 51 cards 24 win, 3 push and 24 lose."""
    game, text = WATCHED["deuces-wild"]
    chances = game.watch.chances(game.engine.read_sheet(text))

    assert Fraction(4, 2_598_960) == chances["deal"]["natural-royal"]
    assert {"won": Fraction(24, 51), "pushed": Fraction(3, 51), "lost": Fraction(24, 51)} == (
        chances["double-up"]
    )
