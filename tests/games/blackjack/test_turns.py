"""Order of cards and turns, what a hand may do, and when the dealer draws (BJ1 to BJ7, S14)."""

import pytest

from games.blackjack.round import Action, DealTo, begin
from games.blackjack.turns import Over, Turn, following, refusal_of
from tests.blackjack_table import RULES, table, took


def allowed(cards, *steps):
    """What the box in turn may do."""
    turn = following(RULES, took(table(cards), *steps))
    assert isinstance(turn, Turn)
    return {action.value for action in turn.allowed}


def waits_for(cards, *steps, bets=(1000,)):
    """What the round waits for."""
    return following(RULES, took(table(cards, *bets), *steps))


def test_a_card_comes_to_each_box_then_the_dealers_then_a_second_to_each_box():
    """Given boxes at seats 2, 5 and 7, then the first seven cards go round so."""
    played, order = begin({5: 100, 2: 100, 7: 100}), []
    for card in ("2c", "2d", "2h", "2s", "3c", "3d", "3h"):
        to = following(RULES, played)
        order.append(to.box)
        played = took(played, card)

    assert [2, 5, 7, None, 2, 5, 7] == order


def test_turns_come_in_the_order_of_the_deal_and_the_dealer_is_last():
    """Given two boxes, then the second is in turn when the first stands, and then the dealer."""
    two = "Tc 9c 6d 7c 8c"

    assert 1 == waits_for(two, bets=(100, 100)).box
    assert 2 == waits_for(two, "stand", bets=(100, 100)).box
    assert DealTo(None) == waits_for(two, "stand", "stand", bets=(100, 100))


def test_a_hit_asks_for_one_card_and_the_turn_goes_on():
    """Given 12 and a hit, then a card is due to that hand, and with 15 it is in turn again."""
    assert DealTo(1, 1) == waits_for("5c 6d 7c", "hit")
    assert {"hit", "stand"} == allowed("5c 6d 7c", "hit", "3c")


def test_bj3_after_a_split_the_first_hand_gets_its_second_card_first_and_is_played_first():
    """Given 8-8 split, then cards for hand 1 and hand 2, then their turns in this order."""
    eights = "8c 6d 8d"

    assert DealTo(1, 1) == waits_for(eights, "split")
    assert DealTo(1, 2) == waits_for(eights, "split", "3c")
    assert 1 == waits_for(eights, "split", "3c", "4c").hand
    assert DealTo(1, 1) == waits_for(eights, "split", "3c", "4c", "hit")
    assert 2 == waits_for(eights, "split", "3c", "4c", "stand").hand


def test_bj3_split_aces_stand_with_one_card_each():
    """Given A-A split, then two cards come and the dealer is next."""
    assert DealTo(None) == waits_for("Ac 6d Ad", "split", "3c 4c")


def test_bj2_a_doubled_hand_gets_one_card_and_has_ended():
    """Given 11 doubled to 14, then the dealer is next."""
    assert DealTo(1, 1) == waits_for("5c 6d 6c", "double")
    assert DealTo(None) == waits_for("5c 6d 6c", "double", "3c")


def test_bj5_a_21_ends_its_hand_by_itself():
    """Given 12 and a nine, then no turn comes of it."""
    assert DealTo(None) == waits_for("5c 6d 7c", "hit", "9c")


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("5c 6d 3c", {"hit", "stand"}),
        ("5c 6d 4c", {"hit", "stand", "double"}),
        ("5c 6d 5d", {"hit", "stand", "double", "split"}),
        ("9c 6d 2c", {"hit", "stand", "double"}),
        ("9c 6d 3c", {"hit", "stand"}),
        ("Ac 6d 8c", {"hit", "stand"}),
        ("Tc 6d Kc", {"hit", "stand", "split"}),
        ("Ac 6d Ad", {"hit", "stand", "split"}),
        ("Tc Ad 6c", {"hit", "stand", "insurance"}),
        ("5c Ad 5d", {"hit", "stand", "double", "split", "insurance"}),
        ("Ac Kd Qc", None),
        ("Ac Ad Qc", {"stand", "even-money"}),
    ],
)
def test_what_two_cards_may_do(cards, expected):
    """Given two cards and the dealer's first between them, then these actions and no other."""
    if expected is None:
        assert not isinstance(waits_for(cards), Turn)
    else:
        assert expected == allowed(cards)


