"""Limits that a player sets: on the conto, and at once on what is being played (G4).

The sessions that a stricter time of play ends sooner are told so in the save that sets it.
"""

from typing import Final

from ledger.domain import commands as cmd, conto, conto_limits, events as ev
from ledger.domain.decider import Change, Context, Decision, Handler, Handlers, States
from ledger.domain.ids import StreamName, conto_stream, session_stream
from ledger.domain.refusals import Code, Refusal


def _reads(command: cmd.SetContoLimit, states: States) -> tuple[StreamName, ...]:
    stream = conto_stream(command.player)
    state = states.get(stream)
    if command.limit != "time" or not isinstance(state, conto.Conto):
        return (stream,)
    return (stream, *map(session_stream, state.sessions))


def _set(command: cmd.SetContoLimit, states: States, context: Context) -> Decision:
    now, stream = context.now, conto_stream(command.player)
    holder = conto.usable(states[stream])
    if isinstance(holder, Refusal):
        return holder
    if command.limit == "time" and not _is_of_a_day(command):
        return Refusal(Code.MALFORMED, "Time of play is limited per day, to less than 24 hours.")
    asked = (command.limit, command.period, command.most)
    limited = ev.ContoLimitSet(
        player=command.player,
        limit=command.limit,
        period=command.period,
        most=command.most,
        asked=now,
        in_force_from=conto_limits.begins(holder.limits, asked, now),
    )
    over, sessions = conto.stopped_by(holder, limited, now)
    if over is None:
        return (Change(stream, (limited,)),)
    limited = limited.model_copy(update={"time_over": over})
    told = ev.SessionTimeLimited(time_over=over)
    return (
        Change(stream, (limited,)),
        *(Change(session_stream(session), (told,)) for session in sessions),
    )


def _is_of_a_day(command: cmd.SetContoLimit) -> bool:
    most = command.most
    return command.period == "day" and (most is None or most <= conto_limits.TIME_MAX)


HANDLERS: Final[Handlers] = {cmd.SetContoLimit: Handler(_reads, _set)}
