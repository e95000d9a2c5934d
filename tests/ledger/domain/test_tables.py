"""Live tables: bets of many sessions, one outcome, all payments in one save (G4, FR3, FR8, BJ8)."""

from datetime import timedelta
from uuid import UUID

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.refusals import Code
from ledger.domain.session import Closed
from ledger.domain.table import Closed as TableClosed
from tests.coin import ENGINES, CoinOutcome, Foreign, coin_sheet
from tests.memory_pit import CHIEF, MemoryPit, names
from tests.scenes import ANNA, BRUNO, coins, uid
from tests.table_coin import TABLE_ENGINES

TABLE = "coin-1"
HEADS, TAILS = CoinOutcome(side="heads"), CoinOutcome(side="tails")
REASON = "the wheel broke"


class Pit(MemoryPit):
    """A book in memory with a table; anna sits at seat 1 and bruno at seat 2, 50.00 each."""

    def __init__(self, engines=TABLE_ENGINES):
        text = coin_sheet(engine="coin/2", rounds_max=5)
        super().__init__(TABLE, engines, text, sheet="coin-flip")
        self.pool = [b"\x02"]
        self.open_table(seats_max=3)
        for number, player in ((1, ANNA), (2, BRUNO)):
            self.conto(player, 90_000)
            self.do(cmd.TakeSeat, session=self.buy(number, player, 5_000), table=TABLE)

    def begin(self):
        """Open a round of the table; its id."""
        return self.at(cmd.OpenTableRound).command

    def bet(self, number=1, *lines, **fields):
        """Bet 1.00 on heads, or these lines; the answer."""
        move = coins(*(lines or (("heads", 100),)))
        return self.send(cmd.OpenRound, session=uid(number), move=move, **fields)

    def hear(self, outcome=HEADS, sequence=1, message="m-1", number=None):
        """What the studio says, of a round by its number or of none; the answer."""
        feed = ev.FeedRef(message=message, sequence=sequence, round=number)
        return self.at(cmd.HearOutcome, feed=feed, outcome=outcome)

    def toss(self, outcome=HEADS, sequence=1):
        """Close the bets, hear the outcome and settle; the last answer."""
        self.at(cmd.CloseBets)
        assert self.hear(outcome, sequence, f"m-{sequence}").refusal is None
        return self.at(cmd.SettleTableRound)

    def posta(self, number=1):
        """The posta of a session."""
        return self.session(number).posta


@pytest.fixture
def pit():
    """Two players at a table where nothing has been played yet."""
    return Pit()


def refused(answer):
    """Why the feed's message changed nothing."""
    (event,) = [e.event for e in answer.entries]
    return event.why


def test_g4_one_save_pays_every_seat_and_ends_the_tables_round(pit):
    """Anna has 1.00 on heads and bruno 2.00 on tails; heads comes."""
    pit.begin()
    pit.bet(1)
    pit.bet(2, ("tails", 200))

    answer = pit.toss()

    told = ["outcome-told", "outcome-told", "round-settled"]
    assert [*told, "payout-credited", "round-settled", "table-round-settled"] == names(answer)
    assert (5_100, 4_800, None) == (pit.posta(1), pit.posta(2), pit.table.round)
    assert 2 == answer.entries[-1].event.sessions


def test_fr4_the_payments_of_the_whole_table_stand_in_the_order_of_its_game(pit):
    """Here the largest stake first: 3.00 of anna, 2.00 of bruno, 1.00 of anna."""
    pit.begin()
    pit.bet(1, ("heads", 300), ("heads", 100))
    pit.bet(2, ("heads", 200))

    paid = [e for e in pit.toss().entries if isinstance(e.event, ev.PayoutCredited)]

    expected = [(uid(1), 300), (uid(2), 200), (uid(1), 100)]
    assert expected == [(UUID(e.stream[8:]), e.event.stake_returned) for e in paid]
    assert (5_400, 5_200) == (pit.posta(1), pit.posta(2))


