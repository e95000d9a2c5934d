"""One book in its database: read streams, save entries, keep and use snapshots.

This is the `Store` that the service writes through. It holds one application of the
`eventsourcing` library; it is built after a fork and never crosses one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, cast
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import Mapper
from typing_extensions import override

from ledger.domain.events import AnyEntry
from ledger.domain.ids import StreamName, stream_key
from ledger.store.codec import BookMapper, Codec
from ledger.store.faults import Translated
from ledger.store.recorder import Admission, BookRecorder, Key


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

    checks_guards: ClassVar[bool] = True
    """Whether a save finds out that a stream moved which was decided on and is not written."""

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

    def read(self, known: Mapping[StreamName, int]) -> Iterator[AnyEntry]:
        """Entries of several streams above the versions known, each stream's in order.

        All rows are read at once; each is decoded when it is asked for, so that a fold of a long
        stream does not hold all of its entries.
        """
        with Translated():
            rows = self.recorder.select_streams([(stream_key(s), v) for s, v in known.items()])
        return map(self.codec.decode, rows)

    def save(self, entries: Sequence[AnyEntry], admission: Admission) -> None:
        """Make entries durable together, or raise a fault (`ledger.store.faults`)."""
        with Translated():
            self._app.events.put(cast("Any", entries), admission=admission)

    def save_many(self, entries: Sequence[AnyEntry], admission: Admission) -> frozenset[Key]:
        """Make the entries of many commands durable together; the keys that others took."""
        with Translated():
            return self.recorder.insert_many([self.codec.encode(e) for e in entries], admission)

    def close(self) -> None:
        """Give the connections back."""
        self._app.close()
