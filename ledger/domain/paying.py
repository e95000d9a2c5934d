"""What the end of a table's round brings to the sessions that are seated there (rulings FR4, BJ8).

All of it is one save over the table and all its sessions (G4), in which the payments of the whole
table stand in the order that the game gives them.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeGuard
from uuid import UUID

from ledger.domain import events as ev, session as ses, table
from ledger.domain.decider import (
    Change,
    Changes,
    Context,
    Due,
    Events,
    NeedsDraw,
    States,
    TableEngine,
    is_of_tables,
    is_spun,
)
from ledger.domain.ids import StreamName, conto_stream, session_stream, table_stream
from ledger.domain.leaving import ended_by_rule, is_over, may_be_over
from ledger.domain.refusals import Refusal
from ledger.domain.rounds import Play, common_of, finish_all, given_back, is_of_table, step
from ledger.domain.rules import rules_by, rules_then


def reads_seated(name: str, states: States) -> tuple[StreamName, ...]:
    """Every session that is seated at a table, and the contos of those that may end with it."""
    seats = table.reads_seats(states.get(table_stream(name)))
    leaving = (state for stream in seats if may_be_over(state := states.get(stream)))
    contos = (conto_stream(state.terms.player) for state in leaving)
    return (*seats, *dict.fromkeys(contos))


def pay(
    found: table.Table, round_: table.TableRound, states: States, context: Context
) -> Changes | Refusal | NeedsDraw:
    """Tell the outcome to all who are seated; what follows from it, payments in their order."""
    told: list[tuple[table.Seat, Changes]] = []
    for seat in found.seats:
        changes = _told(seat.session, round_, states, context)
        if not isinstance(changes, tuple):
            return changes
        if changes:
            told.append((seat, changes))
    engine, sheet = judged_by(round_, states, context)
    dues = [due for seat, changes in told for due in _dues(seat, changes, states)]
    ordered = engine.in_payment_order(sheet, round_.outcome, dues)
    return _in_pieces(told, [due.seat for due in ordered])


def judged_by(
    round_: table.TableRound, states: States, context: Context
) -> tuple[TableEngine, Any]:
    """The engine of a table's round, and its sheet as that engine read it."""
    rules = rules_by(round_.rules, states, context)
    engine = rules.engine
    assert is_of_tables(engine)
    return engine, engine.read_sheet(rules.published.text)


def _told(
    session_id: UUID, round_: table.TableRound, states: States, context: Context
) -> Changes | Refusal | NeedsDraw:
    """Tell the outcome to every round of a session; its own change comes first."""
    session = _seated(session_id, states)
    play = Play(session, (), ())
    for played in filter(is_of_table, session.rounds):
        told: ev.OutcomeTold[Any] = ev.OutcomeTold(
            **common_of(played),
            table_round=round_.round,
            shown=str(round_.shown),
            details=round_.outcome,
        )
        rules = rules_then(session, played.round, states, context)
        play = Play(ses.evolve(play.session, told), (*play.events, told), ())
        following = step(rules, play, played.round, round_.outcome)
        if not isinstance(following, Play):
            return following
        play = following
    return left(session_id, play, states, context)


def left(session_id: UUID, play: Play, states: States, context: Context) -> Changes:
    """What a play leaves of a session; where its player is excluded or did not come back, its end.

    It could not be ended while the table's round was in play; what it has in prison now is
    withdrawn (C1, FR1).
    """
    if not is_over(play.session, context.now) or play.session.right is not None:
        return _changed(session_id, play.events)
    finished = finish_all(play.session, states, context)
    if not isinstance(finished, Play):
        return _changed(session_id, play.events)
    events: Events = (*play.events, *finished.events)
    ended = ended_by_rule(session_id, finished.session, events, context.now)
    return ended or _changed(session_id, events)


def _changed(session_id: UUID, events: Events) -> Changes:
    return (Change(session_stream(session_id), events),) if events else ()


def _dues(seat: table.Seat, changes: Changes, states: States) -> Iterator[Due]:
    """The payments that a session's changes hold, each with its bet."""
    session: ses.Open = states[session_stream(seat.session)]
    bets = {
        (event.round, event.bet): event
        for played in session.rounds
        for event in played.history
        if isinstance(event, ev.BetPlaced)
    }
    for played in session.rounds:
        for left in played.history:
            if isinstance(left, ev.StakeLeft):
                bets[left.round, left.left_as] = bets[left.round, left.bet]
    for event in changes[0].events:
        if is_payment(event):
            yield Due(seat.seat, bets[event.round, event.bet], event)


def is_payment(event: ev.Event) -> TypeGuard[ev.PayoutCredited | ev.WinHeld]:
    """Whether winnings are paid: to the posta, or to a held win."""
    paid = isinstance(event, ev.PayoutCredited)
    return paid or (isinstance(event, ev.WinHeld) and event.winnings > 0)


