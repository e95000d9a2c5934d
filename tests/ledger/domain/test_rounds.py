"""The steps of a round, with the smallest game: a toss of a coin (G2, G7, G8, G9)."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from ledger.domain import commands as cmd
from ledger.domain.decider import NeedsDraw
from ledger.domain.events import MoveMade
from ledger.domain.refusals import Code
from tests.coin import COIN, ENGINES, CoinEngine, CoinToss, Foreign
from tests.given import NOON, fold, given, on
from tests.scenes import (
    LOST,
    MOVE,
    OPEN,
    OPEN_FOR_TWO,
    OTHER_SESSION,
    PLAYING,
    ROUND,
    S1,
    SESSION,
    TWO,
    answered,
    bet,
    coins,
    common,
    drawn,
    moved,
    order,
    payout,
    published,
    refunded,
    round_opened,
    session,
    settled,
    uid,
    under,
)

HEADS, TAILS = b"\x02", b"\x03"
LATER = NOON + timedelta(hours=1)
TOSSED = MoveMade(**common(), details=CoinToss(), made_by=MOVE)


def play(*lines, kind=cmd.PlayRound, number=70):
    """Bet and toss, or bet and leave the round open."""
    return order(kind, number, session=S1, move=coins(*lines))


def of(move, *events):
    """Events of anna's session after a further move."""
    return on(SESSION, move, *events)


def go_on(move, round_id=ROUND):
    """The next move of an open round."""
    return order(cmd.ContinueRound, session=S1, round=round_id, move=move)


def test_c3_a_round_is_bet_drawn_and_settled_in_one_decision():
    """Heads 1.00 wins 1.00 and gets its stake back; tails 2.00 goes to the bank."""
    given(*OPEN, engines=ENGINES).when(play(("heads", 100), ("tails", 200)), entropy=HEADS).then(
        on(
            SESSION,
            round_opened(move=coins(("heads", 100), ("tails", 200))),
            bet(1, "heads", 100),
            bet(2, "tails", 200),
            drawn("02", "heads"),
            payout(1, 100, 100),
            settled(staked=300, winnings=100, stake_returned=100, stakes_lost=200, bets=2),
        )
    )


def test_g7_a_draw_is_asked_for_only_after_the_bets_are_accepted():
    """Good bets end at the question for entropy, bad ones never get that far."""
    history = given(*OPEN, engines=ENGINES)

    history.when(play(("heads", 5_000))).then(NeedsDraw(1))
    history.when(play(("heads", 5_001))).then(Code.INSUFFICIENT_POSTA)


def test_g7_the_outcome_does_not_depend_on_the_bets():
    """The same byte shows the same side to whoever bets."""
    history = given(*OPEN, engines=ENGINES)
    decisions = [
        history.when(play(line), entropy=TAILS).decision for line in (("heads", 1), ("tails", 9))
    ]

    for (change,) in decisions:
        assert drawn("03", "tails") in change.events


def test_g7_entropy_is_used_in_order_and_all_that_was_used_is_recorded():
    """255 is thrown again; the second byte decides."""
    history = given(*OPEN, engines=ENGINES)

    history.when(play(("heads", 100)), entropy=b"\xff").then(NeedsDraw(1))
    history.when(play(("heads", 100)), entropy=b"\xff" + TAILS).then(
        on(
            SESSION,
            round_opened(),
            bet(1, "heads", 100),
            drawn("ff03", "tails"),
            settled(staked=100, stakes_lost=100, bets=1),
        )
    )


def test_g2_the_bets_of_a_round_are_paid_for_together():
    """30.00 and 20.01 are more than a posta of 50.00."""
    given(*OPEN, engines=ENGINES).when(play(("heads", 3_000), ("tails", 2_001))).then(
        Code.INSUFFICIENT_POSTA
    )


def test_g2_the_whole_posta_can_be_bet():
    """Down to zero is allowed."""
    given(*OPEN, engines=ENGINES).when(play(("heads", 5_000), kind=cmd.OpenRound)).then(
        on(SESSION, round_opened(move=coins(("heads", 5_000))), bet(1, "heads", 5_000))
    )


def test_g2_money_at_stake_is_not_bet_again():
    """An open round holds 1.00 of the 50.00."""
    history = given(*OPEN_FOR_TWO, under(PLAYING, **TWO), engines=ENGINES)

    history.when(play(("heads", 4_901), kind=cmd.OpenRound, number=71)).then(
        Code.INSUFFICIENT_POSTA
    )
    history.when(go_on(coins(("tails", 4_901)))).then(Code.INSUFFICIENT_POSTA)


