"""What happened in a round, told for people: one line for each event that says something."""

from typing import Final

from ledger.answers import Answer
from ops.story.telling import sentence
from ops.story.tongue import ENGLISH


def told(answer: Answer) -> str:
    """The story of a command that played a round or a part of one."""
    events = (entry.event for entry in answer.entries)
    return "\n".join(f"  {sentence(e, ENGLISH)}" for e in events if e.NAME in _TOLD)


_TOLD: Final = frozenset(
    {
        "bet-placed",
        "draw-recorded",
        "card-dealt",
        "box-decided",
        "outcome-recorded",
        "payout-credited",
        "win-held",
        "double-up-staked",
        "double-up-resolved",
        "win-collected",
        "round-settled",
        "demo-round-played",
    }
)
"""What a player at the screen wants to know; refunds and openings are said elsewhere."""
