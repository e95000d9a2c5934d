"""What commands print and how they end: tables for people, JSON for machines, exit codes."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Annotated, Any, Final, Literal, NoReturn

import orjson
import typer
from rich.console import Console
from rich.table import Table

from ledger.answers import Answer
from ledger.domain.refusals import NOTHING_WRITTEN, Code, Refusal

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document for machines.")]

WIDE: Final = 200
"""Columns where no person's screen sets them: tables in a file or pipe are not cut."""


def _console(*, stderr: bool) -> Console:
    """A console that prints texts as they are: names may hold what a markup would take for its."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else WIDE
    return Console(
        stderr=stderr, width=width, highlight=False, markup=False, emoji=False, soft_wrap=True
    )


out = _console(stderr=False)
err = _console(stderr=True)


class Exit(IntEnum):
    """Exit codes of every command."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    FAULT = 3
    FOUND = 4
    """A verification or check found something wrong."""


def warn(sentence: str) -> None:
    """Tell a person what did not happen, and why."""
    err.print(sentence, style="red")


def clean(text: str) -> str:
    """A text in which nothing can command a terminal or break a document."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def print_json(document: object) -> None:
    """Print one JSON document on one line."""
    text = orjson.dumps(_encodable(document), option=orjson.OPT_SORT_KEYS).decode()
    typer.echo(text)


def _encodable(value: Any) -> Any:
    """The document with texts that UTF-8 can hold: arguments may come in any bytes."""
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {key: _encodable(each) for key, each in value.items()}
    return [_encodable(each) for each in value] if isinstance(value, list) else value


def emit(document: object, human: Callable[[], None], *, as_json: bool) -> None:
    """Print a document for machines, or call `human` to print for people."""
    if as_json:
        print_json(document)
    else:
        human()


def fields(document: Mapping[str, Any]) -> None:
    """Print a document's fields for people, one a line."""
    width = max(map(len, document))
    for name, value in document.items():
        out.print(f"{name.replace('_', ' '):>{width}}  {clean(listed(value))}")


def listed(value: Any) -> str:
    """A value of a field in words: lists with commas, nothing as a dash."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{k.replace('_', ' ')} {listed(v)}" for k, v in value.items()) or "-"
    if isinstance(value, list | tuple):
        return ", ".join(map(listed, value)) or "-"
    return "-" if value is None else str(value)


def answered(answer: Answer, sentence: str, *, as_json: bool) -> None:
    """Print an answer; end the command with a refusal's exit code when it is one."""
    if as_json:
        typer.echo(answer.to_bytes().decode())
    elif answer.refusal is None:
        out.print(clean(sentence))
    else:
        warn(clean(f"Refused ({answer.refusal}): {answer.message} {NOTHING_MOVED}"))
    if answer.refusal is not None:
        raise typer.Exit(Exit.REFUSED)


NOTHING_MOVED: Final = "No money moved."


UNREADABLE: Final = frozenset({Code.MALFORMED, Code.AMOUNT_TOO_LARGE})
"""Refusals of what could not be read at all: they are wrong input, and never on record."""


def refuse(refusal: Refusal, *, as_json: bool) -> NoReturn:
    """Print a refusal of what was never a command, and end."""
    document = {"code": refusal.code.value, "message": refusal.message}
    if as_json:
        print_json({"accepted": False, "refusal": document})
    else:
        warn(clean(f"Refused ({refusal.code}): {refusal.message} {NOTHING_WRITTEN}"))
    raise typer.Exit(Exit.USAGE if refusal.code in UNREADABLE else Exit.REFUSED)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """A table for people; columns whose name ends in `>` are aligned right."""
    made = Table(title=title, title_justify="left")
    for name in columns:
        side: Literal["left", "right"] = "right" if name.endswith(">") else "left"
        made.add_column(name.rstrip(">"), justify=side, overflow="fold")
    for row in rows:
        made.add_row(*(clean(listed(cell)) for cell in row))
    return made
