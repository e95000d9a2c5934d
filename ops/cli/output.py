"""What commands print and how they end: tables for people, JSON for machines, exit codes."""

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import Annotated, Any, NoReturn

import orjson
import typer
from rich.console import Console
from rich.table import Table

from ledger.answers import Answer
from ledger.domain.refusals import NOTHING_WRITTEN, Refusal

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document for machines.")]

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


class Exit(IntEnum):
    """Exit codes of every command."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    FAULT = 3
    FOUND = 4
    """A verification or check found something wrong."""


def print_json(document: object) -> None:
    """Print one JSON document on one line."""
    typer.echo(orjson.dumps(document, option=orjson.OPT_SORT_KEYS).decode())


def emit(document: object, human: Callable[[], None], *, as_json: bool) -> None:
    """Print a document for machines, or call `human` to print for people."""
    if as_json:
        print_json(document)
    else:
        human()


def answered(answer: Answer, sentence: str, *, as_json: bool) -> None:
    """Print an answer; end the command with a refusal's exit code when it is one."""
    if as_json:
        typer.echo(answer.to_bytes().decode())
    elif answer.refusal is None:
        out.print(sentence)
    else:
        err.print(f"Refused ({answer.refusal}): {answer.message} {NOTHING_MOVED}", style="red")
    if answer.refusal is not None:
        raise typer.Exit(Exit.REFUSED)


NOTHING_MOVED = "No money moved."


def refuse(refusal: Refusal, *, as_json: bool) -> NoReturn:
    """Print a refusal of what was never a command, and end."""
    document = {"code": refusal.code.value, "message": refusal.message}
    if as_json:
        print_json({"accepted": False, "refusal": document})
    else:
        err.print(f"Refused ({refusal.code}): {refusal.message} {NOTHING_WRITTEN}", style="red")
    raise typer.Exit(Exit.REFUSED)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """A table for people; columns whose name ends in `>` are aligned right."""
    made = Table(title=title, title_justify="left")
    for name in columns:
        made.add_column(name.rstrip(">"), justify="right" if name.endswith(">") else "left")
    for row in rows:
        made.add_row(*(str(cell) for cell in row))
    return made
