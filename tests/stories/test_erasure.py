"""A player is forgotten: the key goes, nothing readable is left, and the log verifies (G10)."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from psycopg.sql import SQL, Identifier
from structlog.testing import capture_logs

from ledger.domain import commands as cmd
from ledger.domain.events import ContoOpened
from ledger.domain.ids import conto_stream
from ledger.domain.money import Currency
from ledger.domain.refusals import Fault
from ops.cluster import binary
from ops.vault import Vault
from tests.house import House, order

HOLDER = {"name": "Zoë Forlì-Marangoni", "birth-date": "1979-12-24", "nickname": "Скворец"}


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    """A vault outside of the database."""
    return Vault(tmp_path / "vault")


def opening(vault: Vault, **changes: str) -> cmd.OpenConto:
    """The command that opens the holder's conto, always under the same id."""
    fields = vault.protect("anna-1", HOLDER | changes)
    command = order(cmd.OpenConto, player="anna-1", currency=Currency.EUR, personal=fields)
    return command.model_copy(update={"id": UUID(int=7)})


def traces(text: bytes) -> set[str]:
    """Which of the holder's data stand in a text, plain or as the database writes bytes."""
    forms = {value: (value.encode(), value.encode().hex().encode()) for value in HOLDER.values()}
    return {value for value, found in forms.items() if any(form in text for form in found)}


def everything(house: House, cluster_log: Path) -> Iterator[bytes]:
    """All that a thief could carry away: every table, a new dump, the server's log."""
    with house.as_superuser() as connection:
        tables = connection.execute(
            "SELECT schemaname, tablename FROM pg_tables WHERE schemaname !~ '^(pg_|information)'"
        ).fetchall()
        for schema, table in tables:
            query = SQL("SELECT t::text FROM {}.{} t").format(Identifier(schema), Identifier(table))
            yield from (row[0].encode() for row in connection.execute(query).fetchall())
    yield subprocess.run(
        [binary("pg_dump"), "--dbname", house.conninfo, f"--schema={house.book}"],
        capture_output=True,
        check=True,
        timeout=120,
        env={"PATH": os.defpath},
    ).stdout
    yield cluster_log.read_bytes()


def test_g10_after_the_key_is_destroyed_nothing_personal_is_left_and_the_log_verifies(
    house: House, vault: Vault, home: Path
) -> None:
    """Before and after: the book holds ciphertext alone, and after the key is gone, for ever."""
    with capture_logs() as logs:
        assert house.ask(opening(vault)).refusal is None
        house.deposit("anna-1", 50_00)
        house.play(house.session("anna-1", 20_00))
        house.service.take_snapshot(conto_stream("anna-1"))
        house.seal()
        opened = house.service.history(conto_stream("anna-1"))[0].event
        assert isinstance(opened, ContoOpened)
        assert vault.reveal("anna-1", opened.personal) == HOLDER
        assert vault.destroy("anna-1")
    left = b"\n".join(everything(house, home / "postgres" / "server.log"))
    left += repr(logs).encode() + b"".join(p.read_bytes() for p in vault.folder.iterdir())
    assert opened.personal[0].ciphertext.encode().hex().encode() in left
    assert traces(left) == set()
    assert vault.reveal("anna-1", opened.personal) is None
    assert house.verify() == ()
    assert house.deposit("anna-1", 1_00).refusal is None


def test_g3_a_conto_opened_twice_by_the_same_command_is_recognised(
    house: House, vault: Vault
) -> None:
    """No digest of a plain value is kept, and the same data is still the same content."""
    first = house.ask(opening(vault))
    assert house.ask(opening(vault)).to_bytes() == first.to_bytes()
    assert house.ask(opening(vault, nickname="Стриж")).refusal == "command-conflict"


def test_g10_what_goes_wrong_says_nothing_personal(house: House, vault: Vault, home: Path) -> None:
    """Refusals, faults and the server's log hold no name, not even of a save that failed."""
    house.ask(opening(vault))
    fields = vault.protect("anna-1", HOLDER)
    refused = house.ask(
        order(cmd.OpenConto, player="anna-1", currency=Currency.EUR, personal=fields)
    )
    with house.as_superuser() as connection:
        connection.execute("ALTER TABLE events ADD CHECK (ord < 0) NOT VALID")
    with pytest.raises(Fault) as fault:
        house.ask(order(cmd.OpenConto, player="bruno-2", currency=Currency.EUR, personal=fields))
    said = f"{refused.message} {refused.document()} {fault.value} {fault.value.__cause__}"
    log = (home / "postgres" / "server.log").read_bytes()
    assert refused.refusal == "conto-already-open"
    assert traces(said.encode() + log) == set()