def test_a_bet_writes_its_session_alone(pit):
    """The table's stream stands still, so that bets do not get into each other's way."""
    round_id = pit.begin()

    bet = pit.bet(1)

    assert ["round-opened", "bet-placed"] == names(bet)
    assert (round_id, None) == (bet.entries[0].event.table.round, bet.entries[0].event.table.leave)


def test_fr8_no_bet_is_taken_before_the_opening_or_after_the_close(pit):
    """Except with the chief's recorded leave, and never once the outcome is told."""
    assert Code.TABLE_TAKES_NO_BETS == pit.bet().refusal
    pit.begin()
    pit.at(cmd.CloseBets)
    assert Code.TABLE_TAKES_NO_BETS == pit.bet().refusal

    late = pit.bet(1, leave="maria")
    assert "maria" == late.entries[0].event.table.leave

    pit.hear()
    assert Code.TABLE_TAKES_NO_BETS == pit.bet(2, leave="maria").refusal


def test_further_bets_of_a_round_are_added_to_the_first(pit):
    """A second opening in the same round of the table is refused; a further move is a bet more."""
    pit.begin()
    first = pit.bet(1)
    assert Code.ROUND_IN_PLAY == pit.bet(1).refusal

    move = {"session": uid(1), "round": first.command, "move": coins(("tails", 200))}
    pit.do(cmd.ContinueRound, **move)
    pit.at(cmd.CloseBets)
    assert Code.TABLE_TAKES_NO_BETS == pit.send(cmd.ContinueRound, **move).refusal

    pit.hear()
    pit.at(cmd.SettleTableRound)
    assert 5_000 + 100 - 200 == pit.posta()


def test_fr3_limits_change_from_the_next_round_on(pit):
    """Announced during a round, they do not touch its bets."""
    pit.begin()
    pit.at(cmd.SetTableLimits, limits='{"max":50}', **CHIEF)
    assert pit.bet(1).refusal is None
    pit.toss()

    pit.begin()
    assert Code.AMOUNT_TOO_LARGE == pit.bet(1).refusal
    assert pit.bet(1, ("heads", 50)).refusal is None
    assert Code.MALFORMED == pit.at(cmd.SetTableLimits, limits='{"least":1}', **CHIEF).refusal


def test_fr9_no_round_opens_before_the_last_is_paid(pit):
    """Neither while bets lie nor while payments are to come."""
    pit.begin()
    assert Code.TABLE_ROUND_IN_PLAY == pit.at(cmd.OpenTableRound).refusal
    pit.at(cmd.CloseBets)
    pit.hear()
    assert Code.TABLE_ROUND_IN_PLAY == pit.at(cmd.OpenTableRound).refusal
    pit.at(cmd.SettleTableRound)

    assert pit.at(cmd.OpenTableRound).refusal is None


def test_the_steps_of_a_round_come_in_their_order(pit):
    """No outcome before the close, no payment before the outcome, no step without a round."""
    assert Code.NO_TABLE_ROUND == pit.at(cmd.CloseBets).refusal
    assert Code.NO_TABLE_ROUND == pit.at(cmd.SettleTableRound).refusal
    pit.begin()
    assert Code.BETS_NOT_CLOSED == pit.at(cmd.DrawOutcome).refusal
    assert Code.BETS_NOT_CLOSED == pit.at(cmd.SettleTableRound).refusal
    pit.at(cmd.CloseBets)
    assert Code.TABLE_ROUND_IN_PLAY == pit.at(cmd.CloseBets).refusal
    assert Code.NO_TABLE_ROUND == pit.at(cmd.SettleTableRound).refusal


