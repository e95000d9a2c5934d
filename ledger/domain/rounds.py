"""The steps of a round: the engine proposes, the session checks the posta and accepts.

Bets are accepted before a draw is asked for, so that a refused bet never sees an outcome (G7), and
each round ends settled or void with every stake accounted for (G9).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from typing import Any, Final
from uuid import UUID

from ledger.domain import (
    commands as cmd,
    events as ev,
    record,
    session as ses,
    table,
)
from ledger.domain.decider import (
    Change,
    Context,
    Decision,
    NeedsDraw,
    RoundEvents,
    RoundView,
    States,
    is_of_tables,
)
from ledger.domain.ids import (
    StreamName,
    command_stream,
    session_stream,
    sheet_stream,
    table_stream,
)
from ledger.domain.money import format_amount
from ledger.domain.refusals import Code, Refusal
from ledger.domain.rules import Rules, rules_then
from ledger.domain.stakes import RoundInPlay, Stake


@dataclass(frozen=True, slots=True)
class Play:
    """A session in the middle of a decision: what was accepted, and the entropy not yet used."""

    session: ses.Open
    events: RoundEvents
    entropy: tuple[bytes, ...]


Step = Play | Refusal | NeedsDraw


def accept(play: Play, proposed: RoundEvents) -> Play | Refusal:
    """Take what an engine proposes, unless a bet is beyond the planned loss or the posta (G2)."""
    session = play.session
    if session.terms.limits.loss is not None:
        beyond = _beyond_loss(session, proposed, session.terms.limits.loss)
        if beyond is not None:
            return beyond
    for event in proposed:
        if isinstance(event, ev.BetPlaced) and event.amount > session.posta:
            held = format_amount(session.posta)
            return Refusal(Code.INSUFFICIENT_POSTA, f"The posta holds {held}; bet no more than it.")
        if event.NAME in _CHECKED:
            _CHECKED[event.NAME](session, event)
        session = ses.evolve(session, event)
    return Play(session, play.events + proposed, play.entropy)


def _beyond_loss(session: ses.Open, proposed: RoundEvents, most: int) -> Refusal | None:
    """The refusal of bets by which more could be lost than planned, less what they take back."""
    staked = sum(e.amount for e in proposed if isinstance(e, ev.BetPlaced))
    loss = session.loss - sum(e.amount for e in proposed if isinstance(e, ev.BetRefunded))
    if not staked or loss + staked <= most:
        return None
    left = format_amount(max(most - loss, 0))
    return Refusal(Code.LOSS_LIMIT_REACHED, f"By the loss that was planned, {left} may be bet.")


def _assert_whole(session: ses.Open, settled: ev.RoundSettled) -> None:
    played = ses.find_round(session, settled.round)
    stakes = played.stakes
    payouts = [e for e in played.history if isinstance(e, ev.PayoutCredited | ev.WinHeld)]
    assert (played.win, played.at_risk, played.in_prison) == (0, 0, 0)
    assert settled.double_ups == _doubled(played.history)
    assert settled.winnings == sum(p.winnings for p in payouts)
    assert settled.stake_returned == sum(s.returned for s in stakes)
    assert settled.staked == sum(s.amount for s in stakes)
    assert settled.refunded == sum(s.refunded for s in stakes)
    assert settled.stakes_lost == sum(s.held for s in stakes)
    assert (settled.taken or 0) == sum(s.lost for s in stakes)


def _doubled(history: RoundEvents) -> ev.DoubleUps | None:
    """The double-ups of a round together; None where there was none."""
    resolved = [e for e in history if isinstance(e, ev.DoubleUpResolved)]
    if not resolved:
        return None
    return ev.DoubleUps(
        count=len(resolved),
        staked=sum(e.at_risk for e in resolved),
        returned=sum(e.returned for e in resolved),
    )


def _assert_from_win(session: ses.Open, staked: ev.DoubleUpStaked) -> None:
    played = ses.find_round(session, staked.round)
    assert (played.at_risk, played.win) == (0, staked.at_risk + staked.kept)


def _assert_at_risk(session: ses.Open, resolved: ev.DoubleUpResolved) -> None:
    assert ses.find_round(session, resolved.round).at_risk == resolved.at_risk
    times = {"won": 2, "pushed": 1, "lost": 0}[resolved.outcome]
    assert resolved.returned == times * resolved.at_risk


def _assert_held(
    session: ses.Open, taken: ev.BetRefunded | ev.StakeImprisoned | ev.StakeLost | ev.StakeLeft
) -> None:
    """What leaves the stakes is at stake; only a refund may take a part of what is left of it."""
    stake = _stake(session, taken)
    is_part = isinstance(taken, ev.BetRefunded) and taken.amount < stake.held
    assert is_part or taken.amount == stake.held


def _assert_won(session: ses.Open, won: ev.WinHeld) -> None:
    assert won.stake_returned <= _stake(session, won).held


def _assert_imprisoned(
    session: ses.Open, moved: ev.PrisonerStepped | ev.PrisonerMoved[Any]
) -> None:
    assert _stake(session, moved).imprisoned


def _assert_released(session: ses.Open, released: ev.PrisonerReleased) -> None:
    imprisoned = _stake(session, released).imprisoned
    assert imprisoned
    assert released.returned + released.to_bank == imprisoned


def _stake(session: ses.Open, event: Any) -> Stake:
    """The stake of an event's bet; an engine names none that there is not."""
    stakes = ses.find_round(session, event.round).stakes
    return next(s for s in stakes if s.bet == event.bet)


