"""Celery's queues and results inside PostgreSQL, by PGMQ, when no broker is set (no guarantee).

They live in the book's database, in two schemas that a role of their own owns and that role may do
nothing else: a worker that holds its connection string cannot touch a book.
"""

from typing import LiteralString
from urllib.parse import quote, urlencode

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

ROLE = "contoposta_broker"
QUEUES = "pgmq"
RESULTS = "celery_results"


def install(conninfo: str) -> None:
    """Make the role, the queues' schema and the results' schema in this database, once.

    `conninfo` is of somebody who may create roles and schemas. All or nothing, safe to repeat and
    to run at the same time as another.
    """
    with psycopg.connect(conninfo) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [ROLE])
        _ensure_role(connection)
        _ensure_results(connection)
        if not _schema_exists(connection, QUEUES):
            _install_queues(connection)


def as_broker(conninfo: str) -> str:
    """The same database as the role that owns queues and results, for a login that may be it."""
    given = str(conninfo_to_dict(conninfo).get("options", ""))
    role = f"-c role={ROLE} -c search_path={RESULTS} -c idle_in_transaction_session_timeout=60s"
    return make_conninfo(conninfo, options=f"{given} {role}".strip())


def result_url(conninfo: str) -> str:
    """The result backend's URL for the database that a libpq string names.

    The host goes into the query string, where a socket's path survives.
    """
    named = conninfo_to_dict(conninfo)
    user, password, database = (str(named.pop(k, "")) for k in ("user", "password", "dbname"))
    credentials = quote(user, safe="") + (f":{quote(password, safe='')}" if password else "")
    query = urlencode({key: str(value) for key, value in named.items()}, quote_via=quote)
    return f"db+postgresql+psycopg://{credentials}@/{quote(database, safe='')}?{query}"


def _ensure_role(connection: psycopg.Connection) -> None:
    known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone()
    if known is None:
        for statement in (
            "CREATE ROLE {role} LOGIN NOINHERIT",
            "GRANT {role} TO CURRENT_USER",
            "ALTER ROLE {role} SET idle_in_transaction_session_timeout = '60s'",
            "ALTER ROLE {role} SET search_path = {results}",
        ):
            connection.execute(_named(statement))


def _ensure_results(connection: psycopg.Connection) -> None:
    if not _schema_exists(connection, RESULTS):
        connection.execute(_named("CREATE SCHEMA {results} AUTHORIZATION {role}"))


def _install_queues(connection: psycopg.Connection) -> None:
    """PGMQ's script run as the role, which needs the right to create a schema for that while."""
    database = sql.Identifier(connection.info.dbname)
    grant = sql.SQL("GRANT CREATE ON DATABASE {} TO {}").format(database, sql.Identifier(ROLE))
    revoke = sql.SQL("REVOKE CREATE ON DATABASE {} FROM {}").format(database, sql.Identifier(ROLE))
    connection.execute(grant)
    connection.execute(_named("SET LOCAL ROLE {role}"))
    # Imported here because it brings all of SQLAlchemy, a second that no other command needs.
    from pgmq.install import install_pgmq_from_sql  # noqa: PLC0415

    install_pgmq_from_sql(conn=connection)
    connection.execute("RESET ROLE")
    connection.execute(revoke)


def _schema_exists(connection: psycopg.Connection, name: str) -> bool:
    row = connection.execute("SELECT to_regnamespace(%s) IS NOT NULL", [name]).fetchone()
    return row == (True,)


def _named(statement: LiteralString) -> sql.Composed:
    """The statement with our role's and schema's names in it."""
    return sql.SQL(statement).format(role=sql.Identifier(ROLE), results=sql.Identifier(RESULTS))
