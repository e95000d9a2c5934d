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
from ops.migrate import ROLES, adopt, migrate
from tests.house import House, at_house, bonus_order, play_order
from tests.program import Program, forking


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """The conninfo of a second, empty cluster."""
    folder = Path(tempfile.mkdtemp(prefix="contoposta-test-"))
    with temporary_cluster(folder / "home", with_broker=False) as conninfo:
        yield conninfo
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def clerk(elsewhere: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """The program, set to the second cluster."""
    home = tmp_path_factory.mktemp("clerk")
    with forking(home) as forks:
        yield Program(home, forks, {"DATABASE_URL": elsewhere})


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


def restore(dumped: bytes, clerk: Program, book: str) -> None:
    """Load a dump into the clerk's cluster, its roles first."""
    roles = clerk.say("migrate", "--roles-only", BOOK=book)
    assert roles == {"roles_made": [f"{book}_{role}" for role in ROLES]}
    options = ("--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null")
    run("psql", clerk.settings["DATABASE_URL"], *options, given=dumped)


def contents(conninfo: str, book: str) -> list[tuple[Any, ...]]:
    """All rows of the log, in its order."""
    query = f"SELECT * FROM {book}.events ORDER BY epoch, xid, ord"
    with psycopg.connect(conninfo) as connection:
        return connection.execute(query).fetchall()


def test_g5_a_restored_book_refuses_writes_until_it_is_adopted_and_then_goes_on(
    house: House, elsewhere: str, clerk: Program
) -> None:
    """Ids of two clusters cannot be compared: a new epoch follows all that was restored."""
    seat = house.seat()
    played = play_order(seat)
    first = house.ask(played)
    house.seal()
    house.play(seat)  # saved and not sealed when the dump is made
    restore(dump(house), clerk, house.book)
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


def test_g5_a_book_is_restored_by_commands_alone_and_is_the_one_that_was_kept(
    house: House, clerk: Program, tmp_path: Path
) -> None:
    """Roles, dump, adopt, seal, verify: what was sealed before the dump has its root again."""
    house.play(house.seat())
    kept, key = tmp_path / "kept", tmp_path / "seal.key"
    sealed = house.seal()
    assert sealed is not None
    kept.write_text(sealed.note, encoding="utf-8")
    key.write_text(house.key.secret_text(), encoding="utf-8")
    book = {"BOOK": house.book, "ORIGIN": house.key.name, "SIGNING_KEY": str(key)}
    restore(dump(house), clerk, house.book)
    assert clerk.say("migrate", "--roles-only", **book) == {"roles_made": []}
    adopted = clerk.say("adopt", "--reason", "restored after the fire", **book)
    assert adopted == {"adopted": True, "epoch": 2}
    clerk.say("seal", **book)
    verdict = clerk.say("verify", "--kept", str(kept), **book)
    expected = (True, house.count(), sealed.root.hex())
    assert expected == (verdict["holds"], verdict["events"], verdict["root"])


def test_roles_alone_make_neither_tables_nor_keys(clerk: Program) -> None:
    """A dump brings its own schema, which must not stand there before; the key is not in it."""
    clerk.say("migrate", "--roles-only", BOOK="never_made")
    with psycopg.connect(clerk.settings["DATABASE_URL"]) as connection:
        made = connection.execute(
            "SELECT count(*), to_regnamespace('never_made') FROM pg_roles"
            " WHERE starts_with(rolname, 'never_made_') AND NOT rolcanlogin"
        ).fetchone()
    assert made == (len(ROLES), None)
    assert [] == [path for path in clerk.home.rglob("*") if path.suffix == ".key"]


def test_a_restored_book_can_be_migrated_and_guards_itself_as_before(
    house: House, elsewhere: str, clerk: Program
) -> None:
    """Roles, rights and triggers come back with the dump; no migration is applied again."""
    house.conto("anna-1", 5_00)
    house.seal()
    restore(dump(house), clerk, house.book)
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
