"""Money is whole minor units, read from plain decimal text alone (fault S6)."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st
from pydantic import TypeAdapter, ValidationError

from ledger.domain.money import (
    AMOUNT_MAX,
    Amount,
    AmountOrZero,
    format_amount,
    half_up,
    parse_amount,
)
from ledger.domain.refusals import Code, Refusal

S6 = ("1e-37", "NaN", "sNaN", "Infinity", "-0.6", "0", "0.001", "1e400", "١٠", " 10", True, 10.0)
ALSO_NO_AMOUNT = (
    "",
    "10 ",
    "10\n",
    "+1",
    "01",
    "1.",
    ".5",
    "1,00",
    "1_000",
    "１０",
    "0.00",
    "0x10",
)
NO_TEXT = (None, 10, False, float("nan"), float("inf"), [], {}, b"10", ("1",))


def code_of(answer: object) -> object:
    """The code of a refusal, None for an amount."""
    return answer.code if isinstance(answer, Refusal) else None


@pytest.mark.parametrize("value", [*S6, *ALSO_NO_AMOUNT, *NO_TEXT])
def test_s6_what_is_no_plain_positive_decimal_is_refused(value):
    """Exponents, signs, blanks, other scripts, booleans and JSON numbers are no amounts."""
    assert code_of(parse_amount(value)) == Code.MALFORMED


@pytest.mark.parametrize(
    ("text", "minor"),
    [
        ("0.01", 1),
        ("0.1", 10),
        ("5", 500),
        ("5.1", 510),
        ("12.50", 1_250),
        ("100000000000.00", 10_000_000_000_000),
    ],
)
def test_a_plain_decimal_is_read_exactly(text, minor):
    """One decimal means tens of cents, none means whole units."""
    assert minor == parse_amount(text)


@pytest.mark.parametrize("text", ["100000000000.01", "999999999999", "1000000000000", "9" * 5_000])
def test_an_amount_above_the_largest_is_refused_as_too_large(text):
    """However many digits it has, a number that is well written is not called malformed."""
    assert code_of(parse_amount(text)) == Code.AMOUNT_TOO_LARGE


@pytest.mark.parametrize(
    ("minor", "text"),
    [(0, "0.00"), (5, "0.05"), (1_250, "12.50"), (-5, "-0.05"), (-1_250, "-12.50")],
)
def test_minor_units_are_written_with_two_places(minor, text):
    """The sign stands before the whole number, also below one unit."""
    assert text == format_amount(minor)


@given(st.integers(1, AMOUNT_MAX))
def test_what_is_written_is_read_back(minor):
    """Writing and reading are inverse for every amount."""
    assert minor == parse_amount(format_amount(minor))


@given(st.text())
def test_no_text_raises_or_gives_a_number_that_is_no_amount(text):
    """Any text is an amount within bounds or a refusal."""
    answer = parse_amount(text)

    assert isinstance(answer, Refusal) or 1 <= answer <= AMOUNT_MAX


@pytest.mark.parametrize("value", [True, 1.0, "1", 0, -1, AMOUNT_MAX + 1, None])
def test_s6_fields_of_money_take_whole_numbers_only(value):
    """An event or command cannot hold a float, a boolean, a text, zero or a negative amount."""
    with pytest.raises(ValidationError):
        TypeAdapter(Amount).validate_python(value)


def test_a_field_that_may_be_zero_still_takes_no_negative_number():
    """The final posta and the winnings may be zero, never less."""
    assert TypeAdapter(AmountOrZero).validate_python(0) == 0
    with pytest.raises(ValidationError):
        TypeAdapter(AmountOrZero).validate_python(-1)


@pytest.mark.parametrize(
    ("exact", "rounded"),
    [("0", 0), ("1/2", 1), ("7/2", 4), ("49/100", 0), ("1/3", 0), ("2/3", 1), ("-1/2", 0)],
)
def test_c2_an_exact_amount_is_rounded_to_the_nearest_and_a_half_upwards(exact, rounded):
    """Three and a half become four, and whatever is nearer goes where it is nearer to."""
    assert rounded == half_up(Fraction(exact))


@given(st.integers(0, AMOUNT_MAX), st.integers(1, 5000))
def test_c2_what_is_rounded_is_never_further_than_half_a_unit_from_it(numerator, denominator):
    """Whatever the fraction, the whole number beside it was taken."""
    exact = Fraction(numerator, denominator)

    assert Fraction(-1, 2) < half_up(exact) - exact <= Fraction(1, 2)
