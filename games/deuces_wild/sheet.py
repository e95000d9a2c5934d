"""The game part of a Deuces Wild sheet: coins, pay table, double-up and declared returns (G8).

The returns under perfect play take seconds to enumerate, so the sheet declares them and its reader
holds them against the least one (C8); tests enumerate what the packaged sheets declare.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import Field

from games.cards import RANKS
from games.deuces_wild.hand import Category
from games.engine import RETURN_MIN
from games.sheets import Ratio, SheetDocument, exact, read_document
from ledger.domain.decider import SheetError
from ledger.domain.events import Frozen
from ledger.domain.money import AMOUNT_MAX, Amount

Coin = Annotated[int, Field(strict=True, ge=1, le=100_000)]
Pay = Annotated[int, Field(strict=True, ge=1, le=10_000)]
ByCoins = dict[str, Ratio]
"""A figure for each number of coins, which JSON writes as text: `"1"`, `"2"`, .."""


class DoubleUpDocument(Frozen):
    """The double-up as the sheet writes it."""

    limit: Amount
    count_max: Annotated[int, Field(strict=True, ge=1, le=100)]
    ranks: str


class GameDocument(Frozen):
    """What the engine needs, as the sheet writes it; amounts in minor units, pays in coins."""

    draw: Literal["rejection-sampling"]
    coins_max: Annotated[int, Field(strict=True, ge=1, le=10)]
    coin_values: Annotated[tuple[Coin, ...], Field(min_length=1, max_length=20)]
    pays: dict[Category, tuple[Pay, ...]]
    double_up: DoubleUpDocument
    returns: ByCoins
    variances: ByCoins


class DeucesWildDocument(SheetDocument):
    """A whole Deuces Wild sheet."""

    engine: Literal["deuces-wild/1"]
    game: GameDocument


@dataclass(frozen=True, slots=True)
class Sheet:
    """A Deuces Wild sheet as the engine plays it."""

    coin_values: tuple[int, ...]
    """What one coin may be worth, in minor units, ascending."""
    coins_max: int
    pays: Mapping[Category, tuple[int, ...]]
    """The coins that each winning category pays for one coin, two coins, and so on."""
    limit: int
    """The largest win that may be doubled, in minor units."""
    count_max: int
    """The most double-ups of one win."""
    ranks: str
    """The ranks from the lowest to the highest, as a double-up compares them."""
    returns: Mapping[int, Fraction]
    """By the number of coins, what perfect play returns of each coin."""
    variances: Mapping[int, Fraction]
    """By the number of coins, the variance of that return of one coin."""

    def pay(self, category: Category, coins: int) -> int:
        """The coins that a hand pays for so many coins played; none for a hand that wins nothing.

        This is what settles a round and what the exact return enumerates.
        """
        return self.pays[category][coins - 1] if category in self.pays else 0


def bet_kind(coins: int) -> str:
    """The kind of a bet of so many coins: each number of coins has a return of its own."""
    return "1-coin" if coins == 1 else f"{coins}-coins"


@lru_cache(maxsize=256)
def read_sheet(text: str) -> Sheet:
    """Read a sheet of the game; raise `SheetError` when it is wrong or returns too little (C8)."""
    document = read_document(DeucesWildDocument, text)
    game = document.game
    if document.session.rounds_max != 1:
        raise SheetError("one round at a time: a held win is collected before the next deal")
    if (game.double_up.count_max + 1) * game.double_up.limit > AMOUNT_MAX:
        raise SheetError("the double-ups of a round could pass the largest amount; lower the limit")
    if not _ascends(game.coin_values):
        raise SheetError("the coin values must ascend, each once")
    if sorted(game.double_up.ranks) != sorted(RANKS):
        raise SheetError("the double-up must order the thirteen ranks, each once")
    returns = _by_coins("returns", game.returns, game.coins_max)
    for coins, expected in returns.items():
        if expected < RETURN_MIN:
            raise SheetError(f"{coins} coins return {expected}, less than {RETURN_MIN}")
    return Sheet(
        coin_values=game.coin_values,
        coins_max=game.coins_max,
        pays=_pays(game),
        limit=game.double_up.limit,
        count_max=game.double_up.count_max,
        ranks=game.double_up.ranks,
        returns=returns,
        variances=_by_coins("variances", game.variances, game.coins_max),
    )


def _ascends(numbers: tuple[int, ...]) -> bool:
    return all(lower < higher for lower, higher in pairwise(numbers))


def _pays(game: GameDocument) -> Mapping[Category, tuple[int, ...]]:
    """The pay table, highest category first; each row rises with coins, none pays over a higher."""
    if set(game.pays) != set(Category) - {Category.NOTHING}:
        raise SheetError("the pay table must name every category that wins")
    pays = {category: game.pays[category] for category in Category if category in game.pays}
    for category, row in pays.items():
        if len(row) != game.coins_max or not _ascends(row):
            raise SheetError(f"{category} must pay more for each of {game.coins_max} coins")
    for higher, lower in pairwise(pays):
        if any(less > more for more, less in zip(pays[higher], pays[lower], strict=True)):
            raise SheetError(f"{lower} must not pay more than {higher}")
    return MappingProxyType(pays)


def _by_coins(name: str, ratios: Mapping[str, str], coins_max: int) -> Mapping[int, Fraction]:
    """The figure for each number of coins."""
    if set(ratios) != {str(coins) for coins in range(1, coins_max + 1)}:
        raise SheetError(f"{name} must stand for each number of coins from 1 to {coins_max}")
    return MappingProxyType({n: exact(ratios[str(n)]) for n in range(1, coins_max + 1)})
