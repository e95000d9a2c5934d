"""Migrations: roles, schema and numbered SQL files, each applied once and recorded in the book.

Run as a role that may create roles and schemas; services run as the book's own roles, which can
select and insert and nothing else. Identifiers reach the SQL through psycopg's composition alone.
"""

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, cast

import psycopg
from psycopg.sql import SQL, Composed, Identifier, Literal

ROLES: Final = ("owner", "writer", "sealer", "worker", "reader")
"""Each book has a role of its own for each: `<book>_owner` and so on, without login."""


class MigrationError(RuntimeError):
    """The book cannot be migrated; the sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered SQL file."""

    name: str
    text: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the text: an applied migration must never change."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def migrations() -> tuple[Migration, ...]:
    """All migrations in order of their numbers."""
    folder = files("ops.migrations")
    names = sorted(f.name for f in folder.iterdir() if f.name.endswith(".sql"))
    return tuple(Migration(n, (folder / n).read_text(encoding="utf-8")) for n in names)


def names_of(book: str) -> dict[str, Composed | Identifier | Literal]:
    """What the SQL files may refer to: the book's schema, its name as text, and its roles."""
    roles = {role: Identifier(f"{book}_{role}") for role in ROLES}
    return {"book": Identifier(book), "book_name": Literal(book), **roles}


def migrate(conninfo: str, book: str) -> tuple[str, ...]:
    """Bring a book's schema up to date; return the names of the migrations applied now.

    Safe to run twice and from several processes at once. Raises `MigrationError` when an applied
    file was changed since, and psycopg's errors when the database refuses.
    """
    with psycopg.connect(conninfo) as connection:
        _one_at_a_time(connection)
        _prepare(connection, book)
        applied = _applied(connection, book)
        fresh = [m for m in migrations() if _is_fresh(m, applied)]
        for migration in fresh:
            _apply(connection, book, migration)
        _record_lineage(connection, book)
    return tuple(m.name for m in fresh)


def _execute(connection: psycopg.Connection[Any], book: str, text: str, *values: Any) -> Any:
    query = SQL(cast("Any", text)).format(**names_of(book))
    return connection.execute(query, values or None)


def make_roles(conninfo: str, book: str) -> tuple[str, ...]:
    """Make the book's roles where they are missing; return the names of those made now.

    Roles stand outside of a dump: a restore into another cluster needs them first, then the dump,
    then `adopt`. Safe to run twice. Raises psycopg's errors when the database refuses.
    """
    with psycopg.connect(conninfo) as connection:
        _one_at_a_time(connection)
        return _make_roles(connection, book)


def _one_at_a_time(connection: psycopg.Connection[Any]) -> None:
    connection.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", ("contoposta-migrate",))


def _make_roles(connection: psycopg.Connection[Any], book: str) -> tuple[str, ...]:
    made = []
    for role in ROLES:
        name = f"{book}_{role}"
        found = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (name,))
        if found.fetchone() is None:
            _execute(connection, book, f"CREATE ROLE {{{role}}} NOLOGIN")
            made.append(name)
        _execute(connection, book, f"GRANT {{{role}}} TO CURRENT_USER")
        timeout = f"ALTER ROLE {{{role}}} SET idle_in_transaction_session_timeout = '5s'"
        _execute(connection, book, timeout)
    return tuple(made)


def _prepare(connection: psycopg.Connection[Any], book: str) -> None:
    _make_roles(connection, book)
    _execute(connection, book, "CREATE SCHEMA IF NOT EXISTS {book} AUTHORIZATION {owner}")
    _execute(connection, book, "REVOKE ALL ON SCHEMA {book} FROM PUBLIC")
    _execute(connection, book, "SET LOCAL ROLE {owner}")
    _execute(
        connection,
        book,
        "CREATE TABLE IF NOT EXISTS {book}.migrations "
        "(name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL)",
    )


def _applied(connection: psycopg.Connection[Any], book: str) -> dict[str, str]:
    rows = _execute(connection, book, "SELECT name, checksum FROM {book}.migrations")
    return dict(rows.fetchall())


def _is_fresh(migration: Migration, applied: dict[str, str]) -> bool:
    known = applied.get(migration.name)
    if known is not None and known != migration.checksum:
        raise MigrationError(
            f"{migration.name} was changed after it was applied; restore it and add a new file."
        )
    return known is None


def _apply(connection: psycopg.Connection[Any], book: str, migration: Migration) -> None:
    _execute(connection, book, migration.text)
    insert = "INSERT INTO {book}.migrations VALUES (%s, %s, now())"
    _execute(connection, book, insert, migration.name, migration.checksum)


def _record_lineage(connection: psycopg.Connection[Any], book: str) -> None:
    _execute(
        connection,
        book,
        "INSERT INTO {book}.lineage (epoch, system_identifier, opened_at, reason) "
        "SELECT 1, system_identifier::text, now(), 'first cluster' FROM pg_control_system() "
        "WHERE NOT EXISTS (SELECT FROM {book}.lineage)",
    )


def adopt(conninfo: str, book: str, reason: str) -> int | None:
    """Let this cluster go on with a restored book; return the new epoch, None when it has it.

    Transaction ids of two clusters cannot be compared: rows of a new epoch follow all older ones.
    """
    with psycopg.connect(conninfo) as connection:
        _execute(connection, book, "SET LOCAL ROLE {owner}")
        _execute(connection, book, "LOCK TABLE {book}.lineage IN EXCLUSIVE MODE")
        row = _execute(connection, book, _ADOPT, reason).fetchone()
        if row is None:
            return None
        epoch: int = row[0]
        default = "ALTER TABLE {book}.events ALTER COLUMN epoch SET DEFAULT " + str(epoch)
        _execute(connection, book, default)
    return epoch


_ADOPT: Final = """
INSERT INTO {book}.lineage (epoch, system_identifier, opened_at, reason)
SELECT l.epoch + 1, c.system_identifier::text, now(), %s
  FROM pg_control_system() c, (SELECT * FROM {book}.lineage ORDER BY epoch DESC LIMIT 1) l
 WHERE l.system_identifier <> c.system_identifier::text
RETURNING epoch
"""
