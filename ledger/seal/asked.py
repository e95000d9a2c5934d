"""What players did is what their commands asked (G3, G7).

A command's record holds the digest of what was asked. A move on record says all that its command
said, so the command is made again from it, and its digest must be the one on record.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from ledger.domain import commands as cmd
from ledger.domain.events import AnyEntry, CommandAnswered, MoveMade, RoundOpened
from ledger.replay import Finding


@dataclass(slots=True)
class Moves:
    """Each move on record is what its command asked, and a command that asks for one made it."""

    _made: dict[UUID, list[AnyEntry]] = field(default_factory=dict)

    def see(self, _: int, entry: AnyEntry) -> Iterator[Finding]:
        """Collect a command's moves until its record comes, which is the last of its save."""
        if isinstance(entry.event, RoundOpened | MoveMade):
            self._made.setdefault(entry.command, []).append(entry)
        elif isinstance(entry.event, CommandAnswered):
            found = _differs(entry.event, self._made.pop(entry.command, []))
            if found is not None:
                yield Finding("moves", entry.stream, found)

    def end(self) -> Iterator[Finding]:
        """Nothing more: moves whose command has no record are found by the check of the saves."""
        return iter(())


def _differs(record: CommandAnswered, made: list[AnyEntry]) -> str | None:
    """What is wrong with the moves of a save, or None."""
    asks = record.kind in REBUILT and record.refusal is None
    if len(made) != asks:
        return f"{len(made)} moves were made by this command ({record.kind}), not {int(asks)}"
    if not asks:
        return None
    if record.about != made[0].stream:
        return f"is about {record.about}, and its move was made in {made[0].stream}"
    try:
        command = REBUILT[record.kind](made[0])
    except (AttributeError, ValueError):
        return f"{made[0].event.NAME} is none that a command {record.kind} makes"
    asked = cmd.digest(command) == record.digest
    return None if asked else f"asked for something else than {made[0].event.NAME} says"


def _head(entry: AnyEntry) -> dict[str, Any]:
    session = UUID(entry.stream.partition(":")[2])
    head = {"id": entry.command, "actor": entry.actor, "played": entry.played}
    return head | {"session": session}


def _opening(entry: AnyEntry) -> dict[str, Any]:
    event: Any = entry.event
    if event.round != entry.command:
        raise ValueError("a round has the id of the command that opened it")
    return _head(entry) | {"move": event.move}


def _play_round(entry: AnyEntry) -> cmd.Command:
    return cmd.PlayRound(**_opening(entry))


def _open_round(entry: AnyEntry) -> cmd.Command:
    return cmd.OpenRound(**_opening(entry))


def _continue_round(entry: AnyEntry) -> cmd.Command:
    event: Any = entry.event
    if event.made_by not in {None, entry.command}:
        raise ValueError("a move names the command that made it")
    return cmd.ContinueRound(**_head(entry), round=event.round, move=event.details)


Rebuild = Callable[[AnyEntry], cmd.Command]

REBUILT: Final[Mapping[str, Rebuild]] = MappingProxyType(
    {
        cmd.PlayRound.KIND: _play_round,
        cmd.OpenRound.KIND: _open_round,
        cmd.ContinueRound.KIND: _continue_round,
    }
)
"""Makes the command again of the move that it made, by kind; no other kind makes one.

Each names every field of its command: a test holds them against the commands, so that a field that
is added to one is either told by the move, or said here to be told nowhere.
"""
