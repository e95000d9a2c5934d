"""A live table that deals: shoe, feed, turns, seats that do not act, void rounds (BJ1, BJ8)."""

from datetime import timedelta

import pytest

from games.blackjack.refusals import BlackjackCode
from ledger.domain import commands as cmd
from ledger.domain.refusals import Code
from ledger.domain.session import Closed
from tests.blackjack_pit import ENGINE, RIGHT, BlackjackPit, findings
from tests.memory_pit import CHIEF, names
from tests.scenes import uid


@pytest.fixture
def pit():
    """Two players at a table of Blackjack; whatever they do is judged again at the end."""
    pit = BlackjackPit()
    yield pit
    assert [] == findings(pit.book.entries)
    assert 0 == sum(pit.balances().values())


def test_s14_a_double_without_the_money_is_refused_and_the_hand_is_as_it_was():
    """15.00 in the posta, 10.00 bet: no double; the hand can still take a card."""
    pit = BlackjackPit(1, right=1_500)
    pit.begin("10.00")
    pit.deal("5h 8h 6d")
    before = len(pit.book.entries)

    assert Code.INSUFFICIENT_POSTA == pit.act("double").refusal

    assert ["command-answered"] == [e.event.NAME for e in pit.book.entries[before:]]
    assert pit.act("hit").refusal is None
    assert 500 == pit.session().posta


def test_a_double_beyond_the_planned_loss_is_refused_and_the_hand_is_as_it_was():
    """15.00 may be lost and 10.00 is bet: no double, though the posta holds it."""
    pit = BlackjackPit(1, limit_loss=1_500)
    pit.begin("10.00")
    pit.deal("5h 8h 6d")

    assert Code.LOSS_LIMIT_REACHED == pit.act("double").refusal

    assert -1_000 == pit.won()
    assert pit.act("hit").refusal is None


def test_s14_of_two_doubles_the_second_finds_the_turn_taken(pit):
    """One debit and one card; a split after a third card is refused without a debit."""
    pit.begin("10.00", "10.00")
    pit.deal("5h 4h 8h 6d 4d")

    assert pit.act("double").refusal is None
    assert Code.CARD_TO_COME == pit.act("double").refusal
    pit.deal("Td")
    pit.act("hit", 2)
    pit.deal("Kd")
    assert BlackjackCode.SPLIT_NOT_OFFERED == pit.act("split", 2).refusal
    assert (-2_000, -1_000) == (pit.won(1), pit.won(2))


def test_a_seat_acts_in_its_own_turn_alone(pit):
    """Not before its cards, nor in another's turn, nor with another's round, nor by a leave."""
    pit.begin("10.00", "10.00")
    assert Code.CARD_TO_COME == pit.act("stand").refusal
    pit.deal("Th 9h 8h Td Td")

    assert Code.SEAT_IN_TURN == pit.act("stand", 2).refusal
    assert Code.NOT_SEATED == pit.act("stand", leave="maria").refusal
    assert pit.act("stand").refusal is None
    assert Code.SEAT_IN_TURN == pit.act("stand").refusal


def test_before_the_close_there_is_one_bet_a_box_and_no_turn(pit):
    """Within the limits; the bet is taken back to bet anew."""
    pit.shuffle()
    pit.at(cmd.OpenTableRound)
    assert BlackjackCode.BET_ABOVE_MAXIMUM == pit.bet(1, "1000.01").refusal
    first = pit.bet(1, "10.00")
    assert Code.ROUND_IN_PLAY == pit.bet(1, "5.00").refusal
    assert BlackjackCode.NOT_IN_TURN == pit.act("stand").refusal

    back = pit.send(cmd.RefundBets, session=uid(1), placed_by=first.command, reason="taken back")

    assert ["bet-refunded", "round-voided"] == names(back)
    assert pit.bet(1, "5.00").refusal is None


