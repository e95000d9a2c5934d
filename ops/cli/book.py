"""`seal`, `verify`, `maintenance`: the book as a whole, and packages that were exported of one."""

from datetime import datetime
from typing import Annotated, Any

import typer

from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.events import MaintenanceAnnounced
from ledger.seal import sealer as seal_tables
from ledger.seal.verify import Verdict
from ops import bootstrap
from ops.cli.inputs import CommandId, Reason, moment_of, note_of
from ops.cli.output import Exit, Json, answered, emit, out, table
from ops.cli.packages import (
    Keys,
    Origin,
    PackageFolder,
    PreviousFolder,
    Witnesses,
    trusted,
    verify_package,
)
from ops.cli.progress import bar
from ops.cli.wiring import desk, settings
from ops.signing_keys import check_signing_key

app = typer.Typer(add_completion=False)
maintenance = typer.Typer(
    help="Notices of maintenance.", no_args_is_help=True, add_completion=False
)


Moment = Annotated[
    datetime,
    typer.Argument(parser=moment_of, metavar="MOMENT", help="Such as 2026-12-01T02:00:00Z."),
]

Kept = Annotated[
    list[str],
    typer.Option(
        "--kept",
        parser=note_of,
        metavar="FILE",
        default_factory=list,
        show_default=False,
        help="A checkpoint that was kept: what seal --json printed, or the note in it. Repeatable.",
    ),
]


@app.command(epilog="Example: contoposta seal")
def seal(*, as_json: Json = False) -> None:
    """Give every committed event its position, and sign a checkpoint over them."""
    given = settings()
    with bootstrap.connected(given, "sealer") as connection, bar() as progress:
        check_signing_key(given, connection)
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


@app.command(epilog="Example: contoposta verify november --key example.com/book+1a2b3c4d+AY...")
def verify(  # noqa: PLR0913 - one option for each thing that comes from elsewhere
    folder: PackageFolder = None,
    *,
    kept: Kept,
    key: Keys,
    origin: Origin = None,
    witness: Witnesses,
    previous: PreviousFolder = None,
    as_json: Json = False,
) -> None:
    """Recompute the book from its rows, or a package from its files; exit code 4 on findings.

    A package is verified without any database or setting. Checkpoints that were kept elsewhere show
    that the log still is the one that was sealed then.
    """
    if folder is not None:
        if kept:
            raise typer.BadParameter("Give a package's checkpoint from elsewhere as --witness.")
        verify_package(folder, trusted(key, origin, witness, previous), as_json=as_json)
        return
    if key or origin or witness or previous:
        raise typer.BadParameter("Name the folder of a package, as in: contoposta verify november.")
    _verify_book(tuple(kept), as_json=as_json)


def _verify_book(kept: tuple[str, ...], *, as_json: bool) -> None:
    given = settings()
    with bootstrap.connected(given) as connection, bar() as progress:
        last = seal_tables.latest(connection, given.book)
        task = progress.add_task("verifying", total=last.size if last else 0)
        verifier = bootstrap.verifier(given, connection)
        verifier.progress = lambda done: progress.update(task, completed=done)
        verdict = verifier.verify(bootstrap.trust(given, kept))
        waiting = seal_tables.lag(connection, given.book).waiting
    document = _document(verdict) | {"waiting": waiting}
    emit(document, lambda: _print_verdict(verdict, waiting), as_json=as_json)
    if not verdict.holds:
        raise typer.Exit(Exit.FOUND)


def _document(verdict: Verdict) -> dict[str, Any]:
    return {
        "holds": verdict.holds,
        "events": verdict.events,
        "checkpoints": verdict.checkpoints,
        "rounds_judged": verdict.rounds,
        "root": verdict.root,
        "findings": [finding.document() for finding in verdict.findings],
    }


def _print_verdict(verdict: Verdict, waiting: int) -> None:
    out.print(
        f"{verdict.events} events, {verdict.checkpoints} checkpoints and {verdict.rounds} rounds "
        f"recomputed; root {verdict.root}."
    )
    for finding in verdict.findings:
        out.print(f"  {finding.check}: {finding.place}: {finding.found}", style="red")
    if waiting:
        out.print(f"{waiting} events are not sealed yet and were not read; run contoposta seal.")
    out.print("The book holds." if verdict.holds else f"{len(verdict.findings)} findings.")


@maintenance.command("announce", epilog="Example: contoposta maintenance announce "
                     '2026-12-01T02:00:00Z 2026-12-01T03:00:00Z --reason "new switch"')  # fmt: skip
def announce(
    starts: Moment,
    ends: Moment,
    *,
    command_id: CommandId,
    reason: Reason,
    as_json: Json = False,
) -> None:
    """Announce that no session and no round begins between two moments."""
    head = desk().head(command_id)
    command = cmd.AnnounceMaintenance(**head, starts=starts, ends=ends, reason=reason)
    answer = desk().handle(command)
    answered(answer, _number(answer), as_json=as_json)


def _number(answer: Answer) -> str:
    told = [e.event.notice for e in answer.entries if isinstance(e.event, MaintenanceAnnounced)]
    return f"Notice {told[0]} is published." if told else ""


@maintenance.command("end", epilog="Example: contoposta maintenance end 1")
def end(
    notice: Annotated[int, typer.Argument(min=1, help="The notice's number.")],
    *,
    command_id: CommandId,
    as_json: Json = False,
) -> None:
    """End a notice before its time."""
    command = cmd.EndMaintenance(**desk().head(command_id), notice=notice)
    answered(desk().handle(command), f"Notice {notice} is over.", as_json=as_json)


@maintenance.command("show", epilog="Example: contoposta maintenance show")
def show(*, as_json: Json = False) -> None:
    """List the notices that are not over."""
    now = desk().clock()
    rows = [
        {"notice": n.notice, "starts": n.starts.isoformat(), "ends": n.ends.isoformat()}
        for n in desk().maintenance().notices
        if n.ends > now
    ]
    made = table("Notices", ("notice>", "starts", "ends"), [tuple(row.values()) for row in rows])
    emit(rows, lambda: out.print(made), as_json=as_json)
