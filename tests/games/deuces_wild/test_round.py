"""A round of Deuces Wild, step by step, from the bet to the collection (rulings DW1 to DW6)."""

from datetime import timedelta

import pytest

from games.deuces_wild.moves import DeucesCards, DeucesCollect, DeucesDeal, DeucesShow
from games.deuces_wild.refusals import DeucesCode
from games.deuces_wild.rtp import returns_of
from games.deuces_wild.table import DeucesDealt, DeucesFour, DeucesShown
from ledger.domain import commands as cmd, events as ev
from ledger.domain.refusals import Code
from tests.deuces_table import (
    DEUCES,
    ENGINE,
    NOTHING,
    ROYAL,
    SESSION,
    TRIPLE,
    Seat,
    entropy,
    names,
    told,
)
from tests.scenes import ANNA, uid

FOUR = ["Kd", "4s", "6h", "8c"]


def test_dw6_a_deal_bets_the_coins_and_shows_five_cards():
    """Five coins of 0.25 leave the posta, and nothing but the five cards is drawn."""
    seat = Seat()

    answer = seat.deal(TRIPLE)

    assert ["round-opened", "bet-placed", "draw-recorded"] == names(answer)
    assert 125 == told(answer, ev.BetPlaced).amount
    drawn = told(answer, ev.DrawRecorded)
    assert DeucesDealt(cards=tuple(TRIPLE), proposed_hold=(1, 2, 3)) == drawn.details
    assert entropy(TRIPLE).hex() == drawn.entropy
    assert (49_875, 0, 0) == seat.boxes


@pytest.mark.parametrize("coins", [-999, -1, 0, 6])
def test_dw6_a_deal_for_no_coins_or_too_many_is_refused_also_from_a_program(coins):
    """Given a move that was made and not read from a document, then a refusal and no fault."""
    seat = Seat()

    _, answer = seat.send(cmd.OpenRound, move=DeucesDeal(coins=coins, coin=25))

    assert DeucesCode.COINS_NOT_OFFERED == answer.refusal
    assert (50_000, 0, 0) == seat.boxes


def test_g7_a_bet_is_not_taken_back_from_a_hand_that_was_dealt_and_the_house_can_void_it():
    """A client that rolls back learns nothing from the cards; a clerk gives the 1.25 back."""
    seat = Seat()
    seat.deal(NOTHING)

    _, answer = seat.send(cmd.RefundBets, placed_by=seat.round, reason="timed out")
    assert Code.ROUND_DECIDED == answer.refusal
    assert (49_875, 0, 0) == seat.boxes

    ref = cmd.RoundRef(session=SESSION, round=seat.round)
    void = cmd.VoidRounds(id=uid(9_000), actor="clerk", rounds=(ref,), reason="cards stuck")
    assert seat.book.handle(void, seat.now).refusal is None
    assert (50_000, 0, 0) == seat.boxes


def test_g10_a_draw_records_the_bytes_of_the_shown_cards_and_no_more():
    """Given more entropy than five cards need, then the rest is not on record."""
    seat = Seat()
    more = entropy(TRIPLE) + b"\x01\x02\x03\x04"

    answer = seat.open({"coins": 1, "coin": "0.10"}, more)

    assert entropy(TRIPLE).hex() == told(answer, ev.DrawRecorded).entropy


def test_dw5_cards_that_are_not_held_are_replaced_in_their_places():
    """Holding the second and fifth card, the fresh ones stand first, third and fourth."""
    seat = Seat()
    seat.deal(NOTHING)

    answer = seat.hold(NOTHING, (2, 5), ("2s", "Qd", "Kh"))

    final = told(answer, ev.DrawRecorded)
    assert ("2s", "5d", "Qd", "Kh", "Jc") == final.details.cards
    assert "2s 5d Qd Kh Jc nothing" == final.shown


def test_a_hand_that_makes_nothing_loses_and_ends_the_round():
    """The bet goes to the bank; the bet box shows 0.00."""
    seat = Seat()
    seat.deal(NOTHING)

    answer = seat.hold(NOTHING, (), ("4c", "6d", "8h", "Ts", "Qc"))

    assert ["move-made", "draw-recorded", "round-settled"] == names(answer)
    assert (125, 0, 125) == _figures(answer)
    assert ((), (49_875, 0, 0)) == (seat.state.rounds, seat.boxes)


def _figures(answer):
    end = told(answer, ev.RoundSettled)
    return end.staked, end.winnings + end.stake_returned, end.stakes_lost


def test_dw4_a_win_is_held_and_no_part_of_the_posta():
    """Three of a kind at five coins of 0.25 brings 1.25: the stake, and nothing beyond it."""
    seat = Seat()
    seat.deal(TRIPLE)

    answer = seat.hold(TRIPLE, (1, 2, 3), ("5s", "7c"))

    assert ["move-made", "draw-recorded", "win-held"] == names(answer)
    held = told(answer, ev.WinHeld)
    assert (0, 125) == (held.winnings, held.stake_returned)
    assert (49_875, 0, 125) == seat.boxes


