"""`verify DIR`: a package held against itself and against what its reader has from elsewhere."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from games import registry
from ledger.exports.verifier import Trust, Verdict, verify
from ledger.seal.notes import NoteError, VerifyingKey
from ops.cli.inputs import note_of
from ops.cli.output import Exit, clean, emit, out, table
from ops.cli.progress import bar


def key_of(text: str) -> VerifyingKey:
    """A verifying key as it is handed out."""
    try:
        return VerifyingKey.parse(text)
    except NoteError:
        raise typer.BadParameter(
            "Give a verifying key as the house publishes it: name, hash and key, parted by +."
        ) from None


PackageFolder = Annotated[
    Path | None,
    typer.Argument(
        metavar="[DIR]", exists=True, file_okay=False, help="A package's folder; else the book."
    ),
]
Keys = Annotated[
    list[VerifyingKey],
    typer.Option(
        "--key",
        parser=key_of,
        metavar="VKEY",
        default_factory=list,
        show_default=False,
        help="A key to trust, from elsewhere than the package. Repeatable.",
    ),
]
Origin = Annotated[
    str | None, typer.Option("--origin", help="The name of the log that the package must be of.")
]
Witnesses = Annotated[
    list[str],
    typer.Option(
        "--witness",
        parser=note_of,
        metavar="NOTE",
        default_factory=list,
        show_default=False,
        help="A checkpoint that a witness or an older package has. Repeatable.",
    ),
]
PreviousFolder = Annotated[
    Path | None,
    typer.Option(
        "--previous",
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="The package before: it shows the opening balances and the rounds in play.",
    ),
]


def trusted(
    keys: list[VerifyingKey], origin: str | None, witnesses: list[str], previous: Path | None
) -> Trust:
    """What is given from elsewhere, with the second methods of all games."""
    return Trust(tuple(keys), origin, tuple(witnesses), previous, registry.AUDITS)


def verify_package(folder: Path, trust: Trust, *, as_json: bool) -> None:
    """Verify a package and tell what it proved; end with 4 when anything is wrong."""
    with bar() as shown:
        task = shown.add_task("verifying", total=None)
        verdict = verify(
            folder, trust, lambda done, of: shown.update(task, completed=done, total=of)
        )
    emit(_document(verdict), lambda: _print(verdict), as_json=as_json)
    if not verdict.holds:
        raise typer.Exit(Exit.FOUND)


def _document(verdict: Verdict) -> dict[str, Any]:
    return {
        "holds": verdict.holds,
        "first": verdict.first,
        "size": verdict.size,
        "root": verdict.root,
        "rounds_judged": verdict.rounds,
        "proved": list(verdict.proved),
        "taken": list(verdict.taken),
        "findings": [asdict(finding) for finding in verdict.findings],
        "more_findings": verdict.more,
    }


def _print(verdict: Verdict) -> None:
    for title, sentences in (("Proved", verdict.proved), ("Taken as given", verdict.taken)):
        if sentences:
            out.print(table(title, ("what",), [(sentence,) for sentence in sentences]))
    if verdict.findings:
        rows = [(f.check, f.place, f.found) for f in verdict.findings]
        out.print(table("Findings", ("check", "where", "what"), rows), style="red")
    if verdict.more:
        out.print(clean(f"{verdict.more} more findings are not told."))
    count = len(verdict.findings) + verdict.more
    out.print("The package holds." if verdict.holds else f"{count} findings.")
