"""The authorities that records are written for: a new one is one module and one line here."""

from typing import Final

from workers.regulators.authority import Authority
from workers.regulators.netherlands.authority import NETHERLANDS
from workers.regulators.spain.authority import SPAIN

AUTHORITIES: Final[tuple[Authority, ...]] = (
    SPAIN,
    NETHERLANDS,
)


def named(code: str) -> Authority:
    """The authority of a code; raise `KeyError` when there is none."""
    return {a.code: a for a in AUTHORITIES}[code]
