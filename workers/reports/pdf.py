"""Pages as PDF: headings, paragraphs, tables and text of fixed width, the same bytes anywhere.

Nothing of the machine is in a file: reportlab's invariant mode writes neither clock nor random id,
the fonts come with the product, and streams are not compressed, since compressors differ.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    LongTable,
    PageBreak,
    Paragraph as Flowing,
    Preformatted,
    SimpleDocTemplate,
    Spacer,
)
from typing_extensions import override

from workers.reports.parts import Fixed, Heading, NewPage, Paragraph, Part, Table, fitted


@dataclass(frozen=True, slots=True)
class Paper:
    """What every page says, and how it lies."""

    title: str
    language: str
    """`it` or `en`."""
    mark: str = ""
    """Stands at the head of every page, such as that this is a replay."""
    foot: str = ""
    """Stands at the foot of every page, such as the checkpoint, before the page's number."""
    wide: bool = False
    """Whether the long side is the lower one."""


def pdf(paper: Paper, parts: Sequence[Part]) -> bytes:
    """The bytes of a PDF file with these parts; every page says of how many it is one."""
    _register_fonts()
    file = io.BytesIO()
    template = SimpleDocTemplate(
        file,
        pagesize=landscape(A4) if paper.wide else A4,
        leftMargin=_MARGIN,
        rightMargin=_MARGIN,
        topMargin=_MARGIN + _BAND,
        bottomMargin=_MARGIN + _BAND,
        title=paper.title,
        author="contoposta",
        lang=paper.language,
        invariant=1,
        pageCompression=0,
    )
    flowing = [each for part in parts for each in _flowables(part, template.width - 2 * _FRAME)]
    template.build(flowing or [Spacer(0, 0)], canvasmaker=partial(_Framed, paper))
    return file.getvalue()


class _Framed(Canvas):  # type: ignore[misc]  # the library ships no types
    """Lays every page aside, for each says of how many it is one: laying out twice takes longer."""

    def __init__(self, paper: Paper, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._paper = paper
        self._aside: list[dict[str, Any]] = []

    @override
    def showPage(self) -> None:
        """End a page: what it holds, and where it stands, is all that the library knows of it."""
        self._aside.append(dict(vars(self)))
        self._startPage()

    @override
    def save(self) -> None:
        """Draw what stands above and below the text of every page, and write the file."""
        for page in self._aside:
            self.__dict__.update(page)
            self._frame()
            super().showPage()
        super().save()

    def _frame(self) -> None:
        width, height = self._pagesize
        top, bottom = height - _MARGIN, _MARGIN
        self.saveState()
        self.setFillColor(_GREY)
        self.setFont(_SANS, _SMALL)
        self.drawString(_MARGIN, top - _LINE, self._paper.title)
        self.drawString(_MARGIN, bottom, self._paper.foot)
        number = f"{self.getPageNumber()} / {len(self._aside)}"
        self.drawRightString(width - _MARGIN, bottom, number)
        self.setFillColor(_RED)
        self.setFont(_BOLD, _SMALL)
        self.drawString(_MARGIN, top, self._paper.mark)
        self.restoreState()


def _flowables(part: Part, width: float) -> list[Any]:
    match part:
        case Heading():
            return [Flowing(escape(part.text), _HEADINGS[part.level])]
        case Paragraph():
            return [Flowing(escape(part.text), _BODY)]
        case Fixed():
            most = int(width / pdfmetrics.stringWidth("0", _MONO, _SMALL))
            text = Preformatted("\n".join(part.lines), _FIXED, maxLineLength=most, newLineChars="")
            return [text, Spacer(0, _GAP)]
        case Table():
            return [_table(part, width), Spacer(0, _GAP)]
        case NewPage():
            return [PageBreak()]


def _table(part: Table, width: float) -> Any:
    right = [name.endswith(">") for name in part.columns]
    names = tuple(name.removesuffix(">") for name in part.columns)
    rows = [_cells(names, right, _HEAD_CELLS), *(_cells(row, right, _CELLS) for row in part.rows)]
    columns = list(zip(names, *part.rows, strict=True))
    wanted = [max(map(_needed, cells)) for cells in columns]
    words = [max(_needed(word) for cell in cells for word in cell.split(" ")) for cells in columns]
    widths = fitted(wanted, int(width), words)
    return LongTable(rows, colWidths=widths, repeatRows=1, style=_LINES, hAlign="LEFT")


def _cells(row: Sequence[str], right: Sequence[bool], styles: tuple[Any, Any]) -> list[Any]:
    return [
        Flowing(escape(cell), styles[is_right]) for cell, is_right in zip(row, right, strict=True)
    ]


def _needed(cell: str) -> int:
    """Points that a cell takes on one line."""
    text: float = pdfmetrics.stringWidth(cell, _BOLD, _SMALL)
    return int(text + 2 * _PADDING) + 1


@lru_cache
def _register_fonts() -> None:
    """Fonts with Latin and Cyrillic letters, card suits and lines of boxes."""
    for name in (_SANS, _BOLD, _MONO):
        pdfmetrics.registerFont(TTFont(name, _fonts() / f"{name}.ttf"))


def _fonts() -> Path:
    """Where a library of plots keeps its fonts; it is not imported for that."""
    library = find_spec("matplotlib")
    assert library is not None
    assert library.origin is not None
    return Path(library.origin).parent / "mpl-data" / "fonts" / "ttf"


_SANS: Final = "DejaVuSans"
_BOLD: Final = "DejaVuSans-Bold"
_MONO: Final = "DejaVuSansMono"

_MARGIN: Final = 40.0
"""Points on every side, as are all lengths here."""
_BAND: Final = 24.0
_LINE: Final = 10.0
"""From the mark at the head of a page to the title below it."""
_FRAME: Final = 6.0
"""What a template of the library keeps free inside of its margins."""
_GAP: Final = 8.0
_PADDING: Final = 3.0
_SIZE: Final = 9.0
_SMALL: Final = 7.0

_GREY: Final = HexColor(0x555555)
_RED: Final = HexColor(0xB00000)

_BODY: Final = ParagraphStyle("body", fontName=_SANS, fontSize=_SIZE, leading=12, spaceAfter=5)
_FIXED: Final = ParagraphStyle("fixed", fontName=_MONO, fontSize=_SMALL, leading=8.4)
_HEADINGS: Final = {
    1: ParagraphStyle("one", fontName=_BOLD, fontSize=14, leading=18, spaceBefore=8, spaceAfter=8),
    2: ParagraphStyle("two", fontName=_BOLD, fontSize=10, leading=14, spaceBefore=6, spaceAfter=4),
}
_LEFT: Final = ParagraphStyle("cell", fontName=_SANS, fontSize=_SMALL, leading=9)
_HEAD: Final = ParagraphStyle("head", parent=_LEFT, fontName=_BOLD)


def _sides(style: ParagraphStyle) -> tuple[Any, Any]:
    """A style for cells that are aligned left, and the same for those aligned right."""
    return style, ParagraphStyle(f"{style.name}-right", parent=style, alignment=2)


_CELLS: Final = _sides(_LEFT)
_HEAD_CELLS: Final = _sides(_HEAD)
_LINES: Final = (
    ("LINEBELOW", (0, 0), (-1, 0), 0.8, _GREY),
    ("LINEBELOW", (0, 1), (-1, -1), 0.2, _GREY),
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    *((f"{side}PADDING", (0, 0), (-1, -1), _PADDING) for side in ("LEFT", "RIGHT")),
    *((f"{side}PADDING", (0, 0), (-1, -1), 1.5) for side in ("TOP", "BOTTOM")),
)
