"""Books that the program itself made, for the tests of what people and machines operate."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.program import Shop, opened_shop


@pytest.fixture(scope="module")
def shop(home: Path, cluster: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """A book kept by the real clock, shared by the tests of a module."""
    with opened_shop(home, cluster, tmp_path_factory.mktemp("shop")) as opened:
        yield opened


@pytest.fixture
def timed_shop(cluster: str, tmp_path: Path) -> Iterator[Shop]:
    """A book of one test, kept by a simulated clock that stands at noon of 1 December 2026."""
    (tmp_path / "clock").write_text(datetime(2026, 12, 1, 12, tzinfo=UTC).isoformat())
    settings = {"DATABASE_URL": cluster, "CLOCK": "simulated"}
    with opened_shop(tmp_path, cluster, tmp_path, **settings) as opened:
        yield opened