def test_g7_an_outcome_that_is_drawn_here_comes_after_the_close_with_its_entropy(pit):
    """The byte that was thrown again is on record too."""
    pit.begin()
    pit.bet(1)
    pit.at(cmd.CloseBets)
    pit.pool = [b"\xff", b"\x03"]

    (drawn,) = [e.event for e in pit.at(cmd.DrawOutcome).entries]

    assert (TAILS, "ff03", None) == (drawn.details, drawn.entropy, drawn.feed)
    pit.at(cmd.SettleTableRound)
    assert 4_900 == pit.posta()


def test_the_feeds_messages_are_taken_in_by_rule_and_every_one_is_on_record(pit):
    """Repeated, contradictory, out of order, late and untimely ones change nothing."""
    assert "untimely" == refused(pit.hear(sequence=2, message="m-2"))
    pit.begin()
    assert "untimely" == refused(pit.hear(sequence=3, message="m-3"))
    pit.at(cmd.CloseBets)
    assert "repeated" == refused(pit.hear(sequence=3, message="m-3"))
    pit.hear(HEADS, 4, "m-4")

    assert "repeated" == refused(pit.hear(HEADS, 4, "m-4"))
    assert "contradictory" == refused(pit.hear(TAILS, 4, "m-4"))
    assert "contradictory" == refused(pit.hear(HEADS, 5, "m-4"))
    assert "contradictory" == refused(pit.hear(TAILS, 5, "m-5"))
    assert "out-of-order" == refused(pit.hear(HEADS, 1, "m-1"))
    pit.at(cmd.SettleTableRound)
    assert "late" == refused(pit.hear(TAILS, 6, "m-6"))
    assert (
        Code.WRONG_GAME
        == [pit.begin(), pit.at(cmd.CloseBets), pit.hear(Foreign(), 7, "m-7")][2].refusal
    )


def test_a_message_counts_for_the_round_that_it_names_alone(pit):
    """Of a round that was voided it is late, of one that is to come untimely; each on record."""
    pit.begin()
    pit.at(cmd.VoidTableRound, reason=REASON)
    pit.begin()
    pit.at(cmd.CloseBets)

    assert "late" == refused(pit.hear(TAILS, 1, "m-1", 1))
    assert "untimely" == refused(pit.hear(TAILS, 2, "m-2", 3))
    assert "repeated" == refused(pit.hear(TAILS, 2, "m-2", 3))
    assert "contradictory" == refused(pit.hear(TAILS, 2, "m-2", 2))
    told = pit.hear(HEADS, 3, "m-3", 2).entries[0].event
    assert (HEADS, 2) == (told.details, told.feed.round)
    pit.at(cmd.SettleTableRound)
    assert ["late", "untimely"] == [refused(pit.hear(HEADS, n, f"m-{n}", n - 2)) for n in (4, 5)]


def test_fr3_a_round_whose_outcome_is_told_is_paid_and_never_void(pit):
    """Bets that are not yet drawn are refunded; who has won is not robbed of it."""
    pit.begin()
    pit.bet(1)
    pit.at(cmd.CloseBets)
    pit.hear()

    voids = [pit.at(cmd.VoidTableRound, reason=REASON, refund=r) for r in ("at-once", "next-round")]

    assert [Code.ROUND_DECIDED] * 2 == [answer.refusal for answer in voids]
    pit.at(cmd.SettleTableRound)
    assert 5_000 + 100 == pit.posta()


def test_bj8_a_voided_round_is_refunded_at_once_to_all(pit):
    """One save gives every stake back and frees the table."""
    pit.begin()
    pit.bet(1)
    pit.bet(2, ("tails", 200))

    answer = pit.at(cmd.VoidTableRound, reason=REASON)

    back = ["bet-refunded", "round-voided"]
    assert [*back, *back, "table-round-voided", "refunds-made"] == names(answer)
    assert (5_000, 5_000, None) == (pit.posta(1), pit.posta(2), pit.table.round)


