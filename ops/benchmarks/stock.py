"""The stock side: the library's own recorder with its default factory, under the same service.

Decisions, streams read, events, their bytes and the answers are the same on both sides, for both
run our `Service`; what differs is how rows are read and saved. The library reads one stream a call
and saves under a table lock with a notification.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Final, cast

import psycopg
from eventsourcing.postgres import PostgresApplicationRecorder
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier
from typing_extensions import override

from ledger.domain.events import AnyEntry
from ledger.domain.ids import StreamName, stream_key
from ledger.store.book import BookApplication, Store
from ledger.store.codec import Codec
from ledger.store.faults import Translated
from ledger.store.recorder import Admission, Key


class StockApplication(BookApplication):
    """The library's application over its own recorder, with our mapper."""

    env: ClassVar[dict[str, str]] = {"PERSISTENCE_MODULE": "eventsourcing.postgres"}


class StockStore(Store):
    """A store over the stock recorder, in a schema of its own."""

    checks_guards: ClassVar[bool] = False
    """So the service reads before each decision: nothing else would tell that a sheet changed."""

    def __init__(self, conninfo: str, schema: str, codec: Codec) -> None:
        super().__init__(conninfo, schema, codec)
        self._app.close()
        self._app = StockApplication(_environment(conninfo, schema, create=False), codec)

    @property
    def table(self) -> str:
        """Where the library keeps the events."""
        return f"{self._stock.datastore.schema}.{self._stock.events_table_name}"

    @property
    def _stock(self) -> PostgresApplicationRecorder:
        return cast("PostgresApplicationRecorder", self._app.recorder)

    @override
    def read(self, known: Mapping[StreamName, int]) -> Iterator[AnyEntry]:
        """The same streams as ours, each by the library's own statement."""
        with Translated():
            found = [self._stock.select_events(stream_key(s), gt=v) for s, v in known.items()]
        return map(self.codec.decode, chain.from_iterable(found))

    @override
    def save_many(self, entries: Sequence[AnyEntry], admission: Admission) -> frozenset[Key]:
        """One save of many commands' entries; the library cannot tell whose version was taken."""
        self.save(entries, admission)
        return frozenset()


def _environment(conninfo: str, schema: str, *, create: bool) -> dict[str, str]:
    given = conninfo_to_dict(conninfo)
    return {
        "POSTGRES_DBNAME": str(given["dbname"]),
        "POSTGRES_HOST": str(given["host"]),
        "POSTGRES_PORT": str(given["port"]),
        "POSTGRES_USER": str(given["user"]),
        "POSTGRES_PASSWORD": str(given.get("password", "")),
        "POSTGRES_SCHEMA": schema,
        "CREATE_TABLE": "y" if create else "n",  # two at once would trip over each other
    }


def make_schema(conninfo: str, schema: str, codec: Codec) -> None:
    """Make the stock side's schema with the tables that its recorder makes.

    The service looks for snapshots of a session that it has not read before: there are none.
    """
    with psycopg.connect(conninfo) as connection:
        for statement in _SCHEMA:
            connection.execute(SQL(cast("Any", statement)).format(schema=Identifier(schema)))
    StockApplication(_environment(conninfo, schema, create=True), codec).close()


_SCHEMA: Final = (
    "CREATE SCHEMA {schema}",
    """CREATE TABLE {schema}.snapshots (
        originator_id uuid, originator_version int8, shape text, state bytea, checksum bytea,
        PRIMARY KEY (originator_id, originator_version))""",
)