def test_after_the_close_no_bet_comes_in_not_even_by_a_leave(pit):
    """The cards would be known."""
    pit.begin("10.00")

    assert Code.TABLE_TAKES_NO_BETS == pit.bet(2, leave="maria").refusal


def test_no_card_is_dealt_where_nobody_has_bet(pit):
    """The round is void instead."""
    pit.begin()
    assert Code.NO_BET == pit.at(cmd.DealCard).refusal
    assert pit.at(cmd.VoidTableRound, reason="nobody").refusal is None


def why(answer):
    """Why a message of the feed changed nothing."""
    (event,) = [e.event for e in answer.entries]
    return event.why


def test_a_card_that_the_shoe_does_not_hold_any_more_is_refused_on_record(pit):
    """The ninth eight of hearts of eight decks."""
    for _ in range(4):
        pit.begin("10.00")
        pit.deal("8h 9h 8h")
        pit.at(cmd.VoidTableRound, reason="cards misread")
    pit.begin("10.00")

    assert "impossible" == why(pit.hear("8h"))
    pit.deal("8c 9h 8d")


def test_what_the_feed_tells_again_late_or_in_conflict_is_on_record_and_changes_nothing(pit):
    """A message and its place in the feed count once."""
    pit.begin("10.00")
    card = pit.told(read_card("Th"), "m-90", 90)
    pit.at(cmd.DealCard, told=card)
    other = pit.told(read_card("9h"), "m-90", 90)
    early = pit.told(read_card("9h"), "m-80", 80)

    answers = [pit.at(cmd.DealCard, told=told) for told in (card, other, early)]

    assert ["repeated", "contradictory", "out-of-order"] == list(map(why, answers))
    assert 1 == pit.table.round.dealing.cards


def read_card(name):
    """A card as the feed tells it."""
    return ENGINE.parse_card({"card": name})


def test_a_card_of_the_feed_counts_only_where_one_is_due(pit):
    """Before the close, in a seat's turn, and after the last round."""
    pit.shuffle()
    pit.at(cmd.OpenTableRound)
    pit.bet()
    assert "untimely" == why(pit.hear("Th"))
    pit.at(cmd.CloseBets)
    pit.deal("Th 9h 8d")
    assert "untimely" == why(pit.hear("Th"))
    pit.at(cmd.VoidTableRound, reason="cards misread")
    assert "late" == why(pit.hear("Th"))


def test_bj1_a_shoe_whose_cutting_card_is_out_deals_to_the_end_of_the_round_only(pit):
    """Cut behind 192 cards: the round in which the 192nd comes goes on, the next one waits."""
    pit.shuffle(cut=192)
    assert "impossible" == why(pit.shuffle(cut=20))
    gone = 0
    while gone < 192:
        pit.begin("0.01", "0.01")
        pit.pool = [bytes([0, 7 * gone % 256] * 16)] * 300
        while pit.table.round.phase != "told":
            if pit.at(cmd.DealCard).refusal == Code.SEAT_IN_TURN:
                pit.now += timedelta(seconds=20)
                pit.do(cmd.PassTurn, table="blackjack-1")
        gone = len(pit.table.shoe.gone)
        pit.settle()
    pit.begin("0.01")

    assert Code.SHOE_OUT == pit.at(cmd.DealCard).refusal
    assert "untimely" == why(pit.hear("8c"))
    assert ["shoe-shuffled"] == names(pit.shuffle())
    assert (2, ()) == (pit.table.shoe.number, pit.table.shoe.gone)
    pit.deal("8h")
    assert Code.TABLE_ROUND_IN_PLAY == pit.at(cmd.ShuffleShoe).refusal
    assert "untimely" == why(pit.shuffle())


