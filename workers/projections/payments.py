"""Payments: each that was booked, in or out, by which a provider's statement is compared."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from ledger.domain.events import FundsDeposited, FundsWithdrawn
from workers.log import SealedEntry
from workers.projections.base import Folding, Projection, Write
from workers.projections.tables import Row, Table

PAYMENTS: Final = Table(
    "p_payments",
    ("position",),
    {
        "position": "int8", "way": "text", "channel": "text", "reference": "text",
        "player": "text", "amount": "int8", "currency": "text", "recorded": "timestamptz",
    },
)  # fmt: skip

_WAYS: Final = {FundsDeposited.NAME: "deposit", FundsWithdrawn.NAME: "withdraw"}


def _row(sealed: SealedEntry) -> Row:
    e = sealed.entry.event
    assert isinstance(e, FundsDeposited | FundsWithdrawn)
    named = (_WAYS[e.NAME], e.channel, e.reference, e.player)
    return (sealed.position, *named, e.amount, e.currency.value, sealed.entry.recorded)


def _fold(folding: Folding, entries: Sequence[SealedEntry]) -> Write:
    return partial(PAYMENTS.insert, place=folding.place, rows=list(map(_row, entries)))


PROJECTION: Final = Projection(
    name="payments",
    version=1,
    topics=tuple(_WAYS),
    tables=(PAYMENTS,),
    batch=50_000,
    fold=_fold,
)
