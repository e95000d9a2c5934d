"""Our recorder: one INSERT a save, no table lock, no NOTIFY, and order given by the sealer.

The library's recorder serialises commits by an exclusive lock; here the order of the book comes
from the seal (guarantees G4, G5), so that saves of different streams run side by side. A save is a
single statement and the first write of its transaction, which a trigger enforces.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, cast
from uuid import UUID

import psycopg
from eventsourcing.persistence import (
    BaseInfrastructureFactory,
    Notification,
    StoredEvent,
)
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import dict_row, tuple_row
from psycopg.sql import SQL, Composed, Identifier
from psycopg_pool import ConnectionPool
from typing_extensions import override

from ledger.store.arrays import ByteaArray, Int4Array, Int8Array, TextArray, UuidArray

START_OF_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
Key = tuple[UUID, int]


@dataclass(frozen=True, slots=True)
class Admission:
    """What must hold while a save is made: the time is not closed, guarded streams stand still."""

    at: datetime = START_OF_TIME
    guards: tuple[Key, ...] = ()
    """Streams that were read and are not written, with the versions seen."""
    claims: tuple[UUID, ...] = ()
    """Guarded streams that this save writes."""

    def parameters(self) -> tuple[Any, ...]:
        """The arguments of the `admit` function: locks are taken in the order of the streams."""
        locks: dict[UUID, int | None] = {**dict(self.guards), **dict.fromkeys(self.claims)}
        streams = sorted(locks)
        return (self.at, UuidArray.of(streams), Int8Array.of(locks[s] for s in streams))


ANY_TIME: Final = Admission(datetime.max.replace(tzinfo=UTC))


class BookDatastore(PostgresDatastore):
    """A pool of connections that act in one role of one book."""

    def __init__(self, conninfo: str, schema: str, role: str, pool_size: int) -> None:
        given = conninfo_to_dict(conninfo)
        super().__init__(
            dbname=str(given.get("dbname", "")), host="", port="", user="", password="",
            schema=schema, pool_size=0, max_overflow=1,
        )  # fmt: skip
        self.pool = cast(
            "Any",
            ConnectionPool(
                kwargs={**given, **session_options(role), "row_factory": dict_row},
                min_size=0,
                max_size=pool_size,
                open=False,
                configure=_autocommit,
                timeout=5.0,
                reconnect_timeout=3.0,  # or the pool would find a server back only minutes later
            ),
        )

    @override
    def register_type_adapters(self) -> None:
        """Nothing to register, and no connection made at start: plain arrays carry the rows."""


def _autocommit(connection: psycopg.Connection[Any]) -> None:
    connection.autocommit = True


def session_options(role: str) -> dict[str, Any]:
    """Connection parameters under which a service acts: its role, UTC, and a bounded idle time.

    Statements are few and prepared; planning them again for each array of keys costs more than
    running them, hence the generic plans.
    """
    options = (
        f"-c role={role} -c timezone=UTC -c idle_in_transaction_session_timeout=5000 "
        "-c plan_cache_mode=force_generic_plan -c jit=off"
    )
    return {"options": options, "application_name": role, "connect_timeout": 5}


class BookRecorder(PostgresApplicationRecorder):
    """Stores events of one book; positions come later, from the sealer."""

    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = "events") -> None:
        super().__init__(datastore, events_table_name=events_table_name)
        self.channel_name = f"{datastore.schema}_sealed"
        self.sql_create_statements = []
        self._insert = self._sql(_INSERT)
        self._insert_many = self._sql(_INSERT + _SKIP_TAKEN)
        self._select_streams = self._sql(_SELECT_STREAMS)
        self._select_sealed = self._sql(_SELECT_SEALED)
        self.max_notification_id_statement = self._composed(_MAX_POSITION)

    def _composed(self, text: str) -> Composed:
        return SQL(cast("Any", text)).format(book=Identifier(self.datastore.schema))

    def _sql(self, text: str) -> bytes:
        """A statement as it is sent: composing it again for each call would cost as much."""
        return self._composed(text).as_bytes()

    @override
    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        """Save all events or none; no positions yet, so None is returned.

        Raises the library's IntegrityError when a version is taken, and OperationalError when a
        guarded stream moved or the server could not serve.
        """
        if stored_events:
            admission: Admission = kwargs.get("admission", ANY_TIME)
            parameters = (*admission.parameters(), *_columns(stored_events))
            with self.datastore.get_connection() as connection:
                connection.execute(self._insert, parameters, prepare=True, binary=True)
        return None

    def insert_many(self, stored: Sequence[StoredEvent], admission: Admission) -> frozenset[Key]:
        """Save all or none of many commands' events; return the keys that others took first."""
        parameters = (*admission.parameters(), *_columns(stored))
        with (
            self.datastore.get_connection() as connection,
            connection.transaction() as transaction,
            connection.cursor(row_factory=tuple_row, binary=True) as cursor,
        ):
            cursor.execute(self._insert_many, parameters, prepare=True)
            taken = frozenset[Key]()
            if cursor.rowcount < len(stored):
                taken = _keys(stored).difference(cursor.fetchall())
                raise psycopg.Rollback(transaction)
        return taken

    def select_streams(self, known: Sequence[Key]) -> list[StoredEvent]:
        """Rows of several streams above the versions given, in order of stream and version."""
        keys, versions = UuidArray.of(k for k, _ in known), Int8Array.of(v for _, v in known)
        with (
            self.datastore.get_connection() as connection,
            connection.cursor(row_factory=tuple_row, binary=True) as cursor,
        ):
            cursor.execute(self._select_streams, (keys, versions), prepare=True)
            return [StoredEvent(*row) for row in cursor.fetchall()]

    @override
    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Sealed events in the order of the book; a notification's id is its position plus one."""
        first = 0 if start is None else start - (1 if inclusive_of_start else 0)
        last = 2**62 if stop is None else stop - 1
        parameters = {"first": first, "last": last, "topics": list(topics), "limit": limit}
        with (
            self.datastore.get_connection() as connection,
            connection.cursor(row_factory=tuple_row, binary=True) as cursor,
        ):
            cursor.execute(self._select_sealed, parameters, prepare=True)
            return [
                Notification(
                    id=position + 1,
                    originator_id=stream,
                    originator_version=version,
                    topic=topic,
                    state=state,
                )
                for position, stream, version, topic, state in cursor.fetchall()
            ]


