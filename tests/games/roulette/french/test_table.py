"""French roulette at a live table, in a book: bets, prison, limits, corrections, order (FR1-10)."""

from datetime import timedelta

import pytest

from games.roulette.refusals import RouletteCode
from ledger.domain import commands as cmd
from ledger.domain.refusals import Code
from ledger.domain.session import Closed
from tests.french_pit import RIGHT, FrenchPit, on, read
from tests.memory_pit import CHIEF, names
from tests.scenes import ANNA, EUR, money, uid


@pytest.fixture
def pit():
    """Two players at a table of French roulette; whatever they do is judged again at the end."""
    pit = FrenchPit()
    yield pit
    assert [] == pit.findings()
    assert 0 == sum(pit.balances().values())


def test_s7_s8_at_zero_columns_and_dozens_lose_and_chances_are_imprisoned(pit):
    """10.00 each on red, a column, a dozen and zero: 35 for one, the red in prison, 20.00 lost."""
    pit.begin()
    dozen, column = list(range(1, 13)), list(range(1, 35, 3))
    pit.bet(on("red", 1000), on(dozen, 1000), on(column, 1000), on([0], 1000))

    answer = pit.spin(0)

    lost = ["stake-lost", "stake-lost", "table-round-settled"]
    assert ["outcome-told", "payout-credited", "stake-imprisoned", *lost] == names(answer)
    assert -4_000 + 36_000 == pit.posta()
    (played,) = pit.session().rounds
    assert (0, 1_000) == (played.at_stake, played.in_prison)


@pytest.mark.parametrize(
    ("pockets", "back"),
    [((4,), 0), ((3,), 1_000), ((0, 3, 3), 1_000), ((0, 3, 4), 0), ((0, 0, 0), 63)],
)
def test_fr1_what_is_left_in_prison_is_decided_by_the_next_numbers(pit, pockets, back):
    """10.00 on red after a zero: red frees it at the first level; a fourth zero gives 0.63."""
    pit.imprisoned()

    for pocket in pockets:
        pit.begin()
        pit.spin(pocket)

    assert (back - 1_000, ()) == (pit.posta(), pit.session().rounds)


def test_fr1_a_stake_that_is_withdrawn_at_the_first_zero_is_halved(pit):
    """10.00: 5.00 for the player, 5.00 for the bank; between two rounds of the table."""
    round_id = pit.imprisoned()

    out = pit.move(round_id, prison=[{"bet": 1, "choice": "withdraw"}])

    assert ["move-made", "prisoner-released", "round-settled"] == names(out)
    released, end = out.entries[1].event, out.entries[2].event
    assert ("withdrawn", 500, 500) == (released.outcome, released.returned, released.to_bank)
    assert (1_000, 500, 0, 500) == (end.staked, end.stake_returned, end.stakes_lost, end.taken)
    assert -500 == pit.posta()


def test_fr1_a_stake_that_is_moved_follows_the_other_chance(pit):
    """From red to even: 4 is black and even, and frees it."""
    round_id = pit.imprisoned()
    pit.begin()
    pit.move(round_id, prison=[{"bet": 1, "choice": "move", "to": "even"}])

    pit.spin(4)

    assert (0, ()) == (pit.posta(), pit.session().rounds)


def test_fr1_nothing_in_prison_is_disposed_of_while_the_ball_rolls(pit):
    """Neither by its player nor with a leave; the bet must be one in prison."""
    round_id = pit.imprisoned()
    choice = {"bet": 1, "choice": "withdraw"}
    assert Code.UNKNOWN_BET == pit.move(round_id, prison=[choice | {"bet": 2}]).refusal
    pit.begin()
    pit.at(cmd.CloseBets)

    assert Code.TABLE_TAKES_NO_BETS == pit.move(round_id, prison=[choice]).refusal
    assert Code.TABLE_TAKES_NO_BETS == pit.move(round_id, leave="maria", prison=[choice]).refusal


