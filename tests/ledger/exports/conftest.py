"""One small casino with two exported days for all tests of packages; nobody changes it."""

import pytest

from tests.packages import Chain, Forgery, chain_at


@pytest.fixture(scope="session")
def chain(database: str, tmp_path_factory: pytest.TempPathFactory) -> Chain:
    """The packages of Monday and Tuesday."""
    return chain_at(database, tmp_path_factory.mktemp("chain"))


@pytest.fixture
def monday(chain: Chain, tmp_path) -> Forgery:
    """A copy of Monday's package, to be changed."""
    return Forgery.of(chain.monday, tmp_path)


@pytest.fixture
def tuesday(chain: Chain, tmp_path) -> Forgery:
    """A copy of Tuesday's package, to be changed."""
    return Forgery.of(chain.tuesday, tmp_path)