def test_g7_a_drawn_card_and_a_drawn_cut_are_mapped_from_recorded_entropy(pit):
    """Two bytes: 0 is the first place of the cutting card, and the first card of the deck."""
    pit.pool = [bytes(32)]
    (shuffled,) = pit.at(cmd.ShuffleShoe).entries
    pit.begin("10.00")
    pit.pool = [bytes(32)]

    card = next(e.event for e in pit.at(cmd.DealCard).entries if e.event.NAME == "card-dealt")

    assert (192, "00") == (shuffled.event.details.cards, shuffled.event.entropy)
    assert ("2c", "0000", None) == (card.details.card, card.entropy, card.feed)


def test_bj8_a_seat_that_does_not_act_in_its_time_stands(pit):
    """20 seconds by the sheet; the event says that the rules did it."""
    pit.begin("10.00")
    assert Code.CARD_TO_COME == pit.at(cmd.PassTurn).refusal
    pit.deal("Th 8h 6d")
    pit.now += timedelta(seconds=19)
    assert Code.NOT_YET_DUE == pit.at(cmd.PassTurn).refusal
    pit.now += timedelta(seconds=1)

    (turn,) = pit.at(cmd.PassTurn).entries

    assert ("turn-taken", "time") == (turn.event.NAME, turn.event.passed)
    assert "stand" == turn.event.details.action


def test_bj8_the_game_goes_on_without_a_player_whose_connection_is_lost(pit):
    """Its hand stands at once and wins; nothing is taken from the posta before that."""
    pit.begin("10.00")
    pit.deal("Th 8h Td")
    pit.do(cmd.DisconnectSession, session=uid(1), at=pit.now)
    assert Code.SESSION_DISCONNECTED == pit.act("hit").refusal

    (turn,) = pit.at(cmd.PassTurn).entries
    assert "disconnected" == turn.event.passed
    pit.now += timedelta(minutes=20)
    assert ["session-expired"] == names(pit.send(cmd.ExpireSession, session=uid(1)))
    pit.deal("Tc")
    answer = pit.settle()

    assert {"payout-credited", "session-closed", "seat-left"} <= set(names(answer))
    ended = pit.session()
    assert (Closed, RIGHT + 1_000) == (type(ended), ended.final_posta)


def test_an_excluded_player_acts_no_more_and_is_paid_and_ended_with_the_box(pit):
    """Barred with a hand in play: the rules stand for it, and a Blackjack at once ends another."""
    pit.begin("10.00", "10.00")
    pit.deal("Th Ah 8h 6d Kd")
    for number in (1, 2):
        until = pit.now + timedelta(days=1)
        pit.do(cmd.ExcludePlayer, player=f"player-{number}", until=until)

    answer = pit.at(cmd.PassTurn)

    assert "excluded" == answer.entries[0].event.passed
    assert {"payout-credited", "session-closed", "seat-left"} <= set(names(answer))
    assert (Closed, RIGHT + 1_500) == (type(pit.session(2)), pit.session(2).final_posta)
    pit.deal("Tc")
    pit.settle()
    assert isinstance(pit.session(), Closed)


def test_a_box_that_is_decided_can_leave_while_the_others_play(pit):
    """Its session has no round any more; who sits down there has no box in this round."""
    pit.begin("10.00", "10.00")
    pit.deal("Ah Th 8h Kd Td")

    assert pit.send(cmd.LeaveSeat, session=uid(1)).refusal is None
    pit.send(cmd.TakeSeat, session=uid(1), table="blackjack-1", seat=1)
    pit.act("stand", 2)
    pit.deal("Tc")

    assert 1 == pit.settle().entries[-1].event.sessions
    assert (1_500, 1_000) == (pit.won(1), pit.won(2))


def split_and_insured(pit):
    """Three bets of a box that is in play: 10.00, 5.00 insured, 10.00 by the split."""
    pit.begin("10.00")
    pit.deal("8h Ah 8d")
    pit.act("insurance")
    pit.act("split")
    pit.deal("Tc")


