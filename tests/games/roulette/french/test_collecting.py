"""Winnings that their players collect, at a live table whose sheet says so (FR7, FR9, FR3)."""

from datetime import timedelta

import pytest

from games.roulette.french.screen import screen
from games.roulette.refusals import RouletteCode
from ledger.domain import commands as cmd
from ledger.domain.refusals import Code
from ledger.domain.rules import Rules
from ledger.domain.session import Closed
from tests.french_pit import ENGINE, RIGHT, FrenchPit, on
from tests.french_table import FRENCH, MANUAL
from tests.memory_pit import CHIEF, names
from tests.roulette_table import changed
from tests.scenes import ANNA, EUR, money, uid

FIRST_DOZEN = list(range(1, 13))
COLLECT = {"collect": True}


@pytest.fixture
def pit():
    """Two players at such a table; whatever they do is judged again at the end, and conserved."""
    pit = FrenchPit(MANUAL)
    yield pit
    assert [] == pit.findings()
    assert 0 == sum(pit.balances().values())


def stands(pit, number=1):
    """What a session has at stake, in prison and held; its posta less what it began with."""
    rounds = pit.session(number).rounds
    parts = (sum(r.at_stake for r in rounds), sum(r.in_prison for r in rounds))
    return (*parts, sum(r.win for r in rounds), pit.posta(number))


def won(pit, *lines, pocket=3):
    """A round of the table in which these lines were bet and a pocket came; anna's round."""
    pit.begin()
    bet = pit.bet(*lines).command
    pit.spin(pocket)
    return bet


def pass_round(pit, pocket):
    """A round of the table in which nobody does anything."""
    pit.begin()
    return pit.spin(pocket)


def test_fr7_winnings_on_numbers_are_held_with_their_stake_at_once(pit):
    """1.00 on 3 brings 35.00 and itself, 1.00 on 4 is lost: 36.00 are held and none is posta."""
    round_id = won(pit, on([3], 100), on([4], 100))
    assert (0, 0, 3_600, -200) == stands(pit)

    collected = pit.move(round_id, **COLLECT)

    assert ["move-made", "win-collected", "round-settled"] == names(collected)
    end = collected.entries[-1].event
    assert (200, 3_500, 100, 0, 100) == (
        end.staked,
        end.winnings,
        end.stake_returned,
        end.stakes_lost,
        end.taken,
    )
    assert (0, 0, 0, 3_400) == stands(pit)


def test_fr7_a_round_in_which_nothing_won_ends_with_its_number(pit):
    """Nothing is held, and nothing is to be collected."""
    won(pit, on([4], 100), pocket=3)

    assert () == pit.session().rounds
    assert -100 == pit.posta()


def test_fr7_a_chance_plays_on_for_three_rounds_and_then_is_held_with_its_stake(pit):
    """10.00 on red wins four times running: 40.00 are won, and the 10.00 lie for three rounds.

    After the third of them nothing of it plays on: black takes nothing.
    """
    won(pit, on("red", 1000))
    held = [stands(pit)]
    for pocket in (1, 5, 7, 2):
        pass_round(pit, pocket)
        held.append(stands(pit))

    assert [
        (1_000, 0, 1_000, -1_000),
        (1_000, 0, 2_000, -1_000),
        (1_000, 0, 3_000, -1_000),
        (0, 0, 5_000, -1_000),
        (0, 0, 5_000, -1_000),
    ] == held


def test_fr7_what_plays_on_can_lose_and_what_it_won_is_held_all_the_same(pit):
    """20.00 were won on the dozen; the 10.00 lose on 13, and count twice in what was staked."""
    round_id = won(pit, on(FIRST_DOZEN, 1000))
    pass_round(pit, 13)
    assert (0, 0, 2_000, -1_000) == stands(pit)

    end = pit.move(round_id, **COLLECT).entries[-1].event

    assert (2_000, 2_000, 1_000, 1_000, 2) == (
        end.staked,
        end.winnings,
        end.stake_returned,
        end.taken,
        end.bets,
    )
    assert 1_000 == pit.posta()


def test_fr7_a_stake_that_plays_on_is_imprisoned_by_zero_and_its_win_stays_held(pit):
    """10.00 were won on red; the next number is zero, and half of the stake is withdrawn."""
    round_id = won(pit, on("red", 1000))
    pass_round(pit, 0)
    assert (0, 1_000, 1_000, -1_000) == stands(pit)

    pit.move(round_id, prison=[{"bet": 2, "choice": "withdraw"}])
    assert (0, 0, 1_000, -500) == stands(pit)
    pit.move(round_id, **COLLECT)

    assert (0, 0, 0, 500) == stands(pit)


