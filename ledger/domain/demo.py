"""Demo rounds: the same rules with chips that are no money, in no turnover and no series (HW5)."""

from dataclasses import replace
from typing import Final

from ledger.domain import commands as cmd, events as ev, opening, rounds, session as ses
from ledger.domain.decider import (
    Change,
    Context,
    Decision,
    Handler,
    Handlers,
    NeedsDraw,
    RoundEvents,
    States,
)
from ledger.domain.ids import session_stream
from ledger.domain.money import AMOUNT_MAX
from ledger.domain.refusals import Refusal


def _play(command: cmd.PlayDemo, states: States, context: Context) -> Decision:
    """Play a round beside the session, with all the chips that there may be."""
    stream = session_stream(command.session)
    session: ses.State = states[stream]
    if isinstance(session, ses.Open):
        states = {**states, stream: replace(session, posta=AMOUNT_MAX, rounds=())}
    begun = opening.begin(command, states, context)
    if not isinstance(begun, opening.Begun):
        return begun
    ended = rounds.finish(begun.rules, begun.play, command.id)
    if isinstance(ended, NeedsDraw | Refusal):
        return ended
    return (Change(stream, (_told(command, ended.events),)),)


def _told(command: cmd.PlayDemo, events: RoundEvents) -> ev.DemoRoundPlayed[ev.Details]:
    """The round in one event; demo chips are counted like minor units."""
    opened = events[0]
    assert isinstance(opened, ev.RoundOpened)
    draws = [e for e in events if isinstance(e, ev.DrawRecorded)]
    paid = [e for e in events if isinstance(e, ev.PayoutCredited | ev.WinHeld)]
    return ev.DemoRoundPlayed(
        round=command.id,
        game=opened.game,
        rules=opened.rules,
        move=command.move,
        entropy="".join(e.entropy for e in draws),
        shown=" ".join(e.shown for e in draws if e.shown is not None),
        staked=sum(e.amount for e in events if isinstance(e, ev.BetPlaced)),
        credited=sum(e.winnings + e.stake_returned for e in paid),
    )


HANDLERS: Final[Handlers] = {cmd.PlayDemo: Handler(opening.reads_opening, _play)}
