"""Sitting down at a live table and leaving it: the table and the session in one save (G4)."""

from typing import Final

from ledger.domain import commands as cmd, events as ev, session as ses, table
from ledger.domain.decider import Change, Context, Decision, Handler, Handlers, States
from ledger.domain.ids import StreamName, conto_stream, session_stream, table_stream
from ledger.domain.leaving import ended_by_rule, may_be_over
from ledger.domain.refusals import Code, Refusal
from ledger.domain.rounds import refunded


def _reads_seat(command: cmd.TakeSeat, _: States) -> tuple[StreamName, ...]:
    return (session_stream(command.session), table_stream(command.table))


def _sit(command: cmd.TakeSeat, states: States, _: Context) -> Decision:
    stream = session_stream(command.session)
    session = ses.barred(states[stream]) or ses.connected(states[stream])
    if isinstance(session, Refusal):
        return session
    found = table.opened(states[table_stream(command.table)])
    if isinstance(found, Refusal):
        return found
    if session.table is not None:
        return Refusal(Code.SEATED_ALREADY, f"The session sits at {session.table}; leave it first.")
    if found.sheet != session.terms.sheet:
        return Refusal(Code.WRONG_GAME, f"This table plays {found.sheet}.")
    seat = _free_seat(found, command.seat)
    if isinstance(seat, Refusal):
        return seat
    player = session.terms.player
    taken = ev.SeatTaken(seat=seat, session=command.session, player=player)
    return (
        Change(stream, (ev.SessionSeated(table=command.table, seat=seat),)),
        Change(table_stream(command.table), (taken,)),
    )


def _free_seat(found: table.Table, wanted: int | None) -> int | Refusal:
    free = sorted(set(range(1, found.seats_max + 1)) - {s.seat for s in found.seats})
    if not free or (wanted is not None and wanted not in free):
        listed = ", ".join(map(str, free)) or "none"
        return Refusal(Code.SEAT_TAKEN, f"The free seats are: {listed}.")
    return free[0] if wanted is None else wanted


def _reads_leaving(command: cmd.LeaveSeat, states: States) -> tuple[StreamName, ...]:
    stream = session_stream(command.session)
    session = states.get(stream)
    conto = (conto_stream(session.terms.player),) if may_be_over(session) else ()
    return (stream, *conto, *table.reads_table(session))


def _leave(command: cmd.LeaveSeat, states: States, context: Context) -> Decision:
    stream = session_stream(command.session)
    session = ses.opened(states[stream])
    if isinstance(session, Refusal):
        return session
    if session.table is None:
        return Refusal(Code.NOT_SEATED, "The session sits at no table.")
    play = refunded(session, states)
    if play.session.rounds:
        return Refusal(Code.ROUND_IN_PLAY, "A round is in play; wait for its end.")
    ended = ended_by_rule(command.session, play.session, play.events, context.now)
    if ended is not None:
        return ended
    unseated = ev.SessionUnseated(table=session.table)
    risen = table.rise(command.session, session)
    return (Change(stream, (*play.events, unseated)), *risen)


HANDLERS: Final[Handlers] = {
    cmd.TakeSeat: Handler(_reads_seat, _sit),
    cmd.LeaveSeat: Handler(_reads_leaving, _leave),
}
