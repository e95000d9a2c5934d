"""`quote`: judge rounds without recording them, and without waiting for what a book needs."""

import sys
from collections.abc import Iterator
from typing import Annotated, Any, BinaryIO

import typer

from games import registry
from games.documents import TEXT_MAX, quote_lines
from games.engine import Game, Quote
from games.sheets import SheetFile
from ledger.domain.decider import Engine

app = typer.Typer(add_completion=False)

Sheet = Annotated[str, typer.Argument(help="A sheet's id; `contoposta sheets` lists them.")]


Version = Annotated[
    int | None,
    typer.Option("--version", min=1, help="A version of the sheet.", show_default="the newest"),
]


def game_of(sheet: str, version: int | None = None) -> tuple[SheetFile, Game]:
    """A packaged version of a sheet, the newest where none is named, and the game that plays it."""
    versions = {s.version: s for s in registry.PACKAGED if s.sheet == sheet}
    if not versions:
        known = ", ".join(registry.SHEETS)
        raise typer.BadParameter(f"There is no sheet of this name; there are: {known}.")
    found = versions.get(version or max(versions))
    if found is None:
        known = ", ".join(map(str, versions))
        raise typer.BadParameter(f"There is no such version of {sheet}; there are: {known}.")
    return found, registry.BY_ENGINE[found.engine]


@app.command(epilog="""Example: echo '{"bets":[{"numbers":[17],"amount":"1.00"}],"outcome":17}' """
             "| contoposta quote european-roulette-classic")  # fmt: skip
def quote(
    sheet: Sheet,
    *,
    version: Version = None,
    account: Annotated[
        str | None,
        typer.Option(help="The account type of documents that name none, such as VIP."),
    ] = None,
    as_json: Annotated[  # noqa: ARG001 - every command takes it
        bool, typer.Option("--json", help="Answers are JSON either way.", show_default=False)
    ] = True,
) -> None:
    """Judge rounds without recording them: one JSON document a line in, one answer a line out."""
    found, game = game_of(sheet, version)
    judge = game.quote if account is None else _for_account(account, found, game)
    for answer in quote_lines(judge, game.engine, found.text, _lines(sys.stdin.buffer)):
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()  # whoever asks through a pipe waits for this answer


def _for_account(account: str, sheet: SheetFile, game: Game) -> Quote:
    """The game's quote for documents that need not name their account type."""
    known = game.accounts(game.engine.read_sheet(sheet.text))
    if account not in known:
        told = f"its account types are {', '.join(known)}" if known else "it has no account types"
        raise typer.BadParameter(f"{sheet.sheet} knows no such --account; {told}.")

    def judge(engine: Engine, sheet_text: str, document: object) -> dict[str, Any]:
        named = {"account": account} | document if isinstance(document, dict) else document
        return game.quote(engine, sheet_text, named)

    return judge


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream, none kept longer than what is too long for a document."""
    most = TEXT_MAX + 1
    while line := stream.readline(most):
        yield line
        while len(line) == most and not line.endswith(b"\n"):
            line = stream.readline(most)