def test_fr1_a_prisoner_keeps_its_player_in_session_and_at_the_table(pit):
    """Until it is withdrawn or resolved; new bets go on beside it."""
    round_id = pit.imprisoned()
    session = {"session": uid(1)}
    assert Code.ROUND_IN_PLAY == pit.send(cmd.CloseSession, **session).refusal
    assert Code.ROUND_IN_PLAY == pit.send(cmd.LeaveSeat, **session).refusal
    pit.begin()
    assert pit.bet(on([17], 100)).refusal is None
    assert RouletteCode.BETS_CLOSED == pit.move(round_id, bets=[on([17], 100)]).refusal
    pit.spin(1)

    assert pit.send(cmd.CloseSession, **session).refusal is None


def test_fr1_a_void_round_leaves_what_is_in_prison_of_an_earlier_one(pit):
    """The bet of the voided round goes back, and the prisoner waits for the next number."""
    round_id = pit.imprisoned()
    pit.begin()
    pit.bet(on([17], 100))

    pit.at(cmd.VoidTableRound, reason="the wheel broke")

    (left,) = pit.session().rounds
    assert (round_id, 1_000, -1_000) == (left.round, left.in_prison, pit.posta())
    ref = cmd.RoundRef(session=uid(1), round=round_id)
    assert Code.ROUND_DECIDED == pit.send(cmd.VoidRounds, rounds=(ref,), reason="x").refusal


def test_fr1_at_expiry_and_exclusion_what_is_in_prison_is_withdrawn_at_its_worth(pit):
    """Anna does not come back and bruno is excluded, both between two rounds."""
    pit.begin()
    pit.bet(on("red", 1000))
    pit.bet(on("red", 1001), number=2)
    pit.spin(0)
    pit.send(cmd.DisconnectSession, session=uid(1), at=pit.now)
    pit.now += timedelta(minutes=20)

    assert pit.send(cmd.ExpireSession, session=uid(1)).refusal is None
    until = pit.now + timedelta(days=1)
    assert pit.send(cmd.ExcludePlayer, player="bruno-2", until=until).refusal is None

    ended = [pit.session(1), pit.session(2)]
    assert [Closed, Closed] == list(map(type, ended))
    assert [RIGHT - 500, RIGHT - 500] == [s.final_posta for s in ended]


def test_fr1_who_is_late_while_the_ball_rolls_is_decided_by_it_and_then_withdrawn(pit):
    """A zero puts the 10.00 at the second level, and the session ends with a quarter of it."""
    pit.imprisoned()
    pit.begin()
    pit.send(cmd.DisconnectSession, session=uid(1), at=pit.now)
    pit.now += timedelta(minutes=20)
    pit.hear(0)
    assert ["session-expired"] == names(pit.do(cmd.ExpireSession, session=uid(1)))
    assert 1_000 == pit.session().rounds[0].in_prison

    pit.at(cmd.SettleTableRound)

    ended = pit.session()
    assert (Closed, RIGHT - 1_000 + 250) == (type(ended), ended.final_posta)


def test_fr1_who_is_excluded_while_the_ball_rolls_is_ended_with_the_round(pit):
    """Zero again: the prisoner of anna is withdrawn at the second level."""
    pit.imprisoned()
    pit.begin()
    pit.hear(0)
    pit.send(cmd.ExcludePlayer, player=ANNA, until=pit.now + timedelta(days=1))
    assert pit.session().terms.is_barred

    pit.at(cmd.SettleTableRound)

    assert RIGHT - 1_000 + 250 == pit.session().final_posta


@pytest.mark.parametrize("says", ["yes", "no"])
def test_fr1_an_answered_right_of_who_is_excluded_ends_the_session_at_once(pit, says):
    """Between two rounds: the prisoner is withdrawn at its worth, and no next round is waited for.

    The exclusion came while the ball rolled, and the right kept the session open at its end.
    """
    pit.imprisoned()
    pit.begin()
    asked = {"player": ANNA, "sheet": "french-roulette", "channel": "web", **money(600)}
    right = pit.do(cmd.RequestParticipation, session=uid(1), **asked).command
    pit.hear(0)
    pit.do(cmd.ExcludePlayer, player=ANNA, until=pit.now + timedelta(days=1))
    pit.at(cmd.SettleTableRound)
    assert (1_000, True) == (pit.session().rounds[0].in_prison, pit.session().terms.is_barred)

    about = {"session": uid(1), "participation": right}
    if says == "yes":
        proof = {"ticket": "T-2", "count": 1, "total": 600}
        answer = pit.do(cmd.ValidateParticipation, **about, **proof)
    else:
        answer = pit.do(cmd.RejectParticipation, **about, reason="no")

    ended = pit.session()
    assert (Closed, "excluded") == (type(ended), ended.reason)
    assert {"prisoner-released", "session-closed", "seat-left"} <= set(names(answer))
    assert RIGHT - 1_000 + 250 + (600 if says == "yes" else 0) == ended.final_posta


