"""The command line's assembly, and the one place where faults become exit codes."""

import sys

import psycopg
import typer
from pydantic import ValidationError

from ledger.domain.refusals import Fault
from ops.cli import book, contos, games, rounds, services, sessions, work
from ops.cli.output import Exit, err
from ops.cluster import ClusterError
from ops.logs import configure
from ops.migrate import MigrationError
from ops.settings import SettingsError

app = typer.Typer(
    help="The book of record of a remote-gaming concession.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
for part in (services, book, games, rounds, work):
    app.add_typer(part.app)
app.add_typer(contos.app, name="conto")
app.add_typer(sessions.app, name="session")
app.add_typer(rounds.rounds, name="round")
app.add_typer(work.reports, name="report")
app.add_typer(book.maintenance, name="maintenance")


def main() -> None:
    """Run one command; wrong settings and input end with 2, faults with 3, never a traceback."""
    configure()
    try:
        app()
    except SettingsError as error:
        _end(str(error), Exit.USAGE)
    except ValidationError as error:
        places = ", ".join(".".join(map(str, e["loc"])) for e in error.errors())
        _end(f"Refused (malformed): wrong at {places}. Nothing was written.", Exit.USAGE)
    except (Fault, ClusterError, MigrationError) as error:
        _end(f"{error} Nothing was decided; the same command may be given again.", Exit.FAULT)
    except psycopg.Error as error:
        why = (str(error).splitlines() or ["no answer"])[0]
        _end(f"The database does not serve: {why}. Try: contoposta up, then migrate.", Exit.FAULT)


def _end(sentence: str, code: Exit) -> None:
    err.print(sentence, style="red")
    sys.exit(code)
