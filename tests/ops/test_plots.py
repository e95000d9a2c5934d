"""Plots of returns: the same course gives the same bytes, and bands end at the exact tolerance."""

from datetime import date
from fractions import Fraction

import pytest

from ops.plots import band, drawn
from workers.monitoring.course import Course, Point
from workers.monitoring.standing import Returns

TOTAL = Returns(400, 40_000, 38_000, Fraction(38_919), Fraction(2_000_000))
POINTS = (Point(100, 10_000, 12_000), Point(225, 22_500, 20_000), Point(400, 40_000, 38_000))
COURSE = Course("european-roulette-classic", 1, date(2026, 3, 1), POINTS, TOTAL)
UNKNOWN = Course("french-roulette", 1, date(2026, 3, 1), POINTS, Returns(400, 40_000, 38_000, None))


@pytest.mark.parametrize(("form", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
@pytest.mark.parametrize("course", [COURSE, UNKNOWN], ids=["exact", "unknown"])
def test_g6_the_same_course_gives_the_same_bytes(course, form, begins):
    """Given a course, with or without a known variance, when drawn twice, then nothing differs."""
    first = drawn(course, form)

    assert first.startswith(begins)
    assert first == drawn(course, form)
    assert first != drawn(Course("other", 1, course.last, POINTS, course.total), form)


def test_no_picture_says_when_or_by_what_version_it_was_drawn():
    """Given an SVG, then neither a date nor a program stands in it."""
    text = drawn(COURSE, "svg").decode()

    assert "<dc:date>" not in text
    assert "Matplotlib" not in text


def test_a_course_without_a_known_variance_says_why_it_has_no_band():
    """Given both courses, then one picture alone has the sentence, in a comment to its letters."""
    told = "<!-- no band: the variance is not known -->"

    assert [False, True] == [told in drawn(course, "svg").decode() for course in (COURSE, UNKNOWN)]


def test_a_band_narrows_with_the_root_of_turnover_and_ends_at_the_tolerance():
    """100, 225 and 400 rounds of equal stakes: twice and 4/3 as wide as at the end.

    There it is 1.96 · √2000000 / 40000 = 6.9296 %.
    """
    widths = band(COURSE, "warning")

    assert pytest.approx([2 * 6.9296, 4 / 3 * 6.9296, 6.9296], abs=1e-4) == widths
    assert pytest.approx(100 * TOTAL.tolerance("warning")) == widths[-1]
