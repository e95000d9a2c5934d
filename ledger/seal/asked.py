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
from ledger.domain.events import (
    AnyEntry,
    CommandAnswered,
    MoveMade,
    RoundOpened,
    SeriesNumber,
    SessionClosed,
    ShoeShuffled,
    TurnTaken,
)
from ledger.replay import Finding

Commands = tuple[cmd.Command, ...]
"""What a command can have asked: two where a value may have been named or left as it was."""


@dataclass(slots=True)
class Moves:
    """Each move on record is what its command asked, and a command that asks for one made it."""

    _made: dict[UUID, list[AnyEntry]] = field(default_factory=dict)
    _offsets: dict[str, int] = field(default_factory=dict)
    """What shifted the last number of a series, by session that played one and has not ended."""

    def see(self, _: int, entry: AnyEntry) -> Iterator[Finding]:
        """Collect a command's moves until its record comes, which is the last of its save."""
        match entry.event:
            case RoundOpened() | MoveMade():
                self._made.setdefault(entry.command, []).append(entry)
            case CommandAnswered() as answered:
                made = self._made.pop(entry.command, [])
                found = self._differs(answered, made)
                if found is not None:
                    yield Finding("moves", entry.stream, found)
                self._offsets.update(_shifted(made))
            case SessionClosed():
                self._offsets.pop(entry.stream, None)
            case _:
                pass

    def end(self) -> Iterator[Finding]:
        """Nothing more: moves whose command has no record are found by the check of the saves."""
        return iter(())

    def _differs(self, record: CommandAnswered, made: list[AnyEntry]) -> str | None:
        """What is wrong with the moves of a save, or None."""
        asks = record.kind in REBUILT and record.refusal is None
        if len(made) != asks:
            return f"{len(made)} moves were made by this command ({record.kind}), not {int(asks)}"
        if not asks:
            return None
        (move,) = made
        if record.about != move.stream:
            return f"is about {record.about}, and its move was made in {move.stream}"
        try:
            commands = REBUILT[record.kind](move, self._offsets.get(move.stream, 0))
        except (AttributeError, ValueError):
            return f"{move.event.NAME} is none that a command {record.kind} makes"
        asked = record.digest in map(cmd.digest, commands)
        return None if asked else f"asked for something else than {move.event.NAME} says"


def _shifted(made: list[AnyEntry]) -> dict[str, int]:
    """The offsets by which these rounds shift the number of a series, by session."""
    opened = [(e.stream, e.event.series) for e in made if isinstance(e.event, RoundOpened)]
    return {stream: number.offset for stream, number in opened if number is not None}


def _head(entry: AnyEntry) -> dict[str, Any]:
    session = UUID(entry.stream.partition(":")[2])
    head = {"id": entry.command, "actor": entry.actor, "played": entry.played}
    return head | {"session": session}


def _opening(entry: AnyEntry) -> dict[str, Any]:
    event: Any = entry.event
    if event.round != entry.command:
        raise ValueError("a round has the id of the command that opened it")
    return _head(entry) | {"move": event.move}


def _play_round(entry: AnyEntry, _: int) -> Commands:
    return (cmd.PlayRound(**_opening(entry)),)


def _open_round(entry: AnyEntry, last_offset: int) -> Commands:
    event: Any = entry.event
    number: SeriesNumber | None = event.series
    fields = _opening(entry) | {"leave": _leave(entry)}
    if number is None:
        return (cmd.OpenRound(**fields, series=None, offset=None, client=None),)
    fields |= {"series": number.sealed.series, "client": number.client}
    named = cmd.OpenRound(**fields, offset=number.offset)
    if number.offset != last_offset:
        return (named,)
    return (named, cmd.OpenRound(**fields, offset=None))


def _continue_round(entry: AnyEntry, _: int) -> Commands:
    event: Any = entry.event
    if event.made_by not in {None, entry.command}:
        raise ValueError("a move names the command that made it")
    move = {"round": event.round, "move": event.details, "leave": _leave(entry)}
    return (cmd.ContinueRound(**_head(entry), **move),)


def _leave(entry: AnyEntry) -> str | None:
    """The chief who let a bet be placed at a live table, as the table's place in it tells."""
    event: Any = entry.event
    return None if event.table is None else event.table.leave


def asked_of_deal(entry: AnyEntry) -> cmd.Command:
    """The command that shuffled, dealt a card or let a turn pass, made again of what it wrote."""
    event: Any = entry.event
    head: dict[str, Any] = {"id": entry.command, "actor": entry.actor, "played": entry.played}
    head["table"] = entry.stream.partition(":")[2]
    if isinstance(event, TurnTaken):
        return cmd.PassTurn(**head)
    told = None if event.feed is None else cmd.Told(feed=event.feed, details=event.details)
    kind = cmd.ShuffleShoe if isinstance(event, ShoeShuffled) else cmd.DealCard
    return kind(**head, told=told)


Rebuild = Callable[[AnyEntry, int], Commands]
"""Takes the entry of a move, and the offset that the session's last number of a series had."""

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
