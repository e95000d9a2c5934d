"""The one shape of everything stateful: initial, decide, evolve, all pure (design of the book).

`decide` reads states and a command and answers changes, a refusal, or that it needs a draw.
`evolve` folds an event into a state and never refuses: a rule that tightens must not make valid
history unloadable, so guards live in `decide` alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol, runtime_checkable
from uuid import UUID

from typing_extensions import TypeIs

from ledger.domain.commands import Command
from ledger.domain.events import (
    BetPlaced,
    Box,
    CardDealt,
    Details,
    Event,
    PayoutCredited,
    RoundEvent,
    RoundOpened,
    Sealed,
    SheetRef,
    TurnTaken,
    WinHeld,
)
from ledger.domain.ids import StreamName
from ledger.domain.money import Currency
from ledger.domain.refusals import Refusal

Events = tuple[Event, ...]
RoundEvents = tuple[RoundEvent, ...]


@dataclass(frozen=True, slots=True)
class NeedsDraw:
    """The decision needs this many fresh random bytes; nothing random was seen before (G7)."""

    size: int
    sealed: Sealed | None = None
    """What must be decrypted for it, where the draw was made and committed before; else None."""
    paused: Any = field(default=None, compare=False, repr=False)
    """What is decided already, to be handed back in `Context`; None when it must begin again."""


@dataclass(frozen=True, slots=True)
class Change:
    """Events to append to one stream, in order."""

    stream: StreamName
    events: Events
    after: Any = field(default=None, compare=False, repr=False)
    """The stream's state with them, where the decision has folded it; None leaves it to do."""


Changes = tuple[Change, ...]


Decision = Changes | Refusal | NeedsDraw
States = Mapping[StreamName, Any]


class SheetError(ValueError):
    """A rule sheet that the engine cannot play or that breaks a rule for sheets."""


@dataclass(frozen=True, slots=True)
class RoundView:
    """What an engine may see of a round: its rules and its own events so far, nothing else."""

    round: UUID
    rules: SheetRef
    currency: Currency
    sheet: Any
    """The sheet as the engine's own `read_sheet` returned it."""
    history: RoundEvents

    @property
    def opening(self) -> RoundOpened[Any]:
        """The round's first event: the player's move, and what the house held of the player."""
        opened = self.history[0]
        assert isinstance(opened, RoundOpened)
        return opened


class Engine(Protocol):
    """The rules of one game: a decider over the steps of a round, blind to money and players.

    An engine proposes events in the book's vocabulary; the session alone checks the posta and
    accepts them. `decide` must not depend on the bets when it maps a draw (guarantee G7).
    """

    @property
    def game(self) -> str:
        """The game's name, as in the bank's account and on every event of a round."""

    @property
    def version(self) -> int:
        """Version of the semantics; published sheets name it as `<game>/<version>`."""

    def read_sheet(self, text: str) -> Any:
        """Read a sheet's canonical text, remembered per text; raise `SheetError` if wrong."""

    def parse(self, document: object) -> Details | Refusal:
        """Read a player's JSON document as the opening move; refuse what is malformed."""

    def decide(
        self, view: RoundView, move: Details, draw: bytes | None
    ) -> RoundEvents | Refusal | NeedsDraw:
        """Propose what the move brings about; ask for a draw where the move needs one."""

    def next_move(self, view: RoundView) -> Details:
        """The move that the rules make when the player makes none: at expiry, or to play on."""

    def waits(self, view: RoundView) -> bool:
        """Whether the round waits for a player's move; else the rules make theirs at once."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a table's round, and the bytes that it was mapped from."""

    details: Details
    shown: str
    used: bytes


@dataclass(frozen=True, slots=True)
class Due:
    """A payment at a table: to which seat, for which bet."""

    seat: int
    placed: BetPlaced[Any]
    payout: PayoutCredited | WinHeld


class TableEngine(Engine, Protocol):
    """The rules of a game that is played at live tables: its outcome is a table's, not a round's.

    A round of a session is told the outcome as a move, and follows from it without a draw.
    """

    def check_limits(self, sheet: Any, limits: str) -> str | None:
        """Why a document cannot be a table's limits, in a sentence; None where it can."""

    def awaits_outcome(self, view: RoundView) -> bool:
        """Whether a round can go on by its table's outcome alone.

        One that does not can be ended by its player and by `next_move`: it has stakes in prison, or
        a win that waits to be collected.
        """

    def in_payment_order(self, sheet: Any, outcome: Details, dues: Sequence[Due]) -> Sequence[Due]:
        """The payments of a whole table in the order in which they are made."""


@runtime_checkable
class SpunEngine(TableEngine, Protocol):
    """The rules of a game whose outcome comes whole, as a ball's does."""

    def play_on(self, view: RoundView) -> Details | None:
        """The rules' move when the table opens a round and stakes that won still lie from the last.

        None where none do.
        """

    def parse_outcome(self, document: object) -> Details | Refusal:
        """Read an outcome that a message of the feed tells; refuse what is malformed."""

    def draw_outcome(self, sheet: Any, draw: bytes | None) -> Outcome | NeedsDraw:
        """Map fresh entropy to an outcome; it depends on no bet (G7)."""

    def shown(self, outcome: Details) -> str | None:
        """What the history shows of an outcome; None where this is no outcome of the game."""


@dataclass(frozen=True, slots=True)
class Dealing:
    """The deal of a table's round so far: the boxes in play, and its cards and turns in order."""

    boxes: tuple[Box, ...]
    steps: tuple[CardDealt[Any] | TurnTaken[Any], ...] = ()

    @property
    def cards(self) -> int:
        """How many cards were dealt."""
        return sum(isinstance(step, CardDealt) for step in self.steps)


