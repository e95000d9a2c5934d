"""`sheets`, `rtp`, `refusals`: the rules, without touching a book."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from games import registry
from games.engine import Return, decimal_of, ratio_of
from ledger.domain.sheets import read_head, text_hash
from ops.cli.output import Json, emit, out, table
from ops.cli.quote import Sheet, Version, game_of

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: contoposta sheets --json")
def sheets(*, as_json: Json = False) -> None:
    """List the packaged rule sheets."""
    rows = [
        {
            "sheet": sheet.sheet,
            "version": sheet.version,
            "engine": read_head(sheet.text).engine,
            "currency": read_head(sheet.text).currency.value,
            "hash": text_hash(sheet.text),
        }
        for sheet in registry.PACKAGED
    ]
    columns = ("sheet", "version>", "engine", "currency", "hash")
    made = table("Rule sheets", columns, [tuple(row.values()) for row in rows])
    emit(rows, lambda: out.print(made), as_json=as_json)


Coins = Annotated[
    str | None,
    typer.Option("--coins", metavar="N", help="Enumerate the game with so many coins: seconds."),
]


PlayedBy = Annotated[
    str | None,
    typer.Option("--strategy", help="Enumerate the game as played so: best or printed."),
]


@app.command(epilog="Example: contoposta rtp deuces-wild --coins 5 --json")
def rtp(
    sheet: Sheet,
    *,
    coins: Coins = None,
    strategy: PlayedBy = None,
    version: Version = None,
    as_json: Json = False,
) -> None:
    """Print a sheet's exact theoretical return for each kind of bet.

    With --coins a video poker is enumerated in full under perfect play, with --strategy Live
    Blackjack under the best play or the printed strategy, with the frequency of each way that it
    goes; exit code 4 when the sheet declares otherwise.
    """
    found, game = game_of(sheet, version)
    asked = {"coins": coins, "strategy": strategy}
    options = {name: told for name, told in asked.items() if told is not None}
    if options:
        from ops.cli.study import study  # noqa: PLC0415 - it asks for settings, the table does not

        return study(found, game, options, as_json=as_json)
    returns = game.returns(game.engine.read_sheet(found.text))
    rows = [_row(each) for each in returns]
    columns = ("bet", "return", "percent>", "deviation per unit>")
    made = table(f"{sheet} version {found.version}", columns, [tuple(r.values()) for r in rows])
    document = {"sheet": sheet, "version": found.version, "returns": rows}
    return emit(document, lambda: out.print(made), as_json=as_json)


def _row(each: Return) -> dict[str, Any]:
    exact = each.expected
    return {
        "kind": each.kind,
        "fraction": ratio_of(exact),
        "percent": decimal_of(exact * 100, 4),
        "deviation": f"{each.deviation:.6f}",
    }


@app.command(epilog="Example: contoposta refusals")
def refusals(*, as_json: Json = False) -> None:
    """List every refusal code, the ledger's and the games', by precedence."""
    rows = [{"code": code.value, "whose": _whose(code)} for code in registry.RANKED]
    made = table("Refusals by precedence", ("code", "whose"), [tuple(r.values()) for r in rows])
    emit(rows, lambda: out.print(made), as_json=as_json)


def _whose(code: StrEnum) -> str:
    """The games that answer a code, which those of one table share; else the ledger."""
    books = registry.BY_ENGINE.values()
    games = [book.engine.game for book in books if isinstance(code, book.codes)]
    return ", ".join(games) or "ledger"
