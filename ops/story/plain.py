"""Parts as text of one width: the same characters on every screen, in every file."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from workers.reports.parts import Fixed, Heading, NewPage, Paragraph, Part, Table, fitted

WIDTH: Final = 120
"""Columns, whatever the screen has."""

_UNDER: Final = {1: "=", 2: "-"}
_GAP: Final = "  "


def plain(parts: Sequence[Part]) -> str:
    """The parts one below the other; characters that would command a terminal are made harmless."""
    lines = [_harmless(line).rstrip() for part in parts for line in _lines(part)]
    return "\n".join(lines).strip("\n") + "\n"


def _lines(part: Part) -> Iterator[str]:
    match part:
        case Heading():
            yield from ("", part.text, _UNDER[part.level] * len(part.text))
        case Paragraph():
            yield from (*_wrapped(part.text, WIDTH), "")
        case Fixed():
            yield from (*part.lines, "")
        case Table():
            yield from (*_table(part), "")
        case NewPage():
            yield from ("", "=" * WIDTH)


def _table(part: Table) -> Iterator[str]:
    right = [name.endswith(">") for name in part.columns]
    names = tuple(name.removesuffix(">") for name in part.columns)
    wanted = [max(map(len, cells)) for cells in zip(names, *part.rows, strict=True)]
    widths = fitted(wanted, WIDTH - len(_GAP) * (len(names) - 1))
    rule = "─" * (sum(widths) + len(_GAP) * (len(names) - 1))
    yield rule
    if any(names):
        yield from _row(names, widths, right)
        yield rule
    for row in part.rows:
        yield from _row(row, widths, right)
    yield rule


def _row(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> Iterator[str]:
    """The lines of a row: each cell is broken where it is too long for its column."""
    cells = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
    for pieces in zip_longest(*cells, fillvalue=""):
        sides = zip(pieces, widths, right, strict=True)
        yield _GAP.join(
            piece.rjust(width) if is_right else piece.ljust(width)
            for piece, width, is_right in sides
        )


def _wrapped(text: str, width: int) -> list[str]:
    """A text in lines of at most a width; names with hyphens stay whole where they fit."""
    return wrap(text, width, break_on_hyphens=False)


def _harmless(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)
