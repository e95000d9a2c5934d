"""Our recorder is a recorder of the library: it passes the cases that the library ships.

Ids do not exist at a save by nature, for order comes from the sealer; the recorder under test seals
at once and answers with the positions that its events were given.
"""

import sys
import time
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import ApplicationRecorder, StoredEvent
from typing_extensions import override

from ledger.seal.sealer import Sealer
from ledger.store.recorder import BookDatastore, BookRecorder
from tests.house import signing_key

# The cases' module imports the library's AES cipher, which needs a package that nothing here uses.
CIPHER = ModuleType("eventsourcing.cipher")
CIPHER.AESCipher = None  # type: ignore[attr-defined]
sys.modules.setdefault(CIPHER.__name__, CIPHER)

from eventsourcing.tests import persistence as shipped  # noqa: E402 - after what it imports

PATIENCE_SECONDS = 60


class SealingRecorder(BookRecorder):
    """A recorder that seals after each save and returns one id for each of its events."""

    @override
    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        super().insert_events(stored_events, **kwargs)
        keys = [(e.originator_id, e.originator_version) for e in stored_events]
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(ids := self._ids(keys)) < len(keys):
            assert time.monotonic() < deadline
            self._seal()
        return ids

    def _seal(self) -> None:
        book = self.datastore.schema
        key = signing_key(book)
        with self.datastore.get_connection() as connection:
            Sealer(book, key.name, key).seal_all(connection)

    def _ids(self, keys: list[tuple[Any, int]]) -> list[int]:
        with self.datastore.get_connection() as connection:
            query = f"""
                SELECT position + 1 AS id FROM {self.datastore.schema}.sealed
                  JOIN unnest(%s::uuid[], %s::int8[]) AS k(stream, version)
                    ON (originator_id, originator_version) = (stream, version)
                 ORDER BY position"""
            values = ([k for k, _ in keys], [v for _, v in keys])
            return [row["id"] for row in connection.execute(query, values)]


class _WithBook:
    """Gives each case a fresh book; the pool's login may act in every role."""

    @pytest.fixture(autouse=True)
    def _given_book(self, database, book):
        role = f"{book}_writer"
        self.datastore = BookDatastore(database, book, role, 20)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(f"GRANT {book}_sealer TO {role}")
        yield
        self.datastore.close()

    def create_recorder(self):
        return SealingRecorder(self.datastore)


class TestShippedCasesOfAnApplicationRecorder(
    _WithBook, shipped.ApplicationRecorderTestCase[ApplicationRecorder]
):
    """The library's cases for application recorders hold."""


class TestShippedCaseOfIdsInOrder(_WithBook, shipped.NonInterleavingNotificationIDsBaseCase):
    """The library's case for ids of saves made side by side holds."""


class TestShippedCasesOfAnAggregateRecorder(_WithBook, shipped.AggregateRecorderTestCase):
    """The library's cases for recorders that give no ids hold on the recorder as it is."""

    def create_recorder(self):
        """The recorder of the product."""
        return BookRecorder(self.datastore)
