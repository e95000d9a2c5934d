"""A book is dumped, restored into another cluster, adopted, and goes on (G3, G4, G5, G6)."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from ledger.domain import commands as cmd
from ledger.domain.ids import conto_stream, session_stream
from ledger.domain.refusals import Fault
from ops.cluster import binary
from ops.embedded import temporary_cluster
from ops.migrate import adopt, make_roles, migrate
from tests.house import House, at_house, bonus_order, play_order


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """The conninfo of a second, empty cluster."""
    folder = Path(tempfile.mkdtemp(prefix="contoposta-test-"))
    with temporary_cluster(folder / "home", with_broker=False) as conninfo:
        yield conninfo
    shutil.rmtree(folder)


def run(program: str, conninfo: str, *arguments: str, given: bytes = b"") -> bytes:
    """Run a PostgreSQL program against a database; what it wrote."""
    done = subprocess.run(
        [binary(program), "--dbname", conninfo, *arguments],
        input=given,
        capture_output=True,
        check=False,
        timeout=120,
        env={"PATH": os.defpath},
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def dump(house: House) -> bytes:
    """The book as SQL."""
    return run("pg_dump", house.conninfo, f"--schema={house.book}")


def restore(dumped: bytes, conninfo: str, book: str) -> None:
    """Load a dump into another cluster, its roles first."""
    make_roles(conninfo, book)
    run("psql", conninfo, "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null", given=dumped)


def contents(conninfo: str, book: str) -> list[tuple[Any, ...]]:
    """All rows of the log, in its order."""
    query = f"SELECT * FROM {book}.events ORDER BY epoch, xid, ord"
    with psycopg.connect(conninfo) as connection:
        return connection.execute(query).fetchall()


def test_g5_a_restored_book_refuses_writes_until_it_is_adopted_and_then_goes_on(
    house: House, elsewhere: str
) -> None:
    """Ids of two clusters cannot be compared: a new epoch follows all that was restored."""
    seat = house.seat()
    played = play_order(seat)
    first = house.ask(played)
    house.seal()
    house.play(seat)  # saved and not sealed when the dump is made
    restore(dump(house), elsewhere, house.book)
    assert contents(elsewhere, house.book) == contents(house.conninfo, house.book)
    with at_house(elsewhere, house.book) as restored:
        assert restored.ask(played).to_bytes() == first.to_bytes()
        before = restored.count()
        bonus = bonus_order(seat, 1_00)
        for ask in (restored.ask, lambda c: restored.service.handle_many([c], restored.now)):
            with pytest.raises(Fault, match="run: contoposta adopt"):
                ask(bonus)
        assert restored.count() == before
        assert adopt(elsewhere, house.book, "restored after the fire") == 2
        assert adopt(elsewhere, house.book, "asked for twice") is None
        _go_on(restored, bonus, before)


def _go_on(restored: House, bonus: cmd.GrantBonus, before: int) -> None:
    assert restored.ask(bonus).refusal is None
    for _ in range(3):
        assert restored.play(bonus.session).refusal is None
    restored.seal()
    verdict = restored.verdict()
    assert (verdict.findings, verdict.size) == ((), restored.count())
    epochs = [e for (e,) in restored.rows("SELECT epoch FROM sealed ORDER BY position")]
    assert epochs == [1] * before + [2] * (restored.count() - before)
    xids = restored.rows("SELECT epoch, max(xid)::text::int8 FROM sealed GROUP BY 1 ORDER BY 1")
    assert xids[0][0] < xids[1][0]


def test_a_restored_book_can_be_migrated_and_guards_itself_as_before(
    house: House, elsewhere: str
) -> None:
    """Roles, rights and triggers come back with the dump; no migration is applied again."""
    house.conto("anna-1", 5_00)
    house.seal()
    restore(dump(house), elsewhere, house.book)
    assert migrate(elsewhere, house.book) == ()
    adopt(elsewhere, house.book, "moved to a larger machine")
    with at_house(elsewhere, house.book) as restored:
        for role in ("owner", "writer"):
            with (
                restored.connected(role) as connection,
                pytest.raises(psycopg.errors.InsufficientPrivilege),
            ):
                connection.execute(f"DELETE FROM {house.book}.events")
        restored.deposit("anna-1", 1_00)
        assert restored.service.state(conto_stream("anna-1")).balance == 6_00
        restored.seal()
        assert restored.verify() == ()


def test_the_old_cluster_goes_on_as_it_was(house: House, elsewhere: str) -> None:
    """A dump changes nothing; adopting here is not needed and says so."""
    seat = house.seat()
    dump(house)
    assert adopt(house.conninfo, house.book, "not needed") is None
    assert house.play(seat).refusal is None
    assert house.service.state(session_stream(seat)).rounds == ()
