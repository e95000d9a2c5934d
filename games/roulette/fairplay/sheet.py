"""The game part of a sheet by account type: what it pays, named bets, limits and series (G8)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from games.ranges import Range
from games.roulette.announced import Part, PartDocument
from games.roulette.fairplay.limits import Group, Limits, Row
from games.roulette.layout import Kind
from games.roulette.rtp import Pays
from games.roulette.sheet import AnnouncedName, Times, read_announced, read_pays
from games.sheets import SheetDocument, read_document
from ledger.domain.decider import SheetError
from ledger.domain.events import Frozen
from ledger.domain.sheets import SeriesTerms

AccountName = Annotated[str, Field(pattern=r"^[A-Z]{1,20}$")]


class AccountDocument(Frozen):
    """The limits of one account type, in minor units, and whether a player may have others."""

    positions: dict[Row, Range]
    groups: dict[Group, Range]
    own_limits: bool


class GameDocument(Frozen):
    """What the engine needs, as the sheet writes it; amounts in minor units."""

    pockets: Annotated[int, Field(strict=True, ge=37, le=37)]
    draw: Literal["rejection-sampling"]
    zero: Literal["loses"]
    """On zero every bet that does not name it loses in full."""
    pays: Annotated[dict[Kind, Times], Field(min_length=1)]
    announced: dict[AnnouncedName, tuple[PartDocument, ...]]
    neighbours: Annotated[int, Field(strict=True, ge=1, le=18)]
    """How many neighbours a number takes along on each side."""
    accounts: Annotated[dict[AccountName, AccountDocument], Field(min_length=1)]


class FairPlayDocument(SheetDocument):
    """A whole sheet of roulette by account type."""

    engine: Literal["roulette-fairplay/1"]
    series: SeriesTerms
    game: GameDocument


@dataclass(frozen=True, slots=True)
class Account:
    """An account type as the engine sees it."""

    limits: Limits
    own_limits: bool
    """Whether a player may have limits of their own."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of roulette by account type as the engine plays it."""

    pays: Pays
    announced: Mapping[str, tuple[Part, ...]]
    neighbours: int
    accounts: Mapping[str, Account]
    series: SeriesTerms


@lru_cache(maxsize=256)
def read_sheet(text: str) -> Sheet:
    """Read a sheet of the game; raise `SheetError` when it is wrong or returns too little (C8)."""
    document = read_document(FairPlayDocument, text)
    game = document.game
    pays = read_pays(game.pays)
    if Kind.STRAIGHT not in pays:
        raise SheetError("neighbours are straights, which are not offered")
    if document.series.offsets != game.pockets:
        raise SheetError("there is an offset for each pocket")
    accounts = {name: _account(name, document) for name, document in game.accounts.items()}
    return Sheet(
        pays,
        read_announced(game.announced, pays),
        game.neighbours,
        MappingProxyType(accounts),
        document.series,
    )


def _account(name: str, document: AccountDocument) -> Account:
    if set(document.positions) != set(Row) or set(document.groups) != set(Group):
        raise SheetError(f"{name} must have a range for each kind of bet and each group")
    limits = Limits(MappingProxyType(document.positions), MappingProxyType(document.groups))
    return Account(limits, document.own_limits)
