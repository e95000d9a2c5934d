"""What ends sessions: their player, one who does not come back, time, and an exclusion (G9).

What is in play is played to its end first, and the final posta returns to the conto. An exclusion
and all that it ends are one save, so that no moment lies between them (G4).
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from ledger.domain import commands as cmd, conto, events as ev, session as ses, table
from ledger.domain.decider import (
    Change,
    Changes,
    Context,
    Decision,
    Events,
    Handler,
    Handlers,
    NeedsDraw,
    States,
)
from ledger.domain.ids import StreamName, conto_stream, session_stream, sheet_stream
from ledger.domain.leaving import end_expired, end_session, expiry, finished, only_holds
from ledger.domain.participation import reads_session_and_conto
from ledger.domain.refusals import Code, Refusal
from ledger.domain.rounds import Play, Step, refunded


def _close(command: cmd.CloseSession, states: States, context: Context) -> Decision:
    session = ses.opened(states[session_stream(command.session)])
    if isinstance(session, Refusal):
        return session
    if session.right is not None:
        return Refusal(Code.PARTICIPATION_PENDING, "A right is waiting; annul it first.")
    owed = refunded(session, states)
    if not only_holds(owed.session, states, context):
        return Refusal(Code.ROUND_IN_PLAY, "A round is in play; play it to its end first.")
    play = finished(owed.session, states, context)
    if not isinstance(play, Play):
        return play
    events: Events = (*owed.events, *play.events)
    return end_session(command.session, play.session, events, command.reason)


def _reads_expiring(command: cmd.ExpireSession, states: States) -> tuple[StreamName, ...]:
    stream = session_stream(command.session)
    state = states.get(stream)
    if isinstance(state, ses.Open):
        own = (stream, conto_stream(state.terms.player), sheet_stream(state.terms.sheet))
        return (*own, *table.reads_table(state))
    return (stream,)


def _expire(command: cmd.ExpireSession, states: States, context: Context) -> Decision:
    session: ses.State = states[session_stream(command.session)]
    expired = to_expire(session, context.now)
    if isinstance(expired, Refusal):
        return expired
    assert isinstance(session, ses.Open)
    owed = refunded(session, states)
    play = finished(owed.session, states, context)
    if _is_in_play(play) and session.expired is None:
        # The command is done once: what it could not end now, the table's round in play will.
        return (Change(session_stream(command.session), (expired,)),)
    if not isinstance(play, Play):
        return play
    return end_expired(command.session, play.session, (*owed.events, *play.events), expired)


def to_expire(state: ses.State, now: datetime) -> ev.SessionExpired | Refusal:
    """How a session expires now, or why it does not yet."""
    session = ses.opened(state)
    if isinstance(session, Refusal):
        return session
    if session.right is not None:
        return Refusal(Code.PARTICIPATION_PENDING, "A right is waiting; ask for its answer first.")
    expired = expiry(session)
    if expired is None:
        return Refusal(Code.SESSION_CONNECTED, "The player is connected.")
    if now < expired.due:
        return Refusal(Code.NOT_YET_DUE, f"The session may go on until {expired.due.isoformat()}.")
    return expired


def _is_in_play(play: Step) -> bool:
    """Whether a session's rounds are at the mercy of a table's ball."""
    return isinstance(play, Refusal) and play.code is Code.TABLE_ROUND_IN_PLAY


def _reads_excluding(command: cmd.ExcludePlayer, states: States) -> tuple[StreamName, ...]:
    stream = conto_stream(command.player)
    state = states.get(stream)
    sessions = state.sessions if isinstance(state, conto.Conto) else ()
    played = [states.get(session_stream(session)) for session in sessions]
    sheets = (sheet_stream(s.terms.sheet) for s in played if isinstance(s, ses.Open))
    tables = (place for s in played for place in table.reads_table(s))
    return (stream, *map(session_stream, sessions), *dict.fromkeys((*sheets, *tables)))


@dataclass(frozen=True, slots=True)
class Left:
    """How a session is left: its change, what comes back to the conto, the entropy not yet used."""

    changes: Changes
    back: Events
    entropy: tuple[bytes, ...]


def _leave(
    session: UUID, until: datetime | None, states: States, context: Context
) -> Left | Refusal | NeedsDraw:
    """End a session; one whose right or table's round waits is barred, and its answer ends it."""
    stream = session_stream(session)
    state: ses.State = states[stream]
    bar = ev.SessionBarred(until=until)
    if ses.barred(state) is not None:
        return Left((), (), context.entropy)
    if isinstance(state, ses.Pending):
        return Left((Change(stream, (bar,)),), (), context.entropy)
    assert isinstance(state, ses.Open)
    owed = refunded(state, states)
    play = finished(owed.session, states, context)
    if _is_in_play(play):
        return Left((Change(stream, (bar,)),), (), context.entropy)
    if not isinstance(play, Play):
        return play
    events = (*owed.events, *play.events)
    if state.right is not None:
        return Left((Change(stream, (*events, bar)),), (), play.entropy)
    ended, back, *risen = end_session(session, play.session, events, "excluded")
    return Left((ended, *risen), back.events, play.entropy)


def _is_longer(holder: conto.Conto, until: datetime | None) -> bool:
    """Whether an exclusion goes on after the one that stands, if one does."""
    if holder.excluded_since is not None:
        return False
    return until is None or holder.excluded_until is None or until > holder.excluded_until


def _exclude(command: cmd.ExcludePlayer, states: States, context: Context) -> Decision:
    if command.until is not None and command.until <= context.now:
        return Refusal(Code.MALFORMED, "An exclusion ends later than now.")
    stream = conto_stream(command.player)
    holder = conto.usable(states[stream])
    if isinstance(holder, Refusal):
        return holder
    if not _is_longer(holder, command.until):
        return Refusal(Code.MALFORMED, "An exclusion ends later than the last one.")
    excluded: Events = (ev.ContoExcluded(player=command.player, until=command.until),)
    changes: list[Change] = []
    for session in holder.sessions:
        left = _leave(session, command.until, states, context)
        if not isinstance(left, Left):
            return left
        changes += left.changes
        excluded += left.back
        context = replace(context, entropy=left.entropy)
    return (*changes, Change(stream, excluded))


HANDLERS: Final[Handlers] = {
    cmd.CloseSession: Handler(reads_session_and_conto, _close),
    cmd.ExpireSession: Handler(_reads_expiring, _expire),
    cmd.ExcludePlayer: Handler(_reads_excluding, _exclude),
}
