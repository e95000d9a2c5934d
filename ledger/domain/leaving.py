"""How a session ends: its posta goes to the conto, and its seat at a live table is free (C1, G9).

One that could not be ended while its table's round was in play is ended by the next step of the
table.
"""

from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any, TypeGuard
from uuid import UUID

from ledger.domain import events as ev, session as ses, table
from ledger.domain.decider import Change, Changes, Context, Events, States
from ledger.domain.ids import conto_stream, session_stream
from ledger.domain.refusals import Code, Refusal
from ledger.domain.rounds import Step, awaits, finish_all, is_of_table
from ledger.domain.rules import rules_then


def end_session(session_id: UUID, session: ses.Open, before: Events, reason: Any) -> Changes:
    """Close the session after the events `before`; the posta goes to the conto (G9).

    A seat at a live table is left; its stream's change comes last.
    """
    assert session.right is None
    assert not session.rounds
    closed = ev.SessionClosed(
        final_posta=session.posta, currency=session.terms.currency, reason=reason
    )
    back = ev.FundsTransferredToConto(
        player=session.terms.player,
        session=session_id,
        source="posta",
        amount=session.posta,
        currency=session.terms.currency,
        final=True,
    )
    risen: Events = ()
    if session.place is not None:
        risen = (ev.SessionUnseated(table=session.place.table),)
    return (
        Change(session_stream(session_id), (*before, *risen, closed)),
        Change(conto_stream(session.terms.player), (back,)),
        *table.rise(session_id, session),
    )


def away_until(session: ses.Open) -> datetime | None:
    """Until when a disconnected player may come back; None while connected."""
    if session.disconnected_at is None:
        return None
    return session.disconnected_at + timedelta(seconds=session.terms.reconnect_seconds)


def expiry(session: ses.Open) -> ev.SessionExpired | None:
    """How a session expires as it stands: what comes first of time away and time of play.

    After its time of play a round in play is its player's to finish for as long as a player may be
    away; then the rules finish it. None where nothing ends the session, and what was told where
    that was before.
    """
    if session.expired is not None:
        return session.expired
    expiries = []
    away, over = away_until(session), session.terms.plays_until
    if away is not None:
        expiries.append(ev.SessionExpired(due=away))
    if over is not None:
        rest = session.terms.reconnect_seconds if session.rounds else 0
        due = over + timedelta(seconds=rest)
        expiries.append(ev.SessionExpired(due=due, cause="time-over"))
    return min(expiries, key=attrgetter("due"), default=None)


def end_expired(
    session_id: UUID, session: ses.Open, before: Events, expired: ev.SessionExpired
) -> Changes:
    """Close a session that expired, which is told once, after the events `before`."""
    told = () if session.expired is not None else (expired,)
    return end_session(session_id, session, (*before, *told), expired.cause or "expired")


def may_be_over(state: ses.State | None) -> TypeGuard[ses.Open]:
    """Whether a session may have to be ended: its player is away or excluded, or it expired."""
    if not isinstance(state, ses.Open):
        return False
    waits = state.disconnected_at is not None or state.expired is not None
    return state.terms.is_barred or waits


def is_over(session: ses.Open, now: datetime) -> bool:
    """Whether a table's step is to end a session: excluded, expired, or not back in time."""
    away = away_until(session)
    not_back = away is not None and now >= away
    return session.terms.is_barred or session.expired is not None or not_back


def ended_by_rule(
    session_id: UUID, session: ses.Open, before: Events, now: datetime
) -> Changes | None:
    """End a session whose player is excluded, or that expired; None where it goes on.

    It could not be ended while its table's round was in play (C1, FR1).
    """
    if session.rounds or session.right is not None:
        return None
    if not is_over(session, now):
        return None
    if session.terms.is_barred:
        return end_session(session_id, session, before, "excluded")
    expired = session.expired
    if expired is None:
        away = away_until(session)
        assert away is not None
        expired = ev.SessionExpired(due=away)
    return end_expired(session_id, session, before, expired)


def finished(session: ses.Open, states: States, context: Context) -> Step:
    """Play a session's rounds to their end; refused while they are at the mercy of a table's ball.

    What is in prison then is decided by the outcome, and withdrawn after it.
    """
    at = table.reads_table(session)
    if session.rounds and any(table.is_rolling(states[stream]) for stream in at):
        return Refusal(Code.TABLE_ROUND_IN_PLAY, "The table's round is in play; wait for it.")
    return finish_all(session, states, context)


def only_holds(session: ses.Open, states: States, context: Context) -> bool:
    """Whether all that a session has in play is to be collected: it waits for nothing (FR7)."""
    return all(
        is_of_table(played)
        and played.win
        and not played.in_prison
        and not awaits(rules_then(session, played.round, states, context), session, played.round)
        for played in session.rounds
    )