def test_fr1_a_table_that_closes_withdraws_what_is_in_prison(pit):
    """10.00 on red, zero, and the table closes: 5.00 comes back, and the session goes on."""
    pit.imprisoned()

    closed = pit.at(cmd.CloseTable, **CHIEF)

    assert closed.refusal is None
    assert (-500, (), None) == (pit.posta(), pit.session().rounds, pit.session().table)


def test_fr1_a_prisoner_counts_once_in_what_was_staked(pit):
    """Three zeros and a red: the round settles with one stake of 10.00 and nothing won."""
    pit.imprisoned()
    for pocket in (0, 0, 3, 3, 3):
        pit.begin()
        last = pit.spin(pocket)

    (end,) = [e.event for e in last.entries if e.event.NAME == "round-settled"]
    assert (1_000, 1_000, 0, 0) == (end.staked, end.stake_returned, end.winnings, end.taken)


def test_s7_fr3_the_maximum_binds_the_sum_on_a_position(pit):
    """60.00 and 60.00 on red are refused, in one document and in two moves, announced or not."""
    pit.begin()
    above = RouletteCode.POSITION_ABOVE_MAXIMUM
    assert above == pit.bet(on("red", 6000), on("red", 6000)).refusal
    bet = pit.bet(on("red", 6000), on([1], 6000))
    assert above == pit.move(bet.command, bets=[on("red", 6000)]).refusal
    call = {"announced": "orphelins", "chip": "50.00"}
    assert above == pit.move(bet.command, bets=[call]).refusal
    below = RouletteCode.POSITION_BELOW_MINIMUM
    assert below == pit.move(bet.command, bets=[on("odd", 99)]).refusal
    assert pit.move(bet.command, bets=[on("red", 4000)]).refusal is None


@pytest.mark.parametrize(("pocket", "returned"), [(3, 20_000), (4, 0), (0, 0)])
def test_fr3_an_excess_that_stands_goes_back_whatever_comes(pit, pocket, returned):
    """150.00 on red by the chief's leave: 100.00 count, 50.00 come back and are no turnover."""
    pit.begin()
    bet = pit.bet(on("red", 9000), leave="maria")
    more = pit.move(bet.command, leave="maria", bets=[on("red", 6000)])
    assert "maria" == more.entries[0].event.table.leave

    answer = pit.spin(pocket)

    refunds = [e.event for e in answer.entries if e.event.NAME == "bet-refunded"]
    assert [(2, 5_000)] == [(e.bet, e.amount) for e in refunds]
    assert -15_000 + 5_000 + returned == pit.posta()
    assert sum(r.in_prison for r in pit.session().rounds) == (10_000 if pocket == 0 else 0)


def test_fr10_an_excess_that_stands_by_a_leave_is_withdrawn_in_part(pit):
    """160.00 on red: 10.00 go back though 150.00 stay; no more is laid there without a leave."""
    pit.begin()
    bet = pit.bet(on("red", 9000), leave="maria")
    pit.move(bet.command, leave="maria", bets=[on("red", 6000)])
    pit.move(bet.command, leave="maria", bets=[on("red", 1000)])

    corrected = pit.move(bet.command, withdraw=[3], bets=[on("red", 500)])
    withdrawn = pit.move(bet.command, withdraw=[3])

    assert RouletteCode.POSITION_ABOVE_MAXIMUM == corrected.refusal
    assert ["move-made", "bet-refunded"] == names(withdrawn)
    assert -15_000 == pit.posta()


