"""Refunds: a round that is void, and a bet that is taken back, even before it came (G3, G9, S3).

A round that has won is decided: what it holds is the player's, and is collected, never refunded.
"""

from typing import Any, Final
from uuid import UUID

from ledger.domain import commands as cmd, events as ev, record, session as ses
from ledger.domain.decider import (
    Change,
    Context,
    Decision,
    Handler,
    Handlers,
    RoundEvents,
    States,
)
from ledger.domain.ids import StreamName, command_stream, session_stream
from ledger.domain.refusals import Code, Refusal
from ledger.domain.rounds import not_in_play, opened_here


def _reads_voiding(command: cmd.VoidRounds, _: States) -> tuple[StreamName, ...]:
    sessions = (session_stream(ref.session) for ref in command.rounds)
    rounds = (command_stream(ref.round) for ref in command.rounds)
    return (*dict.fromkeys(sessions), *dict.fromkeys(rounds))


def _void(command: cmd.VoidRounds, states: States, _: Context) -> Decision:
    if len(set(command.rounds)) != len(command.rounds):
        return Refusal(Code.MALFORMED, "Name each round once.")
    changes: dict[StreamName, Change] = {}
    for ref in command.rounds:
        stream = session_stream(ref.session)
        session = ses.opened(states[stream])
        if isinstance(session, Refusal):
            return session
        if not ses.is_in_play(session, ref.round):
            return not_in_play(states, ref.session, ref.round)
        decided = _decided(session, ref.round)
        if decided is not None:
            return decided
        earlier = changes[stream].events if stream in changes else ()
        refunds = void_round(session, ref.round, command.reason)
        changes[stream] = Change(stream, earlier + refunds)
    return tuple(changes.values())


def _decided(session: ses.Open, round_id: UUID) -> Refusal | None:
    """The refusal to void a round that has won already: its win is the player's (G9)."""
    if any(isinstance(e, ev.WinHeld) for e in ses.find_round(session, round_id).history):
        return Refusal(Code.ROUND_DECIDED, "The round has won; its win can only be collected.")
    return None


def void_round(session: ses.Open, round_id: UUID, reason: str) -> RoundEvents:
    """Refund every stake that is still held, and void the round with the last of them (S3)."""
    played = ses.find_round(session, round_id)
    common: dict[str, Any] = {"round": round_id, "game": played.game, "rules": played.rules}
    currency = session.terms.currency
    refunds = tuple(
        ev.BetRefunded(**common, bet=s.bet, amount=s.held, currency=currency, reason=reason)
        for s in played.stakes
        if s.held
    )
    voided = ev.RoundVoided(
        **common,
        currency=currency,
        refunded=sum(s.amount for s in played.stakes),
        bets=len(played.stakes),
        reason=reason,
    )
    return (*refunds, voided)


def _reads_refunding(command: cmd.RefundBets, _: States) -> tuple[StreamName, ...]:
    return (session_stream(command.session), command_stream(command.placed_by))


def _refund(command: cmd.RefundBets, states: States, _: Context) -> Decision:
    if command.placed_by == command.id:
        return Refusal(Code.MALFORMED, "A refund names the command that bet, not itself.")
    if isinstance(states[session_stream(command.session)], ses.Absent):
        return Refusal(Code.UNKNOWN_SESSION, "No such session; a refund names the bet's own.")
    placing = command_stream(command.placed_by)
    placed: record.State = states[placing]
    if isinstance(placed, record.Unseen):
        revoked = ev.CommandRevoked(by=command.id, session=command.session, reason=command.reason)
        return (Change(placing, (revoked,)),)
    if isinstance(placed, record.Revoked):
        return Refusal(Code.BET_ALREADY_REFUNDED, "A refund of this bet is on record already.")
    return _refund_placed(command, placed.answer, states)


def _refund_placed(command: cmd.RefundBets, answer: ev.CommandAnswered, states: States) -> Decision:
    session = ses.opened(states[session_stream(command.session)])
    if isinstance(session, Refusal):
        return session
    if answer.refusal is not None:
        return Refusal(Code.UNKNOWN_BET, "That command was refused and bet nothing.")
    if not ses.is_in_play(session, command.placed_by):
        return _refund_too_late(answer, command)
    decided = _decided(session, command.placed_by)
    if decided is not None:
        return decided
    events = void_round(session, command.placed_by, command.reason)
    return (Change(session_stream(command.session), events),)


def _refund_too_late(answer: ev.CommandAnswered, command: cmd.RefundBets) -> Refusal:
    if opened_here(answer, command.session):
        return Refusal(Code.ROUND_ENDED, "The round has ended; its result stands.")
    return Refusal(Code.UNKNOWN_BET, "That command placed no bet in this session.")


HANDLERS: Final[Handlers] = {
    cmd.VoidRounds: Handler(_reads_voiding, _void),
    cmd.RefundBets: Handler(_reads_refunding, _refund),
}
