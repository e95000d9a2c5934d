"""What many tests need: a private database server for this process of the test run."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import pytest

from ops.embedded import temporary_cluster
from ops.migrate import migrate
from tests.house import House, opened_house


@pytest.fixture(scope="session")
def home() -> Iterator[Path]:
    """A data folder with a short path, deleted at the end."""
    folder = Path(tempfile.mkdtemp(prefix="contoposta-test-"))
    yield folder / "home"
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def cluster(home: Path) -> Iterator[str]:
    """The conninfo of this process's own embedded server, stopped at the end whatever happens."""
    with temporary_cluster(home) as conninfo:
        yield conninfo


@pytest.fixture(scope="session")
def database(cluster: str) -> str:
    """The superuser's conninfo of the database `contoposta`, queues and results included."""
    return cluster


@pytest.fixture
def book(database: str) -> str:
    """The name of a fresh book, migrated and empty; nothing of it is shared with another test."""
    name = f"t_{token_hex(6)}"
    migrate(database, name)
    return name


@pytest.fixture
def house(database: str, book: str) -> Iterator[House]:
    """A concession at work: the fresh book opened, its sheets published, service and sealer."""
    with opened_house(database, book) as concession:
        yield concession
