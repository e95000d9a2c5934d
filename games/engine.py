"""What all engines share: the bets of a round, its settlement, and a game as the registry holds it.

Guarantee G9 rests here: whatever a game pays, its round is settled with each stake accounted for.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Generic, Protocol, TypeVar

from games.auditing import Audit
from games.sheets import SheetFile
from games.words import Words
from ledger.domain.decider import Dealing, Engine, RoundEvents, RoundView
from ledger.domain.events import (
    BetPlaced,
    BetRefunded,
    Details,
    PayoutCredited,
    RoundSettled,
)
from ledger.domain.refusals import Code, Refusal

RETURN_MIN: Final = Fraction(9, 10)
"""Least theoretical return of turnover that the sheet of a fixed-odds game may have."""


@dataclass(frozen=True, slots=True)
class Payout:
    """What one bet brings, in minor units: winnings and the returned stake apart."""

    winnings: int
    stake_returned: int

    @property
    def credited(self) -> int:
        """Both together, as it reaches the posta."""
        return self.winnings + self.stake_returned


LOST: Final = Payout(0, 0)


@dataclass(frozen=True, slots=True)
class Return:
    """The theoretical return of one kind of bet, per unit staked."""

    kind: str
    """As a round's settlement names it where returns differ by what the player chose."""
    expected: Fraction
    """Credited per unit, the stake included: 36/37 for a straight at 35 to 1."""
    variance: Fraction

    @property
    def deviation(self) -> float:
        """Standard deviation per unit, for the table that a person reads."""
        return math.sqrt(self.variance)


def ratio_of(exact: Fraction) -> str:
    """Write a fraction in lowest terms, such as `36/37` or `1/1`."""
    return f"{exact.numerator}/{exact.denominator}"


def decimal_of(exact: Fraction, places: int) -> str:
    """Write a fraction with so many decimal places, rounded half to even."""
    rounded = round(exact * 10**places)
    whole, part = divmod(abs(rounded), 10**places)
    return f"{'-' * (rounded < 0)}{whole}.{part:0{places}d}"


@dataclass(frozen=True, slots=True)
class Moments:
    """Expectation and variance of the amount credited, in minor units and their square."""

    expectation: Fraction
    variance: Fraction


@dataclass(frozen=True, slots=True)
class Exposure:
    """What one outcome of a live table decides of a round, in minor units.

    What is in prison afterwards, or was before, counts at what may be withdrawn of it.
    """

    stake: int
    """What was at stake when the bets were decided first."""
    again: bool
    """Whether that was by an earlier outcome: this one decides what is left of it."""
    brings: Mapping[str, int]
    """What each outcome brings to the player, by its name; those that bring nothing are left out.

    Below zero where a stake in prison loses of its worth.
    """


@dataclass(frozen=True, slots=True)
class Fall:
    """A draw whose chances are known from what was dealt before it."""

    draw: str
    """Its kind."""
    outcome: str
    chances: Mapping[str, Fraction]
    """How likely each outcome was, by its name; together they are 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeWatch:
    """What of a shoe's cards, in the order of the deal, can be held against chance alone."""

    outcomes: Callable[[Sequence[Details]], tuple[tuple[str, str], ...]]
    """The draws that are independent of all others, each by its kind and outcome."""
    falls: Callable[[Any, Sequence[Details]], Iterable[Fall]]
    """Every card as a draw, by the sheet as it was read."""
    cards_max: int
    """No shoe has more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What of a game can be held against chance alone, whatever its players decide."""

    chances: Callable[[Any], Mapping[str, Mapping[str, Fraction]]]
    """How likely each outcome is, by kind of draw and name, from the sheet as it was read.

    Draws of one kind are independent, and their outcomes' chances together are 1.
    """
    outcomes: Callable[[RoundView], tuple[tuple[str, str], ...]]
    """The draws of a round that was settled, each by its kind and outcome."""
    moments: Callable[[RoundView], Moments] | None = None
    """The exact moments of all bets of a round together; absent where its player decides on."""
    table_draw: str | None = None
    """The kind of draw that a live table's outcome is; absent where it is none."""
    exposure: Callable[[RoundView], Exposure | None] | None = None
    """What the table's next outcome decides of a round as it stands; None where it is nothing.

    Absent where an outcome alone does not decide.
    """
    shoe: ShoeWatch | None = None
    """Absent where no shoe is dealt from."""
    ways: int = 1
    """How many equally likely outcomes the moments come of: what makes them whole numbers."""


