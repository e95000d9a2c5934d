"""Whoever leaves a live table is owed nothing, and what is decided is paid (G9, BJ8, C1, FR3)."""

from datetime import timedelta

import pytest

from ledger.domain import commands as cmd
from ledger.domain.refusals import Code
from ledger.domain.session import Closed
from tests.coin import ENGINES, coin_sheet
from tests.ledger.domain.test_tables import HEADS, REASON, TAILS, Pit
from tests.memory_pit import names
from tests.scenes import ANNA, money, uid
from tests.table_coin import TABLE_ENGINES

BACK = ["bet-refunded", "round-voided"]
PERSON = {"player": ANNA, "sheet": "coin-flip", "channel": "web"}


@pytest.fixture
def owing():
    """Anna bet 1.00 of 50.00 in a round that was voided and is refunded with the next one."""
    pit = Pit()
    pit.begin()
    pit.bet(1)
    pit.at(cmd.VoidTableRound, reason=REASON, refund="next-round")
    return pit


def exclude(pit):
    """Exclude anna for a day; the answer."""
    return pit.send(cmd.ExcludePlayer, player=ANNA, until=pit.now + timedelta(days=1))


def lose_connection(pit):
    """Anna's connection is lost, and her twenty minutes pass."""
    pit.do(cmd.DisconnectSession, session=uid(1), at=pit.now)
    pit.now += timedelta(minutes=20)


def ask_for_more(pit):
    """Anna asks for a further right of 6.00; its id."""
    return pit.do(cmd.RequestParticipation, session=uid(1), **PERSON, **money(600)).command


def assert_ended(pit, reason, final_posta):
    """Anna's session ended for this reason with this posta, and her seat is free."""
    ended = pit.book.state(f"session:{uid(1)}")
    assert (Closed, reason, final_posta) == (type(ended), ended.reason, ended.final_posta)
    assert [uid(2)] == [seat.session for seat in pit.table.seats]


def test_bj8_closing_the_session_gives_back_what_is_owed_before_the_final_posta(owing):
    """The table never opens another round."""
    closed = owing.do(cmd.CloseSession, session=uid(1))

    assert BACK == names(closed)[:2]
    assert_ended(owing, "player", 5_000)


def test_bj8_who_does_not_come_back_is_given_back_what_is_owed(owing):
    """The expiry is not refused: under the same id it would be refused for ever."""
    lose_connection(owing)

    expired = owing.do(cmd.ExpireSession, session=uid(1))

    assert BACK == names(expired)[:2]
    assert_ended(owing, "expired", 5_000)


def test_bj8_an_excluded_player_is_given_back_what_is_owed_at_once(owing):
    """Nothing is in play, so the session does not wait for a round that may never open."""
    exclude(owing)

    assert_ended(owing, "excluded", 5_000)


def test_g9_an_answer_to_a_right_during_a_round_of_an_excluded_player_is_taken():
    """The yes funds the posta, the round pays, and then the session ends."""
    pit = Pit()
    pit.begin()
    pit.bet(1)
    right = ask_for_more(pit)
    exclude(pit)

    proof = {"participation": right, "ticket": "T-2", "count": 1, "total": 600}
    pit.do(cmd.ValidateParticipation, session=uid(1), **proof)
    pit.toss()

    assert_ended(pit, "excluded", 5_000 + 600 + 100)


def test_g9_a_rejected_right_during_a_round_of_an_excluded_player_goes_back():
    """To the conto at once; the round pays, and then the session ends."""
    pit = Pit()
    pit.begin()
    pit.bet(1)
    right = ask_for_more(pit)
    exclude(pit)

    pit.do(cmd.RejectParticipation, session=uid(1), participation=right, reason="no")
    assert 90_000 - 5_000 == pit.book.state(f"conto:{ANNA}").balance
    pit.toss()

    assert_ended(pit, "excluded", 5_000 + 100)


def test_g9_a_session_whose_time_is_over_ends_when_its_seat_is_left():
    """Its expiry came during the round and its bet was voided by hand: no round ends it."""
    pit = Pit()
    pit.begin()
    bet = pit.bet(1).command
    lose_connection(pit)
    pit.do(cmd.ExpireSession, session=uid(1))
    pit.do(cmd.VoidRounds, rounds=(cmd.RoundRef(session=uid(1), round=bet),), reason=REASON)

    pit.do(cmd.LeaveSeat, session=uid(1))

    assert_ended(pit, "expired", 5_000)


@pytest.mark.parametrize("away", ["expired", "excluded"])
def test_g9_who_waits_for_a_round_that_is_voided_is_ended_with_it(away):
    """The others are refunded when the next round begins; it may never begin."""
    pit = Pit()
    pit.begin()
    pit.bet(1)
    pit.bet(2)
    if away == "expired":
        lose_connection(pit)
        pit.do(cmd.ExpireSession, session=uid(1))
    else:
        exclude(pit)

    voided = pit.at(cmd.VoidTableRound, reason=REASON, refund="next-round")

    assert BACK == names(voided)[:2]
    assert_ended(pit, away, 5_000)
    assert 5_000 - 100 == pit.posta(2)
    pit.begin()
    assert 5_000 == pit.posta(2)