def test_bj8_or_at_the_start_of_the_next_round_whether_they_play_it_or_not(pit):
    """Until then the stakes are held; the refund is in the save that opens the round."""
    pit.begin()
    pit.bet(1)
    pit.at(cmd.VoidTableRound, reason=REASON, refund="next-round")
    assert 4_900 == pit.posta()

    answer = pit.at(cmd.OpenTableRound)

    expected = ["bet-refunded", "round-voided", "refunds-made", "table-round-opened"]
    assert (expected, 5_000) == (names(answer), pit.posta())


def test_bj8_who_leaves_first_is_refunded_first_and_once(pit):
    """Leaving gives the stake back; the next round refunds nobody else's."""
    pit.begin()
    pit.bet(1)
    pit.bet(2)
    pit.at(cmd.VoidTableRound, reason=REASON, refund="next-round")

    left = pit.send(cmd.LeaveSeat, session=uid(1))

    assert ["bet-refunded", "round-voided", "session-unseated", "seat-left"] == names(left)
    assert ["bet-refunded", "round-voided"] == names(pit.at(cmd.OpenTableRound))[:2]
    assert (5_000, 5_000) == (pit.posta(1), pit.posta(2))


def test_a_station_fault_refunds_the_round_and_opens_none_until_it_is_resolved(pit):
    """Suspended by the chief with a reason, resumed by the chief."""
    pit.begin()
    pit.bet(1)

    suspended = pit.at(cmd.SuspendTable, reason=REASON, **CHIEF)

    assert ["table-round-voided", "refunds-made", "table-suspended"] == names(suspended)[-3:]
    assert Code.TABLE_SUSPENDED == pit.at(cmd.OpenTableRound).refusal
    assert Code.TABLE_SUSPENDED == pit.at(cmd.SuspendTable, reason=REASON, **CHIEF).refusal
    pit.at(cmd.ResumeTable, **CHIEF)
    assert Code.TABLE_NOT_SUSPENDED == pit.at(cmd.ResumeTable, **CHIEF).refusal
    assert (None, 5_000) == (pit.at(cmd.OpenTableRound).refusal, pit.posta())


def test_seats_are_taken_once_and_by_their_own_game(pit):
    """Three seats; the third is taken by number, a fourth player finds none."""
    third, fourth = pit.buy(3, ANNA, 5_000), pit.buy(4, BRUNO, 5_000)
    assert Code.SEAT_TAKEN == pit.at(cmd.TakeSeat, session=third, seat=2).refusal
    assert pit.at(cmd.TakeSeat, session=third, seat=3).refusal is None
    assert Code.SEAT_TAKEN == pit.at(cmd.TakeSeat, session=fourth).refusal
    assert Code.SEATED_ALREADY == pit.at(cmd.TakeSeat, session=third).refusal
    assert Code.NOT_SEATED == pit.send(cmd.LeaveSeat, session=fourth).refusal
    assert Code.NOT_SEATED == pit.bet(4).refusal


def test_a_seat_is_not_left_while_a_round_is_in_play(pit):
    """Afterwards it is, and the session may sit at another table."""
    pit.open_table("coin-2", seats_max=3)
    pit.begin()
    pit.bet(1)
    assert Code.ROUND_IN_PLAY == pit.send(cmd.LeaveSeat, session=uid(1)).refusal
    pit.toss()

    assert pit.send(cmd.LeaveSeat, session=uid(1)).refusal is None
    assert pit.send(cmd.TakeSeat, session=uid(1), table="coin-2").refusal is None
    assert [2] == [seat.seat for seat in pit.table.seats]


def test_g9_the_end_of_a_session_leaves_its_seat(pit):
    """Closed by the player, the seat is free in the same save."""
    answer = pit.send(cmd.CloseSession, session=uid(1))

    assert {"session-unseated", "session-closed", "seat-left"} <= set(names(answer))
    assert [uid(2)] == [seat.session for seat in pit.table.seats]


