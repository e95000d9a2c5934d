"""Reports as PDF: the card, every section, sums, and nothing cut without a word."""

import io
from datetime import UTC, date, datetime
from fractions import Fraction

from pypdf import PdfReader

from workers.reports import printed
from workers.reports.printed import as_pdf
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


def test_every_row_of_a_long_section_is_printed_under_its_columns():
    """Given 600 rows and a total, then each is there, and every page has columns and its place."""
    rows = [Line("row", (f"n{n}.", n, None, None)) for n in range(600)]
    content = as_pdf(report(*rows, Line("total", ("all", 777, None, None))))

    pages = [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]
    words = "\n".join(pages).split()
    assert [f"n{n}." for n in range(600)] == [w for w in words if w[0] == "n" and w[-1] == "."]
    assert all("rtp percent" in page for page in pages)
    assert all(f"{n} / {len(pages)}" in page for n, page in enumerate(pages, 1))
    assert "7,77" in pages[-1]


def test_lines_that_are_left_out_are_told_by_their_places_and_totals_are_not_left_out(monkeypatch):
    """Given four rows and a total where two lines are printed, then lines 3 and 4 are named."""
    monkeypatch.setattr(printed, "ROWS_MAX", 2)
    rows = [Line("row", (f"n{n}.", n, None, None)) for n in range(1, 5)]
    told = " ".join(text_of(as_pdf(report(*rows, Line("total", (None, 10, None, None))))).split())

    assert (True, False, True) == ("n2." in told, "n3." in told, "0,10" in told)
    assert (
        "2 lines of this section are not printed here: those after line 2, up to line 4. All of "
        "them are in the CSV and JSON files of this report, in the section people-at-play."
    ) in told


def test_g6_the_same_report_is_the_same_file():
    """Given it twice, then the same bytes."""
    rows = [Line("row", (f"n{n}", n, Fraction(n, 37), date(2026, 1, 1))) for n in range(100)]

    assert as_pdf(report(*rows)) == as_pdf(report(*rows))
