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
    Details,
    Event,
    PayoutCredited,
    RoundEvent,
    RoundOpened,
    Sealed,
    SheetRef,
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


@runtime_checkable
class TableEngine(Engine, Protocol):
    """The rules of a game that is played at live tables: its outcome is a table's, not a round's.

    A round of a session is told the outcome as a move, and follows from it without a draw.
    """

    def check_limits(self, sheet: Any, limits: str) -> str | None:
        """Why a document cannot be a table's limits, in a sentence; None where it can."""

    def parse_outcome(self, document: object) -> Details | Refusal:
        """Read an outcome that a message of the feed tells; refuse what is malformed."""

    def draw_outcome(self, sheet: Any, draw: bytes | None) -> Outcome | NeedsDraw:
        """Map fresh entropy to an outcome; it depends on no bet (G7)."""

    def shown(self, outcome: Details) -> str | None:
        """What the history shows of an outcome; None where this is no outcome of the game."""

    def awaits_outcome(self, view: RoundView) -> bool:
        """Whether a round can go on by its table's outcome alone.

        One that does not can be ended by its player and by `next_move`: it has stakes in prison, or
        a win that waits to be collected.
        """

    def play_on(self, view: RoundView) -> Details | None:
        """The rules' move when the table opens a round and stakes that won still lie from the last.

        None where none do.
        """

    def in_payment_order(self, sheet: Any, outcome: Details, dues: Sequence[Due]) -> Sequence[Due]:
        """The payments of a whole table in the order in which they are made."""


def is_of_tables(engine: Engine) -> TypeIs[TableEngine]:
    """Whether an engine's game is played at live tables; asked of each round, so remembered."""
    kind = type(engine)
    if kind not in _OF_TABLES:
        _OF_TABLES[kind] = isinstance(engine, TableEngine)
    return _OF_TABLES[kind]


_OF_TABLES: Final[dict[type, bool]] = {}
"""By the class of an engine; a protocol is slow to ask."""


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
