"""`tiles`: the sealed log as static files that anyone can serve, mirror and check."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.seal.notes import NoteError, VerifyingKey
from ledger.seal.tile_check import TilesVerdict, TreeTrust, check_tiles
from ledger.seal.tiles import folder
from ops import bootstrap
from ops.cli.inputs import note_of
from ops.cli.output import Exit, Json, emit, out
from ops.cli.progress import bar
from ops.cli.wiring import settings

app = typer.Typer(
    help="The sealed log as static files.", no_args_is_help=True, add_completion=False
)


def key_of(text: str) -> VerifyingKey:
    """A verifying key as `key show` prints it."""
    try:
        return VerifyingKey.parse(text)
    except NoteError as error:
        raise typer.BadParameter(
            f"{error} Give one line, as contoposta key show prints it."
        ) from None


Keys = Annotated[
    list[VerifyingKey],
    typer.Option(
        "--key",
        parser=key_of,
        metavar="KEY",
        default_factory=list,
        show_default=False,
        help="A verifying key to trust, of the log or of a witness. Repeatable.",
    ),
]

Witnessed = Annotated[
    list[str],
    typer.Option(
        "--witness",
        parser=note_of,
        metavar="FILE",
        default_factory=list,
        show_default=False,
        help="A checkpoint of this log that a witness kept. Repeatable.",
    ),
]


@app.command("publish", epilog="Example: contoposta tiles publish --out /srv/log")
def publish(
    target: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            file_okay=False,
            help="The folder; else that of CONTOPOSTA_TILES.",
        ),
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """Publish what is sealed as tiles: only what is new, and never a past that was rewritten."""
    given = settings()
    root = target or given.tiles
    if root is None:
        raise typer.BadParameter("Give a folder with --out, or set CONTOPOSTA_TILES.")
    with bootstrap.connected(given) as connection, bar() as progress:
        task = progress.add_task("publishing", total=None)
        publisher = bootstrap.publisher(given, connection, root)
        publisher.progress = lambda done: progress.update(task, completed=done)
        published = publisher.publish()
    document = {
        "folder": str(root),
        "size": published.size,
        "root": published.root.hex(),
        "entries": published.entries,
        "files": published.files,
    }
    sentence = f"Published {published.entries} events; {root} has {published.size} now."
    emit(document, lambda: out.print(sentence), as_json=as_json)


@app.command("check", epilog="Example: contoposta tiles check /srv/log --key KEY")
def check(
    root: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", exists=True, file_okay=False, help="A folder of tiles, or its mirror."
        ),
    ],
    *,
    keys: Keys,
    origin: Annotated[
        str | None, typer.Option("--origin", help="The log's name, as its checkpoint must say.")
    ] = None,
    witnessed: Witnessed,
    as_json: Json = False,
) -> None:
    """Recompute a published tree from its files alone; exit code 4 when anything is wrong.

    No setting is read and no database asked. Any key of the log leads to those that followed it;
    without one the tree is only held against itself.
    """
    if witnessed and not keys:
        raise typer.BadParameter("Give the key with --key that signed what the witness kept.")
    with bar() as progress:
        task = progress.add_task("checking", total=None)
        trust = TreeTrust(tuple(keys), origin, tuple(witnessed))
        verdict = check_tiles(
            folder(root), trust, lambda done: progress.update(task, completed=done)
        )
    emit(_document(verdict), lambda: _print(verdict), as_json=as_json)
    if not verdict.holds:
        raise typer.Exit(Exit.FOUND)


def _document(verdict: TilesVerdict) -> dict[str, Any]:
    return {
        "holds": verdict.holds,
        "origin": verdict.origin,
        "size": verdict.size,
        "root": verdict.root.hex(),
        "vouched": verdict.vouched,
        "kept": verdict.kept,
        "findings": [f.document() for f in verdict.findings],
    }


def _print(verdict: TilesVerdict) -> None:
    out.print(f"{verdict.size} events recomputed; root {verdict.root.hex()}.")
    for finding in verdict.findings:
        out.print(f"  {finding.check}: {finding.place}: {finding.found}", style="red")
    if not verdict.holds:
        out.print(f"{len(verdict.findings)} findings.")
    elif verdict.vouched:
        out.print(f"The tiles hold, and {verdict.origin} has signed them.")
    else:
        out.print("Self-consistent only: no key was given that vouches for them.")
