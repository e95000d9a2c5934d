"""What is on record about differences is what its commands asked, each step where it may stand.

A difference moves no money, but whose it is and why it was closed are decisions of people, which
nobody may slip in beside the book's own rules.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from ledger.domain import commands as cmd, differences as dif
from ledger.domain.events import (
    AnyEntry,
    CommandAnswered,
    DifferenceAssigned,
    DifferenceCleared,
    DifferenceFound,
    DifferenceResolved,
    Event,
)
from ledger.domain.ids import difference_stream
from ledger.replay import Finding

_MADE_BY: Final[dict[type[Event], type[cmd.DifferenceCommand]]] = {
    DifferenceFound: cmd.FindDifference,
    DifferenceAssigned: cmd.AssignDifference,
    DifferenceResolved: cmd.ResolveDifference,
    DifferenceCleared: cmd.ClearDifference,
}
_KINDS: Final = {command.KIND for command in _MADE_BY.values()}


@dataclass(slots=True)
class Differences:
    """Each is found under its own name, while it is closed; has owners and one end; as asked."""

    _states: dict[str, dif.State] = field(default_factory=dict)
    _made: dict[UUID, list[AnyEntry]] = field(default_factory=dict)

    def see(self, _: int, entry: AnyEntry) -> Iterator[Finding]:
        """Follow each difference; hold a save's events against what its command asked."""
        if isinstance(entry.event, CommandAnswered):
            if not _is_as_asked(entry.event, self._made.pop(entry.command, [])):
                yield Finding("differences", entry.stream, "asked for something else than was done")
        elif type(entry.event) in _MADE_BY:
            self._made.setdefault(entry.command, []).append(entry)
            state = self._states.get(entry.stream, dif.START)
            if not _may_follow(state, entry):
                place = f"{entry.stream} version {entry.version}"
                yield Finding("differences", place, f"{entry.event.NAME} cannot stand here")
            self._states[entry.stream] = dif.evolve(state, entry.event)

    def end(self) -> Iterator[Finding]:
        """Nothing more: a difference may be open for as long as it takes."""
        return iter(())


def _may_follow(state: dif.State, entry: AnyEntry) -> bool:
    event: Any = entry.event
    if isinstance(event, DifferenceFound):
        is_named = entry.stream == difference_stream(dif.identity(event))
        return is_named and not state.is_open and event.occurrence == state.occurrence + 1
    return state.is_open and bool(event.occurrence == state.occurrence)


def _is_as_asked(record: CommandAnswered, made: list[AnyEntry]) -> bool:
    if record.kind not in _KINDS or record.refusal is not None:
        return not made
    try:
        return len(made) == 1 and record.digest == cmd.digest(_command(made[0]))
    except ValueError:  # its stream is none of a difference
        return False


def _command(entry: AnyEntry) -> cmd.Command:
    """The command that an event says was asked."""
    event = entry.event
    fields = {name: getattr(event, name) for name in type(event).model_fields}
    head: dict[str, Any] = {"id": entry.command, "actor": entry.actor, "played": entry.played}
    difference = UUID(entry.stream.partition(":")[2])
    return _MADE_BY[type(event)](**head, difference=difference, **fields)
