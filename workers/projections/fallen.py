"""Outcomes as they fell: how often each came, and what draws from a shoe tell of each bias."""

from collections.abc import Iterator
from typing import Final

from workers.projections.base import Figures, Key
from workers.projections.tables import Table

OUTCOMES: Final = Table(
    "p_outcomes",
    ("day", "sheet", "sheet_version", "live_table", "draw", "outcome"),
    {
        "day": "date", "sheet": "text", "sheet_version": "int4", "live_table": "text",
        "draw": "text", "outcome": "text", "times": "int8",
    },
)  # fmt: skip

EVIDENCE: Final = Table(
    "p_evidence",
    ("day", "sheet", "sheet_version", "live_table", "draw", "outcome", "ratio"),
    {
        "day": "date", "sheet": "text", "sheet_version": "int4", "live_table": "text",
        "draw": "text", "outcome": "text", "ratio": "text", "billionths": "int8",
    },
)  # fmt: skip

Counted = Iterator[tuple[str, Key, Figures]]
"""Figures, each with the name of its table and the key of its row."""
