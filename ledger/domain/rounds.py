"""The steps of a round: the engine proposes, the session checks the posta and accepts.

Bets are accepted before a draw is asked for, so that a refused bet never sees an outcome (G7), and
each round ends settled or void with every stake accounted for (G9).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from ledger.domain import (
    commands as cmd,
    events as ev,
    maintenance,
    record,
    series,
    session as ses,
    sheets,
)
from ledger.domain.decider import (
    Change,
    Context,
    Decision,
    Engine,
    Handler,
    Handlers,
    NeedsDraw,
    RoundEvents,
    RoundView,
    States,
)
from ledger.domain.ids import (
    MAINTENANCE,
    StreamName,
    command_stream,
    series_stream,
    session_stream,
    sheet_stream,
)
from ledger.domain.money import format_amount
from ledger.domain.refusals import Code, Refusal


@dataclass(frozen=True, slots=True)
class Play:
    """A session in the middle of a decision: what was accepted, and the entropy not yet used."""

    session: ses.Open
    events: RoundEvents
    entropy: tuple[bytes, ...]


Step = Play | Refusal | NeedsDraw


@dataclass(frozen=True, slots=True)
class Rules:
    """The engine and the published sheet that one round is judged by (G8)."""

    engine: Engine
    published: sheets.Published

    @property
    def rounds_max(self) -> int:
        """How many rounds of one session may be in play at once."""
        return sheets.read_head(self.published.text).session.rounds_max

    def view(self, session: ses.Open, round_id: UUID) -> RoundView:
        """What the engine may see of a round of this session."""
        return RoundView(
            round_id,
            self.published.ref,
            session.terms.currency,
            self.engine.read_sheet(self.published.text),
            ses.find_round(session, round_id).history,
        )


@dataclass(frozen=True, slots=True)
class Begun:
    """A round whose bets are accepted, under its rules."""

    rules: Rules
    play: Play


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
    """The refusal of bets with which the session could lose more than planned, or None."""
    staked = sum(e.amount for e in proposed if isinstance(e, ev.BetPlaced))
    if not staked or session.loss + staked <= most:
        return None
    left = format_amount(max(most - session.loss, 0))
    return Refusal(Code.LOSS_LIMIT_REACHED, f"By the loss that was planned, {left} may be bet.")


def _assert_whole(session: ses.Open, settled: ev.RoundSettled) -> None:
    played = ses.find_round(session, settled.round)
    stakes = played.stakes
    payouts = [e for e in played.history if isinstance(e, ev.PayoutCredited | ev.WinHeld)]
    assert (played.win, played.at_risk) == (0, 0)
    assert settled.double_ups == _doubled(played.history)
    assert settled.winnings == sum(p.winnings for p in payouts)
    assert settled.stake_returned == sum(p.stake_returned for p in payouts)
    assert settled.staked == sum(s.amount for s in stakes)
    assert settled.refunded == sum(s.refunded for s in stakes)
    assert settled.staked == settled.stakes_lost + settled.stake_returned + settled.refunded


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


def _assert_all(session: ses.Open, collected: ev.WinCollected) -> None:
    played = ses.find_round(session, collected.round)
    assert (played.at_risk, played.win) == (0, collected.amount)


_CHECKED: Final[dict[str, Callable[[ses.Open, Any], None]]] = {
    ev.RoundSettled.NAME: _assert_whole,
    ev.DoubleUpStaked.NAME: _assert_from_win,
    ev.DoubleUpResolved.NAME: _assert_at_risk,
    ev.WinCollected.NAME: _assert_all,
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
    opened = view.history[0]
    assert isinstance(opened, ev.RoundOpened)
    return draw if opened.series is None else replace(draw, sealed=opened.series.sealed)


def finish(rules: Rules, play: Play, round_id: UUID) -> Step:
    """Play a round to its end with the moves that the rules make."""
    while ses.is_in_play(play.session, round_id):
        move = rules.engine.next_move(rules.view(play.session, round_id))
        following = step(rules, play, round_id, move)
        if not isinstance(following, Play):
            return following
        play = following
    return play


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
        rules = _rules_then(session, played.round, states, context)
        finished = finish(rules, play, played.round)
        if not isinstance(finished, Play):
            return finished
        play = finished
    return play


def reads_opening(command: cmd.SessionCommand, states: States) -> tuple[StreamName, ...]:
    """The session, maintenance, the sheet, and the series whose number is asked for."""
    stream = session_stream(command.session)
    drawn = command.series if isinstance(command, cmd.OpenRound) else None
    taken = () if drawn is None else series.reads_last(series_stream(drawn), states)
    return (stream, MAINTENANCE, *_sheet_of(states.get(stream)), *taken)


def _sheet_of(state: ses.State | None) -> tuple[StreamName, ...]:
    return (sheet_stream(state.terms.sheet),) if isinstance(state, ses.Open) else ()


def _rules_now(session: ses.Open, states: States, context: Context) -> Rules | Refusal:
    published = sheets.in_force(states[sheet_stream(session.terms.sheet)], context.now)
    if isinstance(published, Refusal):
        return published
    return Rules(context.engines[published.engine], published)


def _rules_then(session: ses.Open, round_id: UUID, states: States, context: Context) -> Rules:
    ref = ses.find_round(session, round_id).rules
    published = sheets.version_of(states[sheet_stream(ref.sheet)], ref)
    return Rules(context.engines[published.engine], published)


def _may_begin(state: ses.State, states: States, context: Context) -> ses.Open | Refusal:
    """The session, in which a round may begin now; or why none may."""
    closed = maintenance.refusal(states[MAINTENANCE], context.now)
    if closed is not None:
        return closed
    session = ses.barred(state) or ses.connected(state)
    if isinstance(session, Refusal):
        return session
    return ses.out_of_time(session, context.now) or session


def begin(
    command: cmd.PlayRound | cmd.OpenRound | cmd.PlayDemo, states: States, context: Context
) -> Begun | Refusal | NeedsDraw:
    """Open a round and accept its bets, or tell why not."""
    session = _may_begin(states[session_stream(command.session)], states, context)
    if isinstance(session, Refusal):
        return session
    rules = _rules_now(session, states, context)
    if isinstance(rules, Refusal):
        return rules
    if len(session.rounds) >= rules.rounds_max:
        return Refusal(Code.ROUND_IN_PLAY, "A round is in play; play it to its end first.")
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
        series=number,
    )
    play = Play(ses.evolve(session, opened), (opened,), context.entropy)
    betted = step(rules, play, command.id, command.move)
    return Begun(rules, betted) if isinstance(betted, Play) else betted


def _open(command: cmd.OpenRound, states: States, context: Context) -> Decision:
    begun = begin(command, states, context)
    if not isinstance(begun, Begun):
        return begun
    opened = begun.play.events[0]
    assert isinstance(opened, ev.RoundOpened)
    if opened.series is None:
        return _written(command, run_on(begun.rules, begun.play, command.id))
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
    return _written(command, ended)


def _resumed(context: Context) -> Begun | None:
    """The bets as they were accepted before the draw was asked for, with the draw at hand."""
    begun: Begun | None = context.paused
    return begun and replace(begun, play=replace(begun.play, entropy=context.entropy))


def _written(command: cmd.SessionCommand, outcome: Step) -> Decision:
    if not isinstance(outcome, Play):
        return outcome
    return (Change(session_stream(command.session), outcome.events, outcome.session),)


def _reads_continuing(command: cmd.ContinueRound, states: States) -> tuple[StreamName, ...]:
    stream = session_stream(command.session)
    return (stream, command_stream(command.round), *_sheet_of(states.get(stream)))


def _continue(command: cmd.ContinueRound, states: States, context: Context) -> Decision:
    state = states[session_stream(command.session)]
    session = ses.barred(state) or ses.connected(state)
    if isinstance(session, Refusal):
        return session
    if not ses.is_in_play(session, command.round):
        return not_in_play(states, command.session, command.round)
    rules = _rules_then(session, command.round, states, context)
    moved = _moved(session, command)
    play = Play(ses.evolve(session, moved), (moved,), context.entropy)
    moved_on = step(rules, play, command.round, command.move)
    return _written(command, run_on(rules, moved_on, command.round))


def _moved(session: ses.Open, command: cmd.ContinueRound) -> ev.MoveMade[Any]:
    played = ses.find_round(session, command.round)
    return ev.MoveMade(**common_of(played), details=command.move, made_by=command.id)


def common_of(played: ses.RoundInPlay) -> dict[str, Any]:
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


HANDLERS: Final[Handlers] = {
    cmd.PlayRound: Handler(reads_opening, _play),
    cmd.OpenRound: Handler(reads_opening, _open),
    cmd.ContinueRound: Handler(_reads_continuing, _continue),
}
