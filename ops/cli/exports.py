"""`export`: audit packages of closed days, for those who check the book without us."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from ledger.domain.refusals import Refusal
from ledger.exports.folder import TakenError
from ledger.exports.package import Exported, Reveal
from ledger.exports.previous import Previous, PreviousError, read_previous
from ops import bootstrap, workers as wiring
from ops.cli.inputs import Actor, CommandId, content_of, day_of, sentence_of
from ops.cli.output import Json, emit, fields, refuse
from ops.cli.progress import bar
from ops.cli.wiring import CLERK, desk, settings
from ops.exporting import Disclosure, Wanted, export_days
from ops.settings import SettingsError
from ops.signing_keys import signing_keys

app = typer.Typer(add_completion=False)

MANIFEST_MAX = 64_000_000
"""Most bytes of a manifest that are read; one of ten years of days has some millions."""


def previous_of(text: str) -> Previous:
    """The package that a manifest is of."""
    try:
        return read_previous(content_of(Path(text), MANIFEST_MAX))
    except PreviousError as error:
        raise typer.BadParameter(str(error)) from None


Day = Annotated[
    date, typer.Option("--from", parser=day_of, metavar="DAY", help="The first business day.")
]
Last = Annotated[
    date, typer.Option("--to", parser=day_of, metavar="DAY", help="The last one, included.")
]
Out = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="The folder to make; it must not be there.")
]
After = Annotated[
    Previous | None,
    typer.Option(
        "--previous",
        parser=previous_of,
        metavar="MANIFEST",
        help="The manifest of the package before: this one names it and proves that it follows.",
    ),
]


Recipient = Annotated[
    str | None,
    typer.Option(parser=sentence_of, metavar="TEXT", help="Who receives personal data."),
]
Why = Annotated[
    str | None,
    typer.Option("--reason", parser=sentence_of, metavar="TEXT", help="Why; it is on record."),
]


@app.command(epilog="Example: contoposta export --from 2026-11-01 --to 2026-11-30 --out november")
def export(  # noqa: PLR0913 - one option for each thing that a package may have
    first: Day,
    last: Last,
    out: Out,
    *,
    command_id: CommandId,
    previous: After = None,
    with_personal_data: Annotated[
        bool, typer.Option("--with-personal-data", help="Names too, by right and on record.")
    ] = False,
    recipient: Recipient = None,
    reason: Why = None,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Write an audit package of closed days: it stands on its own, without this database.

    Players are pseudonyms. Their personal data is added where the installation may disclose it, for
    a recipient and a reason, and the book has it on record before.
    """
    if last < first:
        raise typer.BadParameter("The last day comes before the first; exchange --from and --to.")
    if with_personal_data is not bool(recipient and reason):
        raise typer.BadParameter(
            "Give --recipient and --reason with --with-personal-data, and with nothing else."
        )
    disclosure = None
    if recipient and reason:
        head = desk(actor).head(command_id)
        disclosure = Disclosure(head, recipient, reason, _allowed())
    with bar() as shown:
        task = shown.add_task("exporting", total=None)
        try:
            done = export_days(
                wiring.ports(settings()),
                signing_keys(settings()),
                Wanted(first, last, out, previous, disclosure),
                lambda events, of: shown.update(task, completed=events, total=of),
            )
        except (PreviousError, TakenError) as error:
            raise typer.BadParameter(str(error)) from None
    if isinstance(done, Refusal):
        refuse(done, as_json=as_json)
    document = _document(done, out)
    emit(document, lambda: fields(document), as_json=as_json)


def _allowed() -> Reveal:
    """How personal data is read, where this installation may disclose it."""
    if settings().disclosure != "on-record":
        raise SettingsError(
            "CONTOPOSTA_DISCLOSURE is never, so that no personal data leaves this book: set it to "
            "on-record where whoever runs this may disclose it."
        )
    return bootstrap.vault(settings()).reveal


def _document(done: Exported, out: Path) -> dict[str, object]:
    return {
        "folder": str(out),
        "files": done.files,
        "events": done.size - done.first,
        "first": done.first,
        "size": done.size,
        "root": done.root,
        "manifest_sha256": done.manifest_sha256,
    }
