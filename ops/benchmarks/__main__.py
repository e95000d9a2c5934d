"""`python -m ops.benchmarks`: one table of what was reached, beside its aims."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from ops.benchmarks.lines import as_table
from ops.benchmarks.run import Size, run, run_days
from ops.cli.output import Json, emit, err, out
from ops.collector import look_seldom


def main(
    seconds: Annotated[int, typer.Option(min=1, help="About how long to compare rounds.")] = 30,
    *,
    day: Annotated[
        list[int] | None,
        typer.Option(
            min=1, help="Measure whole days of so many rounds, and nothing else; repeatable."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare the book with the stock recorder on a private server, and print one table."""
    look_seldom()
    with tempfile.TemporaryDirectory(prefix="contoposta-bench-") as folder:
        home = Path(folder) / "home"
        lines = run_days(home, day, _tell) if day else run(home, Size.of(seconds), _tell)
    emit([line.document() for line in lines], lambda: out.print(as_table(lines)), as_json=as_json)


def _tell(what: str) -> None:
    err.print(f"  {what} ..")


if __name__ == "__main__":
    typer.run(main)
