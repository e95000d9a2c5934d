"""Roulette by account type by a second method: sums per position and group, number plus offset.

Source: rules of roulette with FairPlay, limits of the table and offsets; the published sheet has
their figures.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.auditing import AuditError, Event, Fields, Trail, audited
from games.roulette.auditing import (
    WHEEL,
    Numbers,
    Sums,
    colour,
    demo,
    is_void,
    kind_of,
    laid,
    parts_of,
    placed,
    range_of,
    settled,
    spun,
    within,
)

_ROWS: Final[Mapping[str, str]] = {
    "trio": "street",
    "first-four": "corner",
    "red": "red-black",
    "black": "red-black",
    "even": "even-odd",
    "odd": "even-odd",
    "low": "low-high",
    "high": "low-high",
}
"""The row of the table of limits, where it is not named as the kind of bet is."""

_INSIDE_MAX: Final = 6
"""A bet inside covers at most a six line; all others are outside."""


def audit(sheet: bytes, events: Sequence[Event]) -> list[str]:
    """Audit one round of a sheet of `roulette-fairplay/1` (see `games.auditing.Audit`)."""
    return audited(_round, sheet, events)


def _round(trail: Trail) -> None:
    opened = trail.coming
    if trail.next == "demo-round-played":
        number, left = spun(bytes.fromhex(opened["entropy"]))
        demo(trail, _bets(trail, opened), number, left)
        return
    sums = _bets(trail, trail.open())
    placed(trail, sums)
    if trail.next is None or is_void(trail, sums):
        return
    if trail.next == "move-made":
        trail.move("fairplay-spin")
    number, left = spun(trail.draw())
    pocket = _drawn(trail, number, left, _offset(trail, opened))
    settled(trail, sums, pocket)


def _offset(trail: Trail, opened: Fields) -> int:
    """What the player adds to the number of a series; nothing to one that is drawn afresh."""
    if "series" not in opened:
        return 0
    offset: int = opened["series"]["offset"]
    if offset not in range(len(WHEEL)):
        trail.wrong(f"{offset} is no offset")
    if offset and opened["series"]["client"] not in trail.sheet["series"]["clients"]:
        trail.wrong("an offset is set in a client in which there is none")
    return offset


def _drawn(trail: Trail, number: int, left: bytes, offset: int) -> int:
    """The pocket: the count goes on from the number, and from 36 to zero."""
    pocket = (list(range(len(WHEEL))) * 2)[number + offset]
    told = {"number": number, "offset": offset, "pocket": pocket, "colour": colour(pocket)}
    trail.drawn(left, str(pocket), {"type": "fairplay-outcome", **told})
    return pocket


def _bets(trail: Trail, opened: Fields) -> Sums:
    """What the opening move lays, which may be nothing, within the limits of the player."""
    lines = trail.of_type(opened["move"], ["fairplay-bets"])["lines"]
    sums = laid(trail, lines, parts_of)
    positions, groups = _limits(trail, opened)
    together: dict[str, int] = {}
    for numbers, amount in sums.items():
        kind = str(kind_of(numbers))
        within(trail, f"a {kind}", amount, positions[_ROWS.get(kind, kind)])
        together[_group(numbers)] = together.get(_group(numbers), 0) + amount
    for group, amount in together.items():
        within(trail, f"the group {group}", amount, groups[group])
    return sums


def _group(numbers: Numbers) -> str:
    return "inside" if len(numbers) <= _INSIDE_MAX else "outside"


def _limits(trail: Trail, opened: Fields) -> tuple[dict[str, Any], dict[str, Any]]:
    """The account type's limits by row and by group, the player's own before them."""
    account = trail.game["accounts"][opened["account"]]
    own: Fields = json.loads(opened.get("own_limits", "{}"))
    if own and not account["own_limits"]:
        trail.wrong("an account of this type has no limits of its own")
    if not own.keys() <= {"positions", "groups"}:
        raise AuditError("limits of a player's own are told of something else")
    positions, groups = own.get("positions", {}), own.get("groups", {})
    return _with_own(account["positions"], positions), _with_own(account["groups"], groups)


def _with_own(limits: Fields, own: Fields) -> dict[str, Any]:
    if not own.keys() <= limits.keys():
        raise AuditError("limits of a player's own are told of something else")
    return {**limits, **{name: range_of(each) for name, each in own.items()}}
