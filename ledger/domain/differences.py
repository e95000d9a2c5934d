"""Differences: found once, owned, and carried until a person resolves them or they are gone.

One stream is one thing that may differ, known by what was compared and what it is about. While it
is open it is not found again; after its end it is found as the next occurrence.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from ledger.domain.commands import (
    AssignDifference,
    ClearDifference,
    FindDifference,
    ResolveDifference,
)
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
from ledger.domain.events import (
    DifferenceAssigned,
    DifferenceCleared,
    DifferenceFound,
    DifferenceResolved,
    Event,
)
from ledger.domain.ids import StreamName, difference_id, difference_stream
from ledger.domain.refusals import Code, Refusal


@dataclass(frozen=True, slots=True)
class State:
    """How often it was found, and whether it is open now; 0 and closed before it ever was."""

    occurrence: int
    is_open: bool


START: Final = State(0, is_open=False)


def _closed(state: State, _: Event) -> State:
    return replace(state, is_open=False)


evolve = fold(
    {
        DifferenceFound: lambda _, e: State(e.occurrence, is_open=True),
        DifferenceResolved: _closed,
        DifferenceCleared: _closed,
    }
)


def identity(found: DifferenceFound | FindDifference) -> UUID:
    """What a difference is known by, whoever finds it and however often."""
    return difference_id(found.source, found.scope, found.kind, found.subject)


def _reads(command: Any, _: States) -> tuple[StreamName, ...]:
    return (difference_stream(command.difference),)


def _find(command: FindDifference, states: States, _: Context) -> Decision:
    stream = difference_stream(command.difference)
    state: State = states[stream]
    if command.difference != identity(command):
        return Refusal(Code.MALFORMED, "Name a difference by what it is about.")
    if state.is_open or command.occurrence != state.occurrence + 1:
        return Refusal(Code.DIFFERENCE_OPEN, "This is known already; look at what is open.")
    named = {name: getattr(command, name) for name in _FOUND}
    return (Change(stream, (DifferenceFound(**named),)),)


_FOUND: Final = tuple(DifferenceFound.model_fields)


def _ending(make: Callable[[Any], Event]) -> Handler:
    """A command on an occurrence that is open."""

    def decide(command: Any, states: States, _: Context) -> Decision:
        stream = difference_stream(command.difference)
        refusal = _refusal(states[stream], command.occurrence)
        return refusal or (Change(stream, (make(command),)),)

    return Handler(_reads, decide)


def _refusal(state: State, occurrence: int) -> Refusal | None:
    if not 1 <= occurrence <= state.occurrence:
        return Refusal(Code.UNKNOWN_DIFFERENCE, "There is no such difference; look up its number.")
    if occurrence < state.occurrence or not state.is_open:
        return Refusal(Code.DIFFERENCE_CLOSED, "It is closed; what is found again is a new one.")
    return None


DECIDER: Final = Decider(START, evolve)
HANDLERS: Final[Handlers] = {
    FindDifference: Handler(_reads, _find),
    AssignDifference: _ending(lambda c: DifferenceAssigned(occurrence=c.occurrence, owner=c.owner)),
    ResolveDifference: _ending(
        lambda c: DifferenceResolved(occurrence=c.occurrence, reason=c.reason)
    ),
    ClearDifference: _ending(
        lambda c: DifferenceCleared(occurrence=c.occurrence, matched=c.matched)
    ),
}
