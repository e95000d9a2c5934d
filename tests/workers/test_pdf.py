"""Pages as PDF: what they say, on every page, in every script, and with the same bytes."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pypdf import PdfReader

from workers.reports.parts import Fixed, Heading, NewPage, Paragraph, Part, Table
from workers.reports.pdf import Paper, pdf

ROOT = Path(__file__).parent.parent.parent
PAPER = Paper("Replica della sessione", "it", mark="REPLICA", foot="checkpoint 12")
PARTS: tuple[Part, ...] = (
    Heading("Storia"),
    Paragraph("Un <b>testo</b> & così com'è: Forlì, Иванов, 7♠"),
    Fixed(("┌──┐", "│A♥│", "└──┘")),
    Table(("round", "amount>"), tuple((f"r-{n}", f"{n}.00") for n in range(120))),
    NewPage(),
    Heading("Fine", 2),
)


def pages(content: bytes) -> list[str]:
    """The text of each page of a file."""
    return [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]


def test_a_text_is_printed_as_it_is_in_every_script():
    """Given a text with markup, accents, Cyrillic and suits, when printed, then it reads back."""
    first = pages(pdf(PAPER, PARTS))[0]

    assert "Un <b>testo</b> & così com'è: Forlì, Иванов, 7♠" in first
    assert "│A♥│" in first


def test_every_page_has_the_mark_the_foot_and_its_number():
    """Given four pages, then each says what it is, from which checkpoint, and its place."""
    told = pages(pdf(PAPER, PARTS))

    assert 4 == len(told)
    for number, text in enumerate(told, 1):
        assert "REPLICA" in text
        assert "checkpoint 12" in text
        assert f"{number} / 4" in text


def test_a_table_repeats_its_columns_on_each_page_and_loses_no_row():
    """Given a table that is longer than a page, then columns come again and all rows are there."""
    told = pages(pdf(PAPER, PARTS))[:3]

    assert ["amount" in text for text in told] == [True, True, True]
    assert [f"r-{n}" for n in range(120)] == [
        word for text in told for word in text.split() if word.startswith("r-")
    ]


@pytest.mark.parametrize("wide", [False, True])
def test_a_table_wider_than_the_page_is_broken_inside_it(wide):
    """Given cells that no page is wide enough for, then all of their characters are printed."""
    cells = ("ab" * 60, "cd" * 60, "1.00")
    paper = Paper("t", "en", wide=wide)

    (text,) = pages(pdf(paper, [Table(("a", "b", "c>"), (cells,))]))

    assert (120, 120) == (
        text.count("a") + text.count("b") - 2,
        text.count("c") + text.count("d") - 1,
    )


def test_a_heading_is_never_left_alone_at_a_pages_end():
    """Given tables of some length, then on every page a row stands below the last heading."""
    parts: list[Part] = []
    for n in range(30):
        parts += (Heading(f"H{n}", 2), Table(("name",), (("row",),) * (n % 7 + 1)))

    told = [text.split() for text in pages(pdf(PAPER, parts))]

    assert len(told) > 3
    for words in told:
        heading = max((i for i, word in enumerate(words) if word[0] == "H"), default=-1)
        assert "row" in words[heading:]


def test_only_a_word_that_is_too_wide_is_cut():
    """Given more columns than a page has room for, then the long id is cut and no short word."""
    names = tuple(f"currency{n}" for n in range(10))
    cells = ("0123456789abcdef" * 4, *("returned" for _ in names[1:]))

    (text,) = pages(pdf(PAPER, [Table(names, (cells,))]))

    words = text.split()
    assert (list(names), 9) == (
        [w for w in words if w.startswith("curr")],
        words.count("returned"),
    )
    assert "0123456789abcdef" * 4 not in words


def test_a_row_that_is_higher_than_a_page_goes_on_on_the_next_one():
    """Given a cell of 2,000 words, then all of them are printed in their order beside the name."""
    words = [f"w{n}" for n in range(2_000)]

    told = pages(pdf(PAPER, [Table(("name", "text"), (("long", " ".join(words)),))]))

    assert len(told) > 1
    assert words == [w for text in told for w in text.split() if w[0] == "w" and w[1:].isdigit()]


def test_a_file_without_parts_is_a_page():
    """Given nothing to print, then the file is one page that says what it is."""
    (text,) = pages(pdf(PAPER, ()))

    assert "Replica della sessione" in text


def test_a_character_that_no_font_has_leaves_the_others_readable():
    """Given letters of scripts that the fonts lack, when printed, then the rest is there."""
    (text,) = pages(pdf(PAPER, [Paragraph("prima 漢字 🂡 dopo")]))

    assert "prima" in text
    assert "dopo" in text


_CHILD = """
import hashlib
from tests.workers.test_pdf import PAPER, PARTS
from workers.reports.pdf import pdf
print(hashlib.sha256(pdf(PAPER, PARTS)).hexdigest())
"""


def test_g6_the_same_content_is_the_same_bytes_under_other_settings():
    """Given two processes with other time zones, languages and hash seeds, then bytes are equal."""
    digests = set()
    for zone, language, seed in (("UTC", "C", "1"), ("Asia/Tokyo", "it_IT.UTF-8", "2")):
        settings = {"TZ": zone, "LC_ALL": language, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", _CHILD],
            env=os.environ | settings | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(done.stdout)

    assert 1 == len(digests)
