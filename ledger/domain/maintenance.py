"""Maintenance notices: while one lasts no session and no round begins (rulings C5)."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from ledger.domain.commands import AnnounceMaintenance, EndMaintenance
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
from ledger.domain.events import MaintenanceAnnounced, MaintenanceEnded
from ledger.domain.ids import MAINTENANCE, StreamName
from ledger.domain.refusals import Code, Refusal


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice that is not ended: from `starts` up to, not including, `ends`."""

    notice: int
    starts: datetime
    ends: datetime


@dataclass(frozen=True, slots=True)
class State:
    """How many notices there were, and those not ended by hand."""

    count: int
    notices: tuple[Notice, ...]


START: Final = State(0, ())


def _announced(state: State, e: MaintenanceAnnounced) -> State:
    return State(e.notice, (*state.notices, Notice(e.notice, e.starts, e.ends)))


def _ended(state: State, e: MaintenanceEnded) -> State:
    return replace(state, notices=tuple(n for n in state.notices if n.notice != e.notice))


evolve = fold({MaintenanceAnnounced: _announced, MaintenanceEnded: _ended})


def refusal(state: State, now: datetime) -> Refusal | None:
    """The refusal of a beginning at `now`, or None when no notice is in force."""
    if any(n.starts <= now < n.ends for n in state.notices):
        return Refusal(Code.MAINTENANCE, "Maintenance is under way; try again after it.")
    return None


def _reads(_: object, __: States) -> tuple[StreamName, ...]:
    return (MAINTENANCE,)


def _announce(command: AnnounceMaintenance, states: States, context: Context) -> Decision:
    if not context.now <= command.starts < command.ends:
        return Refusal(Code.MALFORMED, "A notice is published before it starts and ends later.")
    event = MaintenanceAnnounced(
        notice=states[MAINTENANCE].count + 1,
        starts=command.starts,
        ends=command.ends,
        reason=command.reason,
    )
    return (Change(MAINTENANCE, (event,)),)


def _end(command: EndMaintenance, states: States, _: Context) -> Decision:
    if all(n.notice != command.notice for n in states[MAINTENANCE].notices):
        return Refusal(Code.UNKNOWN_NOTICE, "No such notice is in force; look up its number.")
    return (Change(MAINTENANCE, (MaintenanceEnded(notice=command.notice),)),)


DECIDER: Final = Decider(START, evolve)
HANDLERS: Final[Handlers] = {
    AnnounceMaintenance: Handler(_reads, _announce),
    EndMaintenance: Handler(_reads, _end),
}
