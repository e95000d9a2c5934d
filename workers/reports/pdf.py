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
    CondPageBreak,
    PageBreak,
    Paragraph as Flowing,
    Preformatted,
    SimpleDocTemplate,
    Spacer,
)

from workers.reports.parts import Fixed, Heading, NewPage, Paragraph, Part, Table
from workers.reports.ruled import BOLD, GREY, SANS, SMALL, ruled


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
    template.build(flowing or [Spacer(0, 0)], canvasmaker=partial(_Numbered, paper=paper))
    return file.getvalue()


class _Numbered(Canvas):  # type: ignore[misc] # reportlab ships no types
    """Pages that wait until the last one is laid out, for each says of how many it is one."""

    def __init__(self, *given: Any, paper: Paper, **more: Any) -> None:
        super().__init__(*given, **more)
        self._paper = paper
        self._waiting: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802 - the library's name
        """Put the page aside."""
        self._waiting.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        """Give every page its frame, and write the file."""
        pages = len(self._waiting)
        for number, page in enumerate(self._waiting, 1):
            self.__dict__.update(page)
            self._frame(f"{number} / {pages}")
            super().showPage()
        super().save()

    def _frame(self, place: str) -> None:
        """Draw what stands on every page, above and below its text."""
        width, height = self._pagesize
        top, bottom = height - _MARGIN, _MARGIN
        self.setFillColor(GREY)
        self.setFont(SANS, SMALL)
        self.drawString(_MARGIN, top - _LINE, self._paper.title)
        self.drawString(_MARGIN, bottom, self._paper.foot)
        self.drawRightString(width - _MARGIN, bottom, place)
        self.setFillColor(_RED)
        self.setFont(BOLD, SMALL)
        self.drawString(_MARGIN, top, self._paper.mark)


def _flowables(part: Part, width: float) -> list[Any]:
    match part:
        case Heading():
            return [CondPageBreak(_TOGETHER), Flowing(escape(part.text), _HEADINGS[part.level])]
        case Paragraph():
            return [Flowing(escape(part.text), _BODY)]
        case Fixed():
            most = int(width / pdfmetrics.stringWidth("0", _MONO, SMALL))
            text = Preformatted("\n".join(part.lines), _FIXED, maxLineLength=most, newLineChars="")
            return [text, Spacer(0, _GAP)]
        case Table():
            return [ruled(part, width), Spacer(0, _GAP)]
        case NewPage():
            return [PageBreak()]


@lru_cache
def _register_fonts() -> None:
    """Fonts with Latin and Cyrillic letters, card suits and lines of boxes."""
    for name in (SANS, BOLD, _MONO):
        pdfmetrics.registerFont(TTFont(name, _fonts() / f"{name}.ttf"))


def _fonts() -> Path:
    """Where a library of plots keeps its fonts; it is not imported for that."""
    library = find_spec("matplotlib")
    assert library is not None
    assert library.origin is not None
    return Path(library.origin).parent / "mpl-data" / "fonts" / "ttf"


_MONO: Final = "DejaVuSansMono"

_MARGIN: Final = 40.0
"""Points on every side, as are all lengths here."""
_BAND: Final = 24.0
_LINE: Final = 10.0
"""From the mark at the head of a page to the title below it."""
_FRAME: Final = 6.0
"""What a template of the library keeps free inside of its margins."""
_GAP: Final = 8.0
_TOGETHER: Final = 80.0
"""What a heading needs of a page, so that it is not left alone at its end."""
_SIZE: Final = 9.0

_RED: Final = HexColor(0xB00000)

_BODY: Final = ParagraphStyle("body", fontName=SANS, fontSize=_SIZE, leading=12, spaceAfter=5)
_FIXED: Final = ParagraphStyle("fixed", fontName=_MONO, fontSize=SMALL, leading=8.4)
_HEADINGS: Final = {
    1: ParagraphStyle("one", fontName=BOLD, fontSize=14, leading=18, spaceBefore=8, spaceAfter=8),
    2: ParagraphStyle("two", fontName=BOLD, fontSize=10, leading=14, spaceBefore=6, spaceAfter=4),
}
