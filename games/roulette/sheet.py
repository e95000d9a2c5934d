"""The game part of a roulette sheet: what it pays, its chips, announced bets and limits (G8).

A kind of bet is offered exactly when the sheet says what it pays.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from games.engine import RETURN_MIN
from games.roulette.announced import Part, PartDocument, read_part
from games.roulette.chips import Chips, chips_of
from games.roulette.layout import Kind
from games.roulette.rtp import Pays, returns_of
from games.sheets import SheetDocument, read_document
from ledger.domain.decider import SheetError
from ledger.domain.events import Frozen
from ledger.domain.money import Amount

AnnouncedName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
Chip = Annotated[int, Field(strict=True, ge=1, le=100_000)]
Times = Annotated[int, Field(strict=True, ge=1, le=1_000)]


class PositionLimits(Frozen):
    """Bounds on the sum that lies on one position, in minor units; none where absent."""

    min: Amount | None = None
    max: Amount | None = None


class LimitsDocument(Frozen):
    """The table's limits: by kind of bet for each position, and for the whole table."""

    positions: dict[Kind, PositionLimits]
    table_max: Amount | None


class GameDocument(Frozen):
    """What the engine needs, as the sheet writes it; amounts in minor units."""

    pockets: Annotated[int, Field(strict=True, ge=37, le=37)]
    draw: Literal["rejection-sampling"]
    zero: Literal["loses"]
    """On zero every bet that does not name it loses in full."""
    pays: Annotated[dict[Kind, Times], Field(min_length=1)]
    chips: Annotated[tuple[Chip, ...], Field(min_length=1, max_length=20)]
    announced: dict[AnnouncedName, tuple[PartDocument, ...]]
    limits: LimitsDocument


class RouletteDocument(SheetDocument):
    """A whole roulette sheet."""

    engine: Literal["roulette/1"]
    game: GameDocument


@dataclass(frozen=True, slots=True)
class Sheet:
    """A roulette sheet as the engine plays it."""

    pays: Pays
    chips: Chips
    announced: Mapping[str, tuple[Part, ...]]
    positions: Mapping[Kind, PositionLimits]
    table_max: int | None


@lru_cache(maxsize=256)
def read_sheet(text: str) -> Sheet:
    """Read a roulette sheet; raise `SheetError` when it is wrong or returns less than it must."""
    game = read_document(RouletteDocument, text).game
    if sorted(set(game.chips)) != list(game.chips):
        raise SheetError("the chips must ascend, each once")
    pays = read_pays(game.pays)
    return Sheet(
        pays,
        chips_of(game.chips),
        read_announced(game.announced, pays),
        MappingProxyType(game.limits.positions),
        game.limits.table_max,
    )


def read_pays(pays: Mapping[Kind, int]) -> Pays:
    """The offered kinds in their order; raise `SheetError` when one returns less than it must."""
    ordered = {kind: pays[kind] for kind in Kind if kind in pays}
    for each in returns_of(ordered):
        if each.expected < RETURN_MIN:
            raise SheetError(f"{each.kind} returns {each.expected}, less than {RETURN_MIN}")
    return MappingProxyType(ordered)


def read_announced(
    announced: Mapping[str, tuple[PartDocument, ...]], pays: Pays
) -> Mapping[str, tuple[Part, ...]]:
    """The announced bets by name; raise `SheetError` when a part is not offered."""
    return MappingProxyType(
        {name: tuple(read_part(part, pays) for part in parts) for name, parts in announced.items()}
    )