class BookFactory(PostgresFactory):
    """Makes the recorder of one book; the environment names its database, schema and role."""

    def __init__(self, env: Any) -> None:
        BaseInfrastructureFactory.__init__(self, env)
        self.datastore = BookDatastore(
            conninfo=self.env.get("BOOK_CONNINFO") or "",
            schema=self.env.get("BOOK_SCHEMA") or "",
            role=self.env.get("BOOK_ROLE") or "",
            pool_size=int(self.env.get("BOOK_POOL_SIZE") or "8"),
        )

    @override
    def application_recorder(self) -> BookRecorder:
        """The recorder; its table is `events`, whatever the application is called."""
        return BookRecorder(self.datastore)

    @override
    def env_create_table(self) -> bool:
        """Tables come from migrations alone."""
        return False


def _columns(rows: Sequence[StoredEvent]) -> tuple[bytes, ...]:
    """Rows as arrays, sorted by stream against deadlocks; `ord` keeps their order in the save."""
    ordered = sorted(enumerate(rows), key=_by_stream)
    return (
        UuidArray.of(cast("UUID", row.originator_id) for _, row in ordered),
        Int8Array.of(row.originator_version for _, row in ordered),
        TextArray.of(row.topic for _, row in ordered),
        ByteaArray.of(row.state for _, row in ordered),
        Int4Array.of(place for place, _ in ordered),
    )


def _keys(rows: Sequence[StoredEvent]) -> frozenset[Key]:
    return frozenset((cast("UUID", row.originator_id), row.originator_version) for row in rows)


def _by_stream(numbered: tuple[int, StoredEvent]) -> tuple[int, int]:
    row = numbered[1]
    return cast("UUID", row.originator_id).int, row.originator_version


_INSERT: Final = """
INSERT INTO {book}.events (originator_id, originator_version, topic, state, ord)
SELECT r.* FROM
  (SELECT {book}.admit(%b::timestamptz, %b::uuid[], %b::int8[])) AS admitted,
  unnest(%b::uuid[], %b::int8[], %b::text[], %b::bytea[], %b::int4[]) AS r
"""

_SKIP_TAKEN: Final = """
ON CONFLICT (originator_id, originator_version) DO NOTHING
RETURNING originator_id, originator_version
"""

_SELECT_STREAMS: Final = """
SELECT e.originator_id, e.originator_version, e.topic, e.state
  FROM unnest(%b::uuid[], %b::int8[]) AS known(stream, version)
 CROSS JOIN LATERAL (
    SELECT * FROM {book}.events e
     WHERE e.originator_id = known.stream AND e.originator_version > known.version
     ORDER BY e.originator_id, e.originator_version) AS e
"""

_SELECT_SEALED: Final = """
SELECT s.position, e.originator_id, e.originator_version, e.topic, e.state
  FROM {book}.sealed s JOIN {book}.events e USING (originator_id, originator_version)
 WHERE s.position BETWEEN %(first)s AND %(last)s
   AND (cardinality(%(topics)s::text[]) = 0 OR e.topic = ANY(%(topics)s::text[]))
 ORDER BY s.position LIMIT %(limit)s
"""

_MAX_POSITION: Final = "SELECT max(position) + 1 AS max FROM {book}.sealed"