def test_bj8_every_bet_of_a_box_goes_back_once_when_the_station_fails(pit):
    """At once, and no game opens until the chief resumes the table."""
    split_and_insured(pit)

    answer = pit.at(cmd.SuspendTable, reason="no signal", **CHIEF)

    back = [e.event.amount for e in answer.entries if e.event.NAME == "bet-refunded"]
    assert ([1_000, 500, 1_000], 0) == (back, pit.won())
    assert Code.TABLE_SUSPENDED == pit.at(cmd.OpenTableRound).refusal
    pit.at(cmd.ResumeTable, **CHIEF)
    pit.begin("10.00")


@pytest.mark.parametrize("end", ["next game", "leaving", "closing"])
def test_bj8_a_malfunction_refunds_at_the_start_of_the_next_game_or_when_the_session_ends(pit, end):
    """Until then the stakes stay where they are."""
    split_and_insured(pit)
    pit.at(cmd.VoidTableRound, reason="cards misread", refund="next-round")
    assert (-2_500, 2_500) == (pit.won(), pit.session().rounds[0].at_stake)

    if end == "next game":
        pit.do(cmd.OpenTableRound, table="blackjack-1")
    elif end == "leaving":
        pit.do(cmd.LeaveSeat, session=uid(1))
    else:
        pit.do(cmd.CloseTable, table="blackjack-1", **CHIEF)

    assert (0, ()) == (pit.won(), pit.session().rounds)
    refunds = [e for e in pit.book.entries if e.event.NAME == "bet-refunded"]
    assert 3 == len(refunds)


def test_bj8_what_a_box_was_paid_at_once_stands_when_the_round_is_void(pit):
    """The Blackjack was won; the other box gets its bet back."""
    pit.begin("10.00", "10.00")
    pit.deal("Ah Th 8h Kd Td")

    pit.at(cmd.VoidTableRound, reason="cards misread")

    assert (1_500, 0) == (pit.won(1), pit.won(2))


def test_g9_no_single_bet_is_void_once_cards_may_be_dealt(pit):
    """Neither by its client nor by the house: the others' cards depend on it."""
    pit.begin("10.00", "10.00")
    round_id = pit.session().rounds[0].round
    ref = cmd.RoundRef(session=uid(1), round=round_id)

    taken_back = {"session": uid(1), "placed_by": round_id, "reason": "no"}
    assert Code.ROUND_DECIDED == pit.send(cmd.RefundBets, **taken_back).refusal
    assert Code.ROUND_DECIDED == pit.send(cmd.VoidRounds, rounds=(ref,), reason="no").refusal


def test_the_steps_of_a_deal_come_in_their_order(pit):
    """No card before the close or after the last, no outcome from outside, no payment before it."""
    assert Code.NO_TABLE_ROUND == pit.at(cmd.DealCard).refusal
    pit.shuffle()
    pit.at(cmd.OpenTableRound)
    pit.bet()
    assert Code.BETS_NOT_CLOSED == pit.at(cmd.DealCard).refusal
    pit.at(cmd.CloseBets)
    assert Code.TABLE_NOT_OFFERED == pit.at(cmd.DrawOutcome).refusal
    pit.deal("Th 8h Td")
    assert Code.NO_TABLE_ROUND == pit.settle().refusal
    pit.act("stand")
    pit.deal("Tc")

    assert Code.TABLE_ROUND_IN_PLAY == pit.at(cmd.DealCard).refusal
    assert Code.TABLE_ROUND_IN_PLAY == pit.at(cmd.PassTurn).refusal
    assert Code.TABLE_ROUND_IN_PLAY == pit.at(cmd.OpenTableRound).refusal


def test_a_table_of_blackjack_has_seven_seats(pit):
    """An eighth is refused with the most."""
    fields = {"table": "blackjack-2", "sheet": "live-blackjack", "seats_max": 8, **CHIEF}
    assert Code.MALFORMED == pit.send(cmd.OpenTable, **fields).refusal
