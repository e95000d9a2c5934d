"""The prison: a stake that no outcome has decided, with money of its own (G1, G9, rulings FR1)."""

from dataclasses import dataclass

import pytest

from ledger.domain import commands as cmd, events as ev
from ledger.domain.refusals import Code
from tests.coin import CoinEngine
from tests.given import fold, given, on
from tests.scenes import (
    OPEN,
    PLAYING,
    ROUND,
    S1,
    SESSION,
    answered,
    coins,
    common,
    imprisoned,
    lost,
    moved,
    order,
    payout,
    released,
    session,
    settled,
)
from tests.table_coin import CoinOutcome

BEGUN = (*session().events, *PLAYING.events)
"""Anna has 49.00 in posta and 1.00 on heads."""
HELD = (*BEGUN, imprisoned(1, 100))
TOLD = ev.OutcomeTold(
    **common(), table_round=ROUND, shown="heads", details=CoinOutcome(side="heads")
)


def places(*events):
    """What is in posta, at stake and in prison after these events."""
    state = fold(SESSION, events)
    rounds = state.rounds
    return (state.posta, sum(r.at_stake for r in rounds), sum(r.in_prison for r in rounds))


def test_fr1_an_imprisoned_stake_is_neither_posta_nor_at_stake():
    """1.00 goes to prison whole; a step of level moves nothing."""
    stepped = ev.PrisonerStepped(**common(), bet=1, level=2)

    assert (4_900, 100, 0) == places(*BEGUN)
    assert (4_900, 0, 100) == places(*HELD)
    assert (4_900, 0, 100) == places(*HELD, stepped)


@pytest.mark.parametrize(
    ("outcome", "returned"), [("freed", 100), ("withdrawn", 50), ("divided", 6), ("lost", 0)]
)
def test_fr1_what_a_prisoner_returns_is_posta_and_the_rest_the_banks(outcome, returned):
    """The two parts are the stake, and nothing is left in prison."""
    out = released(1, outcome, returned, 100 - returned)

    assert (4_900 + returned, 0, 0) == places(*HELD, out)


def test_a_bet_that_lost_beside_a_prisoner_or_was_paid_is_no_longer_at_stake():
    """Its round goes on, and it is decided all the same."""
    assert (4_900, 0, 0) == places(*BEGUN, lost(1, 100))
    assert (5_100, 0, 0) == places(*BEGUN, payout(1, 100, 100))


@pytest.mark.parametrize(
    "command",
    [
        order(cmd.VoidRounds, 9, rounds=(cmd.RoundRef(session=S1, round=ROUND),), reason="broke"),
        order(cmd.RefundBets, 9, session=S1, placed_by=ROUND, reason="late"),
    ],
)
def test_g9_a_round_whose_outcome_was_told_is_never_refunded(command):
    """What it has in prison is decided by a later outcome or its player (FR1)."""
    record = answered(ROUND, "open-round")
    told = on(SESSION, TOLD, imprisoned(1, 100))

    given(*OPEN, PLAYING, told, record).when(command).then(Code.ROUND_DECIDED)


@dataclass(frozen=True)
class WrongEngine(CoinEngine):
    """An engine with a bug: it proposes these events."""

    proposed: tuple = ()

    def decide(self, view, move, draw):  # noqa: ARG002 - the contract's
        """Propose what it was made with."""
        return self.proposed


@pytest.mark.parametrize(
    "proposed",
    [
        (imprisoned(1, 99),),
        (imprisoned(1, 100), imprisoned(1, 100)),
        (ev.PrisonerStepped(**common(), bet=1, level=2),),
        (released(1, "freed", 100, 0),),
        (imprisoned(1, 100), released(1, "withdrawn", 50, 49)),
        (imprisoned(1, 100), lost(1, 100)),
        (lost(1, 101),),
        (imprisoned(1, 100), settled(staked=100, stakes_lost=100, bets=1)),
        (lost(1, 100), settled(staked=100, stakes_lost=100, bets=1)),
        (payout(1, 0, 100), settled(staked=100, stakes_lost=100, bets=1)),
    ],
)
def test_g1_an_engine_that_loses_or_doubles_a_stake_stops_the_save(proposed):
    """A part imprisoned, twice imprisoned, released from nowhere, or settled with a prisoner."""
    before = given(*OPEN, PLAYING, engines={"coin/1": WrongEngine(proposed=proposed)})
    further = order(cmd.ContinueRound, 100, session=S1, round=ROUND, move=CoinOutcome(side="heads"))

    with pytest.raises(AssertionError):
        before.when(further)


def test_g9_a_round_that_had_a_prisoner_ends_with_every_stake_accounted_for():
    """Half of 1.00 withdrawn: returned 0.50, taken before 0.50, nothing left to lose."""
    end = settled(staked=100, stake_returned=50, taken=50, bets=1)
    proposed = (imprisoned(1, 100), released(1, "withdrawn", 50, 50), end)
    before = given(*OPEN, PLAYING, engines={"coin/1": WrongEngine(proposed=proposed)})
    further = order(cmd.ContinueRound, 100, session=S1, round=ROUND, move=coins(("heads", 1)))

    before.when(further).then(on(SESSION, moved(("heads", 1)), *proposed))
