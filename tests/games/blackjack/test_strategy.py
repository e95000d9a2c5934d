"""The printed strategy, row by row as the rules print it, restricted to what may be done (BJ2)."""

import pytest

from games.blackjack.round import Action
from games.blackjack.strategy import printed
from games.blackjack.turns import Turn, following
from games.cards import RANKS
from tests.blackjack_table import RULES, table, took

UPS = "23456789TA"
PAIRS = """
A PPPPPPPPPP
K SSSSSSSSSS
9 PPPPPSPPSS
8 PPPPPPPPPP
7 PPPPPPHHHH
6 HPPPPHHHHH
5 DDDDDDDDHH
4 HHHHHHHHHH
3 HHPPPPHHHH
2 HHPPPPHHHH
"""
HARD = """
53 HHHHHHHHHH
63 HDDDDHHHHH
73 DDDDDDDDHH
83 DDDDDDDDDH
T2 HHSSSHHHHH
T3 SSSSSHHHHH
T4 SSSSSHHHHH
95 SSSSSHHHHH
T5 SSSSSHHHHH
T6 SSSSSHHHHH
T7 SSSSSSSSSS
T8 SSSSSSSSSS
T9 SSSSSSSSSS
"""
SOFT = """
A2 HHHHHHHHHH
A3 HHHHHHHHHH
A4 HHHHHHHHHH
A5 HHHHHHHHHH
A6 HHHHHHHHHH
A7 SSSSSSSHHH
A8 SSSSSSSSSS
A9 SSSSSSSSSS
"""
WORDS = {"P": Action.SPLIT, "D": Action.DOUBLE, "H": Action.HIT, "S": Action.STAND}
ROWS = [line.split() for text in (PAIRS, HARD, SOFT) for line in text.split("\n") if line]


def move(first, second, up, *steps):
    """What the strategy does with two cards, or after more, when its box is in turn."""
    played = took(table(f"{first}c {up}d {second}h"), *steps)
    turn = following(RULES, played)
    assert isinstance(turn, Turn)
    return printed(played.boxes[0].hands[turn.hand - 1].cards, played.dealer[0], turn.allowed)


@pytest.mark.parametrize(("cards", "moves"), ROWS)
def test_each_row_against_each_card_of_the_dealer(cards, moves):
    """Given a pair or two cards, then the move that the rows give, a forbidden double left out."""
    first, second = cards * 2 if len(cards) == 1 else cards

    assert [WORDS[m] for m in moves] == [move(first, second, up) for up in UPS]


def test_a_pair_that_was_split_already_plays_by_its_total():
    """Given 8-8 split into 8-8 again, then 16 stands against 6 and takes a card against 10."""
    assert Action.STAND == move("8", "8", "6", "split", "8s 2s")
    assert Action.HIT == move("8", "8", "T", "split", "8s 2s")


def test_an_eleven_of_three_cards_or_after_a_split_takes_a_card():
    """Given 11 that cannot be doubled, then a card."""
    assert Action.HIT == move("5", "2", "6", "hit", "4s")
    assert Action.HIT == move("8", "8", "6", "split", "3s 2s")


def test_a_blackjack_is_not_paid_evenly_and_no_bet_insured():
    """Given an ace of the dealer, then the strategy, which is silent on both, takes neither."""
    assert Action.STAND == move("A", "K", "A")
    assert all(
        move(first, second, "A") not in {Action.INSURANCE, Action.EVEN_MONEY}
        for first in RANKS
        for second in RANKS
    )


def test_where_soft_hands_may_be_doubled_the_printed_rows_count():
    """Given every action allowed, then soft 13 to 18 double against the printed cards."""
    printed_rows = {"2": "56", "3": "56", "4": "456", "5": "456", "6": "3456", "7": "3456"}
    allowed = (Action.HIT, Action.STAND, Action.DOUBLE)
    doubled = {
        rank: "".join(
            up for up in UPS if printed(["Ac", f"{rank}d"], f"{up}h", allowed) == "double"
        )
        for rank in "23456789"
    }

    assert printed_rows | {"8": "", "9": ""} == doubled
