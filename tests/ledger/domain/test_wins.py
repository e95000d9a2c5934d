"""A held win: money of its own between a payout and its collection (G2, G9, rulings DW4)."""

from dataclasses import dataclass

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.refusals import Code
from tests.coin import CoinEngine, CoinToss
from tests.given import fold, given, on
from tests.scenes import (
    MOVE,
    OPEN,
    PLAYING,
    ROUND,
    S1,
    SESSION,
    answered,
    bet,
    collected,
    common,
    doubled,
    doubling,
    held,
    order,
    session,
    settled,
)

BEGUN = (*session().events, *PLAYING.events)
"""Anna has 49.00 in posta and 1.00 on heads."""
WON = (*BEGUN, held(100, 100))


def boxes(*events):
    """Credit, bet box, win box, and what stands at stake, after these events."""
    state = fold(SESSION, events)
    return (state.posta, state.bet_box, state.win_box, sum(r.at_stake for r in state.rounds))


def test_dw4_a_held_win_is_no_posta_until_it_is_collected():
    """Bet 1.00, win 2.00 held: the posta stays at 49.00 and grows at the collection alone."""
    assert (4_900, 0, 0, 100) == boxes(*BEGUN)
    assert (4_900, 100, 200, 0) == boxes(*WON)
    assert (5_100, 100, 0, 0) == boxes(*WON, collected(200))


def test_g2_a_win_of_one_bet_leaves_the_other_bets_at_stake():
    """1.00 on heads and 2.00 on tails: tails wins 2.00, and the 1.00 stays where it is.

    When heads wins 1.00 too, both wins are held together, and the box shows what they won.
    """
    both = (*session().events, *PLAYING.events, bet(2, "tails", 200))
    tails = (*both, held(200, 200, number=2))

    assert (4_700, 0, 0, 300) == boxes(*both)
    assert (4_700, 200, 400, 100) == boxes(*tails)
    assert (4_700, 300, 600, 0) == boxes(*tails, held(100, 100))
    assert [100, 0] == [stake.held for stake in fold(SESSION, tails).rounds[0].stakes]


def test_c7_during_a_double_up_the_bet_box_shows_what_is_at_risk_and_the_win_box_the_win():
    """Half of 2.00 at risk: 1.00 and 2.00; won, 3.00 is on offer; lost, 1.00 is left."""
    half = (*WON, doubling(100, 100))

    assert (4_900, 100, 200, 100) == boxes(*half)
    assert (4_900, 0, 300, 0) == boxes(*half, doubled("won", 100, 200))
    assert (4_900, 0, 200, 0) == boxes(*half, doubled("pushed", 100, 100))
    assert (4_900, 0, 100, 0) == boxes(*half, doubled("lost", 100, 0))


@pytest.mark.parametrize(
    ("double_ups", "net"),
    [
        (None, 100),
        (ev.DoubleUps(count=1, staked=200, returned=400), 300),
        (ev.DoubleUps(count=1, staked=200, returned=0), 0),
        (ev.DoubleUps(count=1, staked=50, returned=0), 50),
    ],
)
def test_c7_the_bet_box_shows_the_net_win_after_the_double_ups(double_ups, net):
    """The win of 1.00 beyond the bet, and what the double-ups added or took; never below zero."""
    figures = {"staked": 100, "winnings": 100, "stake_returned": 100, "bets": 1}
    state = fold(SESSION, (*WON, settled(**figures, double_ups=double_ups)))

    assert net == state.bet_box


def test_dw3_double_ups_stand_in_the_history_as_bets_of_their_own():
    """The screen's history names the amount at risk and the outcome."""
    state = fold(SESSION, (*WON, doubling(100, 100), doubled("lost", 100, 0)))

    assert ("double-up 1.00 lost",) == state.shown


@pytest.mark.parametrize(
    "command",
    [
        order(cmd.VoidRounds, rounds=(cmd.RoundRef(session=S1, round=ROUND),), reason="fault"),
        order(cmd.RefundBets, session=S1, placed_by=ROUND, reason="fault"),
    ],
)
def test_g9_a_round_that_has_won_is_not_refunded(command):
    """Its bet is decided and its win is the player's: it can only be collected."""
    history = (*OPEN, PLAYING, on(SESSION, held(100, 100)), answered(ROUND, "open-round"))

    given(*history).when(command).then(Code.ROUND_DECIDED)


@dataclass(frozen=True)
class Wrong(CoinEngine):
    """An engine that answers a toss with what it was told to."""

    proposed: tuple[ev.RoundEvent, ...] = ()

    def decide(self, view, move, draw):
        """Propose what is wrong."""
        return self.proposed if isinstance(move, CoinToss) else super().decide(view, move, draw)


ENDS = {"staked": 100, "winnings": 100, "stake_returned": 100, "bets": 1}
DOUBLED = ev.DoubleUps(count=1, staked=200, returned=200)


@pytest.mark.parametrize(
    "proposed",
    [
        (collected(199),),
        (collected(201),),
        (doubling(200, 1),),
        (doubling(100, 99),),
        (doubling(200), doubling(1)),
        (doubling(200), collected(200)),
        (doubling(200), doubled("won", 200, 401)),
        (doubling(200), doubled("lost", 199, 0)),
        (doubled("won", 200, 400),),
        (settled(**ENDS),),
        (collected(200), settled(**ENDS, double_ups=DOUBLED)),
        (doubling(200), doubled("pushed", 200, 200), collected(200), settled(**ENDS)),
    ],
)
def test_g1_g2_an_engine_that_takes_more_or_less_than_the_held_win_is_stopped(proposed):
    """Nothing but the whole win is split or collected, once, and no round ends with money in it."""
    history = given(
        *OPEN, PLAYING, on(SESSION, held(100, 100)), engines={"coin/1": Wrong(proposed=proposed)}
    )

    with pytest.raises(AssertionError):
        history.when(order(cmd.ContinueRound, session=S1, round=ROUND, move=CoinToss()))


def test_g9_a_held_win_is_collected_once_and_the_round_ends_with_it():
    """The same steps with the right figures are accepted."""
    ends = settled(**ENDS, double_ups=DOUBLED)
    right = (doubling(200), doubled("pushed", 200, 200), collected(200), ends)
    history = given(
        *OPEN, PLAYING, on(SESSION, held(100, 100)), engines={"coin/1": Wrong(proposed=right)}
    )
    moved = ev.MoveMade(**common(), details=CoinToss(), made_by=MOVE)

    after = history.when(order(cmd.ContinueRound, session=S1, round=ROUND, move=CoinToss())).then(
        on(SESSION, moved, *right)
    )
    assert ((), 5_100) == (after.state(SESSION).rounds, after.state(SESSION).posta)
