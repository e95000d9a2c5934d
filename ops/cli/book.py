"""`seal`, `verify`, `maintenance`: the book as a whole."""

from datetime import UTC
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ledger.domain import commands as cmd
from ledger.seal import sealer as seal_tables
from ledger.seal.verify import Verdict
from ops import bootstrap
from ops.cli.inputs import CommandId, moment_of
from ops.cli.output import Exit, Json, answered, emit, err, out
from ops.cli.wiring import desk, settings

app = typer.Typer()
maintenance = typer.Typer(help="Notices of maintenance.", no_args_is_help=True)


def bar() -> Progress:
    """The progress bar of long work, on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), console=err, transient=True)


@app.command(epilog="Example: contoposta seal")
def seal(*, as_json: Json = False) -> None:
    """Give every committed event its position, and sign a checkpoint over them."""
    given = settings()
    with bootstrap.connected(given, "sealer") as connection, bar() as progress:
        waiting = seal_tables.lag(connection, given.book).waiting
        task = progress.add_task("sealing", total=waiting)
        sealed = bootstrap.sealer(given).seal_all(
            connection, lambda done: progress.update(task, completed=done)
        )
        last = seal_tables.latest(connection, given.book)
        lag = seal_tables.lag(connection, given.book)
    document = {
        "sealed": sealed,
        "size": last.size if last else 0,
        "root": last.root.hex() if last else None,
        "note": last.note if last else None,
        "waiting": lag.waiting,
        "held_by": lag.blocker,
    }
    emit(document, lambda: _print_seal(document), as_json=as_json)


def _print_seal(document: dict[str, Any]) -> None:
    out.print(f"Sealed {document['sealed']} events; the log has {document['size']}.")
    out.print(f"Root {document['root']}")
    if document["waiting"]:
        out.print(f"{document['waiting']} wait, held back by {document['held_by']}.")


@app.command(epilog="Example: contoposta verify --json")
def verify(*, as_json: Json = False) -> None:
    """Recompute everything from the rows; exit code 4 when anything is wrong."""
    given = settings()
    with bootstrap.connected(given) as connection, bar() as progress:
        last = seal_tables.latest(connection, given.book)
        task = progress.add_task("verifying", total=last.size if last else 0)
        verifier = bootstrap.verifier(given, connection)
        verifier.progress = lambda done: progress.update(task, completed=done)
        verdict = verifier.verify(bootstrap.trust(given))
    emit(_document(verdict), lambda: _print_verdict(verdict), as_json=as_json)
    if not verdict.holds:
        raise typer.Exit(Exit.FOUND)


def _document(verdict: Verdict) -> dict[str, Any]:
    findings = [{"check": f.check, "place": f.place, "found": f.found} for f in verdict.findings]
    return {
        "holds": verdict.holds,
        "events": verdict.events,
        "checkpoints": verdict.checkpoints,
        "rounds_judged": verdict.rounds,
        "root": verdict.root,
        "findings": findings,
    }


def _print_verdict(verdict: Verdict) -> None:
    out.print(
        f"{verdict.events} events, {verdict.checkpoints} checkpoints and {verdict.rounds} rounds "
        f"recomputed; root {verdict.root}."
    )
    for finding in verdict.findings:
        out.print(f"  {finding.check}: {finding.place}: {finding.found}", style="red")
    out.print("The book holds." if verdict.holds else f"{len(verdict.findings)} findings.")


@maintenance.command("announce", epilog="Example: contoposta maintenance announce "
                     '2026-12-01T02:00:00Z 2026-12-01T03:00:00Z --reason "new switch"')  # fmt: skip
def announce(
    starts: Annotated[str, typer.Argument(help="Such as 2026-12-01T02:00:00Z.")],
    ends: Annotated[str, typer.Argument(help="Such as 2026-12-01T03:00:00Z.")],
    *,
    reason: Annotated[str, typer.Option(help="What players are told.")],
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Announce that no session and no round begins between two moments."""
    command = cmd.AnnounceMaintenance(
        **desk().head(command_id),
        starts=moment_of(starts).astimezone(UTC),
        ends=moment_of(ends).astimezone(UTC),
        reason=reason,
    )
    answered(desk().handle(command), "The notice is published.", as_json=as_json)


@maintenance.command("end", epilog="Example: contoposta maintenance end 1")
def end(
    notice: Annotated[int, typer.Argument(min=1, help="The notice's number.")],
    *,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """End a notice before its time."""
    command = cmd.EndMaintenance(**desk().head(command_id), notice=notice)
    answered(desk().handle(command), "The notice is over.", as_json=as_json)
