"""What commands are given: read strictly, and refused with the name of the option at fault."""

import sys
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from games.documents import read_json
from ledger.domain.money import Currency, parse_amount
from ledger.domain.refusals import Refusal


def amount_of(text: str) -> int:
    """Minor units of an amount such as 12.50."""
    amount = parse_amount(text)
    if isinstance(amount, Refusal):
        raise typer.BadParameter(amount.message)
    return amount


def uuid_of(text: str) -> UUID:
    """A UUID in any of its spellings."""
    try:
        return UUID(text)
    except ValueError:
        raise typer.BadParameter("Give a UUID, as the command that made it printed it.") from None


def day_of(text: str) -> date:
    """A day such as 2026-11-30."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter("Give a day such as 2026-11-30.") from None


def moment_of(text: str) -> datetime:
    """A moment with its offset, such as 2026-11-30T09:00:00Z."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter("Give a moment such as 2026-11-30T09:00:00Z.") from None
    if moment.tzinfo is None:
        raise typer.BadParameter("Give the offset from UTC too, as in 2026-11-30T09:00:00Z.")
    return moment


def document_of(text: str) -> Any:
    """A JSON document given as text, as `@FILE`, or as `-` for standard input; or a refusal."""
    if text == "-":
        return read_json(sys.stdin.read())
    if text.startswith("@"):
        path = Path(text[1:])
        if not path.is_file():
            raise typer.BadParameter(f"There is no file {path}.")
        return read_json(path.read_bytes())
    return read_json(text)


Amount = Annotated[int, typer.Argument(parser=amount_of, metavar="AMOUNT", help="Such as 12.50.")]
SessionId = Annotated[UUID, typer.Argument(parser=uuid_of, metavar="SESSION", help="A UUID.")]
Player = Annotated[str, typer.Argument(help="The player's pseudonym, such as anna-1.")]
CommandId = Annotated[
    UUID | None,
    typer.Option(
        "--id", parser=uuid_of, metavar="UUID", help="Repeat a command with the id that it had."
    ),
]
Actor = Annotated[str, typer.Option("--actor", help="Who asks: it stands in the record.")]
CurrencyOption = Annotated[Currency, typer.Option("--currency", help="EUR or RUR.")]