def test_dw1_a_natural_royal_at_five_coins_pays_four_thousand_coins():
    """All five cards held, nothing is drawn; 4,000 times 0.25, less the stake of 1.25."""
    seat = Seat()
    seat.deal(ROYAL)

    answer = seat.hold(ROYAL, (1, 2, 3, 4, 5))

    assert "" == told(answer, ev.DrawRecorded).entropy
    assert (100_000 - 125, 125) == (
        told(answer, ev.WinHeld).winnings,
        told(answer, ev.WinHeld).stake_returned,
    )


def test_dw4_a_collected_win_is_posta_and_ends_the_round():
    """1.25 back; the net win is 0.00, for three of a kind returns the stake alone."""
    seat = Seat()
    seat.win()

    answer = seat.move({"collect": True})

    assert ["move-made", "win-collected", "round-settled"] == names(answer)
    assert ((), (50_000, 0, 0)) == (seat.state.rounds, seat.boxes)
    assert told(answer, ev.RoundSettled).double_ups is None


@pytest.mark.parametrize("coins", [1, 2, 3, 4, 5])
def test_c8_a_round_names_the_return_that_it_was_played_for(coins):
    """Given so many coins, then the kind on record is the one that returns what they return."""
    seat = Seat()
    seat.win(coins)

    kind = told(seat.move({"collect": True}), ev.RoundSettled).bet_kind

    sheet = ENGINE.read_sheet(DEUCES)
    assert [sheet.returns[coins]] == [r.expected for r in returns_of(sheet) if r.kind == kind]
    assert str(coins) == kind[0]


def test_dw4_a_new_deal_with_a_win_still_held_is_refused():
    """The win is collected first."""
    seat = Seat()
    seat.win()

    assert Code.ROUND_IN_PLAY == seat.open({"coins": 1, "coin": "0.10"}).refusal


def test_dw3_the_amount_at_risk_is_fixed_before_the_card_is_shown():
    """The stake stands before the draw, and the card is the only thing drawn."""
    seat = Seat()
    seat.win(coin="1.00")

    answer = seat.double("9h")

    assert ["move-made", "double-up-staked", "draw-recorded"] == names(answer)
    staked = told(answer, ev.DoubleUpStaked)
    assert (1, False, 500, 0) == (staked.number, staked.half, staked.at_risk, staked.kept)
    assert DeucesShown(card="9h") == told(answer, ev.DrawRecorded).details
    assert (49_500, 500, 500) == seat.boxes


def test_dw3_all_four_cards_are_on_record_after_the_pick():
    """The third of them was picked, and an eight loses to a nine."""
    seat = Seat()
    seat.win(coin="1.00")
    seat.double("9h")

    answer = seat.pick("9h", ["Kd", "4s", "8c", "6h"], 3)

    expected = ["move-made", "draw-recorded", "double-up-resolved", "round-settled"]
    assert expected == names(answer)
    four = DeucesFour(cards=("Kd", "4s", "8c", "6h"), picked=3)
    assert four == told(answer, ev.DrawRecorded).details
    assert "lost" == told(answer, ev.DoubleUpResolved).outcome
    assert (49_500, 0, 0) == seat.boxes


@pytest.mark.parametrize(
    ("half", "picked", "outcome", "win"),
    [
        (False, "Kd", "won", 1_000),
        (False, "9d", "pushed", 500),
        (True, "Kd", "won", 750),
        (True, "9d", "pushed", 500),
    ],
)
def test_dw4_what_is_on_offer_after_a_double_up(half, picked, outcome, win):
    """Of 5.00: doubled 10.00; half doubled 2.50 and twice 2.50; a push leaves the whole 5.00."""
    seat = Seat()
    seat.win(coin="1.00")
    seat.double("9h", half=half)

    answer = seat.pick("9h", [picked, "4s", "6h", "8c"])

    assert outcome == told(answer, ev.DoubleUpResolved).outcome
    assert (49_500, 0, win) == seat.boxes
    seat.move({"collect": True})
    assert 49_500 + win == seat.state.posta


def test_dw4_a_lost_half_ends_the_chain_and_the_kept_half_is_collected_at_once():
    """Of 1.25 the half 0.62 is lost, 0.63 goes to the posta, and the round has ended."""
    seat = Seat()
    seat.win()
    seat.double("9h", half=True)

    answer = seat.pick("9h", ["4s", "Kd", "6h", "8c"])

    assert ["double-up-resolved", "win-collected", "round-settled"] == names(answer)[-3:]
    assert 63 == told(answer, ev.WinCollected).amount
    assert ev.DoubleUps(count=1, staked=62, returned=0) == told(answer, ev.RoundSettled).double_ups
    assert 49_875 + 63 == seat.state.posta


