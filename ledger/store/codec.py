"""Between entries and stored bytes: a closed table of names, strict reading, upcasting (G5).

What is stored is what is hashed: an entry is written once as compact JSON, its class version first,
and is never written again to verify it. No name outside the table is ever resolved.
"""

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, reduce
from typing import Annotated, Any, Final, Self, cast
from uuid import UUID

import orjson
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import JSONTranscoder, Mapper, StoredEvent
from pydantic import BaseModel, Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, models_json_schema
from typing_extensions import override

from ledger.domain.events import LEDGER_EVENTS, AnyEntry, Details, Entry, Event
from ledger.domain.refusals import Fault

STATE_MAX: Final = 65_000
"""Most bytes of one stored entry, so that any log of entries with 16-bit lengths can hold it."""

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
UPCASTERS: Final[Mapping[tuple[str, int], Upcaster]] = {}
"""From the body of class version n to that of n + 1, by name on disk and n."""


class CorruptEntry(Fault):
    """A stored row does not say what it must say; somebody changed it, or the code is too old."""


class EntryTooLarge(Fault):
    """What is asked for makes an entry that no log of tiles can hold; nothing was written."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """How the entries of one kind of event are read: looked up once, when the first one is."""

    version: int
    start: bytes
    """How an entry of the current class version begins."""
    entry: type[BaseModel]
    """The class of the entries."""
    read: Callable[[bytes], AnyEntry]
    """Validates bytes of the current class version."""

    @classmethod
    def of(cls, event: type[Event], details: tuple[type[Details], ...]) -> Self:
        """The kind of an event that may hold these details."""
        entry = _entry_class(event, details)
        read = cast("Any", entry.__pydantic_validator__.validate_json)
        return cls(event.VERSION, b'{"v":%d,' % event.VERSION, entry, read)


@cache
def _omitted(model: type[BaseModel]) -> frozenset[str]:
    """The fields of a model that are not written where they are None."""
    return frozenset(name for name, field in model.model_fields.items() if field.exclude_if)


def _fields(model: BaseModel) -> dict[str, Any]:
    """What is written of a model: its fields, less those that are absent and left out."""
    fields, omitted = vars(model), _omitted(type(model))
    if not omitted:
        return fields
    return {n: value for n, value in fields.items() if value is not None or n not in omitted}


class Codec:
    """Encodes entries and decodes rows, for the ledger's events and a set of games' details."""

    def __init__(
        self,
        details: Iterable[type[Details]],
        events: Iterable[type[Event]] = LEDGER_EVENTS,
        upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS,
    ) -> None:
        self._union = _union(tuple(details))
        self._upcasters = upcasters
        self._events = {event.NAME: event for event in events}
        self._kind = cache(lambda name: _Kind.of(self._events[name], self._union))

    @cached_property
    def details(self) -> TypeAdapter[Details]:
        """Reads what a game adds to an event, where it stands outside of one."""
        return TypeAdapter(self._union)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name on disk that this codec reads and writes."""
        return tuple(self._events)

    def classes(self) -> dict[str, type[BaseModel]]:
        """The classes that this codec has made, each by a name that is the same in any process."""
        classes = {name: self._kind(name).entry for name in self._events}
        entries = {f"entry of {name}": entry for name, entry in classes.items()}
        return entries | {name: _body(entry) for name, entry in classes.items()}

    def schemas(self) -> dict[str, Any]:
        """The JSON Schemas (2020-12) of what is stored: of each event by its name on disk."""
        entries = {name: self._kind(name).entry for name in self._events}
        places, shared = models_json_schema([(entry, "validation") for entry in entries.values()])
        named = {name: places[entry, "validation"] for name, entry in entries.items()}
        return {"$schema": GenerateJsonSchema.schema_dialect, "events": named, **shared}

    def encode(self, entry: AnyEntry) -> StoredEvent:
        """Write an entry as a row's values."""
        name = entry.event.NAME
        assert name in self._events, name
        state = orjson.dumps(vars(entry), default=_fields, option=orjson.OPT_UTC_Z)
        if len(state) > STATE_MAX:
            raise EntryTooLarge(
                f"An entry of {name} may have {STATE_MAX} bytes, not {len(state)}: "
                "ask for less at once, or for a shorter text."
            )
        return StoredEvent(entry.originator_id, entry.version, name, state)

    def decode(self, row: StoredEvent) -> AnyEntry:
        """Read a row; raise `CorruptEntry` when it is not what its key and name say."""
        try:
            entry = self._read(row)
        except (LookupError, TypeError, ValueError) as error:
            raise CorruptEntry(f"{_place(row)} cannot be read: {type(error).__name__}.") from error
        if entry.version != row.originator_version or entry.originator_id != row.originator_id:
            raise CorruptEntry(f"{_place(row)} names another stream or version inside.")
        return entry

    def _read(self, row: StoredEvent) -> AnyEntry:
        kind = self._kind(row.topic)
        if row.state.startswith(kind.start):
            return kind.read(row.state)
        document = orjson.loads(row.state)
        if document["v"] > kind.version:
            raise ValueError("a newer version of the class than this code knows")
        for version in range(document["v"], kind.version):
            document["event"] = self._upcasters[row.topic, version](document["event"])
        document["v"] = kind.version
        return kind.read(orjson.dumps(document))


def _union(details: tuple[type[Details], ...]) -> Any:
    union: Any = reduce(operator.or_, details) if details else Details
    if len(details) > 1:  # by its name alone: a game's type is not found by trying all of them
        union = Annotated[union, Field(discriminator="type")]
    return union


def _entry_class(event: type[Event], union: Any) -> type[BaseModel]:
    generic = bool(event.__pydantic_generic_metadata__["parameters"])
    body = cast("Any", event)[union] if generic else event
    return cast("type[BaseModel]", cast("Any", Entry)[body])


def _body(entry: type[BaseModel]) -> type[BaseModel]:
    """The class of the event in an entry of a class."""
    return cast("type[BaseModel]", entry.model_fields["event"].annotation)


def _place(row: StoredEvent) -> str:
    return f"Row {row.originator_id} version {row.originator_version} ({row.topic})"


class BookMapper(Mapper[UUID]):
    """The library's mapper with our codec in place of its transcoder and topics."""

    def __init__(self, codec: Codec) -> None:
        super().__init__(transcoder=JSONTranscoder())
        self.codec = codec

    @override
    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        """Encode an entry."""
        return self.codec.encode(cast("AnyEntry", domain_event))

    @override
    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[UUID]:
        """Decode a row."""
        return self.codec.decode(stored_event)


def recorded_at(state: bytes) -> datetime:
    """When a stored entry was recorded, read from its bytes; aware, UTC."""
    return datetime.fromisoformat(orjson.loads(state)["recorded"])
