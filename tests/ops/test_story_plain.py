"""Parts as text: columns of one width, long names broken, nothing that commands a terminal."""

import pytest

from ops.story.plain import WIDTH, plain
from workers.reports.parts import Fixed, Heading, NewPage, Paragraph, Table, fitted


def test_parts_stand_one_below_the_other():
    """Given each kind of part, then it is laid out by hand as here."""
    parts = (
        Heading("Storia"),
        Paragraph("Un testo."),
        Fixed(("┌──┐", "└──┘")),
        Table(("conto", "saldo>"), (("posta", "1,00"), ("stakes", "10,00"))),
        Heading("Fine", 2),
    )

    assert """\
Storia
======
Un testo.

┌──┐
└──┘

─────────────
conto   saldo
─────────────
posta    1,00
stakes  10,00
─────────────


Fine
----
""" == plain(parts)


def test_no_line_is_wider_than_the_page_and_no_character_is_lost():
    """Given words longer than a page, in a paragraph and in cells, then they are broken."""
    word = "ab" * 200

    text = plain((Paragraph(word), NewPage(), Table(("", "x>"), ((word, word),))))

    assert WIDTH == max(map(len, text.splitlines()))
    assert 3 * 400 == sum(text.count(letter) for letter in "ab")


def test_what_would_command_a_terminal_is_made_harmless():
    """Given an escape and a direction mark in a text, then neither reaches the screen."""
    assert "a?[31mb?c\n" == plain((Paragraph("a\x1b[31mb\u202ec"),))


@pytest.mark.parametrize(
    ("wanted", "width", "widths"),
    [
        ([3, 4], 20, [3, 4]),
        ([30, 4], 20, [16, 4]),
        ([30, 40, 2], 20, [9, 9, 2]),
        ([10], 10, [10]),
    ],
)
def test_the_widest_columns_give_way(wanted, width, widths):
    """Given what columns want, then narrow ones keep it, and all fit."""
    assert widths == fitted(wanted, width)


@pytest.mark.parametrize(
    ("wanted", "least", "widths"),
    [
        ([30, 40, 2], [12, 3, 2], [13, 4, 2]),
        ([12, 9], [12, 3], [12, 8]),
        ([3, 4], [3, 4], [3, 4]),
        ([30, 40, 2], [12, 12, 2], [9, 9, 2]),
    ],
)
def test_a_column_keeps_its_longest_word_whole_where_there_is_room(wanted, least, widths):
    """Given 20 wide, then what the words leave is shared; words that need more give way too."""
    assert widths == fitted(wanted, 20, least)
