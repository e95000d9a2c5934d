"""The game part of a sheet of French roulette (G8).

It holds all that a house may choose: pays and names, announced bets, prison, limits, the order of
payments, replays and what becomes of winnings that nobody takes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from games.engine import RETURN_MIN
from games.ranges import Range
from games.roulette.announced import Part, PartDocument
from games.roulette.french.finals import FinalDocument, Finals, Shape, read_finals
from games.roulette.french.names import Names
from games.roulette.french.payments import Payment
from games.roulette.french.prison import Terms
from games.roulette.french.rtp import returns_of
from games.roulette.layout import Kind
from games.roulette.rtp import Pays
from games.roulette.sheet import AnnouncedName, Times, read_announced, read_pays
from games.sheets import Ratio, SheetDocument, exact, read_document
from ledger.domain.decider import SheetError
from ledger.domain.events import Frozen

Rounds = Annotated[int, Field(strict=True, ge=1, le=100)]


class PrisonDocument(Frozen):
    """The prison of simple chances, as the sheet writes it."""

    worth: Annotated[tuple[Ratio, ...], Field(min_length=1, max_length=10)]
    divided: Ratio
    rounding: Literal["half-up"]
    """A worth is rounded once, from the stake as it was bet."""


class CollectingDocument(Frozen):
    """Whether winnings are credited at once or are collected by their players."""

    mode: Literal["at-once", "manual"]
    rounds: dict[Kind, Rounds]
    """Where winnings are collected: for how many rounds a stake that won plays on by itself.

    A kind that is not named sets stake and winnings aside at once.
    """

    @property
    def is_manual(self) -> bool:
        """Whether winnings are collected by their players."""
        return self.mode == "manual"

    def rounds_of(self, kind: Kind) -> int:
        """For how many rounds a stake of a kind plays on."""
        return self.rounds.get(kind, 0)


class ReplaysDocument(Frozen):
    """Which announced bets can be replayed for the whole, and how many times their chip then is."""

    whole: dict[AnnouncedName, Times]


class GameDocument(Frozen):
    """What the engine needs, as the sheet writes it; amounts in minor units."""

    pockets: Annotated[int, Field(strict=True, ge=37, le=37)]
    draw: Literal["rejection-sampling"]
    zero: Literal["imprisons"]
    """On zero simple chances are imprisoned, and other bets that do not name it lose."""
    pays: dict[Kind, Times]
    names: Names
    announced: dict[AnnouncedName, tuple[PartDocument, ...]]
    sector_neighbours: Annotated[int, Field(strict=True, ge=1, le=18)]
    """How many neighbours a number takes along on each side in a sector."""
    finals: dict[Shape, tuple[FinalDocument, ...]]
    prison: PrisonDocument
    limits: Range
    """What lies on one position at a table that sets no limits of its own."""
    payment: Payment
    replays: ReplaysDocument
    collecting: CollectingDocument


class FrenchDocument(SheetDocument):
    """A whole sheet of French roulette."""

    engine: Literal["french-roulette/1"]
    game: GameDocument


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of French roulette as the engine plays it."""

    pays: Pays
    names: Names
    announced: Mapping[str, tuple[Part, ...]]
    sector_neighbours: int
    finals: Finals
    prison: Terms
    limits: Range
    payment: Payment
    whole: Mapping[str, int]
    """By announced bet, how many times the chip a replay for the whole has."""
    collecting: CollectingDocument


@lru_cache(maxsize=256)
def read_sheet(text: str) -> Sheet:
    """Read a sheet of the game; raise `SheetError` when it is wrong or returns too little (C8)."""
    game = read_document(FrenchDocument, text).game
    if set(game.pays) != set(Kind):
        raise SheetError("every kind of bet must be paid")
    pays = read_pays(game.pays)
    sheet = Sheet(
        pays,
        game.names,
        read_announced(game.announced, pays),
        game.sector_neighbours,
        read_finals(game.finals, pays),
        _prison(game.prison),
        game.limits,
        game.payment,
        MappingProxyType(game.replays.whole),
        game.collecting,
    )
    _assert_returns(sheet)
    _assert_names(sheet)
    _assert_replays(sheet)
    return sheet


def _prison(prison: PrisonDocument) -> Terms:
    shares = [exact(share) for share in (*prison.worth, prison.divided)]
    if shares[0] >= 1 or any(more <= less for more, less in pairwise(shares)):
        raise SheetError("an imprisoned stake must be worth less at each level")
    return Terms(tuple(shares[:-1]), shares[-1])


def _assert_returns(sheet: Sheet) -> None:
    for each in returns_of(sheet.pays, sheet.prison):
        if each.expected < RETURN_MIN:
            raise SheetError(f"{each.kind} returns {each.expected}, less than {RETURN_MIN}")


def _assert_names(sheet: Sheet) -> None:
    names = sheet.names
    if set(names.kinds) != set(Kind) or set(names.finals) != set(Shape):
        raise SheetError("every kind of bet and every shape of a final must have a name")
    if set(names.announced) != set(sheet.announced):
        raise SheetError("every announced bet must have a name, and none besides them")


def _assert_replays(sheet: Sheet) -> None:
    """A replay must be paid for by what its own win brings, whichever number came."""
    for parts in (*sheet.announced.values(), *(final.parts for final in sheet.finals.values())):
        laid = sum(part.chips for part in parts)
        if any(part.chips * sheet.pays[part.bet.kind] < laid for part in parts):
            raise SheetError("an announced bet wins less than its replay lays")
    for name, times in sheet.whole.items():
        if name not in sheet.announced:
            raise SheetError(f"{name} is replayed for the whole and is no announced bet")
        parts = sheet.announced[name]
        laid = times * sum(part.chips for part in parts)
        if any(part.chips * (sheet.pays[part.bet.kind] + 1) < laid for part in parts):
            raise SheetError(f"{name} brings less than its replay for the whole lays")
