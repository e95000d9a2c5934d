"""Rows are only ever added: to every role by grant, to owner and superuser by trigger (G5)."""

import psycopg
import pytest

from tests.house import House

TABLES = ("events", "sealed", "checkpoints", "lineage", "day_closings")
COLUMNS = {"lineage": "reason", "day_closings": "day"}
SERVICES = ("writer", "sealer", "worker", "reader")
REFUSED = "42501"


@pytest.fixture
def sealed(house: House) -> House:
    """A book with sealed events and one closed day."""
    house.play(house.seat())
    checkpoint = house.seal()
    assert checkpoint is not None
    with house.connected("worker") as connection:
        connection.execute(
            f"INSERT INTO {house.book}.day_closings VALUES ('2026-03-01', '2026-03-01T23:00Z', %s)",
            (checkpoint.size,),
        )
    return house


def changes(table: str, book: str) -> list[str]:
    """The three ways to change what is there."""
    column = COLUMNS.get(table, "originator_version" if table == "events" else "ord")
    if table in ("events", "sealed"):
        column = "originator_version"
    return [
        f"UPDATE {book}.{table} SET {column} = {column}",
        f"DELETE FROM {book}.{table}",
        f"TRUNCATE {book}.{table} CASCADE",
    ]


def states_of(connection: psycopg.Connection, statements: list[str]) -> list[str | None]:
    """The SQLSTATE of each refusal; None where a statement was let through."""
    found: list[str | None] = []
    for statement in statements:
        try:
            with connection.transaction(force_rollback=True):
                connection.execute(statement)
            found.append(None)
        except psycopg.Error as error:
            found.append(error.sqlstate)
    return found


@pytest.mark.parametrize("role", [*SERVICES, "owner"])
def test_g5_no_role_may_change_or_remove_a_row(sealed: House, role: str) -> None:
    """UPDATE, DELETE and TRUNCATE are refused on every table of the log, to the owner too."""
    with sealed.connected(role) as connection:
        found = {t: states_of(connection, changes(t, sealed.book)) for t in TABLES}
    assert found == dict.fromkeys(TABLES, [REFUSED] * 3)


@pytest.mark.parametrize("setting", ["origin", "replica", "local"])
def test_g5_a_superuser_is_refused_too_even_as_a_replica(sealed: House, setting: str) -> None:
    """The triggers fire always, not only in an ordinary session."""
    with sealed.as_superuser() as connection:
        connection.execute(f"SET session_replication_role = {setting}")
        found = {t: states_of(connection, changes(t, sealed.book)) for t in TABLES}
    assert found == dict.fromkeys(TABLES, [REFUSED] * 3)


@pytest.mark.parametrize("role", [*SERVICES, "owner"])
def test_g5_no_role_of_a_service_may_drop_or_disable_a_guard(sealed: House, role: str) -> None:
    """Only the owner can, which verification finds."""
    statements = [
        f"ALTER TABLE {sealed.book}.events DISABLE TRIGGER ALL",
        f"DROP TRIGGER refuse_change ON {sealed.book}.events",
        f"DROP TABLE {sealed.book}.events CASCADE",
        "SET session_replication_role = replica",
    ]
    with sealed.connected(role) as connection:
        connection.execute(f"SET SESSION AUTHORIZATION {sealed.book}_{role}")
        found = states_of(connection, statements)
    owners = [None, None, None, REFUSED]
    assert found == (owners if role == "owner" else [REFUSED] * 4)


@pytest.mark.parametrize(
    ("role", "table"),
    [
        (role, table)
        for role in SERVICES
        for table in (*TABLES, "snapshots", "migrations")
        if (role, table)
        not in {
            ("writer", "events"),
            ("writer", "snapshots"),
            ("sealer", "sealed"),
            ("sealer", "checkpoints"),
            ("worker", "day_closings"),
            ("worker", "snapshots"),
        }
    ],
)
def test_g5_a_role_adds_rows_to_its_own_tables_alone(house: House, role: str, table: str) -> None:
    """Who writes does not seal, who seals does not write, who reads does neither."""
    with house.connected(role) as connection:
        found = states_of(connection, [f"INSERT INTO {house.book}.{table} DEFAULT VALUES"])
    assert found == [REFUSED]


INSERT = """
INSERT INTO {book}.events (originator_id, originator_version, topic, state, ord)
VALUES (gen_random_uuid(), 1, 'topic', '{{}}', {place})
"""
NOT_FIRST = "55000"


def save(house: House, place: int = 0) -> str:
    """The statement of a save of one row."""
    return INSERT.format(book=house.book, place=place)


def refusal_of(house: House, *statements: str) -> str | None:
    """The SQLSTATE that ends a writer's transaction of these statements; None when it commits."""
    with house.connected("writer") as connection:
        try:
            with connection.transaction():
                for statement in statements:
                    connection.execute(statement)
        except psycopg.Error as error:
            return error.sqlstate
    return None


def test_g4_a_second_save_in_a_transaction_is_refused(house: House) -> None:
    """A transaction is one save, so that a save is one place in the order of the book."""
    before = house.count()
    assert refusal_of(house, save(house), save(house, 1)) == NOT_FIRST
    assert house.count() == before


def test_g4_a_write_before_the_save_is_refused(house: House) -> None:
    """A transaction that took its id early would stand before what it had read."""
    snapshot = f"INSERT INTO {house.book}.snapshots VALUES (gen_random_uuid(), 1, 's', 's', 's')"
    assert refusal_of(house, snapshot, save(house)) == NOT_FIRST


def test_g4_a_save_after_one_that_was_rolled_back_to_a_savepoint_is_refused(house: House) -> None:
    """The transaction keeps the id that it took for the save that failed."""
    rolled_back = ("SAVEPOINT s", save(house), "ROLLBACK TO s")
    assert refusal_of(house, *rolled_back, save(house)) == NOT_FIRST


def test_g4_a_save_inside_a_savepoint_is_kept_whole(house: House) -> None:
    """A savepoint alone takes no id."""
    before = house.count()
    assert refusal_of(house, "SELECT 1", "SAVEPOINT s", save(house), "RELEASE s") is None
    assert house.count() == before + 1