def test_a_round_without_a_bet_is_refused():
    """The engine decides that; the book passes the refusal on."""
    given(*OPEN, engines=ENGINES).when(play()).then(Code.NO_BET)


def test_a_move_of_another_game_is_refused():
    """Nothing is guessed about it."""
    given(*OPEN, engines=ENGINES).when(
        order(cmd.PlayRound, session=S1, move=Foreign(type="foreign"))
    ).then(Code.WRONG_GAME)


def test_a_disconnected_player_does_not_bet():
    """Neither in a new round nor in an open one."""
    history = given(*OPEN, PLAYING, LOST, engines=ENGINES)

    history.when(play(("heads", 1), number=71)).then(Code.SESSION_DISCONNECTED)
    history.when(go_on(CoinToss())).then(Code.SESSION_DISCONNECTED)


def test_a_round_can_be_played_in_steps():
    """Bets, more bets, the toss: each step sees the steps before."""
    given(*OPEN, engines=ENGINES).when(play(("heads", 100), kind=cmd.OpenRound)).then(PLAYING).when(
        go_on(coins(("tails", 50)))
    ).then(of(moved(("tails", 50)), bet(2, "tails", 50))).when(
        go_on(CoinToss()), entropy=TAILS
    ).then(
        of(
            TOSSED,
            drawn("03", "tails"),
            payout(2, 50, 50),
            settled(staked=150, winnings=50, stake_returned=50, stakes_lost=100, bets=2),
        )
    )


def test_a_move_that_is_refused_is_not_on_record():
    """Neither the first one nor a further one leaves an event."""
    history = given(*OPEN, PLAYING, engines=ENGINES)

    history.when(go_on(coins())).then(Code.NO_BET)
    history.when(go_on(Foreign(type="foreign"))).then(Code.WRONG_GAME)


@pytest.mark.parametrize("kind", [cmd.PlayRound, cmd.OpenRound])
def test_a_session_has_one_round_in_play_unless_its_sheet_says_otherwise(kind):
    """A second one waits for the end of the first, and then begins."""
    second = play(("heads", 1), kind=kind, number=71)
    ended = on(SESSION, settled(staked=100, stakes_lost=100, bets=1))

    given(*OPEN, PLAYING, engines=ENGINES).when(second).then(Code.ROUND_IN_PLAY)
    decided = given(*OPEN, PLAYING, ended, engines=ENGINES).when(second, entropy=HEADS).decision
    assert round_opened(uid(71), coins(("heads", 1))) == decided[0].events[0]


def test_a_sheet_may_allow_two_rounds_of_a_session_and_then_not_three():
    """Under `rounds_max` 2 the second begins beside the first."""
    second = play(("heads", 100), kind=cmd.OpenRound, number=71)
    third = play(("heads", 100), kind=cmd.OpenRound, number=72)
    begun = on(SESSION, round_opened(uid(71)), bet(1, "heads", 100, uid(71)))

    given(*OPEN_FOR_TWO, under(PLAYING, **TWO), engines=ENGINES).when(second).then(
        under(begun, **TWO)
    ).when(third).then(Code.ROUND_IN_PLAY)


def test_a_part_of_a_bet_that_was_refunded_leaves_the_settlement():
    """Of 1.00 on heads 0.40 went back: heads pays 0.60 on the rest, tails takes the rest."""
    history = given(*OPEN, PLAYING, on(SESSION, refunded(1, 40, "chip fell")), engines=ENGINES)

    history.when(go_on(CoinToss()), entropy=HEADS).then(
        of(
            TOSSED,
            drawn("02", "heads"),
            payout(1, 60, 60),
            settled(staked=100, winnings=60, stake_returned=60, refunded=40, bets=1),
        )
    )
    history.when(go_on(CoinToss()), entropy=TAILS).then(
        of(
            TOSSED,
            drawn("03", "tails"),
            settled(staked=100, stakes_lost=60, refunded=40, bets=1),
        )
    )


