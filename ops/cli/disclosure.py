"""The options by which personal data leaves the book with a file: by right, for whom and why."""

from typing import Annotated
from uuid import UUID

import typer

from ops.cli.inputs import sentence_of
from ops.cli.wiring import desk, settings
from ops.disclosing import Disclosure
from ops.settings import SettingsError

WithPersonalData = Annotated[
    bool, typer.Option("--with-personal-data", help="Names too, by right and on record.")
]
Recipient = Annotated[
    str | None,
    typer.Option(parser=sentence_of, metavar="TEXT", help="Who receives personal data."),
]
Why = Annotated[
    str | None,
    typer.Option("--reason", parser=sentence_of, metavar="TEXT", help="Why; it is on record."),
]


def disclosure_of(
    asked: bool,  # noqa: FBT001 - the flag as it was typed
    recipient: str | None,
    reason: str | None,
    command: tuple[str, UUID],
) -> Disclosure | None:
    """What the options ask, by an actor and the id of a command; None for pseudonyms alone.

    Raises `SettingsError` where this installation may not disclose.
    """
    if asked is not bool(recipient and reason):
        raise typer.BadParameter(
            "Give --recipient and --reason with --with-personal-data, and with nothing else."
        )
    if not (recipient and reason):
        return None
    if settings().disclosure != "on-record":
        raise SettingsError(
            "CONTOPOSTA_DISCLOSURE is never, so that no personal data leaves this book: set it to "
            "on-record where whoever runs this may disclose it."
        )
    actor, command_id = command
    at = desk(actor)
    return Disclosure(at.head(command_id), recipient, reason, at.vault)
