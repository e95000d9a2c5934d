"""The cells of reports in every profile, exactly (fault S20)."""

import csv
import io
from datetime import UTC, date, datetime
from fractions import Fraction

import orjson
import pytest

from workers.reports.render import as_json, italian_csv, machine_csv, percent
from workers.reports.table import Column, Field, Kind, Line, Report, Section

COLUMNS = (
    Column("nickname", Kind.TEXT),
    Column("amount", Kind.MONEY),
    Column("rounds", Kind.COUNT),
    Column("rtp", Kind.PERCENT),
    Column("day", Kind.DAY),
    Column("at", Kind.INSTANT),
)
AT = datetime(2026, 10, 25, 23, 30, 1, 250000, tzinfo=UTC)
DANGEROUS = ("=cmd|' /C calc'!A0", "+1", "@x", "-2+3", "\tx", "\rx", "\nx", " =1+1", "＝1", "＠x")
"""Formulas, also behind a blank, and in the wide signs that a spreadsheet reads like the others."""
GUESSED = (
    "22.5",
    "1-5",
    "3/4",
    "00123",
    "12:30",
    "1e5",
    "12345678901234567890",
    "2026-11-30",
    "1,5",
    "1e-5",
    "50%",
    "(5)",
    "5 €",
    "mar-5",
    "SET1",
    "1 dicembre 2026",
)
"""Texts that a spreadsheet would turn into a number, a date or a time."""


def report(*texts, amount=-1000):
    """A report with a line for each text."""
    lines = tuple(
        Line("row", (text, amount, 3, Fraction(36, 37), date(2026, 10, 26), AT)) for text in texts
    )
    return Report((Field("title", Kind.TEXT, "Title"),), (Section("people", COLUMNS, lines),))


def cells(content, separator):
    """The rows of a CSV file as a strict reader gives them."""
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    return list(csv.reader(text, delimiter=separator, strict=True))


@pytest.mark.parametrize("text", DANGEROUS)
def test_s20_text_that_begins_as_a_formula_is_plain_text_in_excel(text):
    """An apostrophe stands before it."""
    row = cells(italian_csv(report(text)), ";")[2]

    assert ["people", "row", "'" + text] == row[:3]


@pytest.mark.parametrize("text", GUESSED)
def test_s20_text_of_digits_stays_text_in_excel(text):
    """An apostrophe stands before it: no date is made of 1-5, and no zero lost of 00123."""
    row = cells(italian_csv(report(text)), ";")[2]

    assert ["people", "row", "'" + text] == row[:3]


@pytest.mark.parametrize(
    "text",
    [
        "anna-1",
        "marta-1",
        "settimo 7",
        "mar",
        "e5",
        "a=1",
        "n. 5",
        "6f1f7d4e-5a43",
        "",
        "Иванов 2",
        "5 euro",
    ],
)
def test_s20_text_that_nothing_is_made_of_is_left_alone(text):
    """Nothing is put before it."""
    assert text == cells(italian_csv(report(text)), ";")[2][2]


@pytest.mark.parametrize("text", [*DANGEROUS, *GUESSED, 'a;"b"\r\nc', "Forlì"])
def test_s20_machines_read_back_exactly_what_was_written(text):
    """Nothing is put before the text."""
    row = cells(machine_csv(report(text)), ",")[2]

    expected = ["people", "row", text, "-10.00", "3", "97.2973", "2026-10-26"]
    assert [*expected, "2026-10-25T23:30:01.250000+00:00"] == row


def test_s20_numbers_stay_numbers_in_excel():
    """A negative amount keeps its sign and gets a decimal comma; days and times are Italian."""
    row = cells(italian_csv(report("anna")), ";")[2]

    expected = ["people", "row", "anna", "-10,00", "3", "97,2973", "26/10/2026"]
    assert [*expected, "26/10/2026 00:30:01"] == row


def test_s20_the_italian_profile_has_a_byte_order_mark_and_crlf():
    """Accents and Cyrillic survive, and a field with a separator and a newline is quoted."""
    content = italian_csv(report("Forlì", "Иванов", "a;b\nc"))

    assert content.startswith(b"\xef\xbb\xbfcard;title;Title\r\n")
    assert "\r\npeople;row;Forlì;-10,00;".encode() in content
    assert "\r\npeople;row;Иванов;-10,00;".encode() in content
    assert b'\r\npeople;row;"a;b\nc";-10,00;' in content


def test_s20_the_machine_profile_has_no_byte_order_mark():
    """It is RFC 4180: commas, CRLF, quotes where they are needed."""
    content = machine_csv(report('a,"b"'))

    assert content.startswith(b"card,title,Title\r\npeople,header,nickname,amount,")
    assert b'\r\npeople,row,"a,""b""",-10.00,3,' in content


def test_an_empty_section_says_so_in_every_profile():
    """The words are the regulator's."""
    empty = report()

    assert ["people", "note", "No Activity"] == cells(machine_csv(empty), ",")[2]
    assert ["people", "note", "No Activity"] == cells(italian_csv(empty), ";")[2]
    section = {"name": "people", "lines": [], "note": "No Activity"}
    assert [section] == orjson.loads(as_json(empty))["sections"]


def test_json_holds_money_as_text_and_counts_as_numbers():
    """No amount ever becomes a binary fraction."""
    (line,) = orjson.loads(as_json(report("anna", amount=123456)))["sections"][0]["lines"]

    expected = {"line": "row", "nickname": "anna", "amount": "1234.56", "rounds": 3}
    rest = {"rtp": "97.2973", "day": "2026-10-26", "at": "2026-10-25T23:30:01.250000+00:00"}
    assert expected | rest == line


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (Fraction(36, 37), "97.2973"),
        (Fraction(0), "0.0000"),
        (Fraction(3), "300.0000"),
        (Fraction(1, 2_000_000), "0.0001"),
        (Fraction(1, 2_000_001), "0.0000"),
        (Fraction(-1, 8), "-12.5000"),
    ],
)
def test_a_ratio_is_rounded_half_up_to_four_decimals_of_a_percent(ratio, text):
    """Worked by hand."""
    assert text == percent(ratio)
