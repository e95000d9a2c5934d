"""Long tables as PDF draws them: each page is measured and drawn alone, under the columns' names.

The library's own tables make a paragraph of every cell, and 20,000 rows would take many minutes.
Here a cell is a text on as few lines as its column needs, and a row that is higher than a page goes
on on the next one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from reportlab.lib.colors import HexColor
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.platypus import Flowable

from workers.reports.parts import Table, fitted

Cells = tuple[tuple[str, ...], ...]
"""The cells of a row, each as its lines."""

SANS: Final = "DejaVuSans"
BOLD: Final = "DejaVuSans-Bold"
SMALL: Final = 7.0
"""The size of letters; points, as are all lengths here."""
SMALLEST: Final = 5.5
"""That of a table whose words would not fit otherwise."""
GREY: Final = HexColor(0x555555)

_BETWEEN: Final = 2.0
"""What a line is higher than its letters."""
_PADDING: Final = 3.0
"""On the left and the right of a cell."""
_ABOVE: Final = 1.5
"""Above and below it."""
_LINES_MAX: Final = 30
"""Most lines of a row that stand together: so many find room on every page."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """What every piece of a table shares: its columns, and the size of its letters."""

    head: Cells
    widths: tuple[int, ...]
    right: tuple[bool, ...]
    """Which columns are aligned right."""
    size: float

    def height_of(self, cells: Cells) -> float:
        """How high a row is."""
        return max(map(len, cells)) * (self.size + _BETWEEN) + 2 * _ABOVE


class Ruled(Flowable):  # type: ignore[misc] # reportlab ships no types
    """A table or the rest of it: as many of its rows as a page has room for are drawn there."""

    def __init__(self, shape: _Shape, rows: Sequence[Cells]) -> None:
        super().__init__()
        self.shape, self.rows = shape, rows

    def wrap(self, _: float, height: float) -> tuple[float, float]:
        """Its width and its height, or more than there is where the page has no room for all."""
        self.fitting, self.height = self._fit(height)
        self.width = float(sum(self.shape.widths))
        return self.width, self.height if self.fitting == len(self.rows) else height + 1

    def split(self, _: float, height: float) -> list[Any]:
        """What the page has room for, and the rest; nothing where it has room for no row."""
        fitting, _height = self._fit(height)
        if not fitting:
            return []
        parts = (self.rows[:fitting], self.rows[fitting:])
        return [Ruled(self.shape, rows) for rows in parts if rows]

    def _fit(self, height: float) -> tuple[int, float]:
        """How many rows find room below the head, and how high head and rows are."""
        used = self.shape.height_of(self.shape.head)
        for count, row in enumerate(self.rows):
            more = self.shape.height_of(row)
            if used + more > height:
                return count, used
            used += more
        return len(self.rows), used

    def draw(self) -> None:
        """The head with its line, and the rows with theirs."""
        self.canv.setStrokeColor(GREY)
        top = self._row(self.shape.head, self.height, BOLD)
        self._rule(top, 0.8)
        for row in self.rows:
            top = self._row(row, top, SANS)
            self._rule(top, 0.2)

    def _row(self, cells: Cells, top: float, font: str) -> float:
        """Draw a row; where it ends."""
        left, text, size = 0.0, self.canv.beginText(), self.shape.size
        text.setFont(font, size)
        for lines, width, right in zip(cells, self.shape.widths, self.shape.right, strict=True):
            baseline = top - _ABOVE - size
            for line in filter(None, lines):
                before = width - _PADDING - _length(line, font, size) if right else _PADDING
                text.setTextOrigin(left + before, baseline)
                text.textOut(line)
                baseline -= size + _BETWEEN
            left += width
        self.canv.drawText(text)
        return top - self.shape.height_of(cells)

    def _rule(self, at: float, thickness: float) -> None:
        self.canv.setLineWidth(thickness)
        self.canv.line(0, at, self.width, at)


def ruled(table: Table, width: float) -> Ruled:
    """A table that is at most so wide; its fonts must be registered."""
    right = tuple(name.endswith(">") for name in table.columns)
    names = tuple(name.removesuffix(">") for name in table.columns)
    columns = list(zip(names, *table.rows, strict=True))
    size, widths = _sized(columns, int(width))
    shape = _Shape(_lines(names, widths, (BOLD, size)), widths, right, size)
    return Ruled(shape, [piece for row in table.rows for piece in _pieces(row, shape)])


def _sized(columns: Sequence[tuple[str, ...]], width: int) -> tuple[float, tuple[int, ...]]:
    """The size of letters, and the width of each column: only words that are too wide are cut."""
    wanted = _wanted(columns, SMALL)
    if sum(wanted) <= width:
        return SMALL, wanted
    words = [tuple(word for cell in cells for word in cell.split(" ")) for cells in columns]
    least = _wanted(words, SMALL)
    if sum(least) <= width:
        return SMALL, tuple(fitted(wanted, width, least))
    return SMALLEST, tuple(fitted(_wanted(words, SMALLEST), width))


def _wanted(columns: Sequence[tuple[str, ...]], size: float) -> tuple[int, ...]:
    """How wide each column is that has all of its texts on one line."""
    longest = (max(_length(text, BOLD, size) for text in texts) for texts in columns)
    return tuple(int(length + 2 * _PADDING) + 1 for length in longest)


@lru_cache(maxsize=4096)
def _length(text: str, font: str, size: float) -> float:
    return float(pdfmetrics.stringWidth(text, font, size))


def _pieces(row: tuple[str, ...], shape: _Shape) -> Iterator[Cells]:
    """A row, or parts of it that no page is too low for."""
    cells = _lines(row, shape.widths, (SANS, shape.size))
    for start in range(0, max(map(len, cells)), _LINES_MAX):
        yield tuple(lines[start : start + _LINES_MAX] for lines in cells)


def _lines(cells: tuple[str, ...], widths: tuple[int, ...], letters: tuple[str, float]) -> Cells:
    return tuple(
        _broken(" ".join(cell.split()), width - 2 * _PADDING, letters)
        for cell, width in zip(cells, widths, strict=True)
    )


def _broken(text: str, width: float, letters: tuple[str, float]) -> tuple[str, ...]:
    """A text on lines of a width, broken between words, and within one that is too long."""
    if _length(text, *letters) <= width:
        return (text,)
    lines = simpleSplit(text, *letters, width)
    return tuple(part for line in lines for part in _cut(line, width, letters))


def _cut(line: str, width: float, letters: tuple[str, float]) -> Iterator[str]:
    """Parts of a line that are no wider than that, of a character at least."""
    if _length(line, *letters) <= width:
        yield line
        return
    start = 0
    for stop in range(1, len(line) + 1):
        if stop - start > 1 and _length(line[start:stop], *letters) > width:
            yield line[start : stop - 1]
            start = stop - 1
    yield line[start:]
