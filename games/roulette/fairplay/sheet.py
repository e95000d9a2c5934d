"""The game part of a sheet by account type: what it pays, named bets, limits and series (G8)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from games.roulette.announced import Part, PartDocument
from games.roulette.fairplay.limits import Group, Limits, Range, Row
from games.roulette.layout import Kind
from games.roulette.rtp import Pays
from games.roulette.sheet import AnnouncedName, Times, read_announced, read_pays
from games.sheets import SheetDocument, read_document
from ledger.domain.decider import SheetError
from ledger.domain.events import Count, Frozen
from ledger.domain.ids import Word

NUMBERS_MAX: Final = 50
"""Most numbers that a series may have by any sheet (rulings HW6)."""

AccountName = Annotated[str, Field(pattern=r"^[A-Z]{1,20}$")]


class AccountDocument(Frozen):
    """The limits of one account type, in minor units, and whether a player may have others."""

    positions: dict[Row, Range]
    groups: dict[Group, Range]
    own_limits: bool


class SeriesTerms(Frozen):
    """What a sheet says about FairPlay series."""

    numbers_min: Annotated[int, Field(strict=True, ge=1, le=NUMBERS_MAX)]
    numbers_max: Annotated[int, Field(strict=True, ge=1, le=NUMBERS_MAX)]
    offsets: Annotated[int, Field(strict=True, ge=37, le=37)]
    """An offset is at least 0 and below this: one for each pocket."""
    keep_seconds: Count
    """How long after its last spin, or its preparation, a series can be played on or revealed."""
    clients: tuple[Word, ...]
    """The client programs, by name and version, in which an offset can be given."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.numbers_min > self.numbers_max:
            raise ValueError("the fewest numbers are more than the most")
        return self


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
