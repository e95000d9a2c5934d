"""What a story is made of, read in one snapshot of the book that writes nothing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
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
from workers.log import Cursor, transaction
from workers.ports import Connection


def read_case(connection: Connection, book: str, codec: Codec, asked: UUID) -> Case | None:
    """What is on record of a session or of a round by its id; None where there is neither."""
    with transaction(connection, frozen=True) as cursor:
        return _Reader(cursor, book, codec).case(asked)


@dataclass(frozen=True, slots=True)
class _Reader:
    """One reading of one book."""

    cursor: Cursor
    book: str
    codec: Codec

    def case(self, asked: UUID) -> Case | None:
        """The case of a session or a round."""
        own = self._saved((session_stream(asked),))
        if own:
            return self._whole(asked, None, own)
        session = self._session_of(asked)
        own = () if session is None else self._saved((session_stream(session),))
        if session is None or asked not in {getattr(e.event, "round", None) for e in own}:
            return None
        return self._whole(session, asked, own)

    def _saved(self, streams: Iterable[StreamName]) -> tuple[AnyEntry, ...]:
        return saved(self.cursor, self.book, self.codec, tuple(streams))

    def _session_of(self, round_id: UUID) -> UUID | None:
        """The session of a round, which has the id of the command that opened it."""
        told = [e.event for e in self._saved((command_stream(round_id),))]
        about = [e.about for e in told if isinstance(e, CommandAnswered)]
        kind, _, key = about[0].partition(":") if about else ("", "", "")
        return UUID(key) if kind == "session" else None

    def _whole(self, session: UUID, round_id: UUID | None, own: tuple[AnyEntry, ...]) -> Case:
        streams = dict.fromkeys([session_stream(session), *_named(own)])
        return Case(session, round_id, self._saved(streams))


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
