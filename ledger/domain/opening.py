"""The beginning of a round: who may begin one, under which rules, at which table, in which series.

Bets are accepted before a draw is asked for, so that a refused bet never sees an outcome (G7).
"""

from dataclasses import dataclass, replace
from typing import Final

from ledger.domain import (
    commands as cmd,
    events as ev,
    maintenance,
    series,
    session as ses,
    sheets,
    table,
)
from ledger.domain.decider import (
    Change,
    Context,
    Decision,
    Handler,
    Handlers,
    NeedsDraw,
    States,
    is_dealt,
    is_of_tables,
)
from ledger.domain.ids import (
    MAINTENANCE,
    StreamName,
    series_stream,
    session_stream,
    table_stream,
)
from ledger.domain.refusals import Code, Refusal
from ledger.domain.rounds import Play, bet_in, finish, run_on, sheet_of, step, written
from ledger.domain.rules import Rules, rules_now


@dataclass(frozen=True, slots=True)
class Begun:
    """A round whose bets are accepted, under its rules."""

    rules: Rules
    play: Play


def reads_opening(command: cmd.SessionCommand, states: States) -> tuple[StreamName, ...]:
    """The session, maintenance, the sheet, its table, and the series that is asked for."""
    stream = session_stream(command.session)
    session = states.get(stream)
    drawn = command.series if isinstance(command, cmd.OpenRound) else None
    taken = () if drawn is None else series.reads_last(series_stream(drawn), states)
    seated = table.reads_table(session)
    return (stream, MAINTENANCE, *sheet_of(session), *seated, *taken)


def _may_begin(state: ses.State, states: States, context: Context) -> ses.Open | Refusal:
    """The session, in which a round may begin now; or why none may."""
    closed = maintenance.refusal(states[MAINTENANCE], context.now)
    if closed is not None:
        return closed
    session = ses.barred(state) or ses.connected(state)
    if isinstance(session, Refusal):
        return session
    return ses.out_of_time(session, context.now) or session


def _table_round(
    command: cmd.PlayRound | cmd.OpenRound | cmd.PlayDemo,
    session: ses.Open,
    rules: Rules,
    states: States,
) -> ev.TableRef | Refusal | None:
    """The table's round that bets are placed in; None for a game that is played alone."""
    if not is_of_tables(rules.engine):
        return table.no_leave(command.leave if isinstance(command, cmd.OpenRound) else None)
    if session.table is None or not isinstance(command, cmd.OpenRound):
        return Refusal(Code.NOT_SEATED, "This game is played at a table: sit down, then bet.")
    found = states[table_stream(session.table)]
    place = table.for_bets(found, command.leave)
    if isinstance(place, Refusal):
        return place
    if found.round.rules != rules.published.ref:
        return Refusal(Code.TABLE_TAKES_NO_BETS, "The rules have changed; wait for the next round.")
    if any(bet_in(r, place.round) for r in session.rounds):
        return Refusal(Code.ROUND_IN_PLAY, "You have bets in this round; add to them.")
    seat = session.place.seat if session.place and is_dealt(rules.engine) else None
    return place if seat is None else place.model_copy(update={"seat": seat})


def begin(
    command: cmd.PlayRound | cmd.OpenRound | cmd.PlayDemo,
    states: States,
    context: Context,
) -> Begun | Refusal | NeedsDraw:
    """Open a round and accept its bets, or tell why not."""
    session = _may_begin(states[session_stream(command.session)], states, context)
    if isinstance(session, Refusal):
        return session
    rules = rules_now(session.terms.sheet, states, context)
    if isinstance(rules, Refusal):
        return rules
    if len(session.rounds) >= rules.rounds_max:
        return Refusal(Code.ROUND_IN_PLAY, "A round is in play; play it to its end first.")
    place = _table_round(command, session, rules, states)
    if isinstance(place, Refusal):
        return place
    terms = sheets.read_head(rules.published.text).series
    number = series.number_for(command, session, terms, (states, context.now))
    if isinstance(number, Refusal):
        return number
    opened = ev.RoundOpened(
        round=command.id,
        game=rules.engine.game,
        rules=rules.published.ref,
        currency=session.terms.currency,
        move=command.move,
        account=session.terms.account,
        own_limits=session.terms.own_limits,
        table=place,
        series=number,
    )
    play = Play(ses.evolve(session, opened, context.now), (opened,), context.entropy)
    betted = step(rules, play, command.id, command.move)
    return Begun(rules, betted) if isinstance(betted, Play) else betted


def _open(command: cmd.OpenRound, states: States, context: Context) -> Decision:
    begun = begin(command, states, context)
    if not isinstance(begun, Begun):
        return begun
    opened = begun.play.events[0]
    assert isinstance(opened, ev.RoundOpened)
    if opened.series is None:
        return written(command, run_on(begun.rules, begun.play, command.id))
    # The rules' moves wait for a save of their own, in which the bets are durable (G7).
    change = Change(session_stream(command.session), begun.play.events, begun.play.session)
    return (change, series.take(command, opened.series))


def _play(command: cmd.PlayRound, states: States, context: Context) -> Decision:
    begun = _resumed(context) or begin(command, states, context)
    if not isinstance(begun, Begun):
        return begun
    ended = finish(begun.rules, begun.play, command.id)
    if isinstance(ended, NeedsDraw) and begun.play.entropy == context.entropy:
        return replace(ended, paused=begun)
    return written(command, ended)


def _resumed(context: Context) -> Begun | None:
    """The bets as they were accepted before the draw was asked for, with the draw at hand."""
    begun: Begun | None = context.paused
    return begun and replace(begun, play=replace(begun.play, entropy=context.entropy))


HANDLERS: Final[Handlers] = {
    cmd.PlayRound: Handler(reads_opening, _play),
    cmd.OpenRound: Handler(reads_opening, _open),
}
