"""Demo rounds: the same rules with chips that are no money, in no turnover and no series (HW5)."""

from dataclasses import replace
from typing import Any, Final

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
from ledger.domain.money import AMOUNT_MAX, Currency
from ledger.domain.refusals import Refusal
from ledger.domain.rules import Rules
from ledger.domain.terms import Terms


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
    return (Change(stream, (_told(ended.events),)),)


def again(
    played: ev.DemoRoundPlayed[Any], currency: Currency, rules: Rules
) -> ev.DemoRoundPlayed[Any] | None:
    """The round as its move and entropy give it; None where they give no whole round."""
    terms = Terms("demo", played.rules.sheet, currency, AMOUNT_MAX, 1)
    opened: ev.RoundOpened[Any] = ev.RoundOpened(
        round=played.round,
        game=rules.engine.game,
        rules=played.rules,
        currency=currency,
        move=played.move,
        account=played.account,
        own_limits=played.own_limits,
    )
    # A byte at a time, so that each draw takes what it used and no more.
    entropy = tuple(bytes([byte]) for byte in bytes.fromhex(played.entropy))
    session = ses.evolve(ses.Open(terms, posta=AMOUNT_MAX), opened)
    play = rounds.step(rules, rounds.Play(session, (opened,), entropy), played.round, played.move)
    ended = rounds.finish(rules, play, played.round) if isinstance(play, rounds.Play) else play
    if not isinstance(ended, rounds.Play) or ended.entropy:
        return None
    return _told(ended.events)


def _told(events: RoundEvents) -> ev.DemoRoundPlayed[ev.Details]:
    """The round in one event; demo chips are counted like minor units."""
    opened = events[0]
    assert isinstance(opened, ev.RoundOpened)
    draws = [e for e in events if isinstance(e, ev.DrawRecorded)]
    paid = [e for e in events if isinstance(e, ev.PayoutCredited | ev.WinHeld)]
    return ev.DemoRoundPlayed(
        round=opened.round,
        game=opened.game,
        rules=opened.rules,
        move=opened.move,
        entropy="".join(e.entropy for e in draws),
        shown=" ".join(e.shown for e in draws if e.shown is not None),
        staked=sum(e.amount for e in events if isinstance(e, ev.BetPlaced)),
        credited=sum(e.winnings + e.stake_returned for e in paid),
        account=opened.account,
        own_limits=opened.own_limits,
    )


HANDLERS: Final[Handlers] = {cmd.PlayDemo: Handler(opening.reads_opening, _play)}
