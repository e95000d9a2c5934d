"""Parts as text of one width: the same characters on every screen, in every file."""

import io
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from rich.box import HORIZONTALS
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from workers.reports.parts import Fixed, Heading, NewPage, Paragraph, Part, Table

WIDTH: Final = 120
"""Columns, whatever the screen has."""

_UNDER: Final = {1: "=", 2: "-"}


def plain(parts: Sequence[Part]) -> str:
    """The parts one below the other; characters that would command a terminal are made harmless."""
    file = io.StringIO()
    console = Console(
        file=file,
        width=WIDTH,
        force_terminal=False,
        color_system=None,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
        _environ={},
    )
    for part in parts:
        for printed in _printed(part):
            console.print(printed)
    lines = [line.rstrip() for line in file.getvalue().split("\n")]
    return "\n".join(lines).strip("\n") + "\n"


def _printed(part: Part) -> Iterator[Text | Grid]:
    match part:
        case Heading():
            yield Text(f"\n{_harmless(part.text)}\n{_UNDER[part.level] * len(part.text)}")
        case Paragraph():
            yield Text(f"{_harmless(part.text)}\n")
        case Fixed():
            yield Text("\n".join(map(_harmless, part.lines)) + "\n", no_wrap=True)
        case Table():
            yield _grid(part)
        case NewPage():
            yield Text("\n" + "=" * WIDTH)


def _grid(part: Table) -> Grid:
    grid = Grid(box=HORIZONTALS, show_header=any(part.columns), expand=False, safe_box=False)
    for name in part.columns:
        side: Literal["left", "right"] = "right" if name.endswith(">") else "left"
        grid.add_column(name.removesuffix(">"), justify=side, overflow="fold")
    for row in part.rows:
        grid.add_row(*(Text(_harmless(cell)) for cell in row))
    return grid


def _harmless(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)