def test_dw3_a_deuce_beats_an_ace_and_an_ace_a_king():
    """Ranks rise from three to ace, and the deuce stands above."""
    seat = Seat()
    seat.win()
    for shown, picked in (("Kc", "Ah"), ("As", "2d")):
        seat.double(shown)
        answer = seat.pick(shown, [picked, "4s", "6h", "8c"])
        assert "won" == told(answer, ev.DoubleUpResolved).outcome


def test_dw4_at_most_five_double_ups_a_round():
    """Five pushes use them up; the win of 0.50 can only be collected."""
    seat = Seat()
    seat.win(coin="0.10")
    for _ in range(5):
        seat.double("9h")
        seat.pick("9h", ["9d", "4s", "6h", "8c"])

    assert DeucesCode.DOUBLE_UPS_USED == seat.move({"double_up": {"half": False}}).refusal
    assert 50 == seat.state.win_box
    seat.move({"collect": True})
    assert 50_000 == seat.state.posta


def test_dw4_a_win_above_the_limit_is_not_doubled_up():
    """A natural royal at five coins of 0.25 is 1,000.00 and may be; at 0.50 it is 2,000.00."""
    seat = Seat()
    seat.deal(ROYAL)
    seat.hold(ROYAL, (1, 2, 3, 4, 5))
    assert seat.double("9h").refusal is None
    rich = Seat()
    rich.deal(ROYAL, coin="0.50")
    rich.hold(ROYAL, (1, 2, 3, 4, 5))

    for half in (False, True):
        refused = rich.move({"double_up": {"half": half}})
        assert DeucesCode.DOUBLE_UP_ABOVE_LIMIT == refused.refusal


DEALT, HELD, DOUBLING = "dealt", "held", "doubling"


def at(stage):
    """A seat whose round stands at a stage."""
    seat = Seat()
    if stage == DEALT:
        seat.deal(TRIPLE)
    if stage in (HELD, DOUBLING):
        seat.win()
    if stage == DOUBLING:
        seat.double("9h")
    return seat


@pytest.mark.parametrize(
    ("stage", "document", "code"),
    [
        (DEALT, {"hold": [1, 1]}, DeucesCode.CARD_HELD_TWICE),
        (DEALT, {"hold": [0]}, DeucesCode.NO_SUCH_CARD),
        (DEALT, {"hold": [6]}, DeucesCode.NO_SUCH_CARD),
        (DEALT, {"hold": [6, 6]}, DeucesCode.NO_SUCH_CARD),
        (DEALT, {"coins": 1, "coin": "0.10"}, DeucesCode.CARDS_DEALT),
        (DEALT, {"double_up": {"half": False}}, DeucesCode.NO_WIN),
        (DEALT, {"pick": 1}, DeucesCode.NO_WIN),
        (DEALT, {"collect": True}, DeucesCode.NO_WIN),
        (HELD, {"hold": [1]}, DeucesCode.CARDS_REPLACED),
        (HELD, {"pick": 1}, DeucesCode.NO_DOUBLE_UP),
        (DOUBLING, {"double_up": {"half": False}}, DeucesCode.DOUBLE_UP_IN_PLAY),
        (DOUBLING, {"collect": True}, DeucesCode.DOUBLE_UP_IN_PLAY),
        (DOUBLING, {"hold": []}, DeucesCode.CARDS_REPLACED),
        (DOUBLING, {"pick": 0}, DeucesCode.NO_SUCH_PICK),
        (DOUBLING, {"pick": 5}, DeucesCode.NO_SUCH_PICK),
    ],
)
def test_a_move_at_the_wrong_moment_is_refused_and_changes_nothing(stage, document, code):
    """Two replacements, two double-ups at once, a card held twice, a pick outside of 1 to 4."""
    seat = at(stage)
    before = seat.state

    answer = seat.move(document)

    assert (code, []) == (answer.refusal, names(answer))
    assert before == seat.state


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"coins": 6, "coin": "0.25"}, DeucesCode.COINS_NOT_OFFERED),
        ({"coins": 5, "coin": "0.20"}, DeucesCode.COIN_NOT_OFFERED),
        ({"coins": 5, "coin": "10.00"}, DeucesCode.COIN_NOT_OFFERED),
        ({"hold": [1]}, Code.NO_BET),
    ],
)
def test_dw6_one_to_five_coins_of_the_sheets_values(document, code):
    """Six coins, or a coin that the sheet does not have, are refused before any card."""
    seat = Seat()

    assert (code, 50_000) == (seat.open(document).refusal, seat.state.posta)


