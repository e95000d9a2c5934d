"""The doors between conto and session: rights, bonuses, disconnection and the end (rulings C1).

The request moves the money to `session:<id>:right`; validation moves it on to the posta,
rejection and annulment bring it back, and while the answer is unknown it stays where it is.
"""

from datetime import datetime
from functools import reduce
from typing import Any, Final, Literal
from uuid import UUID

from ledger.domain import (
    commands as cmd,
    conto,
    conto_limits,
    events as ev,
    maintenance,
    session as ses,
    sheets,
    table,
)
from ledger.domain.decider import (
    Change,
    Changes,
    Context,
    Decision,
    Events,
    Handler,
    Handlers,
    States,
)
from ledger.domain.ids import (
    MAINTENANCE,
    StreamName,
    conto_stream,
    session_stream,
    sheet_stream,
)
from ledger.domain.leaving import away_until, end_session, finished
from ledger.domain.money import format_amount
from ledger.domain.refusals import Code, Refusal
from ledger.domain.rounds import Play, sheet_of
from ledger.domain.terms import Terms


def reads_session(command: cmd.SessionCommand, _: States) -> tuple[StreamName, ...]:
    """The session alone."""
    return (session_stream(command.session),)


def reads_session_and_conto(command: cmd.SessionCommand, states: States) -> tuple[StreamName, ...]:
    """The session, then the conto of its player, and the rules of what it has in play."""
    stream = session_stream(command.session)
    state = states.get(stream)
    if not isinstance(state, ses.Pending | ses.Open):
        return (stream,)
    rules = sheet_of(state) if isinstance(state, ses.Open) and state.rounds else ()
    return (stream, conto_stream(state.terms.player), *rules, *table.reads_table(state))


def _reads_yes(command: cmd.ValidateParticipation, states: States) -> tuple[StreamName, ...]:
    """The session; its conto too where the yes ends it."""
    barred = ses.barred(states.get(session_stream(command.session), ses.START))
    return (reads_session_and_conto if barred else reads_session)(command, states)


def _reads_request(command: cmd.RequestParticipation, _: States) -> tuple[StreamName, ...]:
    return (
        session_stream(command.session),
        conto_stream(command.player),
        sheet_stream(command.sheet),
        MAINTENANCE,
    )


def _request(command: cmd.RequestParticipation, states: States, context: Context) -> Decision:
    state: ses.State = states[session_stream(command.session)]
    if isinstance(state, ses.Absent):
        return _first_request(command, states, context)
    payer = conto.at_liberty(states[conto_stream(command.player)], context.now)
    if isinstance(payer, Refusal):
        return payer
    if (state.terms.player, state.terms.sheet) != (command.player, command.sheet):
        return Refusal(Code.SESSION_ALREADY_OPEN, "This session belongs to another conto or sheet.")
    return _further_request(command, payer, state, context.now)


def _first_request(command: cmd.RequestParticipation, states: States, context: Context) -> Decision:
    published = sheets.in_force(states[sheet_stream(command.sheet)], context.now)
    if isinstance(published, Refusal):
        return published
    closed = maintenance.refusal(states[MAINTENANCE], context.now)
    if closed is not None:
        return closed
    payer = conto.at_liberty(states[conto_stream(command.player)], context.now)
    if isinstance(payer, Refusal):
        return payer
    return _initial(command, payer, sheets.read_head(published.text), context.now)


def _initial(
    command: cmd.RequestParticipation, payer: conto.Conto, head: sheets.SheetHead, now: datetime
) -> Decision:
    if command.currency is not head.currency:
        return Refusal(Code.WRONG_CURRENCY, f"The sheet is played in {head.currency}.")
    matching = conto.same_currency(payer, command.currency)
    if isinstance(matching, Refusal):
        return matching
    time_over = payer.time_over(now)
    if time_over is not None and time_over <= now:
        return conto_limits.no_time_left(payer.limits, now)
    if command.amount < head.session.right_min:
        least = format_amount(head.session.right_min)
        return Refusal(Code.RIGHT_BELOW_MINIMUM, f"The initial right is at least {least}.")
    terms = Terms(
        command.player,
        command.sheet,
        head.currency,
        head.session.posta_max,
        head.session.reconnect_seconds,
        account=payer.account,
        own_limits=payer.own_limits_at(command.sheet),
        time_over=time_over,
    )
    return _buy(command, payer, ses.Open(terms), "initial", now)


