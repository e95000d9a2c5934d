"""The disputes of a player: a claim, its contacts, and a decision after which nothing comes (FR11).

All disputes of a player are one stream with the erasure of what is personal: neither can slip in
between what the other has seen. A dispute is named by the command that opened it, as a round is.
"""

from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from ledger.domain import commands as cmd, conto, events as ev, record, session as ses
from ledger.domain.decider import (
    Change,
    Context,
    Decider,
    Decision,
    Handler,
    Handlers,
    States,
    fold,
)
from ledger.domain.ids import (
    StreamName,
    command_stream,
    conto_stream,
    player_stream,
    session_stream,
)
from ledger.domain.refusals import Code, Refusal


@dataclass(frozen=True, slots=True)
class State:
    """The disputes that are open, and those that are decided, oldest first."""

    open: tuple[UUID, ...] = ()
    closed: tuple[UUID, ...] = ()
    forgotten: bool = False
    """Whether what is personal of the player is erased, or about to be."""


START: Final = State()


def _opened(state: State, e: ev.DisputeOpened) -> State:
    return replace(state, open=(*state.open, e.dispute))


def _closed(state: State, e: ev.DisputeClosed) -> State:
    left = tuple(dispute for dispute in state.open if dispute != e.dispute)
    return replace(state, open=left, closed=(*state.closed, e.dispute))


evolve = fold(
    {
        ev.DisputeOpened: _opened,
        ev.DisputeClosed: _closed,
        ev.PlayerForgotten: lambda s, _: replace(s, forgotten=True),
    }
)

FORGOTTEN: Final = Refusal(
    Code.PLAYER_FORGOTTEN, "What was personal of this player is erased for good."
)

_ROUNDS: Final = frozenset(c.KIND for c in (cmd.OpenRound, cmd.PlayRound, cmd.PlayDemo))
"""Kinds of commands whose id is a round's."""


def _reads_claim(command: cmd.OpenDispute, _: States) -> tuple[StreamName, ...]:
    streams = (player_stream(command.player), conto_stream(command.player))
    about = session_stream(command.session)
    if command.round is None:
        return (*streams, about)
    return (*streams, about, command_stream(command.round))


def _open(command: cmd.OpenDispute, states: States, _: Context) -> Decision:
    stream = player_stream(command.player)
    if isinstance(states[conto_stream(command.player)], conto.Absent):
        return Refusal(Code.UNKNOWN_CONTO, "No such conto; a dispute is its holder's.")
    if states[stream].forgotten:
        return FORGOTTEN
    event = ev.DisputeOpened(dispute=command.id, **_said(command))
    return _not_theirs(command, states) or (Change(stream, (event,)),)


def _not_theirs(command: cmd.OpenDispute, states: States) -> Refusal | None:
    about: ses.State = states[session_stream(command.session)]
    if isinstance(about, ses.Absent) or about.terms.player != command.player:
        return Refusal(Code.UNKNOWN_SESSION, "This player has no such session.")
    if command.round is None:
        return None
    asked: record.State = states[command_stream(command.round)]
    if not isinstance(asked, record.Answered) or not _is_round(asked.answer, command.session):
        return Refusal(Code.UNKNOWN_ROUND, "This session had no such round.")
    return None


def _is_round(answer: ev.CommandAnswered, session: UUID) -> bool:
    about = answer.about == session_stream(session)
    return about and answer.refusal is None and answer.kind in _ROUNDS


def _reads(command: cmd.DisputeCommand, _: States) -> tuple[StreamName, ...]:
    return (player_stream(command.player),)


def _add(command: cmd.AddToDispute, states: States, _: Context) -> Decision:
    return _on(command, states, ev.DisputeNoted(**_said(command)))


def _close(command: cmd.CloseDispute, states: States, _: Context) -> Decision:
    return _on(command, states, ev.DisputeClosed(**_said(command)))


def _on(command: cmd.DisputeCommand, states: States, event: ev.DisputeEvent) -> Decision:
    """The event, if the dispute is open."""
    state: State = states[player_stream(command.player)]
    if command.dispute in state.closed:
        return Refusal(Code.DISPUTE_CLOSED, "The dispute is decided, and the decision is final.")
    if command.dispute not in state.open:
        return Refusal(Code.UNKNOWN_DISPUTE, "This player has no such dispute; open one.")
    return (Change(player_stream(command.player), (event,)),)


def _said(command: cmd.ContoCommand) -> dict[str, Any]:
    """What a command says, without its head."""
    return {name: value for name, value in command if name not in cmd.Command.model_fields}


DECIDER: Final = Decider(START, evolve)
HANDLERS: Final[Handlers] = {
    cmd.OpenDispute: Handler(_reads_claim, _open),
    cmd.AddToDispute: Handler(_reads, _add),
    cmd.CloseDispute: Handler(_reads, _close),
}
