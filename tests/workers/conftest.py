"""A fresh book for each test of the workers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.history import Casino, red, straight
from tests.workers.station import Station, station


@pytest.fixture
def casino(database: str, tmp_path: Path) -> Casino:
    """An open book with two published sheets."""
    return Casino(database, tmp_path)


@pytest.fixture
def works(casino: Casino) -> Iterator[Station]:
    """Anna at a table, and a queue without a worker yet."""
    session = casino.sit(casino.player("anna"))
    for _ in range(5):
        casino.play(session, 17, straight(17), red("5.00"))
    with station(casino) as made:
        yield made