def test_fr8_a_late_bet_has_the_chiefs_leave_on_record(pit):
    """After the close, with a name; never after the number is told."""
    pit.begin()
    pit.at(cmd.CloseBets)
    assert Code.TABLE_TAKES_NO_BETS == pit.bet(on([17], 100)).refusal

    late = pit.bet(on([17], 100), leave="maria")

    assert "maria" == late.entries[0].event.table.leave
    withdrawn = pit.move(late.command, leave="maria", withdraw=[1])
    assert RouletteCode.BETS_CLOSED == withdrawn.refusal


def test_fr10_bets_are_withdrawn_moved_and_corrected_before_the_close(pit):
    """Each a refund with its reason; a move lays another bet of the same round."""
    pit.begin()
    bet = pit.bet(on([17], 100), on("red", 500), on("odd", 300))

    out = pit.move(bet.command, withdraw=[1])
    moved = pit.move(bet.command, withdraw=[2], bets=[on("black", 500)])

    assert ["move-made", "bet-refunded"] == names(out)
    assert ["move-made", "bet-refunded", "bet-placed"] == names(moved)
    reasons = [a.entries[1].event.reason for a in (out, moved)]
    assert ["withdrawn before the close", "moved before the close"] == reasons
    assert Code.UNKNOWN_BET == pit.move(bet.command, withdraw=[1]).refusal
    answer = pit.spin(2)
    assert -300 + 500 == pit.posta()
    end = next(e.event for e in answer.entries if e.event.NAME == "round-settled")
    assert (1_400, 600, 300) == (end.staked, end.refunded, end.stakes_lost)


def test_fr10_a_bet_is_moved_within_the_loss_that_was_planned(pit):
    """10.00 may be lost and lie on red: they are moved to black, and no cent is added."""
    pit.begin()
    asked = {"session": uid(1), "player": ANNA, "sheet": "french-roulette", "channel": "web"}
    asked |= {"amount": 500, "currency": EUR, "limit_loss": 1_000}
    right = pit.do(cmd.RequestParticipation, **asked).command
    proof = {"participation": right, "ticket": "T-2", "count": 1, "total": 500}
    pit.do(cmd.ValidateParticipation, session=uid(1), **proof)
    bet = pit.bet(on("red", 1000)).command

    added = pit.move(bet, withdraw=[1], bets=[on("black", 1001)])
    moved = pit.move(bet, withdraw=[1], bets=[on("black", 1000)])

    assert (Code.LOSS_LIMIT_REACHED, None) == (added.refusal, moved.refusal)
    assert 500 - 1_000 == pit.posta()


def test_no_bet_is_laid_after_the_time_that_was_planned_and_what_lies_may_be_taken_back(pit):
    """The hour is over while the bets are open: none is added or moved, and 2.00 goes back."""
    pit.do(cmd.OpenConto, player="carla", currency=EUR, personal=())
    pit.do(cmd.Deposit, player="carla", reference="carla", channel="card", **money(RIGHT))
    pit.sit_down(3, "carla", limit_seconds=3_600)
    pit.begin()
    bet = pit.bet(on([17], 100), on([18], 200), number=3).command
    pit.now += timedelta(hours=1)

    added = pit.move(bet, number=3, bets=[on([19], 100)])
    moved = pit.move(bet, number=3, withdraw=[1], bets=[on([19], 100)])
    taken = pit.move(bet, number=3, withdraw=[2])

    late = Code.TIME_LIMIT_REACHED
    assert (late, late, None) == (added.refusal, moved.refusal, taken.refusal)
    assert -100 == pit.posta(3)
    pit.spin(17)
    assert 3_500 == pit.posta(3)


def test_fr10_no_refund_takes_a_bet_back_while_the_ball_rolls(pit):
    """A client's refund is taken until the close; then the bets stand, and the house can void."""
    pit.begin()
    bet = pit.bet(on([17], 100)).command
    more = pit.move(bet, bets=[on([18], 100)]).command
    back = {"session": uid(1), "reason": "timed out"}
    assert pit.send(cmd.RefundBets, placed_by=more, **back).refusal is None
    pit.at(cmd.CloseBets)

    assert Code.ROUND_DECIDED == pit.send(cmd.RefundBets, placed_by=bet, **back).refusal
    assert -100 == pit.posta()
    ref = cmd.RoundRef(session=uid(1), round=bet)
    assert pit.send(cmd.VoidRounds, rounds=(ref,), reason="error").refusal is None


