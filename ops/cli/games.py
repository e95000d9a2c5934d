"""`sheets`, `quote`, `rtp`, `refusals`: the rules, without touching a book."""

import sys
from fractions import Fraction
from typing import Annotated, Any

import typer

from games import registry
from games.documents import quote_lines
from games.engine import Game, Return
from games.sheets import SheetFile
from ledger.domain.refusals import Code
from ledger.domain.sheets import read_head, text_hash
from ops.cli.output import Json, emit, out, table

app = typer.Typer()

Sheet = Annotated[str, typer.Argument(help="A sheet's id; `contoposta sheets` lists them.")]


def _game(sheet: str) -> tuple[SheetFile, Game]:
    found = registry.SHEETS.get(sheet)
    if found is None:
        known = ", ".join(registry.SHEETS)
        raise typer.BadParameter(f"There is no sheet {sheet}; there are: {known}.")
    return found, registry.BY_ENGINE[read_head(found.text).engine]


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


@app.command(epilog="""Example: echo '{"bets":[{"numbers":[17],"amount":"1.00"}],"outcome":17}' """
             "| contoposta quote european-roulette-classic")  # fmt: skip
def quote(sheet: Sheet) -> None:
    """Judge rounds without recording them: one JSON document a line in, one answer a line out."""
    found, game = _game(sheet)
    for answer in quote_lines(game.quote, game.engine, found.text, sys.stdin.buffer):
        sys.stdout.write(answer + "\n")
        sys.stdout.flush() if sys.stdin.isatty() else None


@app.command(epilog="Example: contoposta rtp european-roulette-vip --json")
def rtp(sheet: Sheet, *, as_json: Json = False) -> None:
    """Print a sheet's exact theoretical return for each kind of bet."""
    found, game = _game(sheet)
    returns = game.returns(game.engine.read_sheet(found.text))
    rows = [_row(each) for each in returns]
    columns = ("bet", "return", "percent>", "deviation per unit>")
    made = table(f"{sheet} version {found.version}", columns, [tuple(r.values()) for r in rows])
    document = {"sheet": sheet, "version": found.version, "returns": rows}
    emit(document, lambda: out.print(made), as_json=as_json)


def _row(each: Return) -> dict[str, Any]:
    exact: Fraction = each.expected
    return {
        "kind": each.kind,
        "fraction": f"{exact.numerator}/{exact.denominator}",
        "percent": f"{float(exact * 100):.4f}",
        "deviation": f"{each.deviation:.6f}",
    }


@app.command(epilog="Example: contoposta refusals")
def refusals(*, as_json: Json = False) -> None:
    """List every refusal code, by precedence."""
    codes = [*(code.value for code in Code), *(code.value for code in registry.REFUSALS)]
    emit(codes, lambda: out.print("\n".join(codes)), as_json=as_json)
