"""Limits by account type: a range for the sum on each position, and one for each group of bets.

Source: rules of roulette with FairPlay, limits of the table: ten kinds of bets, each inside or
outside. Streets with zero are streets, and the first four would be a corner.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final, TypeVar

from games.documents import malformed, read_json
from games.engine import foremost
from games.ranges import Range, read_range
from games.roulette.layout import Kind, RouletteBet
from games.roulette.ranges import above, below
from games.roulette.refusals import RouletteCode
from ledger.domain.events import Frozen
from ledger.domain.money import format_amount
from ledger.domain.refusals import Refusal
from ledger.domain.sheets import canonical


class Row(StrEnum):
    """The ten kinds of bets by which the table of limits is laid out, inside bets first."""

    STRAIGHT = "straight"
    SPLIT = "split"
    STREET = "street"
    CORNER = "corner"
    SIX_LINE = "six-line"
    COLUMN = "column"
    DOZEN = "dozen"
    LOW_HIGH = "low-high"
    EVEN_ODD = "even-odd"
    RED_BLACK = "red-black"


class Group(StrEnum):
    """The two groups whose sums have limits of their own."""

    INSIDE = "inside"
    OUTSIDE = "outside"


ROW_OF: Final[Mapping[Kind, Row]] = MappingProxyType(
    {
        Kind.STRAIGHT: Row.STRAIGHT,
        Kind.SPLIT: Row.SPLIT,
        Kind.STREET: Row.STREET,
        Kind.TRIO: Row.STREET,
        Kind.CORNER: Row.CORNER,
        Kind.FIRST_FOUR: Row.CORNER,
        Kind.SIX_LINE: Row.SIX_LINE,
        Kind.COLUMN: Row.COLUMN,
        Kind.DOZEN: Row.DOZEN,
        Kind.LOW: Row.LOW_HIGH,
        Kind.HIGH: Row.LOW_HIGH,
        Kind.EVEN: Row.EVEN_ODD,
        Kind.ODD: Row.EVEN_ODD,
        Kind.RED: Row.RED_BLACK,
        Kind.BLACK: Row.RED_BLACK,
    }
)
"""The row whose range holds for a position of each kind."""

_INSIDE: Final = (Row.STRAIGHT, Row.SPLIT, Row.STREET, Row.CORNER, Row.SIX_LINE)
GROUP_OF: Final[Mapping[Row, Group]] = MappingProxyType(
    {row: Group.INSIDE if row in _INSIDE else Group.OUTSIDE for row in Row}
)

Sums = Mapping[RouletteBet, int | Fraction]
"""What lies on each position in minor units, a divided stake's parts exactly."""


class RowRange(Range):
    """A player's own range for the positions of a row."""

    row: Row


class GroupRange(Range):
    """A player's own range for a group."""

    group: Group


class OwnLimits(Frozen):
    """What holds for one player in place of the account type's limits; the others hold as before.

    By a recorded decision of the house (rules of roulette with FairPlay, note on VIP accounts).
    """

    positions: tuple[RowRange, ...] = ()
    groups: tuple[GroupRange, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """All limits that one spin's bets are held to."""

    positions: Mapping[Row, Range]
    groups: Mapping[Group, Range]

    def with_own(self, own: OwnLimits | None) -> "Limits":
        """These limits with a player's own in place of those that they name."""
        if own is None:
            return self
        positions = {**self.positions, **{r.row: r for r in own.positions}}
        return Limits(positions, {**self.groups, **{g.group: g for g in own.groups}})


def beyond(limits: Limits, sums: Sums) -> list[Refusal]:
    """Every limit that the sums break; a group is looked at only when there is a bet in it."""
    groups: dict[Group, int | Fraction] = {}
    for bet, amount in sums.items():
        group = GROUP_OF[ROW_OF[bet.kind]]
        groups[group] = groups.get(group, 0) + amount
    positions = (_off_position(limits, bet.kind, amount) for bet, amount in sums.items())
    together = (_off_group(limits, group, amount) for group, amount in groups.items())
    return [refusal for refusal in (*positions, *together) if refusal is not None]


def _off_position(limits: Limits, kind: Kind, amount: int | Fraction) -> Refusal | None:
    """Why a sum may not lie on a position.

    A sum with a fraction of a minor unit has a divided stake in it, which no chips could lay: it
    is held to the most of its range and not to the least.
    """
    bounds = limits.positions[ROW_OF[kind]]
    if amount < bounds.min and amount.denominator == 1:
        return below(bounds, kind)
    return above(bounds, kind) if amount > bounds.max else None


def _off_group(limits: Limits, group: Group, amount: int | Fraction) -> Refusal | None:
    bounds = limits.groups[group]
    if amount < bounds.min:
        text = f"The {group} bets of a spin are together at least {format_amount(bounds.min)}."
        return Refusal(RouletteCode.GROUP_BELOW_MINIMUM, text)
    if amount > bounds.max:
        text = f"The {group} bets of a spin are together at most {format_amount(bounds.max)}."
        return Refusal(RouletteCode.GROUP_ABOVE_MAXIMUM, text)
    return None


_PARTS: Final = frozenset({"positions", "groups"})
R = TypeVar("R", Row, Group)


def read_own(document: object) -> OwnLimits | Refusal:
    """Read a player's own limits, laid out as a sheet's and with amounts as in any document.

    `{"positions": {"straight": {"min": "5.00", "max": "80.00"}}, "groups": {"inside": {..}}}`,
    either part or both; what is not named stays as the account type has it.
    """
    if not isinstance(document, dict) or not document or not set(document) <= _PARTS:
        return malformed(_HOW)
    positions = _read_ranges(document.get("positions", {}), Row)
    groups = _read_ranges(document.get("groups", {}), Group)
    if isinstance(positions, Refusal):
        return positions
    if isinstance(groups, Refusal):
        return groups
    return OwnLimits(
        positions=tuple(RowRange(row=r, min=x.min, max=x.max) for r, x in positions.items()),
        groups=tuple(GroupRange(group=g, min=x.min, max=x.max) for g, x in groups.items()),
    )


def own_text(document: object) -> str | Refusal:
    """Read a player's own limits as `read_own` does; the canonical text that the book keeps."""
    own = read_own(document)
    return own if isinstance(own, Refusal) else canonical(document)


@lru_cache(maxsize=1024)
def own_of(text: str | None) -> OwnLimits | Refusal | None:
    """The limits on record for a player: the text of a document that `read_own` reads, or None."""
    if text is None:
        return None
    document = read_json(text)
    return document if isinstance(document, Refusal) else read_own(document)


def _read_ranges(document: object, names: type[R]) -> dict[R, Range] | Refusal:
    if not isinstance(document, dict) or not set(document) <= set(names):
        return malformed(f'"limits": the names there are: {", ".join(names)}.')
    ranges = {
        names(name): read_range(value, f'"limits": {name}') for name, value in document.items()
    }
    wrong = foremost(x for x in ranges.values() if isinstance(x, Refusal))
    return wrong or {n: x for n, x in ranges.items() if not isinstance(x, Refusal)}


_HOW: Final = (
    '"limits" must be {"positions": {"straight": {"min": "5.00", "max": "80.00"}}}, '
    '{"groups": {"inside": {..}}} or both.'
)
