"""`python -m ops.benchmarks`: one table of what was reached, beside its aims."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from ops.benchmarks.lines import as_table
from ops.benchmarks.run import Size, run
from ops.cli.output import Json, emit, err, out
from ops.collector import look_seldom


def main(
    seconds: Annotated[int, typer.Option(min=1, help="About how long to compare rounds.")] = 30,
    *,
    day: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Rounds of a day to reconcile and report; repeatable."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare the book with the stock recorder on a private server, and print one table."""
    look_seldom()
    with tempfile.TemporaryDirectory(prefix="contoposta-bench-") as folder:
        lines = run(
            Path(folder) / "home",
            Size.of(seconds, tuple(day or ())),
            lambda what: err.print(f"  {what} .."),
        )
    emit([line.document() for line in lines], lambda: out.print(as_table(lines)), as_json=as_json)


if __name__ == "__main__":
    typer.run(main)
