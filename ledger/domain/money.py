"""Money: whole minor units of one currency, read strictly and written exactly.

Guarantee G1 starts here: an amount is an `int` of cents or kopecks, bounded so that sums fit the
database's 64 bits, and the only text accepted for it is a plain decimal with a dot.
"""

import re
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Final

from pydantic import Field

from ledger.domain.refusals import Code, Refusal

AMOUNT_MAX: Final = 10**13
"""Largest amount in minor units (one hundred thousand million euro); sums stay far below 2**63."""

MINOR_PER_MAJOR: Final = 100
"""Cents in a euro and kopecks in a rouble: ISO 4217 gives both an exponent of 2."""

_PLAIN_DECIMAL: Final = re.compile(r"(0|[1-9][0-9]*)(?:\.([0-9]{1,2}))?")
_DIGITS_READ: Final = len(str(AMOUNT_MAX // MINOR_PER_MAJOR)) + 1
"""A number of this many digits is too large, whatever follows; Python bounds longer ones."""


class Currency(StrEnum):
    """ISO 4217 codes of the currencies a sheet may use (RUR as its rules of play print it)."""

    EUR = "EUR"
    RUR = "RUR"


Amount = Annotated[int, Field(strict=True, gt=0, le=AMOUNT_MAX)]
"""A positive number of minor units."""

AmountOrZero = Annotated[int, Field(strict=True, ge=0, le=AMOUNT_MAX)]
"""A number of minor units that may be zero."""


def parse_amount(value: object) -> int | Refusal:
    """Read a positive amount from text such as ``"12.50"``; answer minor units or a refusal.

    Only ASCII digits with at most two decimals after a dot are an amount: no sign, blank,
    exponent, comma or other script, and no JSON number, whose fractions are not exact.
    """
    match = _PLAIN_DECIMAL.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return Refusal(Code.MALFORMED, 'Write an amount as text such as "12.50".')
    major, cents = match[1][:_DIGITS_READ], (match[2] or "").ljust(2, "0")
    minor = int(major) * MINOR_PER_MAJOR + int(cents)
    if minor == 0:
        return Refusal(Code.MALFORMED, "An amount must be more than zero.")
    if minor > AMOUNT_MAX:
        return Refusal(Code.AMOUNT_TOO_LARGE, f"The largest amount is {format_amount(AMOUNT_MAX)}.")
    return minor


def format_amount(minor: int) -> str:
    """Write minor units as a plain decimal with two places: ``1250`` is ``"12.50"``."""
    sign, absolute = ("-", -minor) if minor < 0 else ("", minor)
    return f"{sign}{absolute // MINOR_PER_MAJOR}.{absolute % MINOR_PER_MAJOR:02d}"


def half_up(exact: Fraction) -> int:
    """Round an exact number of minor units to a whole one, halves up: seven halves become 4."""
    return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)
