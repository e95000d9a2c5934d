"""How a session ends: its posta goes to the conto, and its seat at a live table is free (C1, G9).

One that could not be ended while its table's round was in play is ended by the next step of the
table.
"""

from datetime import datetime, timedelta
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


def due_at(session: ses.Open) -> datetime | None:
    """When a disconnected session expires; None while it is connected."""
    if session.disconnected_at is None:
        return None
    return session.disconnected_at + timedelta(seconds=session.terms.reconnect_seconds)


def expired(session: ses.Open) -> Events:
    """What tells that its player did not come back in time; nothing where that was told before."""
    due = due_at(session)
    assert due is not None
    return () if session.is_expired else (ev.SessionExpired(due=due),)


def may_be_over(state: ses.State | None) -> TypeGuard[ses.Open]:
    """Whether a session may have to be ended: its player is away or excluded."""
    if not isinstance(state, ses.Open):
        return False
    return state.terms.is_barred or state.disconnected_at is not None


def is_over(session: ses.Open, now: datetime) -> bool:
    """Whether a session is to be ended: its player is excluded, or did not come back in time."""
    due = due_at(session)
    return session.terms.is_barred or (due is not None and now >= due)


def ended_by_rule(
    session_id: UUID, session: ses.Open, before: Events, now: datetime
) -> Changes | None:
    """End a session whose player is excluded or did not come back; None where it goes on.

    It could not be ended while its table's round was in play (C1, FR1).
    """
    if session.rounds or session.right is not None:
        return None
    if not is_over(session, now):
        return None
    if session.terms.is_barred:
        return end_session(session_id, session, before, "excluded")
    return end_session(session_id, session, (*before, *expired(session)), "expired")


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
