"""Entries: events as recorded, under the header that every one carries."""

from typing import Final, Generic, TypeVar
from uuid import UUID

from pydantic import SerializeAsAny

from ledger.domain.events.base import Count, Event, Frozen
from ledger.domain.ids import Instant, StreamName, Word, stream_key

E = TypeVar("E", bound=Event)


class Entry(Frozen, Generic[E]):
    """An event as recorded: the header that every event carries, then the event.

    Implements the event protocol of the `eventsourcing` library (`originator_id` and
    `originator_version`), so that its store takes entries as they are.
    """

    v: Count
    stream: Word
    version: Count
    recorded: Instant
    """When the book recorded it."""
    played: Instant | None
    """When it was played, where that differs from `recorded`."""
    command: UUID
    actor: Word
    event: SerializeAsAny[E]

    @property
    def originator_id(self) -> UUID:
        """The store's key of the stream."""
        return stream_key(self.stream)

    @property
    def originator_version(self) -> int:
        """The place of this entry in its stream, from 1 without gaps."""
        return self.version


AnyEntry = Entry[Event]


class Header(Frozen):
    """What all events of one command share."""

    recorded: Instant
    played: Instant | None
    command: UUID
    actor: Word


def make_entry(stream: StreamName, version: int, header: Header, event: E) -> Entry[E]:
    """Put an event under its header at a place in its stream.

    Header and event were validated when they were made, name and place are the book's own: nothing
    is validated twice, for every event that is saved passes here (`model_construct` costs more).
    """
    entry = object.__new__(Entry)
    fields = {
        "v": event.VERSION,
        "stream": stream,
        "version": version,
        "recorded": header.recorded,
        "played": header.played,
        "command": header.command,
        "actor": header.actor,
        "event": event,
    }
    _put(entry, "__dict__", fields)
    _put(entry, "__pydantic_fields_set__", _FIELDS)
    _put(entry, "__pydantic_extra__", None)
    _put(entry, "__pydantic_private__", None)
    return entry


_put: Final = object.__setattr__
_FIELDS: Final = set(Entry.model_fields)
