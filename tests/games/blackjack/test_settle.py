"""What each bet brings and when, worked by hand (BJ3 to BJ6, C2; faults S12, S13)."""

import pytest

from tests.blackjack_table import brought, table, took


def credited(cards, *steps, bets=(1000,)):
    """What all bets bring together."""
    return sum(credit for *_, credit in brought(took(table(cards, *bets), *steps)))


@pytest.mark.parametrize(
    ("cards", "steps", "expected"),
    [
        ("Ac 7d Kc", (), ("blackjack", 2500)),
        ("7c Ad 7h", ("hit", "7s", "Kd"), ("lost", 0)),
        ("Ac Ad Kc", ("stand", "Kd"), ("push", 1000)),
        ("Ac Kd Kc", ("Ad",), ("push", 1000)),
        ("Tc Ad Kc", ("stand", "Kd"), ("lost", 0)),
        ("Ac Ad Kc", ("stand", "5d"), ("blackjack", 2500)),
        ("7c 7d 7h", ("hit", "7s", "7c 7h"), ("push", 1000)),
    ],
)
def test_s12_a_blackjack_beats_21_and_only_a_blackjack_equals_it(cards, steps, expected):
    """Given each, then A-K is paid 3 to 2, 7-7-7 loses to A-K, and two Blackjacks push."""
    ((_, _, _, outcome, _, credit),) = brought(took(table(cards), *steps))

    assert expected == (outcome, credit)


def test_s12_bj4_a_dealers_blackjack_takes_double_and_split_too():
    """Given 11 doubled to 20, and 8-8 split, against A-K, then all stakes are lost."""
    doubled = took(table("5c Ad 6c"), "double", "9c", "Kd")
    split = took(table("8c Ad 8d"), "split", "3c 3d", "stand", "stand", "Kd")

    assert [("lost", 1000, 0)] * 2 == [row[3:] for row in brought(doubled)]
    assert [("lost", 1000, 0)] * 2 == [row[3:] for row in brought(split)]


def test_s13_insurance_pays_two_to_one_and_leaves_the_hand_alone():
    """Given 18 insured, then 15.00 on a dealer's Blackjack, else 5.00 lost and the hand goes on."""
    insured = took(table("Tc Ad 8c"), "insurance", "stand")

    assert [
        (1, 1, "insurance", "won", 500, 1500),
        (1, 1, "main", "lost", 1000, 0),
    ] == brought(took(insured, "Kd"))
    assert [
        (1, 1, "insurance", "lost", 500, 0),
        (1, 1, "main", "won", 1000, 2000),
    ] == brought(took(insured, "6d"))


def test_s13_bj6_even_money_credits_twice_the_bet_at_once_whatever_the_dealer_draws():
    """Given a Blackjack against an ace, then 10.00 staked and 20.00 credited, no card drawn."""
    played = took(table("Ac Ad Kc"), "even-money")

    assert [(1, 1, "main", "even-money", 1000, 2000)] == brought(played)


def test_bj5_a_blackjack_is_paid_as_its_turn_comes_if_the_dealer_cannot_equal_it():
    """Given 17 in box 1 and a Blackjack in box 2 against 6, then box 2 is paid when 1 has stood."""
    two = table("Tc Ac 6d 7c Kc", 1000, 1000)

    assert [] == brought(table("Ac 6d", 1000))
    assert [] == brought(two)
    assert [(2, 1, "main", "blackjack", 1000, 2500)] == brought(took(two, "stand"))


def test_bj5_a_blackjack_that_was_paid_stays_so_while_a_later_box_splits():
    """Given a Blackjack in box 1 and 8-8 in box 2 that are split, then it is decided throughout."""
    paid = [(1, 1, "main", "blackjack", 1000, 2500)]
    two = table("Ac 8c 6d Kc 8d", 1000, 1000)

    assert [paid] * 3 == [brought(took(two, *more)) for more in ((), ("split",), ("split", "3c"))]


def test_bj5_a_blackjack_that_the_dealer_can_equal_is_paid_at_the_end():
    """Given a Blackjack and 19 against a king, then nothing is paid until the dealer has drawn."""
    two = took(table("Ac 9c Kd Qc Tc", 1000, 1000), "stand", "6d")

    assert [] == brought(two)
    assert [
        (1, 1, "main", "blackjack", 1000, 2500),
        (2, 1, "main", "lost", 1000, 0),
    ] == brought(took(two, "4d"))


def test_a_bust_loses_at_once_with_what_was_doubled():
    """Given 9-2 doubled cannot bust, then a hit from 16 does, before the dealer draws."""
    two = took(table("Tc 9c 6d 6c 9d", 1000, 1000), "hit", "Kc")

    assert [(1, 1, "main", "bust", 1000, 0)] == brought(two)


def test_bj3_21_after_a_split_pays_one_to_one():
    """Given A-A split into A-K and A-9 against 18, then 20.00 for each."""
    split = took(table("Ac 6d Ad"), "split", "Kc 9c", "2d Tc")

    assert [
        (1, 1, "main", "won", 1000, 2000),
        (1, 2, "split", "won", 1000, 2000),
    ] == brought(split)


def test_a_doubled_hand_wins_twice_its_stakes():
    """Given 11 doubled to 21 against 20, then 40.00, of which each bet brings half."""
    played = took(table("5c Td 6c"), "double", "Tc", "Kd")

    assert [
        (1, 1, "main", "won", 1000, 2000),
        (1, 1, "double", "won", 1000, 2000),
    ] == brought(played)


def test_a_bust_of_the_dealer_pays_all_that_stands():
    """Given 12 against 6 that draws to 26, then 20.00."""
    assert 2000 == credited("Tc 6d 2c", "stand", "Kd Td")


@pytest.mark.parametrize(
    ("bet", "expected"), [(1, 3), (2, 5), (3, 8), (5, 13), (1005, 2513), (1001, 2503)]
)
def test_c2_three_to_two_of_an_odd_cent_is_rounded_half_up(bet, expected):
    """Given 0.01, then 0.015 won becomes 0.02 and 0.03 is credited; 0.05 brings 0.13."""
    assert expected == credited("Ac 6d Kc", bets=(bet,))


def test_c2_insurance_of_an_odd_cent_is_rounded_down():
    """Given 0.05 insured, then 0.02 are staked and 0.06 credited on a Blackjack of the dealer."""
    ((*_, staked, credit), _) = brought(took(table("Tc Ad 8c", 5), "insurance", "stand", "Kd"))

    assert (2, 6) == (staked, credit)
