"""Refunds: a round that is void, and a bet that is taken back, even before it came (G3, G9, S3).

A round that has won is decided: what it holds is the player's, and is collected, never refunded. So
is one whose table's outcome was told: what it has in prison a later outcome or its player ends.
A client takes no bet back in whose round something was drawn: it was shown, and a rollback would
undo the deals that came out badly. Nor does it at a table whose bets are closed: the ball rolls in
sight (FR10). The house can still void such a round until it has won.
"""

from typing import Final
from uuid import UUID

from ledger.domain import commands as cmd, events as ev, record, session as ses, table
from ledger.domain.decider import (
    Change,
    Context,
    Decision,
    Handler,
    Handlers,
    RoundEvents,
    States,
)
from ledger.domain.ids import StreamName, command_stream, session_stream, table_stream
from ledger.domain.refusals import Code, Refusal
from ledger.domain.rounds import not_in_play, opened_here, refunds_of, void_round, wrote
from ledger.domain.stakes import RoundInPlay, Stake


def _reads_voiding(command: cmd.VoidRounds, states: States) -> tuple[StreamName, ...]:
    sessions = tuple(dict.fromkeys(session_stream(ref.session) for ref in command.rounds))
    rounds = (command_stream(ref.round) for ref in command.rounds)
    tables = (place for s in sessions for place in table.reads_table(states.get(s)))
    return (*sessions, *dict.fromkeys(rounds), *dict.fromkeys(tables))


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
        decided = _decided(session, ref.round, states)
        if decided is not None:
            return decided
        earlier = changes[stream].events if stream in changes else ()
        refunds = void_round(session, ref.round, command.reason)
        changes[stream] = Change(stream, earlier + refunds)
    return tuple(changes.values())


def _decided(session: ses.Open, round_id: UUID, states: States) -> Refusal | None:
    """The refusal to void a round that has won already, or whose table's outcome is known (G9)."""
    history = ses.find_round(session, round_id).history
    if any(isinstance(e, ev.WinHeld) for e in history):
        return Refusal(Code.ROUND_DECIDED, "The round has won; its win can only be collected.")
    if any(isinstance(e, ev.OutcomeTold) for e in history) or _is_told(session, states):
        return Refusal(Code.ROUND_DECIDED, "The table's outcome is known; the round is paid by it.")
    if any(table.is_dealing(states[stream]) for stream in table.reads_table(session)):
        return Refusal(Code.ROUND_DECIDED, "Its cards are dealt with others'; void the table's.")
    return None


def _is_told(session: ses.Open, states: States) -> bool:
    """Whether the table at which a session sits has an outcome whose payments are to come."""
    found = None if session.table is None else states[table_stream(session.table)]
    played = found.round if isinstance(found, table.Table) else None
    return played is not None and played.phase == "told"


def _drawn(played: RoundInPlay) -> Refusal | None:
    """The refusal to take back a bet whose round has drawn: what was shown stays shown (G7)."""
    if any(isinstance(e, ev.DrawRecorded) for e in played.history):
        return Refusal(
            Code.ROUND_DECIDED,
            "Cards or numbers that were shown cannot be taken back; the house can void the round.",
        )
    return None


def _closed(session: ses.Open, states: States) -> Refusal | None:
    """The refusal to take back a bet at a table whose bets are closed (rulings FR10)."""
    if any(table.is_rolling(states[stream]) for stream in table.reads_table(session)):
        return Refusal(
            Code.ROUND_DECIDED, "The bets are closed; the house can void the round until its end."
        )
    return None


def _reads_refunding(command: cmd.RefundBets, states: States) -> tuple[StreamName, ...]:
    stream = session_stream(command.session)
    return (stream, command_stream(command.placed_by), *table.reads_table(states.get(stream)))


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
    played = _played_by(session, command.placed_by)
    if played is None:
        return _refund_too_late(answer, command)
    decided = _decided(session, played.round, states) or _drawn(played) or _closed(session, states)
    if decided is not None:
        return decided
    refunded = _taken_back(session, played, command)
    if isinstance(refunded, Refusal):
        return refunded
    return (Change(session_stream(command.session), refunded),)


def _refund_too_late(answer: ev.CommandAnswered, command: cmd.RefundBets) -> Refusal:
    continued = answer.kind == cmd.ContinueRound.KIND and wrote(answer, command.session)
    if continued or opened_here(answer, command.session):
        return Refusal(Code.ROUND_ENDED, "The round has ended; its result stands.")
    return _NO_BET_HERE


_NO_BET_HERE: Final = Refusal(Code.UNKNOWN_BET, "That command placed no bet in this session.")


def _played_by(session: ses.Open, command: UUID) -> RoundInPlay | None:
    """The round in play that a command opened, or in which it made a further move."""
    for played in session.rounds:
        makers = (e.made_by for e in played.history if isinstance(e, ev.MoveMade))
        if played.round == command or command in makers:
            return played
    return None


def _taken_back(
    session: ses.Open, played: RoundInPlay, command: cmd.RefundBets
) -> RoundEvents | Refusal:
    """Refund a command's bets; with the opening's, or the last at stake, the round is void."""
    if played.round == command.placed_by:
        return void_round(session, played.round, command.reason)
    stakes = _stakes_of(played, command.placed_by)
    if not stakes:
        return _NO_BET_HERE
    held = sum(s.held for s in stakes)
    if not held:
        return Refusal(Code.BET_ALREADY_REFUNDED, "These bets were refunded before.")
    if held == played.at_stake:
        return void_round(session, played.round, command.reason)
    return refunds_of(session, played, stakes, command.reason)


def _stakes_of(played: RoundInPlay, command: UUID) -> list[Stake]:
    """The stakes that a further move brought about: of the bets after it, up to the next move."""
    maker, bets = None, set()
    for event in played.history:
        if isinstance(event, ev.MoveMade):
            maker = event.made_by
        elif isinstance(event, ev.BetPlaced) and maker == command:
            bets.add(event.bet)
    return [s for s in played.stakes if s.bet in bets]


HANDLERS: Final[Handlers] = {
    cmd.VoidRounds: Handler(_reads_voiding, _void),
    cmd.RefundBets: Handler(_reads_refunding, _refund),
}
