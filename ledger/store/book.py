"""One book in its database: read streams, save entries, keep and use snapshots.

This is the `Store` that the service writes through. It holds one application of the
`eventsourcing` library; it is built after a fork and never crosses one.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, cast
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import (
    IntegrityError,
    InterfaceError,
    Mapper,
    OperationalError,
    PersistenceError,
)
from psycopg.errors import DeadlockDetected, SerializationFailure
from psycopg_pool import PoolTimeout
from typing_extensions import override

from ledger.domain.events import AnyEntry
from ledger.domain.ids import StreamName, stream_key
from ledger.domain.refusals import ClockFault, Fault
from ledger.store.codec import BookMapper, Codec
from ledger.store.recorder import Admission, BookRecorder, Key


class Conflict(Fault):
    """Somebody wrote first: read again and decide again."""


class Unavailable(Fault):
    """The database did not serve; whether the save was made is known only by reading again."""

    @property
    def is_down(self) -> bool:
        """Whether no connection was to be had at all, so that trying again at once is idle."""
        return isinstance(_root(self), PoolTimeout)


class BookApplication(Application[UUID]):
    """The library's application over our recorder and mapper."""

    name = "book"
    env: ClassVar[dict[str, str]] = {"PERSISTENCE_MODULE": "ledger.store.recorder:BookFactory"}

    def __init__(self, env: Mapping[str, str], codec: Codec) -> None:
        self._codec = codec
        super().__init__(env=dict(env))

    @override
    def construct_mapper(self) -> Mapper[UUID]:
        """Our mapper: no topic of a row is ever resolved."""
        return BookMapper(self._codec)


class Store:
    """Reads and saves entries of one book, as one role."""

    def __init__(self, conninfo: str, book: str, codec: Codec, pool_size: int = 8) -> None:
        self.codec: Final = codec
        self._app = BookApplication(
            {
                "BOOK_CONNINFO": conninfo,
                "BOOK_SCHEMA": book,
                "BOOK_ROLE": f"{book}_writer",
                "BOOK_POOL_SIZE": str(pool_size),
            },
            codec,
        )

    @property
    def recorder(self) -> BookRecorder:
        """The recorder of this book."""
        return cast("BookRecorder", self._app.recorder)

    def read(self, known: Mapping[StreamName, int]) -> list[AnyEntry]:
        """Entries of several streams above the versions known, each stream's in order."""
        with _Translated():
            rows = self.recorder.select_streams([(stream_key(s), v) for s, v in known.items()])
        return [self.codec.decode(row) for row in rows]

    def save(self, entries: Sequence[AnyEntry], admission: Admission) -> None:
        """Make entries durable together, or raise `Conflict`, `ClockFault` or `Unavailable`."""
        with _Translated():
            self._app.events.put(cast("Any", entries), admission=admission)

    def save_many(self, entries: Sequence[AnyEntry], admission: Admission) -> frozenset[Key]:
        """Make the entries of many commands durable together; the keys that others took."""
        with _Translated():
            return self.recorder.insert_many([self.codec.encode(e) for e in entries], admission)

    def close(self) -> None:
        """Give the connections back."""
        self._app.close()


class _Translated:
    """Turns the library's errors into our faults; none of them shows a secret."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, IntegrityError):
            raise Conflict("A version that was to be written is taken.") from error
        if isinstance(_root(error), SerializationFailure | DeadlockDetected):
            raise Conflict("The save ran into another one.") from error
        if isinstance(error, OperationalError | InterfaceError):
            raise Unavailable(_first_line(error)) from error
        if isinstance(error, PersistenceError):
            if "day that is closed" in str(error):
                raise ClockFault(_first_line(error)) from error
            raise Fault(_first_line(error)) from error


def _root(error: BaseException | None) -> BaseException | None:
    while error is not None and error.__cause__ is not None:
        error = error.__cause__
    return error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or ["the database failed"])[0]