def _in_pieces(told: Sequence[tuple[table.Seat, Changes]], order: Iterable[int]) -> Changes:
    """The changes with the payments in an order of seats; each session's own order stays.

    A session's events are cut before each payment. First come all that stand before any payment,
    then each payment with what follows it.
    """
    pieces = {seat.seat: iter(_cut(changes[0])) for seat, changes in told}
    first = [next(each) for each in pieces.values()]
    paid = [next(pieces[seat]) for seat in order]
    others = [change for _, changes in told for change in changes[1:]]
    return (*_joined([*first, *paid]), *others)


def _cut(change: Change) -> list[Change]:
    events = change.events
    cuts = [at for at, event in enumerate(events) if is_payment(event)]
    ends = zip([0, *cuts], [*cuts, len(events)], strict=True)
    return [Change(change.stream, events[first:last]) for first, last in ends]


def _joined(pieces: Iterable[Change]) -> Iterator[Change]:
    """The pieces with those of one stream that follow each other made one."""
    for stream, run in groupby(pieces, key=attrgetter("stream")):
        events = tuple(event for piece in run for event in piece.events)
        if events:
            yield Change(stream, events)


def play_on(
    found: table.Table, begun: ev.TableRoundOpened, before: Changes, known: tuple[States, Context]
) -> Changes:
    """Let stakes that won and were not collected play on in a round that opens (FR7, FR9).

    Not under other rules than their own, nor after the time that their player planned.
    """
    place = ev.TableRef(table=found.table, round=begun.round, limits=begun.limits)
    changes: list[Change] = []
    for seat in found.seats:
        stream = session_stream(seat.session)
        earlier = (event for c in before if c.stream == stream for event in c.events)
        session: ses.State = reduce(ses.evolve, earlier, _seated(seat.session, known[0]))
        if isinstance(session, ses.Open):
            played = _played_on(session, place, begun.rules, known)
            changes += _changed(seat.session, played.events)
    return tuple(changes)


def _played_on(
    session: ses.Open, place: ev.TableRef, ref: ev.SheetRef, known: tuple[States, Context]
) -> Play:
    play = Play(session, (), ())
    for played in filter(is_of_table, session.rounds):
        rules = rules_then(session, played.round, *known)
        engine, view = rules.engine, rules.view(session, played.round)
        move = engine.play_on(view) if is_spun(engine) else None
        if move is None:
            continue
        in_time = ses.out_of_time(session, known[1].now) is None
        joined: ev.TableRoundJoined[Any] = ev.TableRoundJoined(
            **common_of(played),
            table=place,
            plays_on=in_time and played.rules == ref,
            details=move,
        )
        play = Play(ses.evolve(play.session, joined), (*play.events, joined), ())
        following = step(rules, play, played.round, move)
        assert isinstance(following, Play)
        play = following
    return play


def refund(
    found: table.Table, table_round: UUID | None, reason: str, known: tuple[States, Context]
) -> Changes:
    """The refunds of what was bet in a round of the table.

    What is in prison of an earlier round stays as it was (rulings FR1). Who should have been ended
    meanwhile is ended now.
    """
    states, context = known
    changes: list[Change] = []
    for seat in found.seats:
        play = given_back(_seated(seat.session, states), table_round, reason)
        changes += left(seat.session, play, states, context)
    return tuple(changes)


def count_with(kind: type[ev.Event], changes: Changes) -> int:
    """In how many sessions events of a kind are among these."""
    return len({c.stream for c in changes if any(isinstance(e, kind) for e in c.events)})


def let_go(
    found: table.Table, table_round: UUID, reason: str, known: tuple[States, Context]
) -> Changes:
    """End those who wait for the end of a voided round, what they bet in it given back (BJ8).

    The others wait for the next round, which may never come.
    """
    states, context = known
    seated = [(seat.session, _seated(seat.session, states)) for seat in found.seats]
    waiting = [each for each in seated if is_over(each[1], context.now)]
    return tuple(
        change
        for session_id, session in waiting
        for change in left(session_id, given_back(session, table_round, reason), states, context)
    )


def _seated(session_id: UUID, states: States) -> ses.Open:
    """A session that is seated, and so is open."""
    session: ses.State = states[session_stream(session_id)]
    assert isinstance(session, ses.Open)
    return session


def send_away(
    found: table.Table, states: States, context: Context
) -> Changes | Refusal | NeedsDraw:
    """Let all leave a table that closes: refund what is owed, withdraw what is in prison."""
    changes: list[Change] = []
    for seat in found.seats:
        session = _seated(seat.session, states)
        play = given_back(session, found.owed, "voided; the table closed")
        finished = finish_all(play.session, states, context)
        if not isinstance(finished, Play):
            return finished
        events = (*play.events, *finished.events)
        ended = ended_by_rule(seat.session, finished.session, events, context.now)
        unseated = ev.SessionUnseated(table=found.table)
        changes += ended or (Change(session_stream(seat.session), (*events, unseated)),)
    return tuple(changes)