def test_bj3_a_box_is_split_once_and_s14_never_with_a_third_card():
    """Given 8-8 split into 8-8 again, or 4-4 with a king, then no split; and no double after it."""
    assert {"hit", "stand"} == allowed("8c 6d 8d", "split", "8h 2c")
    assert {"hit", "stand"} == allowed("8c 6d 8d", "split", "3c 2c")
    assert {"hit", "stand"} == allowed("4c 6d 4d", "hit", "Kc")


def test_bj6_insurance_is_for_the_start_of_a_turn_and_for_once():
    """Given an ace of the dealer, then after insurance, a hit or a split it is not offered."""
    assert "insurance" not in allowed("5c Ad 7c", "insurance")
    assert "insurance" not in allowed("5c Ad 7c", "hit", "2c")
    assert "insurance" not in allowed("7c Ad 7d", "split", "2c 3c")


def test_bj6_one_cent_has_no_half_to_insure_it():
    """Given a bet of 0.01, then half of it rounded down is nothing, and no insurance is offered."""
    cent = waits_for("5c Ad 7c", bets=(1,))

    assert "insurance" not in {action.value for action in cent.allowed}


@pytest.mark.parametrize(
    ("cards", "action", "code"),
    [
        ("5c 6d 3c", "double", "double-not-offered"),
        ("5c 6d 3c", "split", "split-not-offered"),
        ("5c Td 3c", "insurance", "insurance-not-offered"),
        ("5c Ad 3c", "even-money", "even-money-not-offered"),
        ("Tc Ad Ac", "insurance", "insurance-not-offered"),
        ("Tc Ad Ac", "hit", "hand-ended"),
        ("5c 6d", "hit", "not-in-turn"),
    ],
)
def test_an_action_that_is_not_allowed_is_refused_with_its_code(cards, action, code):
    """Given each, then the refusal says which rule it breaks."""
    assert code == refusal_of(RULES, table(cards), 1, Action(action)).code


def test_bj6_insurance_of_a_blackjack_is_refused_with_the_hint_to_even_money():
    """Given a Blackjack against an ace, then the message names the action that there is."""
    assert "even_money" in refusal_of(RULES, table("Tc Ad Ac"), 1, Action.INSURANCE).message


def test_a_box_that_is_not_in_turn_is_refused():
    """Given two boxes and the first in turn, then the second may do nothing yet."""
    assert "not-in-turn" == refusal_of(RULES, table("Tc 9c 6d 7c 8c", 100, 100), 2, Action.HIT).code


# --- BJ7: the dealer's cards ---------------------------------------------------------------------


@pytest.mark.parametrize("cards", ["Tc Ah", "Tc 6c Kc", "6c 5c 5d Ac", "Ac 6d"])
def test_bj7_with_a_live_hand_the_dealer_draws_to_17_a_soft_one_too(cards):
    """Given 20 against each of these, then the dealer stands with exactly these cards."""
    up, rest = cards.split(maxsplit=1)
    steps = ["stand", rest]

    assert Over() == waits_for(f"Td {up} Kd", *steps)
    assert all(
        DealTo(None) == waits_for(f"Td {up} Kd", "stand", " ".join(rest.split()[:n]))
        for n in range(len(rest.split()))
    )


def test_bj7_one_card_decides_an_undecided_blackjack_or_an_insurance():
    """Given no live hand but a Blackjack against a king, or a bust that is insured: one card."""
    bust = ("insurance", "hit", "Tc")

    assert DealTo(None) == waits_for("Ac Kd Qc")
    assert Over() == waits_for("Ac Kd Qc", "2c")
    assert DealTo(None) == waits_for("Td Ad 6c", *bust)
    assert Over() == waits_for("Td Ad 6c", *bust, "5c")


@pytest.mark.parametrize(
    ("cards", "steps"),
    [("Ac 6d Qc", ()), ("Ac Ad Qc", ("even-money",)), ("Td 6d 6c", ("hit", "Tc"))],
)
def test_bj7_otherwise_the_dealer_draws_no_card(cards, steps):
    """Given a Blackjack out of reach, even money or a bust, then the round is over at once."""
    assert Over() == waits_for(cards, *steps)


def test_bj7_counts_over_all_boxes():
    """Given a Blackjack that waits and a live hand beside it, then the dealer draws by rule."""
    played = took(table("Ac 9c Kd Qc 9d", 100, 100), "stand", "4c")

    assert DealTo(None) == following(RULES, played)
    assert Over() == following(RULES, took(played, "3c"))