def test_fr7_what_is_held_may_be_collected_while_another_stake_is_in_prison(pit):
    """The round goes on until the prisoner's bet is over."""
    round_id = won(pit, on("red", 1000))
    pass_round(pit, 0)

    assert ["move-made", "win-collected"] == names(pit.move(round_id, **COLLECT))

    assert (0, 1_000, 0, 0) == stands(pit)
    pass_round(pit, 3)
    assert (0, 0, 0, 1_000) == stands(pit)
    assert () == pit.session().rounds


def test_fr9_between_two_rounds_the_stake_is_collected_with_the_win(pit):
    """Red brought 10.00, and the 10.00 that lie there are withdrawn with them."""
    round_id = won(pit, on("red", 1000))

    collected = pit.move(round_id, **COLLECT)

    assert ["move-made", "win-held", "win-collected", "round-settled"] == names(collected)
    assert (0, 0, 0, 1_000) == stands(pit)


def test_fr9_a_stake_that_plays_on_is_a_bet_of_the_next_round_and_is_withdrawn_or_moved(pit):
    """Moved from red to black, where 11 brings nothing: what red won is held."""
    round_id = won(pit, on("red", 1000))
    pit.begin()
    assert Code.TABLE_ROUND_IN_PLAY == pit.move(round_id, **COLLECT).refusal
    assert Code.ROUND_IN_PLAY == pit.bet(on([17], 100)).refusal

    moved = pit.move(round_id, withdraw=[2], bets=[on("black", 1000)])

    assert ["move-made", "bet-refunded", "bet-placed"] == names(moved)
    pit.spin(3)
    assert (0, 0, 1_000, -1_000) == stands(pit)
    pit.move(round_id, **COLLECT)
    assert 0 == pit.posta()


def test_fr9_who_takes_the_stake_off_may_bet_again_in_the_same_round(pit):
    """The bets of one round of the table stand in one round of the session (S7)."""
    round_id = won(pit, on("red", 1000))
    pit.begin()
    assert pit.move(round_id, withdraw=[2]).refusal is None
    assert (0, 0, 1_000, 0) == stands(pit)

    assert pit.move(round_id, bets=[on([17], 100)]).refusal is None

    pit.spin(17)
    assert (0, 0, 1_000 + 3_600, -100) == stands(pit)


def test_s7_what_plays_on_and_what_is_added_are_one_sum_on_their_position(pit):
    """100.00 is the most: 60.00 play on, 40.01 are refused and 40.00 taken."""
    round_id = won(pit, on("red", 6_000))
    pit.begin()

    over = pit.move(round_id, bets=[on("red", 4_001)])
    within = pit.move(round_id, bets=[on("red", 4_000)])

    assert (RouletteCode.POSITION_ABOVE_MAXIMUM, None) == (over.refusal, within.refusal)
    pit.spin(4)
    assert (0, 0, 6_000, -10_000) == stands(pit)


@pytest.mark.parametrize(("pocket", "expected"), [(3, (4_000, 0, 10_000, -4_000)),
                                                  (4, (0, 0, 6_000, -4_000))])  # fmt: skip
def test_fr3_a_maximum_that_fell_meanwhile_gives_the_excess_back_whatever_comes(
    pit, pocket, expected
):
    """60.00 play on under a maximum of 40.00: 20.00 go back, and 40.00 win or lose."""
    won(pit, on("red", 6_000))
    pit.at(cmd.SetTableLimits, limits='{"max":"40.00","min":"1.00"}', **CHIEF)

    pass_round(pit, pocket)

    assert expected == stands(pit)


def test_fr9_what_lies_below_a_minimum_that_rose_meanwhile_is_held(pit):
    """10.00 on red are less than 20.00: no bet of the round, and black takes nothing of them."""
    won(pit, on("red", 1_000), on("odd", 2_000))
    pit.at(cmd.SetTableLimits, limits='{"max":"40.00","min":"20.00"}', **CHIEF)

    opened = pit.at(cmd.OpenTableRound)

    assert [
        "table-round-opened",
        "table-round-joined",
        "win-held",
        "stake-left",
    ] == names(opened)
    pit.spin(8)
    assert (0, 0, 4_000, -3_000) == stands(pit)


