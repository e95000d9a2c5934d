"""The book itself: opened once, with a name and a clock that is real or simulated."""

from dataclasses import dataclass
from typing import Final

from ledger.domain.commands import OpenBook
from ledger.domain.decider import (
    Change,
    Context,
    Decider,
    Decision,
    Handler,
    Handlers,
    States,
    fold,
)
from ledger.domain.events import BookOpened
from ledger.domain.ids import BOOK, StreamName
from ledger.domain.refusals import Code, Refusal


@dataclass(frozen=True, slots=True)
class Unopened:
    """No event yet."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The book's name and clock, repeated by every report."""

    book: str
    clock: str


State = Unopened | Opened
START: Final[State] = Unopened()

evolve = fold({BookOpened: lambda _, e: Opened(e.book, e.clock)})


def _reads(_: OpenBook, __: States) -> tuple[StreamName, ...]:
    return (BOOK,)


def _open(command: OpenBook, states: States, _: Context) -> Decision:
    if isinstance(states[BOOK], Opened):
        return Refusal(Code.BOOK_ALREADY_OPEN, "The book is open; go on with it.")
    return (Change(BOOK, (BookOpened(book=command.book, clock=command.clock),)),)


DECIDER: Final = Decider(START, evolve)
HANDLERS: Final[Handlers] = {OpenBook: Handler(_reads, _open)}