def test_a_double_up_after_collecting_is_refused():
    """The round has ended; its result stands."""
    seat = Seat()
    seat.win()
    seat.move({"collect": True})

    assert Code.ROUND_ENDED == seat.move({"double_up": {"half": False}}).refusal
    assert Code.ROUND_ENDED == seat.move({"collect": True}).refusal


def test_g3_a_win_is_collected_once_however_often_it_is_asked_for():
    """The same command again is answered the same; the posta grows once."""
    seat = Seat()
    seat.win()
    move = {"round": seat.round, "move": DeucesCollect()}
    command = cmd.ContinueRound(id=uid(77), actor="anna-1", session=SESSION, **move)

    first, second = (seat.book.handle(command, seat.now) for _ in range(2))

    assert first == second
    assert 50_000 == seat.state.posta


def test_dw5_at_expiry_a_dealt_hand_is_played_with_the_proposed_holds_and_collected():
    """Three of a kind is held, a fourth three comes: four coins a coin, 5.00 in all."""
    seat = Seat()
    seat.deal(TRIPLE)
    seat.expire()

    answer = seat.end(entropy(("3s", "7c"), TRIPLE))

    assert "four-of-a-kind" == told(answer, ev.DrawRecorded).details.category
    assert names(answer)[1:4] == ["win-held", "win-collected", "round-settled"]
    assert 49_875 + 500 == told(answer, ev.SessionClosed).final_posta


def test_dw4_a_held_win_survives_the_disconnection_and_is_collected_at_expiry():
    """Nothing is drawn; the win goes to the posta and the posta to the conto."""
    seat = Seat()
    seat.win()
    seat.expire()
    assert 125 == seat.state.win_box

    answer = seat.end()

    expected = ["win-collected", "round-settled", "session-expired", "session-closed"]
    assert expected == names(answer)[:4]
    assert 50_000 == told(answer, ev.SessionClosed).final_posta


def test_dw4_a_held_win_is_collected_when_the_player_is_excluded():
    """As at expiry, and at once: 1.25 were bet and 1.25 are held, so that nothing was lost."""
    seat = Seat()
    seat.win()
    excluding = cmd.ExcludePlayer(
        id=uid(2), actor=ANNA, player=ANNA, until=seat.now + timedelta(days=7)
    )

    answer = seat.book.handle(excluding, seat.now)

    ended = ["win-collected", "round-settled", "session-closed"]
    assert [*ended, "conto-excluded", "funds-transferred-to-conto"] == names(answer)
    assert 50_000 == told(answer, ev.SessionClosed).final_posta


def test_g9_at_expiry_a_double_up_in_play_is_decided_by_the_first_card():
    """The card to beat is shown: leaving is no way to take the stake back."""
    seat = Seat()
    seat.win()
    seat.double("9h")
    seat.expire()

    answer = seat.end(entropy(FOUR, ["9h"]))

    four = DeucesFour(cards=tuple(FOUR), picked=1)
    assert four == told(answer, ev.DrawRecorded).details
    assert 49_875 + 250 == told(answer, ev.SessionClosed).final_posta


def test_a_session_is_not_closed_while_a_win_is_held():
    """The win is collected first, so that it is never forgotten (G9)."""
    seat = Seat()
    seat.win()

    _, answer = seat.send(cmd.CloseSession)

    assert Code.ROUND_IN_PLAY == answer.refusal


def test_dw3_each_double_up_draws_from_a_fresh_deck():
    """Cards of the hand are shown and picked again, and so is one that was shown before."""
    seat = Seat()
    seat.win()

    for _ in range(2):
        shown = seat.double("3c")
        four = seat.pick("3c", ["3d", "3h", "5s", "7c"])
        assert "3c" == told(shown, ev.DrawRecorded).details.card
        assert "pushed" == told(four, ev.DoubleUpResolved).outcome


def test_a_hand_is_dealt_final_and_shown_in_the_history_as_one():
    """The screen's history holds final hands and double-ups, not the cards on the way."""
    seat = Seat()
    seat.win()
    seat.double("9h")
    seat.pick("9h", ["4s", "Kd", "6h", "8c"])

    assert ("double-up 1.25 lost", "3c 3d 3h 5s 7c three-of-a-kind") == seat.state.shown


def test_g7_what_the_rules_draw_by_themselves_is_drawn_once_whoever_asks_for_it_again():
    """A second deal is refused, and so is a card to beat without a stake, and a second one."""
    seat = Seat()

    def asked(move):
        return seat.send(cmd.ContinueRound, round=seat.round, move=move)[1].refusal

    seat.win()
    assert [DeucesCode.CARDS_DEALT, DeucesCode.NO_DOUBLE_UP] == [
        asked(move) for move in (DeucesCards(), DeucesShow())
    ]
    seat.double("9h")
    assert DeucesCode.DOUBLE_UP_IN_PLAY == asked(DeucesShow())
    assert (49_875, 125, 125) == seat.boxes