def test_nothing_plays_on_after_the_time_that_was_planned(pit):
    """An hour is over when the next round opens: win and stake are held."""
    pit.do(cmd.OpenConto, player="carla", currency=EUR, personal=())
    pit.do(cmd.Deposit, player="carla", reference="carla", channel="card", **money(RIGHT))
    pit.sit_down(3, "carla", limit_seconds=3_600)
    pit.begin()
    round_id = pit.bet(on("red", 1_000), number=3).command
    pit.spin(3)
    pit.now += timedelta(hours=1)

    pass_round(pit, 4)

    assert (0, 0, 2_000, -1_000) == stands(pit, 3)
    assert pit.move(round_id, number=3, **COLLECT).refusal is None


def test_g8_nothing_plays_on_under_other_rules_than_its_own(pit):
    """A second version of the sheet comes into force: what won under the first is held."""
    won(pit, on("red", 1_000))
    pit.now += timedelta(minutes=1)
    text = changed(lambda document: document.update(version=2), FRENCH)
    told = {"sheet": "french-roulette", "sheet_version": 2, "in_force_from": pit.now}
    pit.do(cmd.PublishSheet, text=text, **told)

    pass_round(pit, 4)

    assert (0, 0, 2_000, -1_000) == stands(pit)


@pytest.mark.parametrize("refund", ["at-once", "next-round"])
def test_fr3_a_void_round_gives_back_what_played_on_in_it_and_no_win(pit, refund):
    """The 10.00 that lay go back, and 10.00 stay held; then nothing of it plays on."""
    round_id = won(pit, on("red", 1_000))
    pit.begin()
    pit.at(cmd.VoidTableRound, reason="the wheel broke", refund=refund)
    pass_round(pit, 4)

    assert (0, 0, 1_000, 0) == stands(pit)
    ref = cmd.RoundRef(session=uid(1), round=round_id)
    assert Code.ROUND_DECIDED == pit.send(cmd.VoidRounds, rounds=(ref,), reason="x").refusal
    pit.move(round_id, **COLLECT)
    assert 1_000 == pit.posta()


def test_fr7_who_closes_the_session_collects_what_is_held_and_what_lies(pit):
    """Two rounds of the session hold wins, and a stake would play on."""
    won(pit, on([3], 100))
    won(pit, on("red", 1_000))

    closed = pit.do(cmd.CloseSession, session=uid(1))

    assert 2 == names(closed).count("win-collected")
    ended = pit.session()
    assert (Closed, RIGHT + 3_500 + 1_000) == (type(ended), ended.final_posta)


def test_fr7_a_session_is_not_closed_while_a_stake_plays_on(pit):
    """It is a bet that waits for its number."""
    won(pit, on("red", 1_000))
    pit.begin()
    assert Code.ROUND_IN_PLAY == pit.send(cmd.CloseSession, session=uid(1)).refusal
    pit.spin(4)

    assert pit.send(cmd.CloseSession, session=uid(1)).refusal is None
    assert RIGHT == pit.session().final_posta


def test_fr7_a_win_is_not_collected_while_the_ball_rolls(pit):
    """Nor is the session closed: the table settles first."""
    round_id = won(pit, on([3], 100))
    pit.begin()
    pit.hear(5)

    collected = pit.move(round_id, **COLLECT)
    closed = pit.send(cmd.CloseSession, session=uid(1))

    assert (Code.TABLE_TAKES_NO_BETS, Code.TABLE_ROUND_IN_PLAY) == (
        collected.refusal,
        closed.refusal,
    )
    pit.at(cmd.SettleTableRound)
    assert pit.move(round_id, **COLLECT).refusal is None


@pytest.mark.parametrize("end", ["expired", "excluded", "rolling"])
def test_fr7_a_held_win_is_the_players_at_every_end_of_the_session(pit, end):
    """10.00 on red brought 10.00; the session ends before the next round, or with its number 3."""
    won(pit, on("red", 1_000))
    if end == "rolling":
        pit.begin()
        pit.hear(3)
    if end == "excluded":
        pit.do(cmd.ExcludePlayer, player=ANNA, until=pit.now + timedelta(days=1))
    else:
        pit.do(cmd.DisconnectSession, session=uid(1), at=pit.now)
        pit.now += timedelta(minutes=20)
        pit.do(cmd.ExpireSession, session=uid(1))
    if end == "rolling":
        pit.at(cmd.SettleTableRound)

    ended = pit.session()
    wins = 2 if end == "rolling" else 1
    assert (Closed, RIGHT + 1_000 * wins) == (type(ended), ended.final_posta)


