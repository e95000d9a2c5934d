"""A fresh book for each test of the workers."""

from pathlib import Path

import pytest

from tests.workers.history import Casino


@pytest.fixture
def casino(database: str, tmp_path: Path) -> Casino:
    """An open book with two published sheets."""
    return Casino(database, tmp_path)