def _further_request(
    command: cmd.RequestParticipation, payer: conto.Conto, state: ses.State, now: datetime
) -> Decision:
    session = ses.barred(state) or ses.opened(state)
    if isinstance(session, Refusal):
        return session
    matching = conto.same_currency(payer, command.currency)
    if isinstance(matching, Refusal):
        return matching
    if session.right is not None:
        return Refusal(Code.PARTICIPATION_PENDING, "A right is still waiting for its answer.")
    connected = ses.connected(session)
    if isinstance(connected, Refusal):
        return connected
    late = ses.out_of_time(session, now)
    return late or _buy(command, payer, session, "further", now)


def _buy(
    command: cmd.RequestParticipation,
    payer: conto.Conto,
    session: ses.Open,
    purchase: Literal["initial", "further"],
    now: datetime,
) -> Decision:
    refusal = (
        _above_maximum(session, command.amount)
        or payer.beyond("spend", command.amount, now)
        or conto.covers(payer, command.amount)
    )
    if refusal is not None:
        return refusal
    time_over = session.terms.time_over if purchase == "initial" else None
    transfer = ev.FundsTransferredToPosta(
        player=command.player,
        session=command.session,
        amount=command.amount,
        currency=command.currency,
        time_over=time_over,
    )
    requested = ev.ParticipationRequested(
        participation=command.id,
        player=command.player,
        sheet=command.sheet,
        amount=command.amount,
        currency=command.currency,
        purchase=purchase,
        posta_max=session.terms.posta_max,
        reconnect_seconds=session.terms.reconnect_seconds,
        channel=command.channel,
        limit_loss=command.limit_loss,
        limit_seconds=command.limit_seconds,
        limit_idle_seconds=command.limit_idle_seconds,
        account=session.terms.account,
        own_limits=session.terms.own_limits,
        time_over=time_over,
    )
    return (
        Change(conto_stream(command.player), (transfer,)),
        Change(session_stream(command.session), (requested,)),
    )


def _above_maximum(session: ses.Open, amount: int) -> Refusal | None:
    if session.funded + amount > session.terms.posta_max:
        rest = format_amount(session.terms.posta_max - session.funded)
        return Refusal(Code.POSTA_ABOVE_MAXIMUM, f"At most {rest} more may enter this session.")
    return None


def _waiting(state: ses.State, participation: object) -> ses.Right | Refusal:
    if isinstance(state, ses.Absent):
        return Refusal(Code.UNKNOWN_SESSION, "No such session.")
    right = None if isinstance(state, ses.Closed) else state.right
    if right is None:
        return Refusal(Code.PARTICIPATION_CONTRADICTED, "No right is waiting: it was answered.")
    if right.participation != participation:
        return Refusal(Code.UNKNOWN_PARTICIPATION, "Another right is waiting, not this one.")
    return right


def _validate(command: cmd.ValidateParticipation, states: States, context: Context) -> Decision:
    stream = session_stream(command.session)
    state: ses.State = states[stream]
    right = _waiting(state, command.participation)
    if isinstance(right, Refusal):
        return right
    assert isinstance(state, ses.Pending | ses.Open)
    terms = state.terms
    first = isinstance(state, ses.Pending)
    opening: Events = (
        ev.SessionOpened(player=terms.player, sheet=terms.sheet, currency=terms.currency),
    )
    validated = ev.ParticipationValidated(
        participation=command.participation,
        ticket=command.ticket,
        count=command.count,
        total=command.total,
    )
    funded = ev.PostaFunded(
        amount=right.amount, currency=terms.currency, transfer="initial" if first else "further"
    )
    events: Events = (validated, *(opening if first else ()), funded)
    funded_now: ses.State = reduce(ses.evolve, events, state)
    assert isinstance(funded_now, ses.Open)
    ended = _barred_end(command.session, funded_now, events, (states, context))
    return ended or (Change(stream, events),)


def _barred_end(
    session_id: UUID, session: ses.Open, before: Events, known: tuple[States, Context]
) -> Changes | None:
    """The end of a session whose player is excluded and whose right was answered.

    None where no player is, or where a table's round in play must come first and ends it (FR1).
    """
    if not session.terms.is_barred:
        return None
    play = finished(session, *known)
    if not isinstance(play, Play):
        return None
    return end_session(session_id, play.session, (*before, *play.events), "excluded")


