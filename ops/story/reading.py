"""What a story is made of, read in one snapshot of the book that writes nothing."""

from collections.abc import Callable, Iterator, Sequence
from uuid import UUID

from ledger.domain.events import (
    AnyEntry,
    CommandAnswered,
    ParticipationRequested,
    RoundOpened,
    SessionSeated,
)
from ledger.domain.ids import (
    StreamName,
    command_stream,
    conto_stream,
    series_stream,
    session_stream,
    sheet_stream,
    table_stream,
)
from ledger.store.codec import Codec
from ledger.store.reading import saved
from ops.story.story import Case
from workers.log import transaction
from workers.ports import Connection

Fetch = Callable[[Sequence[StreamName]], tuple[AnyEntry, ...]]
"""Reads the entries of streams, in the order of the log."""


def read_case(connection: Connection, book: str, codec: Codec, asked: UUID) -> Case | None:
    """What is on record of a session or of a round by its id; None where there is neither."""
    with transaction(connection, frozen=True) as cursor:
        return case_of(asked, lambda streams: saved(cursor, book, codec, streams))


def case_of(asked: UUID, fetch: Fetch) -> Case | None:
    """What is among the entries that are fetched of a session or of a round by its id."""
    own = fetch((session_stream(asked),))
    if own:
        return _whole(asked, None, own, fetch)
    session = _session_of(asked, fetch)
    own = () if session is None else fetch((session_stream(session),))
    if session is None or asked not in {getattr(e.event, "round", None) for e in own}:
        return None
    return _whole(session, asked, own, fetch)


def _session_of(round_id: UUID, fetch: Fetch) -> UUID | None:
    """The session of a round, which has the id of the command that opened it."""
    told = [e.event for e in fetch((command_stream(round_id),))]
    about = [e.about for e in told if isinstance(e, CommandAnswered)]
    kind, _, key = about[0].partition(":") if about else ("", "", "")
    return UUID(key) if kind == "session" else None


def _whole(session: UUID, round_id: UUID | None, own: tuple[AnyEntry, ...], fetch: Fetch) -> Case:
    streams = dict.fromkeys([session_stream(session), *_named(own)])
    return Case(session, round_id, fetch(tuple(streams)))


def _named(own: tuple[AnyEntry, ...]) -> Iterator[StreamName]:
    """The streams that a session's events depend on or stand beside."""
    for entry in own:
        yield command_stream(entry.command)
        match entry.event:
            case ParticipationRequested(player=player, sheet=sheet):
                yield conto_stream(player)
                yield sheet_stream(sheet)
            case SessionSeated(table=table):
                yield table_stream(table)
            case RoundOpened(rules=rules, series=number, table=place):
                yield sheet_stream(rules.sheet)
                if number is not None:
                    yield series_stream(number.sealed.series)
                if place is not None:
                    yield table_stream(place.table)
            case _:
                pass
