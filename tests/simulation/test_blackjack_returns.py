"""The printed strategy played through the table's machine, against what it returns in theory."""

import math
from random import Random

from games.blackjack.round import Dealt, DealTo, Took, begin, evolve
from games.blackjack.settle import settle
from games.blackjack.strategy import printed
from games.blackjack.turns import Turn, following
from games.cards import DECK
from tests.blackjack_table import RULES, SHEET

ROUNDS, SEATS, IN_A_SHOE = 1_500, 7, 3
BET = 2


def play(cards) -> tuple[int, int]:
    """What all boxes of a round stake and get, by the printed strategy."""
    played = begin(dict.fromkeys(range(1, SEATS + 1), BET))
    while True:
        waits = following(RULES, played)
        if isinstance(waits, DealTo):
            played = evolve(played, Dealt(next(cards), waits))
        elif isinstance(waits, Turn):
            hand = played.box(waits.box).hands[waits.hand - 1]
            action = printed(hand.cards, played.dealer[0], waits.allowed)
            played = evolve(played, Took(waits.box, waits.hand, action))
        else:
            bets = settle(RULES, played)
            return sum(s.bet.amount for s in bets), sum(s.payout.credited for s in bets)


def test_c8_seven_boxes_return_what_theory_says_within_four_standard_errors():
    """Given shoes of three rounds each, when seven boxes play, then 4 errors hold the theory.

    A box sees other cards drawn before its own and the dealer's; that changes nothing on average.
    """
    dice = Random(32)
    rounds = []
    for _ in range(ROUNDS // IN_A_SHOE):
        shoe = list(DECK * SHEET.decks)
        dice.shuffle(shoe)
        cards = iter(shoe)
        rounds += [play(cards) for _ in range(IN_A_SHOE)]

    theory = float(SHEET.returns["printed"].expected)
    staked = sum(bets for bets, _ in rounds)
    beyond = [credited - theory * bets for bets, credited in rounds]
    error = math.sqrt(sum(each * each for each in beyond)) / staked

    assert abs(sum(beyond)) / staked <= 4 * error
    assert 0.005 < error < 0.02
