"""`quote`: judge rounds without recording them, and without waiting for what a book needs."""

import sys
from collections.abc import Iterator
from typing import Annotated, BinaryIO

import typer

from games import registry
from games.documents import TEXT_MAX, quote_lines
from games.engine import Game
from games.sheets import SheetFile
from ledger.domain.sheets import read_head

app = typer.Typer(add_completion=False)

Sheet = Annotated[str, typer.Argument(help="A sheet's id; `contoposta sheets` lists them.")]


def game_of(sheet: str) -> tuple[SheetFile, Game]:
    """A packaged sheet and the game that plays it."""
    found = registry.SHEETS.get(sheet)
    if found is None:
        known = ", ".join(registry.SHEETS)
        raise typer.BadParameter(f"There is no sheet of this name; there are: {known}.")
    return found, registry.BY_ENGINE[read_head(found.text).engine]


@app.command(epilog="""Example: echo '{"bets":[{"numbers":[17],"amount":"1.00"}],"outcome":17}' """
             "| contoposta quote european-roulette-classic")  # fmt: skip
def quote(
    sheet: Sheet,
    *,
    as_json: Annotated[  # noqa: ARG001 - every command takes it
        bool, typer.Option("--json", help="Answers are JSON either way.", show_default=False)
    ] = True,
) -> None:
    """Judge rounds without recording them: one JSON document a line in, one answer a line out."""
    found, game = game_of(sheet)
    for answer in quote_lines(game.quote, game.engine, found.text, _lines(sys.stdin.buffer)):
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()  # whoever asks through a pipe waits for this answer


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream, none kept longer than what is too long for a document."""
    most = TEXT_MAX + 1
    while line := stream.readline(most):
        yield line
        while len(line) == most and not line.endswith(b"\n"):
            line = stream.readline(most)