Options = Mapping[str, str]
"""What a study is asked for, by the names of the command's options and as they were written."""

Progress = Callable[[int, int], None]
"""Is told, now and then, how much is done of how much."""


def no_progress(_done: int, _total: int) -> None:
    """What a study tells its progress to when nobody watches."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Between what an exact figure lies that is published rounded."""

    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True)
class Variant:
    """What a game would return by rules that differ from its sheet's in one point, or in none."""

    name: str
    expected: Fraction
    """Credited per unit of all that is bet."""
    staked: Fraction
    """All that is bet, for each unit of a round's first bet."""

    @property
    def house_edge(self) -> Fraction:
        """What the house wins on average of each unit of the first bet."""
        return self.staked * (1 - self.expected)


@dataclass(frozen=True, slots=True)
class Study:
    """A game enumerated in full: what it returns, and how likely it goes each way."""

    found: Return
    frequencies: Mapping[str, Fraction]
    """How likely each way to end or to begin is, by its name; together they are 1."""
    declared: Return
    """What the sheet says of the same."""
    bounds: Bounds | None = None
    """Where the exact return lies, if `found` is rounded."""
    variants: tuple[Variant, ...] = ()
    """The sheet's own rules first."""

    @property
    def agrees(self) -> bool:
        """Whether the sheet says what was found."""
        return self.found == self.declared


class SheetReader(Protocol):
    """The part of an engine that knows its sheets: enough to judge and to tell returns."""

    @property
    def game(self) -> str:
        """The game's name."""

    @property
    def version(self) -> int:
        """Version of the semantics."""

    def read_sheet(self, text: str) -> Any:
        """Read a sheet's canonical text; raise `SheetError` if wrong."""


E = TypeVar("E", bound=SheetReader)
E_contra = TypeVar("E_contra", bound=SheetReader, contravariant=True)


class Quote(Protocol[E_contra]):
    """Judge a round without recording it, by the same parse, decide and settle as play."""

    def __call__(self, engine: E_contra, sheet_text: str, document: object) -> dict[str, Any]:
        """Answer a document as decoded from JSON; a refusal is an answer too."""


class Advise(Protocol[E_contra]):
    """Tell what each way to go on from a position is worth, without recording anything."""

    def __call__(
        self, engine: E_contra, sheet_text: str, document: object
    ) -> dict[str, Any] | Refusal:
        """Answer a document as decoded from JSON.

        The answer holds `ways`, a list from the best to the worst of rows with the same fields.
        """


Agrees = Callable[[str, int, Details], bool]
"""Whether a series' secret has, at a place from 1, the number that an outcome came of."""


def _no_accounts(_: Any) -> tuple[str, ...]:
    return ()


def _no_screen(_: RoundView) -> dict[str, Any]:
    return {}


