"""`up`, `down`, `status`, `migrate`, `adopt`: the services and the tables that everything needs."""

from typing import Annotated, Any

import psycopg
import typer

from ledger.seal import sealer as seal
from ops import bootstrap, clock, embedded, migrate as migrations, signing_keys
from ops.cli.inputs import Reason
from ops.cli.output import Json, emit, fields, out
from ops.cli.wiring import desk, settings
from ops.settings import Settings

app = typer.Typer(add_completion=False)

RolesOnly = Annotated[
    bool,
    typer.Option(
        "--roles-only", help="Make nothing but the book's roles, which a restored dump refers to."
    ),
]


@app.command(epilog="Example: contoposta up")
def up(*, as_json: Json = False) -> None:
    """Start the embedded PostgreSQL, unless a database is set; done twice it changes nothing."""
    embedded.up(settings())
    status(as_json=as_json)


@app.command(epilog="Example: contoposta down")
def down(*, as_json: Json = False) -> None:
    """Stop the embedded PostgreSQL; its data stay."""
    stopped = embedded.down(settings())
    word = "stopped" if stopped else "was not running"
    emit({"stopped": stopped}, lambda: out.print(f"The embedded database {word}."), as_json=as_json)


@app.command(epilog="Example: contoposta status --json")
def status(*, as_json: Json = False) -> None:
    """Tell what runs, how far the book is sealed, and what waits."""
    document = _status()
    emit(document, lambda: fields(document), as_json=as_json)


def _status() -> dict[str, Any]:
    given = settings()
    document: dict[str, Any] = {"book": given.book, "clock": given.clock}
    if given.database_url is None:
        server = embedded.status(given)
        document |= {"database": "embedded", "pid": server.pid, "data": str(server.data)}
    else:
        document |= {"database": "set by CONTOPOSTA_DATABASE_URL"}
    try:
        with bootstrap.connected(given) as connection:
            last = seal.latest(connection, given.book)
            lag = seal.lag(connection, given.book)
    except psycopg.Error as error:
        return document | {"serving": False, "why": _why(error, given)}
    sealed = {"sealed": last.size if last else 0, "root": last.root.hex() if last else None}
    return document | sealed | {"serving": True, "waiting": lag.waiting, "held_by": lag.blocker}


def _why(error: psycopg.Error, given: Settings) -> str:
    """Why the book does not answer, in a sentence."""
    said = (str(error).splitlines() or ["no answer"])[0]
    if "does not exist" in said and f'"{given.book}' in said:
        return f"there is no book {given.book} here yet; run: contoposta migrate"
    return said


@app.command(epilog="Example: contoposta migrate")
def migrate(*, roles_only: RolesOnly = False, as_json: Json = False) -> None:
    """Make or update the book's tables, roles and queues, its signing key; open it with its sheets.

    Queues are made in the database that is set, where neither a broker nor results are set.
    """
    document = _roles(settings()) if roles_only else _migrated(settings())
    emit(document, lambda: fields(document), as_json=as_json)


def _roles(given: Settings) -> dict[str, Any]:
    made = migrations.make_roles(embedded.database_conninfo(given), given.book)
    return {"roles_made": list(made)}


def _migrated(given: Settings) -> dict[str, Any]:
    clock.clock_of(given)()  # a clock that cannot be read is named before anything is made
    applied = migrations.migrate(embedded.database_conninfo(given), given.book)
    embedded.install_broker(given)
    with bootstrap.connected(given) as connection:
        signing_keys.check_signing_key(given, connection)
        is_sealed = seal.latest(connection, given.book) is not None
    return {
        "applied": list(applied),
        "signing_key_made": not is_sealed and signing_keys.make_signing_key(given),
        "opened": desk().open_book(given.book, given.clock).refusal is None,
        "published": list(desk().publish_packaged()),
    }


@app.command(epilog='Example: contoposta adopt --reason "restored after the fire of 3 May"')
def adopt(*, reason: Reason, as_json: Json = False) -> None:
    """Let this database cluster go on with a book that was restored into it."""
    given = settings()
    epoch = migrations.adopt(embedded.database_conninfo(given), given.book, reason)
    document = {"adopted": epoch is not None, "epoch": epoch}
    sentence = f"Adopted as epoch {epoch}." if epoch else "The book is at home in this cluster."
    emit(document, lambda: out.print(sentence), as_json=as_json)