def _reject(command: cmd.RejectParticipation, states: States, context: Context) -> Decision:
    right = _waiting(states[session_stream(command.session)], command.participation)
    if isinstance(right, Refusal):
        return right
    event = ev.ParticipationRejected(participation=command.participation, reason=command.reason)
    return _give_back(command, right, (event, "rejected"), (states, context))


def _annul(command: cmd.AnnulParticipation, states: States, context: Context) -> Decision:
    right = _waiting(states[session_stream(command.session)], command.participation)
    if isinstance(right, Refusal):
        return right
    event = ev.ParticipationAnnulled(participation=command.participation, reason=command.reason)
    return _give_back(command, right, (event, "annulled"), (states, context))


def _give_back(
    command: cmd.SessionCommand,
    right: ses.Right,
    why: tuple[ev.Event, Any],
    known: tuple[States, Context],
) -> Decision:
    stream = session_stream(command.session)
    state: ses.Pending | ses.Open = known[0][stream]
    event, reason = why
    first = isinstance(state, ses.Pending)
    closing: Events = (
        ev.SessionClosed(final_posta=0, currency=state.terms.currency, reason=reason),
    )
    back = ev.FundsTransferredToConto(
        player=state.terms.player,
        session=command.session,
        source="right",
        amount=right.amount,
        currency=state.terms.currency,
        final=first,
    )
    if isinstance(state, ses.Open):
        over = _barred_end(command.session, ses.evolve(state, event), (event,), known)
        if over is not None:
            ended, rest, *risen = over
            return (ended, Change(rest.stream, (back, *rest.events)), *risen)
    return (
        Change(stream, (event, *(closing if first else ()))),
        Change(conto_stream(state.terms.player), (back,)),
    )


def _bonus(command: cmd.GrantBonus, states: States, _: Context) -> Decision:
    stream = session_stream(command.session)
    session = ses.barred(states[stream]) or ses.opened(states[stream])
    if isinstance(session, Refusal):
        return session
    if session.terms.currency is not command.currency:
        return Refusal(Code.WRONG_CURRENCY, f"The session is in {session.terms.currency}.")
    event = ev.PostaFunded(
        amount=command.amount,
        currency=command.currency,
        transfer="bonus",
        reason=command.reason,
    )
    pending = 0 if session.right is None else session.right.amount
    refusal = _above_maximum(session, command.amount + pending)
    return refusal or (Change(stream, (event,)),)


def _disconnect(command: cmd.DisconnectSession, states: States, context: Context) -> Decision:
    if command.at > context.now:
        return Refusal(Code.MALFORMED, "A connection cannot be lost later than now.")
    session = ses.connected(states[session_stream(command.session)])
    if isinstance(session, Refusal):
        return session
    if session.since is not None and command.at < session.since:
        return Refusal(Code.MALFORMED, "The player was seen after that; give a later moment.")
    event = ev.SessionDisconnected(at=command.at)
    return (Change(session_stream(command.session), (event,)),)


def _reconnect(command: cmd.ReconnectSession, states: States, context: Context) -> Decision:
    session = ses.opened(states[session_stream(command.session)])
    if isinstance(session, Refusal):
        return session
    due = away_until(session)
    if due is None:
        return Refusal(Code.SESSION_CONNECTED, "The player is connected.")
    if context.now >= due:
        return Refusal(Code.TOO_LATE_TO_RECONNECT, f"The time to come back ended {due}.")
    return (Change(session_stream(command.session), (ev.SessionReconnected(),)),)


HANDLERS: Final[Handlers] = {
    cmd.RequestParticipation: Handler(_reads_request, _request),
    cmd.ValidateParticipation: Handler(_reads_yes, _validate),
    cmd.RejectParticipation: Handler(reads_session_and_conto, _reject),
    cmd.AnnulParticipation: Handler(reads_session_and_conto, _annul),
    cmd.GrantBonus: Handler(reads_session, _bonus),
    cmd.DisconnectSession: Handler(reads_session, _disconnect),
    cmd.ReconnectSession: Handler(reads_session, _reconnect),
}
