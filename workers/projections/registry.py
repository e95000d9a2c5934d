"""The projections of a book: a new one is one module, one migration and one line here."""

from typing import Final

from workers.projections import (
    boxes,
    differences,
    double_ups,
    journal,
    players,
    rounds,
    rtp,
    rtp_alerts,
    series,
    sessions,
    significant,
    turnover,
)
from workers.projections.base import Projection

PROJECTIONS: Final[tuple[Projection, ...]] = (
    journal.PROJECTION,
    sessions.PROJECTION,
    rounds.PROJECTION,
    turnover.PROJECTION,
    double_ups.PROJECTION,
    boxes.PROJECTION,
    significant.PROJECTION,
    players.PROJECTION,
    differences.PROJECTION,
    rtp.PROJECTION,
    rtp_alerts.PROJECTION,
    series.PROJECTION,
)


def named(name: str) -> Projection:
    """The projection of a name; raise `KeyError` when there is none."""
    return {p.name: p for p in PROJECTIONS}[name]