def test_a_refunded_bet_leaves_the_settlement():
    """Of two bets on heads one was refunded: only the other is paid."""
    history = on(SESSION, bet(2, "heads", 40), refunded(2, 40, "chip fell"))

    given(*OPEN, PLAYING, history, engines=ENGINES).when(go_on(CoinToss()), entropy=HEADS).then(
        of(
            TOSSED,
            drawn("02", "heads"),
            payout(1, 100, 100),
            settled(staked=140, winnings=100, stake_returned=100, refunded=40, bets=2),
        )
    )


def test_g8_an_open_round_ends_by_the_rules_it_began_with():
    """Version 2 pays three times, but came into force after the bet."""
    history = (*OPEN, PLAYING, published(2, LATER, pays=3))

    decided = given(*history, engines=ENGINES).when(go_on(CoinToss()), now=LATER, entropy=HEADS)

    assert payout(1, 100, 100) in decided.decision[0].events


def test_g8_a_new_round_is_played_by_the_version_in_force():
    """From its moment on version 2 is named and pays three times."""
    history = given(*OPEN, published(2, LATER, pays=3), engines=ENGINES)
    before = history.when(play(("heads", 1)), now=LATER - timedelta(microseconds=1), entropy=HEADS)
    after = history.when(play(("heads", 1)), now=LATER, entropy=HEADS)

    assert (
        before.decision[0].events[0].rules.version,
        before.decision[0].events[3].winnings,
    ) == (1, 1)
    assert (
        after.decision[0].events[0].rules.version,
        after.decision[0].events[3].winnings,
    ) == (2, 3)


def test_a_round_that_has_ended_takes_no_move():
    """Its result stands."""
    given(*OPEN, answered(ROUND, "play-round"), engines=ENGINES).when(go_on(CoinToss())).then(
        Code.ROUND_ENDED
    )


@pytest.mark.parametrize(
    "history",
    [
        (),
        (answered(ROUND, "play-round", refusal="no-bet"),),
        (answered(ROUND, "open-round", stream=OTHER_SESSION),),
        (answered(ROUND, "grant-bonus"),),
    ],
    ids=["nothing", "refused", "another session", "no round"],
)
def test_a_round_that_never_was_takes_no_move(history):
    """Not one that nobody opened, was refused, or is another session's; nor what is no round."""
    given(*OPEN, *history, engines=ENGINES).when(go_on(CoinToss())).then(Code.UNKNOWN_ROUND)


def test_c7_the_screen_shows_the_net_win_and_the_last_outcomes():
    """Winnings without their stakes, 0.00 at the start and after a loss; newest outcome first."""
    start = given(*OPEN, engines=ENGINES)
    won = start.when(play(("heads", 100), ("tails", 30)), entropy=HEADS).given_now
    lost = won.when(play(("heads", 100), number=71), entropy=TAILS).given_now
    states = [g.state(SESSION) for g in (start, won, lost)]

    assert [s.bet_box for s in states] == [0, 100, 0]
    assert [s.shown for s in states] == [(), ("heads",), ("tails", "heads")]
    assert [s.posta for s in states] == [5_000, 5_070, 4_970]


@dataclass(frozen=True)
class Careless(CoinEngine):
    """An engine with a bug: its settlement says that more was won than was paid."""

    def decide(self, view, move, draw):
        """Change the last event."""
        proposed = COIN.decide(view, move, draw)
        if not isinstance(move, CoinToss) or not isinstance(proposed, tuple):
            return proposed
        last = proposed[-1]
        return (*proposed[:-1], last.model_copy(update={"winnings": last.winnings + 1}))


def test_g1_an_engine_that_settles_wrongly_is_stopped():
    """The book asserts that a settlement says what was paid, and that no stake is forgotten."""
    wrong = {"coin/1": Careless()}

    with pytest.raises(AssertionError):
        given(*OPEN, engines=wrong).when(play(("heads", 100)), entropy=HEADS)


def test_a_round_in_play_knows_what_is_at_stake():
    """Staked and neither refunded nor settled: 2.50, then 2.20 when 0.30 of it went back too."""
    begun = session().events + PLAYING.events
    once = (*begun, bet(2, "tails", 250), refunded(1, 100, "chip fell"))
    twice = (*once, refunded(2, 10, "chip fell"), refunded(2, 20, "chip fell"))
    states = [fold(SESSION, events) for events in (once, twice)]

    assert [[250], [220]] == [[r.at_stake for r in s.rounds] for s in states]
    assert [4_750, 4_780] == [s.posta for s in states]
    assert [(100, 100), (250, 30)] == [(s.amount, s.refunded) for s in states[1].rounds[0].stakes]
