"""The game part of a sheet of Live Blackjack: shoe, seats, rules, pays, times and returns (G8).

The returns take a study of the whole shoe, so the sheet declares them by strategy and its reader
holds them against the least one (C8); tests hold them against the study.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import Field

from games.blackjack.limits import BET_MAX
from games.blackjack.round import SPLIT_HANDS
from games.blackjack.rules import Rules
from games.blackjack.shoe import CutPlaces, most_cards
from games.cards import DECK
from games.engine import RETURN_MIN
from games.ranges import Range
from games.sheets import Ratio, SheetDocument, exact, read_document
from ledger.domain.decider import SheetError
from ledger.domain.events import Frozen

PAYS_MAX: Final = 10
"""The most that a bet wins, for each unit of it."""

Cards = Annotated[int, Field(strict=True, ge=1, le=416)]
Total = Annotated[int, Field(strict=True, ge=3, le=20)]

Strategy = Literal["best", "printed"]
"""By whom a round is played, where its return depends on it."""


class ShoeDocument(Frozen):
    """The shoe as the sheet writes it."""

    decks: Annotated[int, Field(strict=True, ge=1, le=8)]
    cut_min: Cards
    cut_max: Cards
    """At a shuffle the cutting card is put behind so many cards, evenly drawn from this range."""


class DoubleDocument(Frozen):
    """Which hands of two cards may be doubled, by their totals; a soft hand at its highest."""

    totals: Annotated[tuple[Total, ...], Field(min_length=1)]
    after_split: bool


class SplitDocument(Frozen):
    """Which pairs may be split, once in a box, and what becomes of aces."""

    equal: Literal["value", "rank"]
    aces: Literal["one-card", "played"]


class InsuranceDocument(Frozen):
    """An insurance, against an ace of the dealer."""

    share: Ratio
    """Of the bet of its box."""
    rounding: Literal["down"]
    pays: Ratio


class ReturnDocument(Frozen):
    """What a strategy returns of each unit bet, doubles, splits and insurances among the bets."""

    expected: Ratio
    variance: Ratio


class TimesDocument(Frozen):
    """How long a player may take, in seconds."""

    act: Annotated[int, Field(strict=True, ge=5, le=120)]
    """To choose in a turn; then the hand stands."""
    inactive: Annotated[int, Field(strict=True, ge=300, le=600)]
    """Without any action or bet; then the player is disconnected."""


class GameDocument(Frozen):
    """What the engine needs, as the sheet writes it; amounts in minor units."""

    draw: Literal["rejection-sampling"]
    shoe: ShoeDocument
    seats: Annotated[int, Field(strict=True, ge=1, le=7)]
    limits: Range
    """The bet of a box at a table that sets no limits of its own."""
    soft_17: Literal["stands", "hits"]
    """What the dealer does on a soft 17; on a hard one it stands."""
    double: DoubleDocument
    split: SplitDocument
    blackjack_pays: Ratio
    insurance: InsuranceDocument
    rounding: Literal["half-up"]
    """Of winnings, once for each bet."""
    times: TimesDocument
    returns: Annotated[dict[Strategy, ReturnDocument], Field(min_length=1)]


class BlackjackDocument(SheetDocument):
    """A whole sheet of Live Blackjack."""

    engine: Literal["live-blackjack/1"]
    game: GameDocument


@dataclass(frozen=True, slots=True)
class Declared:
    """What the sheet declares of a strategy, per unit bet."""

    expected: Fraction
    variance: Fraction


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of Live Blackjack as the engine plays it."""

    rules: Rules
    decks: int
    cut: CutPlaces
    seats: int
    limits: Range
    act_seconds: int
    inactive_seconds: int
    returns: Mapping[Strategy, Declared]


@lru_cache(maxsize=256)
def read_sheet(text: str) -> Sheet:
    """Read a sheet of the game; raise `SheetError` when it is wrong or returns too little (C8)."""
    game = read_document(BlackjackDocument, text).game
    shoe = game.shoe
    if game.limits.max > BET_MAX:
        raise SheetError(f"a bet of more than {BET_MAX} could bring more than can be booked")
    if shoe.cut_min > shoe.cut_max:
        raise SheetError("the fewest cards before the cutting card are more than the most")
    hands = game.seats * SPLIT_HANDS + 1
    if shoe.cut_max + most_cards(shoe.decks, hands) > shoe.decks * len(DECK):
        raise SheetError("a round could need more cards than lie behind the cutting card")
    return Sheet(
        _rules(game),
        shoe.decks,
        CutPlaces(shoe.cut_min, shoe.cut_max),
        game.seats,
        game.limits,
        game.times.act,
        game.times.inactive,
        _returns(game),
    )


def _rules(game: GameDocument) -> Rules:
    share, blackjack = exact(game.insurance.share), exact(game.blackjack_pays)
    insurance = exact(game.insurance.pays)
    if share > 1:
        raise SheetError("an insurance is not more than the bet that it insures")
    if max(blackjack, insurance) > PAYS_MAX:
        raise SheetError(f"no bet wins more than {PAYS_MAX} times its stake")
    return Rules(
        hits_soft_17=game.soft_17 == "hits",
        double_totals=frozenset(game.double.totals),
        double_after_split=game.double.after_split,
        split_by_rank=game.split.equal == "rank",
        split_aces_play=game.split.aces == "played",
        blackjack_pays=blackjack,
        insurance_share=share,
        insurance_pays=insurance,
    )


def _returns(game: GameDocument) -> Mapping[Strategy, Declared]:
    returns = {
        strategy: Declared(exact(told.expected), exact(told.variance))
        for strategy, told in game.returns.items()
    }
    for strategy, declared in returns.items():
        if declared.expected < RETURN_MIN:
            raise SheetError(f"{strategy} play returns {declared.expected}, less than {RETURN_MIN}")
    return MappingProxyType(returns)