def test_fr10_who_withdraws_all_has_no_round_and_may_bet_again(pit):
    """The round is void with its last bet."""
    pit.begin()
    bet = pit.bet(on([17], 100), on("red", 500))

    out = pit.move(bet.command, withdraw=[1, 2])

    assert "round-voided" == names(out)[-1]
    assert (0, ()) == (pit.posta(), pit.session().rounds)
    assert pit.bet(on([18], 100)).refusal is None


def test_fr10_an_announced_bet_records_what_was_declared_and_who_repeated_it(pit):
    """Nine chips of 1.00 are 9.00; another amount is refused."""
    pit.begin()
    call = {"announced": "voisins", "chip": "1.00", "repeated_by": "carlo"}
    assert RouletteCode.DECLARED_AMOUNT_DIFFERS == pit.bet(call | {"declared": "8.00"}).refusal

    bet = pit.bet(call | {"declared": "9.00"})

    (said,) = bet.entries[0].event.move.declared
    assert (1, 900, "carlo") == (said.line, said.amount, said.repeated_by)
    assert (7, -900) == (names(bet).count("bet-placed"), pit.posta())


@pytest.mark.parametrize(
    ("how", "chips", "amount"), [("again", 6, 600), ("complete", 6, 600), ("whole", 6, 1_800)]
)
def test_fr6_a_replay_lays_its_chips_as_bets_of_the_new_round(pit, how, chips, amount):
    """Serie with chips of 1.00 that won on 5; for the whole the chip is three times as large."""
    pit.begin()
    serie = {"announced": "serie", "chip": "1.00"}
    pit.bet(serie)
    pit.spin(5)
    assert -600 + 1_800 == pit.posta()
    pit.begin()

    missed = {"session": uid(1), "move": read(serie | {"outcome": 1, "replay": how})}
    assert RouletteCode.NOTHING_TO_REPLAY == pit.send(cmd.OpenRound, **missed).refusal
    again = missed | {"move": read(serie | {"outcome": 5, "replay": how})}
    bets = pit.do(cmd.OpenRound, **again).entries[1:]

    assert (chips, amount) == (len(bets), sum(e.event.amount for e in bets))


def test_fr4_payments_follow_the_order_over_the_whole_table(pit):
    """On 7: columns (largest first), then chances (farthest seat first), straights last."""
    column = list(range(1, 35, 3))
    pit.begin()
    pit.bet(on([7], 200), on("red", 1000), on(column, 300))
    pit.bet(on("odd", 500), on(column, 400), on([7], 100), number=2)

    answer = pit.spin(7)

    paid = [
        (int(e.stream[-2:], 16), e.event.stake_returned)
        for e in answer.entries
        if e.event.NAME == "payout-credited"
    ]
    assert [(2, 400), (1, 300), (1, 1_000), (2, 500), (2, 100), (1, 200)] == paid


def test_fr4_a_column_is_as_large_as_all_that_its_player_laid_there(pit):
    """Anna's column has 3.00 and 3.00, bruno's 4.00: hers is paid first, both bets together."""
    column = list(range(1, 35, 3))
    pit.begin()
    bet = pit.bet(on(column, 300)).command
    pit.bet(on(column, 400), number=2)
    pit.move(bet, bets=[on(column, 300)])

    answer = pit.spin(7)

    paid = [e.event.stake_returned for e in answer.entries if e.event.NAME == "payout-credited"]
    assert [300, 300, 400] == paid


def test_g7_the_number_is_the_tables_and_no_player_can_say_it(pit):
    """A command that makes the outcome its move is refused."""
    pit.begin()
    bet = pit.bet(on([17], 100))
    number = pit.hear(17).entries[0].event.details

    forged = {"session": uid(1), "round": bet.command, "move": number}

    assert Code.TABLE_TAKES_NO_BETS == pit.send(cmd.ContinueRound, **forged).refusal
    pit.at(cmd.SettleTableRound)
    pit.begin()
    second = pit.bet(on([17], 100))
    forged = forged | {"round": second.command}
    assert Code.WRONG_GAME == pit.send(cmd.ContinueRound, **forged).refusal
