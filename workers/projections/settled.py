"""What the settlement of a round says to several projections alike."""

from ledger.domain.events import RoundSettled


def doubled(event: RoundSettled) -> tuple[int, int, int]:
    """How many double-ups a round had, what they staked and what returned, in minor units."""
    found = event.double_ups
    return (0, 0, 0) if found is None else (found.count, found.staked, found.returned)