def _assert_all(session: ses.Open, collected: ev.WinCollected) -> None:
    played = ses.find_round(session, collected.round)
    assert (played.at_risk, played.win) == (0, collected.amount)


_CHECKED: Final[dict[str, Callable[[ses.Open, Any], None]]] = {
    ev.RoundSettled.NAME: _assert_whole,
    ev.DoubleUpStaked.NAME: _assert_from_win,
    ev.DoubleUpResolved.NAME: _assert_at_risk,
    ev.WinCollected.NAME: _assert_all,
    ev.BetRefunded.NAME: _assert_held,
    ev.StakeImprisoned.NAME: _assert_held,
    ev.StakeLost.NAME: _assert_held,
    ev.StakeLeft.NAME: _assert_held,
    ev.WinHeld.NAME: _assert_won,
    ev.PrisonerStepped.NAME: _assert_imprisoned,
    ev.PrisonerMoved.NAME: _assert_imprisoned,
    ev.PrisonerReleased.NAME: _assert_released,
}
"""What must hold before an event that an engine proposes; what fails is the engine's bug."""


def step(rules: Rules, play: Play, round_id: UUID, move: ev.Details) -> Step:
    """Make one move of a round; entropy is taken in chunks, in order, only when asked for."""
    view = rules.view(play.session, round_id)
    pool, rest = b"", play.entropy
    proposed = rules.engine.decide(view, move, None)
    while isinstance(proposed, NeedsDraw):
        if not rest:
            return _asked(view, proposed)
        pool, rest = pool + rest[0], rest[1:]
        proposed = rules.engine.decide(view, move, pool)
    if isinstance(proposed, Refusal):
        return proposed
    return accept(Play(play.session, play.events, rest), proposed)


def _asked(view: RoundView, draw: NeedsDraw) -> NeedsDraw:
    """The draw as it is asked for: of the number that was sealed before, or fresh (G7)."""
    series = view.opening.series
    return draw if series is None else replace(draw, sealed=series.sealed)


def finish(rules: Rules, play: Play, round_id: UUID) -> Step:
    """Play a round to its end with the moves that the rules make.

    A round that waits for its table's outcome is not ended by moves.
    """
    while ses.is_in_play(play.session, round_id):
        if awaits(rules, play.session, round_id):
            return Refusal(Code.TABLE_ROUND_IN_PLAY, "The table's round is in play; wait for it.")
        move = rules.engine.next_move(rules.view(play.session, round_id))
        following = step(rules, play, round_id, move)
        if not isinstance(following, Play):
            return following
        play = following
    return play


def awaits(rules: Rules, session: ses.Open, round_id: UUID) -> bool:
    """Whether a round can go on by its table's outcome alone."""
    engine = rules.engine
    return is_of_tables(engine) and engine.awaits_outcome(rules.view(session, round_id))


def run_on(rules: Rules, play: Step, round_id: UUID) -> Step:
    """Make the moves that the rules make at once, until the round ends or waits for its player."""
    while isinstance(play, Play) and ses.is_in_play(play.session, round_id):
        view = rules.view(play.session, round_id)
        if rules.engine.waits(view):
            break
        play = step(rules, play, round_id, rules.engine.next_move(view))
    return play


def finish_all(session: ses.Open, states: States, context: Context) -> Step:
    """Play every round of a session to its end, each by the sheet that it began with (G8)."""
    play = Play(session, (), context.entropy)
    for played in session.rounds:
        rules = rules_then(session, played.round, states, context)
        finished = finish(rules, play, played.round)
        if not isinstance(finished, Play):
            return finished
        play = finished
    return play


def void_round(session: ses.Open, round_id: UUID, reason: str) -> RoundEvents:
    """Refund every stake that is still held, and void the round with the last of them (S3)."""
    played = ses.find_round(session, round_id)
    refunds = refunds_of(session, played, played.stakes, reason)
    voided = ev.RoundVoided(
        **common_of(played),
        currency=session.terms.currency,
        refunded=sum(s.amount for s in played.stakes),
        bets=len(played.stakes),
        reason=reason,
    )
    return (*refunds, voided)


def refunds_of(
    session: ses.Open, played: RoundInPlay, stakes: Iterable[Stake], reason: str
) -> RoundEvents:
    """The refunds of what these stakes still hold."""
    common = common_of(played) | {"currency": session.terms.currency, "reason": reason}
    return tuple(ev.BetRefunded(**common, bet=s.bet, amount=s.held) for s in stakes if s.held)


