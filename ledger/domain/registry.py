"""Which decider folds a stream, and which handler answers a command: the ledger's whole table."""

from typing import Final

from ledger.domain import (
    alerts,
    book,
    conto,
    correction,
    dealing,
    demo,
    differences,
    dispute,
    endings,
    erasure,
    limiting,
    maintenance,
    opening,
    participation,
    payment,
    record,
    refunds,
    seating,
    series,
    session,
    sheets,
    signing,
    table,
    tables,
    turns,
)
from ledger.domain.decider import Decider, Handlers

DECIDERS: Final[dict[str, Decider]] = {
    "book": book.DECIDER,
    "maintenance": maintenance.DECIDER,
    "sheet": sheets.DECIDER,
    "signing-key": signing.DECIDER,
    "rtp-alert": alerts.DECIDER,
    "conto": conto.DECIDER,
    "player": dispute.DECIDER,
    "payment": payment.DECIDER,
    "correction": correction.DECIDER,
    "session": session.DECIDER,
    "series": series.DECIDER,
    "table": table.DECIDER,
    "difference": differences.DECIDER,
    "command": record.DECIDER,
}
"""By the kind of stream: the part of its name before the colon."""

HANDLERS: Final[Handlers] = {
    **book.HANDLERS,
    **maintenance.HANDLERS,
    **sheets.HANDLERS,
    **signing.HANDLERS,
    **alerts.HANDLERS,
    **conto.HANDLERS,
    **correction.HANDLERS,
    **participation.HANDLERS,
    **turns.HANDLERS,
    **opening.HANDLERS,
    **refunds.HANDLERS,
    **series.HANDLERS,
    **tables.HANDLERS,
    **dealing.HANDLERS,
    **seating.HANDLERS,
    **demo.HANDLERS,
    **differences.HANDLERS,
    **endings.HANDLERS,
    **dispute.HANDLERS,
    **erasure.HANDLERS,
    **limiting.HANDLERS,
}

GUARDED: Final = frozenset({"maintenance", "sheet", "table"})
"""Kinds of stream that many decisions read and few write: the save checks their versions."""


def kind_of(stream: str) -> str:
    """The kind of a stream, from its name."""
    return stream.partition(":")[0]
