"""`quote` and `advise`: rounds that are recorded nowhere, and no wait for what a book needs."""

import sys
from collections.abc import Iterator
from typing import Annotated, Any, BinaryIO

import typer

from games import registry
from games.documents import TEXT_MAX, quote_lines
from games.engine import Advise, Quote, Rulebook, SheetReader
from games.sheets import SheetFile
from ledger.domain.refusals import Refusal
from ops.cli.inputs import document_of
from ops.cli.output import Json, emit, fields, out, refuse, table

app = typer.Typer(add_completion=False)

Sheet = Annotated[str, typer.Argument(help="A sheet's id; `contoposta sheets` lists them.")]


Version = Annotated[
    int | None,
    typer.Option("--version", min=1, help="A version of the sheet.", show_default="the newest"),
]


def game_of(sheet: str, version: int | None = None) -> tuple[SheetFile, Rulebook[Any]]:
    """A packaged version of a sheet, the newest where none is named, and its rulebook."""
    versions = {s.version: s for s in registry.PACKAGED if s.sheet == sheet}
    if not versions:
        known = ", ".join(dict.fromkeys(s.sheet for s in registry.PACKAGED))
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
    _answer_lines(judge, found, game)


@app.command(epilog="Example: contoposta advise deuces-wild "
             """'{"coins":5,"hand":["2h","9d","4c","Kh","9s"]}'""")  # fmt: skip
def advise(
    sheet: Sheet,
    document: Annotated[
        str, typer.Argument(help="A JSON document, @FILE, or - for one on each line of input.")
    ],
    *,
    version: Version = None,
    as_json: Json = False,
) -> None:
    """Tell what each way to go on is worth exactly, the best one first.

    With - answers are JSON, one a line.
    """
    found, game = game_of(sheet, version)
    if game.advise is None:
        raise typer.BadParameter(f"A player of {sheet} has nothing to choose after the bet.")
    if document == "-":
        return _answer_lines(game.advise, found, game)
    asked = document_of(document)
    wrong = isinstance(asked, Refusal)
    answer = asked if wrong else game.advise(game.engine, found.text, asked)
    if isinstance(answer, Refusal):
        refuse(answer, as_json=as_json)
    return emit(answer, lambda: _print_advice(answer), as_json=as_json)


def _print_advice(answer: dict[str, Any]) -> None:
    """What the answer says of all ways together, and a row for each of them."""
    ways = answer["ways"]
    fields({name: told for name, told in answer.items() if name not in {"accepted", "ways"}})
    columns = [name if isinstance(told, list) else f"{name}>" for name, told in ways[0].items()]
    out.print(table("Ways to go on", columns, [tuple(way.values()) for way in ways]))


def _answer_lines(answer: Quote[Any] | Advise[Any], found: SheetFile, game: Rulebook[Any]) -> None:
    """Answer the documents on standard input, one a line."""
    for line in quote_lines(answer, game.engine, found.text, _lines(sys.stdin.buffer)):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()  # whoever asks through a pipe waits for this answer


def _for_account(account: str, sheet: SheetFile, game: Rulebook[Any]) -> Quote[Any]:
    """The game's quote for documents that need not name their account type."""
    known = game.accounts(game.engine.read_sheet(sheet.text))
    if account not in known:
        told = f"its account types are {', '.join(known)}" if known else "it has no account types"
        raise typer.BadParameter(f"{sheet.sheet} knows no such --account; {told}.")

    def judge(engine: SheetReader, sheet_text: str, document: object) -> dict[str, Any]:
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