def test_g9_who_does_not_come_back_is_paid_and_then_ended(pit):
    """At twenty minutes the round is in play: its end ends the session and pays it out."""
    pit.begin()
    pit.bet(1)
    pit.send(cmd.DisconnectSession, session=uid(1), at=pit.now)
    pit.now += timedelta(minutes=20)
    assert ["session-expired"] == names(pit.do(cmd.ExpireSession, session=uid(1)))
    assert Code.TABLE_ROUND_IN_PLAY == pit.send(cmd.ExpireSession, session=uid(1)).refusal

    answer = pit.toss()

    assert {"session-closed", "seat-left"} <= set(names(answer))
    assert "session-expired" not in names(answer)
    ended = pit.book.state(f"session:{uid(1)}")
    assert (Closed, "expired", 5_100) == (type(ended), ended.reason, ended.final_posta)


def test_g9_who_is_excluded_during_a_round_is_paid_and_then_ended(pit):
    """Excluded at once; no new bet, and the session ends with the round, here a voided one."""
    pit.begin()
    pit.bet(1)
    until = pit.now + timedelta(days=1)
    assert pit.send(cmd.ExcludePlayer, player=ANNA, until=until).refusal is None

    pit.at(cmd.VoidTableRound, reason=REASON)

    ended = pit.book.state(f"session:{uid(1)}")
    assert (Closed, "excluded", 5_000) == (type(ended), ended.reason, ended.final_posta)
    assert [uid(2)] == [seat.session for seat in pit.table.seats]


def test_a_table_is_opened_once_and_closed_between_rounds(pit):
    """Its name is never used again."""
    again = {"table": TABLE, "sheet": "coin-flip", "seats_max": 3, **CHIEF}
    assert Code.TABLE_ALREADY_OPEN == pit.send(cmd.OpenTable, **again).refusal
    pit.begin()
    assert Code.TABLE_IN_USE == pit.at(cmd.CloseTable, **CHIEF).refusal
    pit.toss()
    assert pit.at(cmd.CloseTable, **CHIEF).refusal is None

    assert isinstance(pit.table, TableClosed)
    assert Code.TABLE_CLOSED == pit.at(cmd.OpenTableRound).refusal
    assert Code.TABLE_ALREADY_OPEN == pit.send(cmd.OpenTable, **again).refusal
    assert Code.UNKNOWN_TABLE == pit.send(cmd.OpenTableRound, table="coin-9").refusal


def test_bj8_a_table_that_closes_refunds_what_it_owes_and_lets_all_leave(pit):
    """A voided round's stake would have come back with the next round, and there is none."""
    pit.begin()
    pit.bet(1)
    pit.at(cmd.VoidTableRound, reason=REASON, refund="next-round")

    closed = pit.at(cmd.CloseTable, **CHIEF)

    back = ["bet-refunded", "round-voided", "session-unseated", "session-unseated"]
    assert [*back, "seat-left", "seat-left", "refunds-made", "table-closed"] == names(closed)
    assert (5_000, None) == (pit.posta(1), pit.book.state(f"session:{uid(1)}").table)


def test_c5_no_round_opens_during_maintenance_and_the_one_in_play_ends_by_rule(pit):
    """Announced while bets lie: they are paid, and the next round is refused."""
    pit.begin()
    pit.bet(1)
    hour = {"starts": pit.now, "ends": pit.now + timedelta(hours=1), "reason": "power"}
    pit.send(cmd.AnnounceMaintenance, **hour)

    assert pit.toss().refusal is None
    assert Code.MAINTENANCE == pit.at(cmd.OpenTableRound).refusal


def test_a_game_that_is_played_alone_has_no_table():
    """Its sheet opens none."""
    pit = MemoryPit(TABLE, ENGINES, coin_sheet(), sheet="coin-flip")

    table = {"sheet": "coin-flip", "seats_max": 3, **CHIEF}
    assert Code.TABLE_NOT_OFFERED == pit.at(cmd.OpenTable, **table).refusal