@dataclass(frozen=True, slots=True)
class DealTo:
    """The next card goes to a hand of a seat, or without a seat to the dealer."""

    seat: int | None
    hand: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A seat is to act for one of its hands, in one of these ways."""

    seat: int
    hand: int
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing is dealt any more: the outcome of the table's round."""

    outcome: Details
    shown: str


@dataclass(frozen=True, slots=True)
class Decided:
    """A box of which every bet is decided, with the cards that decided it."""

    box: Box
    details: Details
    shown: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn for a deal, a card or the place of the cutting card, and from which bytes."""

    details: Details
    used: bytes


@runtime_checkable
class DealtEngine(TableEngine, Protocol):
    """The rules of a game that deals cards after the close and asks its seats in turn."""

    def seats_max(self, sheet: Any) -> int:
        """How many seats a table has at most."""

    def seconds_to_act(self, sheet: Any) -> int:
        """How long a seat in turn may take before the rules act for it."""

    def seconds_idle(self, sheet: Any) -> int:
        """After how long without any action a player who sits there is disconnected."""

    def parse_card(self, document: object) -> Details | Refusal:
        """Read a card that a message of the feed tells; refuse what is malformed."""

    def parse_shuffle(self, document: object) -> Details | Refusal:
        """Read where the cutting card was placed, likewise."""

    def draw_card(
        self, sheet: Any, gone: Sequence[Details], draw: bytes | None
    ) -> Drawn | NeedsDraw:
        """Map fresh entropy to one of the cards that are left in the shoe; blind to bets (G7)."""

    def draw_shuffle(self, sheet: Any, draw: bytes | None) -> Drawn | NeedsDraw:
        """Map fresh entropy to the place of the cutting card."""

    def can_come(self, sheet: Any, gone: Sequence[Details], card: Details) -> bool:
        """Whether a card can come out of a shoe of which these are gone."""

    def can_be_cut(self, sheet: Any, shuffle: Details) -> bool:
        """Whether the cutting card may stand there."""

    def is_out(self, sheet: Any, shuffle: Details, gone: int) -> bool:
        """Whether the cutting card has come out, after so many cards of its shoe."""

    def following(self, sheet: Any, dealing: Dealing) -> DealTo | Turn | Over:
        """What a deal waits for: a card, a seat, or nothing any more."""

    def decided(self, sheet: Any, dealing: Dealing) -> tuple[Decided, ...]:
        """The boxes that the last step decided before the deal is over, in their order."""

    def seen(self, sheet: Any, dealing: Dealing, seat: int) -> Details:
        """The cards on which a seat acts: its own and the dealer's."""

    def passed(self, sheet: Any, dealing: Dealing) -> Details:
        """The action of the rules for a seat in turn that does not act."""


def is_of_tables(engine: Engine) -> TypeIs[TableEngine]:
    """Whether an engine's game is played at live tables."""
    return is_spun(engine) or is_dealt(engine)


def is_spun(engine: Engine) -> TypeIs[SpunEngine]:
    """Whether the outcome of an engine's game comes whole at a live table."""
    return _is_kind(engine, SpunEngine)


def is_dealt(engine: Engine) -> TypeIs[DealtEngine]:
    """Whether an engine's game deals cards at a live table."""
    return _is_kind(engine, DealtEngine)


def _is_kind(engine: Engine, protocol: type) -> bool:
    """Whether an engine keeps a protocol; asked of each round, so remembered."""
    key = type(engine), protocol
    if key not in _KINDS:
        _KINDS[key] = isinstance(engine, protocol)
    return _KINDS[key]


_KINDS: Final[dict[tuple[type[Engine], type], bool]] = {}
"""By the class of an engine and a protocol, which is slow to ask."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a decision is given from outside: the time, entropy in chunks, and the engines."""

    now: datetime
    engines: Mapping[str, Engine]
    """Engines by `<game>/<version>`."""
    entropy: tuple[bytes, ...] = ()
    paused: Any = None
    """What the same decision on the same states had already decided when it asked for a draw."""


@dataclass(frozen=True, slots=True)
class Handler:
    """How one kind of command is handled.

    `reads` names the streams to fold; it is asked again with the states known so far until it
    names no new stream. What `decide` does not change of them is guarded when the save is made.
    """

    reads: Callable[[Any, States], tuple[StreamName, ...]]
    decide: Callable[[Any, States, Context], Decision]


@dataclass(frozen=True, slots=True)
class Decider:
    """The fold of one kind of stream."""

    initial: Any
    evolve: "Evolve"


class Evolve(Protocol):
    """The step of a fold."""

    def __call__(self, state: Any, event: Event, at: datetime | None = None) -> Any:
        """The state after an event that was recorded at a moment, which only some steps look at."""


Steps = Mapping[type[Event], Callable[[Any, Any], Any]]
TimedSteps = Mapping[type[Event], Callable[[Any, Any, Any], Any]]


def unchanged(state: Any, _: Event) -> Any:
    """The fold of an event that a state does not depend on."""
    return state


def fold(steps: Steps, timed: TimedSteps | None = None) -> Evolve:
    """Build `evolve` from one step for each class of event; other events leave the state.

    Steps of `timed` are also given when the event was recorded.
    """
    named: Final[dict[str, Callable[[Any, Any], Any]]] = {e.NAME: s for e, s in steps.items()}
    dated: Final = {e.NAME: s for e, s in (timed or {}).items()}

    def evolve(state: Any, event: Event, at: datetime | None = None) -> Any:
        if event.NAME in dated:
            return dated[event.NAME](state, event, at)
        step: Callable[[Any, Any], Any] = named.get(event.NAME, unchanged)
        return step(state, event)

    return evolve


Handlers = Mapping[type[Command], Handler]
