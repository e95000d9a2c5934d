"""Live Blackjack at a table, in a book: what hands bring, and in which save (BJ2 to BJ7, S13)."""

import pytest

from games.blackjack.refusals import BlackjackCode
from ledger.domain import commands as cmd
from ledger.domain.refusals import Code
from tests.blackjack_pit import BlackjackPit, findings
from tests.memory_pit import names
from tests.scenes import uid


@pytest.fixture
def pit():
    """Two players at a table of Blackjack; whatever they do is judged again at the end."""
    pit = BlackjackPit()
    yield pit
    assert [] == findings(pit.book.entries)
    assert 0 == sum(pit.balances().values())


def dealt(answer):
    """Where the card of an answer lies: seat and hand."""
    (card,) = [e.event for e in answer.entries if e.event.NAME == "card-dealt"]
    return card.seat, card.hand


def test_the_cards_come_in_the_order_of_the_boxes_and_the_dealer_has_one(pit):
    """A card to each box, the dealer's, a second to each box; then seat 1 is in turn."""
    pit.begin("10.00", "10.00")

    places = [dealt(pit.hear(card)) for card in ("2h", "3h", "4h", "5h", "6h")]

    assert [(1, 1), (2, 1), (None, 1), (1, 1), (2, 1)] == places
    assert Code.SEAT_IN_TURN == pit.at(cmd.DealCard).refusal


def test_a_hand_that_wins_is_paid_with_the_round_and_the_boxes_in_their_order(pit):
    """20 and 19 against 18: 10.00 and 20.00 won, in one save that ends the table's round."""
    pit.begin("10.00", "20.00")
    pit.deal("Th 9h 8h Td Td")
    pit.act("stand")
    pit.act("stand", 2)
    assert ["card-dealt", "outcome-recorded"] == names(pit.deal("Tc"))

    answer = pit.settle()

    each = ["outcome-told", "payout-credited", "round-settled"]
    assert sorted([*each, *each, "table-round-settled"]) == sorted(names(answer))
    paid = [e.stream for e in answer.entries if e.event.NAME == "payout-credited"]
    assert [f"session:{uid(1)}", f"session:{uid(2)}"] == paid
    assert (1_000, 2_000, None) == (pit.won(1), pit.won(2), pit.table.round)


def test_bj5_a_blackjack_that_cannot_be_equalled_is_paid_as_its_turn_comes(pit):
    """Seat 2 has A-K against an 8: paid 3 to 2 in the save in which seat 1 stands."""
    pit.begin("10.00", "10.00")
    assert ["card-dealt"] == names(pit.deal("Th Ah 8h Td Kd"))

    answer = pit.act("stand")

    paid = ["box-decided", "payout-credited", "round-settled"]
    assert ["move-made", "turn-taken", *paid] == names(answer)
    assert (1_500, ()) == (pit.won(2), pit.session(2).rounds)
    pit.deal("Ts")
    pit.settle()
    assert 1_000 == pit.won(1)


def test_bj5_a_blackjack_in_the_first_box_is_paid_with_the_last_of_the_first_cards(pit):
    """Its turn comes as soon as the first cards lie."""
    pit.begin("10.00", "10.00")

    answer = pit.deal("Ah Th 8h Kd Td")

    paid = ["box-decided", "payout-credited", "round-settled"]
    assert ["card-dealt", *paid] == names(answer)


def test_bj5_a_blackjack_that_can_be_equalled_waits_for_the_dealer(pit):
    """A-K against a ten: the dealer draws one card, an ace, and both are equal."""
    pit.begin("10.00")
    assert ["card-dealt"] == names(pit.deal("Ah Th Kd"))

    assert ["card-dealt", "outcome-recorded"] == names(pit.deal("Ad"))
    pit.settle()

    assert 0 == pit.won()
    assert "dealer 21: Th Ad" == pit.session().shown[0]


def test_bj6_even_money_is_paid_in_the_save_that_takes_it_and_no_card_is_drawn(pit):
    """A Blackjack against an ace: twice the bet credited at once, and the round is over."""
    pit.begin("10.00")
    pit.deal("Ah Ad Kd")
    assert BlackjackCode.INSURANCE_NOT_OFFERED == pit.act("insurance").refusal

    answer = pit.act("even-money")

    paid = ["box-decided", "payout-credited", "round-settled"]
    assert ["move-made", "turn-taken", *paid, "outcome-recorded"] == names(answer)
    assert 1_000 == pit.won()
    assert 0 == pit.settle().entries[-1].event.sessions


def test_a_bust_loses_at_once_and_the_dealer_draws_for_nobody(pit):
    """Both bust: each round ends with its last card, and the outcome stands with the second."""
    pit.begin("10.00", "10.00")
    pit.deal("Th Td 8h 6h 6d")
    pit.act("hit")

    assert ["card-dealt", "box-decided", "round-settled"] == names(pit.deal("Kc"))
    assert (-1_000, ()) == (pit.won(), pit.session().rounds)
    pit.act("hit", 2)
    last = ["card-dealt", "box-decided", "round-settled", "outcome-recorded"]
    assert last == names(pit.deal("Ks"))


def test_s13_an_insurance_is_a_bet_of_its_own_that_pays_two_to_one(pit):
    """18 insured against a dealer's Blackjack: 5.00 brings 15.00, the bet of 10.00 is lost."""
    pit.begin("10.00")
    pit.deal("Th Ad 8d")

    placed = next(e.event for e in pit.act("insurance").entries if e.event.NAME == "bet-placed")
    assert (2, 500, "insurance") == (placed.bet, placed.amount, placed.details.kind.value)
    assert -1_500 == pit.won()
    pit.act("stand")
    pit.deal("Kd")
    pit.settle()

    assert 0 == pit.won()


def test_bj3_both_hands_of_a_split_are_played_and_paid_apart(pit):
    """8-8 split, 18 and 21 against 19: one is lost, the other wins 10.00 as an ordinary 21."""
    pit.begin("10.00")
    pit.deal("8h Th 8d")
    pit.act("split")
    assert [(1, 1), (1, 2)] == [dealt(pit.hear("Tc")), dealt(pit.hear("3c"))]
    assert BlackjackCode.DOUBLE_NOT_OFFERED == pit.act("double").refusal
    pit.act("stand")
    pit.act("hit")
    assert (1, 2) == dealt(pit.hear("Td"))

    pit.deal("9d")
    settled = pit.settle().entries

    assert 0 == pit.won()
    (end,) = [e.event for e in settled if e.event.NAME == "round-settled"]
    assert (2_000, 1_000, 1_000, 2) == (end.staked, end.winnings, end.stakes_lost, end.bets)


def test_a_split_that_is_half_bust_is_settled_with_its_other_hand(pit):
    """The box is in play until both its hands are decided; then both stakes go to the bank."""
    pit.begin("10.00")
    pit.deal("8h Th 8d")
    pit.act("split")
    pit.deal("Tc Td")
    pit.act("hit")
    assert ["card-dealt"] == names(pit.deal("Kc"))
    pit.act("hit")

    decided = ["card-dealt", "box-decided", "round-settled", "outcome-recorded"]
    assert decided == names(pit.deal("Ks"))
    assert -2_000 == pit.won()
