"""Books that the program itself made, for the tests of what people and machines operate."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program import Program, Shop, forking, opened_shop, simulated_shop

Forks = subprocess.Popen


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """One process that has imported the program, for all quick commands of this test run."""
    with forking(tmp_path_factory.mktemp("forks")) as process:
        yield process


@pytest.fixture(scope="module")
def program(forks: Forks, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The program where no book ever was."""
    return Program(tmp_path_factory.mktemp("empty") / "home", forks)


@pytest.fixture(scope="module")
def shop(home: Path, forks: Forks, cluster: str, tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """A book kept by the real clock, shared by the tests of a module."""
    return opened_shop(home, forks, cluster, tmp_path_factory.mktemp("shop"))


@pytest.fixture
def timed_shop(forks: Forks, cluster: str, tmp_path: Path) -> Shop:
    """A book of one test, kept by a simulated clock that stands at noon of 1 December 2026."""
    return simulated_shop(forks, cluster, tmp_path)