def owed_to(session: ses.Open, table_round: UUID | None, reason: str) -> RoundEvents:
    """The refunds of what a session bet in a round of its table; none where none is owed.

    A round that won in an earlier one is not void: its win waits to be collected.
    """
    return tuple(
        event
        for played in session.rounds
        if table_round is not None and bet_in(played, table_round)
        for event in (
            refunds_of(session, played, played.stakes, reason)
            if played.win
            else void_round(session, played.round, reason)
        )
    )


def is_of_table(played: RoundInPlay) -> bool:
    """Whether a round follows from the outcomes of a live table."""
    return played.opening.table is not None


def bet_in(played: RoundInPlay, table_round: UUID) -> bool:
    """Whether a round of a session was opened in a round of its table, or plays on in it."""
    return played.table_round == table_round


def given_back(session: ses.Open, table_round: UUID | None, reason: str) -> Play:
    """A session with what it bet in a round of its table given back; as it was where none is."""
    events = owed_to(session, table_round, reason)
    return Play(reduce(ses.evolve, events, session), events, ())


def refunded(session: ses.Open, states: States) -> Play:
    """A session with what its table owes it given back: nothing is owed to who leaves (BJ8)."""
    found = None if session.table is None else states[table_stream(session.table)]
    owed = found.owed if isinstance(found, table.Table) else None
    return given_back(session, owed, "the table's round was voided")


def sheet_of(state: ses.State | None) -> tuple[StreamName, ...]:
    """The stream of the sheet that an open session is played by."""
    return (sheet_stream(state.terms.sheet),) if isinstance(state, ses.Open) else ()


def written(command: cmd.SessionCommand, outcome: Step) -> Decision:
    """The decision that a step makes: what happened in the session, a refusal, or a draw asked."""
    if not isinstance(outcome, Play):
        return outcome
    return (Change(session_stream(command.session), outcome.events, outcome.session),)


def reads_continuing(command: cmd.ContinueRound, states: States) -> tuple[StreamName, ...]:
    """The session, how its round began, its sheet and its table."""
    stream = session_stream(command.session)
    session = states.get(stream)
    own = (stream, command_stream(command.round))
    return (*own, *sheet_of(session), *table.reads_table(session))


def move_on(
    command: cmd.ContinueRound, session: ses.Open, states: States, context: Context
) -> Decision:
    """Make a further move in a round that is in play, and what follows of it by the rules."""
    rules = rules_then(session, command.round, states, context)
    place = _place_of_move(command, session, rules, states)
    if isinstance(place, Refusal):
        return place
    moved = _moved(session, command, place)
    play = Play(ses.evolve(session, moved, context.now), (moved,), context.entropy)
    moved_on = step(rules, play, command.round, command.move)
    late = None if place is None else _laid_late(session, moved_on, context.now)
    return late or written(command, run_on(rules, moved_on, command.round))


def _laid_late(session: ses.Open, moved: Step, now: datetime) -> Refusal | None:
    """The refusal of bets that are laid at a table after the time that the player planned.

    What lies there may still be taken back.
    """
    laid = isinstance(moved, Play) and any(isinstance(e, ev.BetPlaced) for e in moved.events)
    return ses.out_of_time(session, now) if laid else None


def _place_of_move(
    command: cmd.ContinueRound, session: ses.Open, rules: Rules, states: States
) -> ev.TableRef | Refusal | None:
    """The table's round in which a move is made; None between rounds or for a game played alone."""
    if not is_of_tables(rules.engine) or session.table is None:
        return table.no_leave(command.leave)
    state: table.State = states[table_stream(session.table)]
    if rules.engine.awaits_outcome(rules.view(session, command.round)):
        return table.for_bets(state, command.leave)
    place = table.for_prisoners(state)
    return place if isinstance(place, Refusal) else table.no_leave(command.leave) or place


def _moved(
    session: ses.Open, command: cmd.ContinueRound, place: ev.TableRef | None
) -> ev.MoveMade[Any]:
    common = common_of(ses.find_round(session, command.round))
    return ev.MoveMade(**common, details=command.move, made_by=command.id, table=place)


def common_of(played: RoundInPlay) -> dict[str, Any]:
    """The fields that every event of a round has."""
    return {"round": played.round, "game": played.game, "rules": played.rules}


def not_in_play(states: States, session: UUID, round_id: UUID) -> Refusal:
    """Why a round of a session is not in play: it has ended, or there was none."""
    state: record.State = states[command_stream(round_id)]
    if isinstance(state, record.Answered) and opened_here(state.answer, session):
        return Refusal(Code.ROUND_ENDED, "The round has ended; its result stands.")
    return Refusal(Code.UNKNOWN_ROUND, "This session has no such round.")


def opened_here(answer: ev.CommandAnswered, session: UUID) -> bool:
    """Whether an accepted command opened a round of this session."""
    return answer.kind in _OPENING and wrote(answer, session)


def wrote(answer: ev.CommandAnswered, session: UUID) -> bool:
    """Whether an accepted command wrote events of this session."""
    return any(w.stream == session_stream(session) for w in answer.written)


_OPENING: Final = (cmd.PlayRound.KIND, cmd.OpenRound.KIND)
