"""The rounds of a live table of French roulette by a second method, for their outcome may be drawn.

Source: rules of French roulette; the published sheet has their figures.
"""

import json
from collections.abc import Mapping
from typing import Final

from games.auditing import AuditError, Fields, Trail
from games.roulette.auditing import WHEEL, outcome, range_of, spun


def limits_of(trail: Trail, text: str | None) -> dict[str, int]:
    """The range of each position: the table's own, else the sheet's."""
    if text is None:
        return dict(trail.game["limits"])
    return range_of(json.loads(text))


def hold_outcome(trail: Trail, told: Fields) -> None:
    """Hold an outcome as it is told against the wheel."""
    pocket = told["details"]["pocket"]
    if pocket not in WHEEL:
        raise AuditError("an outcome is told that is not on the wheel")
    if (told["details"], told["shown"]) != (outcome(pocket), str(pocket)):
        trail.wrong(f"{pocket} is {outcome(pocket)['colour']}, and is shown as {pocket}")


_AFTER: Final[Mapping[str, tuple[str, ...]]] = {
    "table-round-opened": ("bets-closed", "table-round-voided"),
    "bets-closed": ("outcome-recorded", "table-round-voided"),
    "outcome-recorded": ("table-round-settled",),
    "table-round-settled": (),
    "table-round-voided": ("refunds-made",),
    "refunds-made": (),
}
"""What may follow an event of a table's round, and nothing else."""


def hold_table_round(trail: Trail) -> None:
    """The steps in their order, and an outcome that is drawn or told by the feed."""
    begun = trail.open_table()
    limits_of(trail, begun["limits"])
    at = "table-round-opened"
    while trail.next in _AFTER[at]:
        at = str(trail.next)
        event = trail.take()
        if at == "outcome-recorded":
            _recorded(trail, event)


def _recorded(trail: Trail, event: Fields) -> None:
    hold_outcome(trail, event)
    if ("entropy" in event) == ("feed" in event):
        trail.wrong("an outcome is either drawn or told by the feed")
    if "entropy" in event:
        pocket, left = spun(bytes.fromhex(event["entropy"]))
        if left or pocket != event["details"]["pocket"]:
            trail.wrong(f"the entropy on record gives {pocket}")