def test_fr7_a_table_that_closes_collects_for_who_sits_there(pit):
    """The session goes on with the 10.00 that it won."""
    won(pit, on("red", 1_000))

    pit.at(cmd.CloseTable, **CHIEF)

    assert (0, 0, 0, 1_000) == stands(pit)
    assert () == pit.session().rounds


def test_fr4_what_is_held_is_paid_in_the_order_of_the_table(pit):
    """On 7: the larger column first, then the chance, at last the straight, over both seats."""
    column = list(range(1, 35, 3))
    pit.begin()
    pit.bet(on([7], 200), on("red", 1000), on(column, 300))
    pit.bet(on(column, 400), number=2)

    answer = pit.spin(7)

    held = [
        (int(e.stream[-2:], 16), e.event.winnings)
        for e in answer.entries
        if e.event.NAME == "win-held"
    ]
    assert [(2, 800), (1, 600), (1, 1_000), (1, 7_000)] == held


def test_fr4_a_stake_that_plays_on_is_paid_by_what_lies_on_its_position(pit):
    """Anna's column of 3.00 plays on and 3.00 are added; it is larger than bruno's 5.00."""
    column = list(range(1, 35, 3))
    round_id = won(pit, on(column, 300), pocket=7)
    pit.begin()
    pit.move(round_id, bets=[on(column, 300)])
    pit.bet(on(column, 500), number=2)

    answer = pit.spin(7)

    held = [e.event.winnings for e in answer.entries if e.event.NAME == "win-held"]
    assert [600, 600, 1_000] == held


def test_c7_the_screen_shows_the_win_that_is_held_and_what_the_round_won(pit):
    """35.00 and 10.00 won with one number: the bet box says 45.00, the win box 46.00."""
    won(pit, on([3], 100), on("red", 1_000))

    session = pit.session()
    assert (4_500, 4_600) == (session.bet_box, session.win_box)


def seen(pit):
    """The screen of anna's only round."""
    session = pit.session()
    (played,) = session.rounds
    (published,) = pit.book.state("sheet:french-roulette").versions
    return screen(Rules(ENGINE, published).view(session, played.round))


def test_c7_the_screen_of_a_round_tells_what_is_held_what_plays_on_and_what_may_be_done(pit):
    """Between two rounds, while the stake plays on, and when zero has imprisoned it."""
    red = {"name": "rosso", "amount": "10.00"}
    won(pit, on("red", 1_000))
    assert {
        "prison": [],
        "held": "10.00",
        "left": [{"bet": 1, **red}],
        "may": ["collect"],
    } == seen(pit)

    pit.begin()
    assert {"bets": [{"bet": 2, **red}], "held": "10.00", "may": ["withdraw"]} == seen(pit)
    pit.spin(0)

    told = seen(pit)
    assert ("10.00", [], ["withdraw", "leave", "move", "collect"]) == (
        told["held"],
        told["left"],
        told["may"],
    )
    assert [2] == [each["bet"] for each in told["prison"]]


def test_fr7_a_loss_that_was_planned_is_not_reached_by_a_stake_that_plays_on(pit):
    """10.00 may be lost, and 10.00 lie: they play on, and what was won may be bet besides."""
    asked = {"session": uid(1), "player": ANNA, "sheet": "french-roulette", "channel": "web"}
    asked |= {"amount": 500, "currency": EUR, "limit_loss": 1_000}
    right = pit.do(cmd.RequestParticipation, **asked).command
    proof = {"participation": right, "ticket": "T-2", "count": 1, "total": 500}
    pit.do(cmd.ValidateParticipation, session=uid(1), **proof)
    round_id = won(pit, on("red", 1000))
    pit.begin()

    over = pit.move(round_id, bets=[on([17], 1_001)])
    within = pit.move(round_id, bets=[on([17], 1_000)])

    assert (Code.LOSS_LIMIT_REACHED, None) == (over.refusal, within.refusal)
    pit.spin(4)


def test_fr7_nothing_is_collected_where_nothing_is_held(pit):
    """A prisoner's round, and bets that lie."""
    round_id = pit.imprisoned()

    assert RouletteCode.NOTHING_HELD == pit.move(round_id, **COLLECT).refusal


def test_fr7_the_packaged_sheet_credits_at_once():
    """Nobody has to reach for chips: 10.00 and the stake are posta when the number came."""
    pit = FrenchPit()
    won(pit, on("red", 1_000))

    assert (0, 0, 0, 1_000) == stands(pit)
