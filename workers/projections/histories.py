"""The entries of rounds from their first on, wherever the log was cut."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

from ledger.domain import events as ev
from ledger.domain.ids import StreamName
from workers.log import Cursor, entries_before
from workers.ports import Ports

Histories = Mapping[UUID, list[ev.AnyEntry]]
"""The entries of each round, in order."""

RECENT: Final = 200
"""So many entries of a session are read first; most rounds began among them."""


def by_round(entries: Iterable[ev.AnyEntry]) -> dict[UUID, list[ev.AnyEntry]]:
    """Entries of rounds, each round's together."""
    found: dict[UUID, list[ev.AnyEntry]] = defaultdict(list)
    for entry in entries:
        found[round_of(entry)].append(entry)
    return found


def round_of(entry: ev.AnyEntry) -> UUID:
    """The round that an entry is of."""
    assert isinstance(entry.event, ev.RoundEvent)
    return entry.event.round


def before(
    cursor: Cursor, ports: Ports, entries: Sequence[ev.AnyEntry], topics: Sequence[str]
) -> Histories:
    """What has one of the topics and was recorded before entries of several rounds, by round.

    The topics hold that of the opening.
    """
    recent = _before(cursor, ports, entries, (topics, RECENT))
    longer = [entry for entry in entries if not _is_whole(recent.get(round_of(entry)))]
    return {**recent, **_before(cursor, ports, longer, (topics, None))}


def _is_whole(history: Sequence[ev.AnyEntry] | None) -> bool:
    return history is not None and isinstance(history[0].event, ev.RoundOpened)


def _before(
    cursor: Cursor,
    ports: Ports,
    entries: Sequence[ev.AnyEntry],
    wanted: tuple[Sequence[str], int | None],
) -> Histories:
    topics, last = wanted
    places: dict[StreamName, int] = {}
    for entry in entries:
        stream = StreamName(entry.stream)
        places[stream] = max(places.get(stream, 0), entry.version)
    older = entries_before(cursor, ports, list(places.items()), topics, last)
    ends = {round_of(entry): entry.version for entry in entries}
    known = by_round(e for e in older if e.version < ends.get(round_of(e), 0))
    return dict(known)
