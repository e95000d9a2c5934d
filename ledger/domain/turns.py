"""A player's further move: in a game that is played alone or told its outcome, or in a box's turn.

At a table that deals cards it writes the table too, so that of two moves in one turn the second
finds the turn taken (fault S14). A split, double or insurance is a bet, whose money must be in the
posta at that moment; without it the hand is as it was.
"""

from typing import Final

from ledger.domain import commands as cmd, dealing, events as ev, rounds, session as ses, table
from ledger.domain.decider import Change, Context, Decision, Handler, Handlers, States, Turn
from ledger.domain.ids import StreamName, session_stream
from ledger.domain.paying import reads_seated
from ledger.domain.refusals import Code, Refusal
from ledger.domain.rules import rules_then


def _reads(command: cmd.ContinueRound, states: States) -> tuple[StreamName, ...]:
    """What a move reads; at a table that deals, all who are seated there too."""
    own = rounds.reads_continuing(command, states)
    session = states.get(session_stream(command.session))
    at = table.reads_table(session)
    if not any(table.is_dealing(states.get(stream, table.START)) for stream in at):
        return own
    assert isinstance(session, ses.Open)
    return (*own, *reads_seated(str(session.table), states))


def _continue(command: cmd.ContinueRound, states: States, context: Context) -> Decision:
    state = states[session_stream(command.session)]
    session = ses.barred(state) or ses.connected(state)
    if isinstance(session, Refusal):
        return session
    if not ses.is_in_play(session, command.round):
        return rounds.not_in_play(states, command.session, command.round)
    at = table.reads_table(session)
    if any(table.is_dealing(states[stream]) for stream in at):
        return _act(command, session, states, context)
    return rounds.move_on(command, session, states, context)


def _act(
    command: cmd.ContinueRound, session: ses.Open, states: States, context: Context
) -> Decision:
    """Act in a box's own turn."""
    place = session.place
    assert place is not None
    deal = dealing.find_deal(place.table, states, context)
    turn = deal if isinstance(deal, Refusal) else _own_turn(deal, command)
    refusal = turn if isinstance(turn, Refusal) else table.no_leave(command.leave)
    if refusal is not None:
        return refusal
    assert isinstance(deal, dealing.Deal)
    assert isinstance(turn, Turn)
    played = ses.find_round(session, command.round)
    moved = ev.MoveMade(
        **rounds.common_of(played),
        details=command.move,
        made_by=command.id,
        table=played.opening.table,
        seen=deal.engine.seen(deal.sheet, deal.so_far, turn.seat),
    )
    rules = rules_then(session, command.round, states, context)
    begun = rounds.Play(ses.evolve(session, moved, context.now), (moved,), ())
    play = rounds.step(rules, begun, command.round, command.move)
    if not isinstance(play, rounds.Play):
        return play
    taken = dealing.taken(deal, turn, command.move)
    after = dealing.go_on(deal, taken, play.session, (states, context))
    return (Change(session_stream(command.session), play.events), *after)


def _own_turn(deal: dealing.Deal, command: cmd.ContinueRound) -> Turn | Refusal:
    """The turn of a move's own round, or why it has none."""
    following = deal.following
    if not isinstance(following, Turn):
        return Refusal(Code.CARD_TO_COME, "A card is to come first; wait for your turn.")
    if dealing.box_at(deal, following.seat).round != command.round:
        return Refusal(Code.SEAT_IN_TURN, f"Seat {following.seat} is in turn; wait for yours.")
    return following


HANDLERS: Final[Handlers] = {
    cmd.ContinueRound: Handler(_reads, _continue),
}
