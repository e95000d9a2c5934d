"""A business day's participation rights here against those at the central system (rulings C1)."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Final

from ledger.central import DayTotal
from ledger.domain.money import format_amount
from ledger.reconciliation.discrepancies import Discrepancy

COMPARED: Final = ("rights", "amount", "sessions")
"""Figures of a day, each a difference of its own kind."""


def compare_totals(
    day: date, since: datetime, here: Iterable[DayTotal], there: Iterable[DayTotal]
) -> Iterator[Discrepancy]:
    """What differs, by currency; a currency that one side does not name is zero there.

    `since` is the day's first moment.
    """
    ours, theirs = ({t.currency: t for t in side} for side in (here, there))
    for currency in sorted({*ours, *theirs}):
        nothing = DayTotal(currency, 0, 0, 0)
        one, other = ours.get(currency, nothing), theirs.get(currency, nothing)
        for kind in COMPARED:
            figures = getattr(one, kind), getattr(other, kind)
            if figures[0] != figures[1]:
                a, b = (format_amount(f) if kind == "amount" else str(f) for f in figures)
                found = f"Of {currency} the book has {kind} {a}, the central system has {b}."
                yield Discrepancy("central", day.isoformat(), kind, currency, found, since)