def test_g9_a_later_exclusion_of_who_waits_for_a_round_is_taken():
    """The conto is excluded for longer; the round ends the session as before."""
    pit = Pit()
    pit.begin()
    pit.bet(1)
    exclude(pit)
    later = pit.now + timedelta(days=90)

    longer = pit.do(cmd.ExcludePlayer, player=ANNA, until=later)

    assert ["conto-excluded"] == names(longer)
    assert later == pit.book.state(f"conto:{ANNA}").excluded_until
    pit.toss()
    assert_ended(pit, "excluded", 5_100)


def test_g3_the_record_of_a_command_tells_one_run_of_each_stream():
    """A seat that is left and the round that ends it are both of the table's stream."""
    pit = Pit()
    pit.begin()
    pit.bet(1)
    exclude(pit)

    settled = pit.toss()

    written = [w.stream for w in settled.answered.written]
    assert {f"session:{uid(1)}", f"conto:{ANNA}", "table:coin-1"} == set(written)
    assert 3 == len(written)
    assert {"seat-left", "table-round-settled"} <= set(names(settled))


def test_g9_no_bet_is_taken_back_once_the_tables_outcome_is_told():
    """Neither by its player's refund nor by an operator's void: tails came, heads has lost."""
    pit = Pit()
    pit.begin()
    bet = pit.bet(1).command
    pit.at(cmd.CloseBets)
    pit.hear(TAILS)

    taken_back = pit.send(cmd.RefundBets, session=uid(1), placed_by=bet, reason=REASON)
    ref = cmd.RoundRef(session=uid(1), round=bet)
    voided = pit.send(cmd.VoidRounds, rounds=(ref,), reason=REASON)

    assert (Code.ROUND_DECIDED, Code.ROUND_DECIDED) == (taken_back.refusal, voided.refusal)
    pit.at(cmd.SettleTableRound)
    assert 5_000 - 100 == pit.posta()


def test_fr3_a_table_that_is_suspended_pays_the_outcome_that_was_told():
    """Bets that are not yet drawn are refunded, those that are drawn are paid."""
    pit = Pit()
    pit.begin()
    pit.bet(1)
    pit.at(cmd.CloseBets)
    pit.hear()

    suspended = pit.at(cmd.SuspendTable, reason=REASON, chief="maria")

    assert ["table-suspended"] == names(suspended)
    pit.do(cmd.SettleTableRound, table="coin-1")
    assert (5_000 + 100, Code.TABLE_SUSPENDED) == (pit.posta(), pit.at(cmd.OpenTableRound).refusal)


@pytest.mark.parametrize("told", [True, False], ids=["paid", "voided"])
def test_g7_a_message_that_came_for_another_round_never_counts_for_the_next(told):
    """It was refused when it came; the feed sends it again when the next bets are closed."""
    pit = Pit()
    pit.begin()
    if told:
        pit.toss(TAILS, 1)
    else:
        pit.at(cmd.VoidTableRound, reason=REASON)
    late = pit.hear(HEADS, 2, "m-2").entries[0].event
    pit.begin()
    pit.at(cmd.CloseBets)

    again = pit.hear(HEADS, 2, "m-2").entries[0].event

    assert (("late", HEADS), "repeated") == ((late.why, late.details), again.why)
    assert "closed" == pit.table.round.phase


def publish(pit, engine):
    """Another version of the sheet comes into force, for this engine."""
    text = coin_sheet(2, engine=engine, rounds_max=5)
    told = {"sheet": "coin-flip", "sheet_version": 2, "in_force_from": pit.now, "text": text}
    pit.do(cmd.PublishSheet, **told)


def test_g8_all_bets_of_a_tables_round_are_under_its_own_rules():
    """A version that comes into force meanwhile is played from the next round on."""
    pit = Pit()
    pit.begin()
    pit.bet(1)
    publish(pit, "coin/2")

    assert Code.TABLE_TAKES_NO_BETS == pit.bet(2).refusal
    pit.toss()
    pit.begin()
    assert 2 == pit.bet(2).entries[0].event.rules.version


def test_g4_a_round_that_is_played_alone_does_not_hold_up_the_tables_payments():
    """The sheet left the tables during a round; who plays on alone is not told its outcome."""
    pit = Pit({**TABLE_ENGINES, **ENGINES})
    pit.begin()
    pit.bet(1)
    publish(pit, "coin/1")
    alone = pit.bet(2).command

    assert pit.toss().refusal is None

    assert 5_000 + 100 == pit.posta(1)
    assert [alone] == [r.round for r in pit.book.state(f"session:{uid(2)}").rounds]
