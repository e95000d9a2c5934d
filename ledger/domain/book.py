"""The book itself: opened once, and what was told of its players to somebody outside of it."""

from dataclasses import dataclass
from typing import Final

from ledger.domain.commands import DisclosePersonalData, OpenBook
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
from ledger.domain.events import BookOpened, PersonalDataDisclosed
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

evolve = fold(
    {
        BookOpened: lambda _, e: Opened(e.book, e.clock),
        PersonalDataDisclosed: lambda state, _: state,
    }
)


def _reads(_: object, __: States) -> tuple[StreamName, ...]:
    return (BOOK,)


def _open(command: OpenBook, states: States, _: Context) -> Decision:
    if isinstance(states[BOOK], Opened):
        return Refusal(Code.BOOK_ALREADY_OPEN, "The book is open; go on with it.")
    return (Change(BOOK, (BookOpened(book=command.book, clock=command.clock),)),)


def _disclose(command: DisclosePersonalData, states: States, _: Context) -> Decision:
    if not isinstance(states[BOOK], Opened):
        return Refusal(Code.BOOK_NOT_OPEN, "The book is not open; open it first.")
    if command.last < command.first:
        return Refusal(Code.MALFORMED, "The last day comes before the first; exchange them.")
    told = PersonalDataDisclosed(
        first=command.first,
        last=command.last,
        root=command.root,
        recipient=command.recipient,
        reason=command.reason,
    )
    return (Change(BOOK, (told,)),)


DECIDER: Final = Decider(START, evolve)
HANDLERS: Final[Handlers] = {
    OpenBook: Handler(_reads, _open),
    DisclosePersonalData: Handler(_reads, _disclose),
}
