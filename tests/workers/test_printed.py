"""Reports as PDF: the card, every section, sums, and nothing cut without a word."""

import io
from datetime import UTC, date, datetime
from fractions import Fraction

from pypdf import PdfReader

from workers.reports.printed import ROWS_MAX, as_pdf
from workers.reports.table import Column, Field, Kind, Line, Report, Section

AT = datetime(2026, 10, 25, 23, 30, 1, tzinfo=UTC)
CARD = (
    Field("title", Kind.TEXT, "Large wins"),
    Field("clock", Kind.TEXT, "simulated"),
    Field("generated_at", Kind.INSTANT, AT),
    Field("checkpoint_size", Kind.COUNT, 12),
    Field("checkpoint_root", Kind.TEXT, "ab" * 32),
)
COLUMNS = (
    Column("nickname", Kind.TEXT),
    Column("amount", Kind.MONEY),
    Column("rtp_percent", Kind.PERCENT),
    Column("closed_on", Kind.DAY),
)


def text_of(content: bytes) -> str:
    """All text of a file."""
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)


def report(*lines: Line) -> Report:
    """A report with one section."""
    return Report(CARD, (Section("people-at-play", COLUMNS, lines),))


def test_a_report_is_printed_with_its_card_its_rows_and_its_sums():
    """Given a row and a total, then numbers and times are Italian, and texts are as they are."""
    cells = ("=Forlì, Иванов", -123456, Fraction(36, 37), date(2026, 10, 26))
    told = text_of(as_pdf(report(Line("row", cells), Line("total", (None, -123456, None, None)))))

    for expected in ("Large wins", "generated at", "26/10/2026 00:30:01", "people at play",
                     "=Forlì, Иванов", "-1234,56", "97,2973", "26/10/2026", "total",
                     "checkpoint 12, " + "ab" * 32, "simulated clock", "1 / 1"):  # fmt: skip
        assert expected in told, expected
    assert 2 == told.count("-1234,56")


def test_an_empty_section_says_no_activity_on_paper_too():
    """The words are the regulator's."""
    assert "No Activity" in text_of(as_pdf(report()))


def test_a_section_of_very_many_rows_is_cut_with_a_word_and_keeps_its_totals():
    """Given ten rows more than are printed, then the page says so, and the total is there."""
    rows = [Line("row", (f"n{n}", n, None, None)) for n in range(ROWS_MAX + 10)]
    told = text_of(as_pdf(report(*rows, Line("total", ("all", 777, None, None)))))

    assert f"n{ROWS_MAX - 1}" in told
    assert f"n{ROWS_MAX}\n" not in told
    assert "10 more rows are in the other files of this report." in told
    assert "7,77" in told


def test_g6_the_same_report_is_the_same_file():
    """Given it twice, then the same bytes."""
    rows = [Line("row", (f"n{n}", n, Fraction(n, 37), date(2026, 1, 1))) for n in range(100)]

    assert as_pdf(report(*rows)) == as_pdf(report(*rows))