def _no_cards(_sheet: Any, _dealing: Dealing) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook(Generic[E]):
    """What is known of a game without playing it: its sheets, judgements and exact returns."""

    engine: E
    sheets: tuple[SheetFile, ...]
    codes: type[StrEnum]
    """The game's own refusal codes, by precedence; games on one table share them."""
    quote: Quote[E]
    returns: Callable[[Any], tuple[Return, ...]]
    """The exact return of each kind of bet, from the sheet as `read_sheet` returned it."""
    accounts: Callable[[Any], tuple[str, ...]] = _no_accounts
    """The account types by which a sheet's limits differ, from the sheet as it was read."""
    agrees: Agrees | None = None
    """Hold an outcome against the secret of its series; absent where there are no series."""
    own_limits: Callable[[object], str | Refusal] | None = None
    """Read a player's own limits into the text that the book keeps; absent where nobody has any."""
    watch: Watch | None = None
    """How its play is held against chance; absent where nothing of it is."""
    study: Callable[[Any, Options, Progress], Study | Refusal] | None = None
    """Enumerate a sheet as `read_sheet` returned it; absent where `returns` needs no seconds."""
    advise: Advise[E] | None = None
    """Tell the value of every way to go on; absent where a bet leaves the player no choice."""

    @property
    def name(self) -> str:
        """The engine's name and version, as sheets name it: `<game>/<version>`."""
        return f"{self.engine.game}/{self.engine.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Rulebook[Engine]):
    """One game as the registry holds it; each game's folder builds one."""

    details: tuple[type[Details], ...]
    """The game's types of bets, moves and outcomes, by which the log is read again."""
    audit: Audit | None = None
    """A second method that settles a round without the engine; absent where none is written."""
    screen: Callable[[RoundView], dict[str, Any]] = _no_screen
    """What the player sees of a round in play, for the screen (rulings C7)."""
    cards: Callable[[Any, Dealing], dict[str, Any]] = _no_cards
    """What all see on a table that deals, by its sheet as it was read: the cards, and who acts."""
    words: Words = field(default_factory=dict)
    """How its details are told to people, and drawn; else by their values."""


def header(view: RoundView) -> dict[str, Any]:
    """The fields that all events of a round share."""
    return {"round": view.round, "game": view.opening.game, "rules": view.rules}


def placed_bets(view: RoundView) -> tuple[BetPlaced[Any], ...]:
    """The bets of the round in order, refunded ones included."""
    return tuple([e for e in view.history if isinstance(e, BetPlaced)])


def bets_in_play(view: RoundView) -> tuple[BetPlaced[Any], ...]:
    """The bets of the round in order, each with the amount of it that was not refunded.

    A bet that was refunded whole is none of them.
    """
    placed, refunded = placed_bets(view), _refunded(view)
    if not refunded:
        return placed
    left = [(b, b.amount - refunded[b.bet]) for b in placed]
    return tuple(b.model_copy(update={"amount": held}) for b, held in left if held)


def _refunded(view: RoundView) -> Counter[int]:
    """What was refunded of each bet, in minor units."""
    refunded: Counter[int] = Counter()
    for event in view.history:
        if isinstance(event, BetRefunded):
            refunded[event.bet] += event.amount
    return refunded


def settled(view: RoundView, payouts: Mapping[int, Payout]) -> RoundEvents:
    """Credit the payouts in the order given, and settle the round.

    `payouts` are by the index of a bet in play; a bet that is not named has lost.
    """
    common = header(view) | {"currency": view.currency}
    bets = placed_bets(view)
    staked = sum(b.amount for b in bets)
    refunded = _refunded(view).total()
    returned = sum(p.stake_returned for p in payouts.values())
    credited = tuple(
        PayoutCredited(**common, bet=bet, winnings=p.winnings, stake_returned=p.stake_returned)
        for bet, p in payouts.items()
        if p.credited
    )
    end = RoundSettled(
        **common,
        staked=staked,
        winnings=sum(p.winnings for p in payouts.values()),
        stake_returned=returned,
        stakes_lost=staked - refunded - returned,
        refunded=refunded,
        bets=len(bets),
    )
    return (*credited, end)


def foremost(refusals: Iterable[Refusal]) -> Refusal | None:
    """Of several refusals the first by precedence, and of equal ones the first given."""
    return min(refusals, key=lambda refusal: precedence(refusal.code), default=None)


def precedence(code: StrEnum) -> tuple[int, int]:
    """Where a code ranks among all: its part of the list, and its place there.

    The ledger's codes down to `no-bet` come first, then a game's own, then the bounds on money.
    """
    place = list(type(code)).index(code)
    if not isinstance(code, Code):
        return (1, place)
    return (0 if place <= _LAST_BEFORE_GAMES else 2, place)


_LAST_BEFORE_GAMES: Final = list(Code).index(Code.NO_BET)
