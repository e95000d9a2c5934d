"""The live table: one stream that many sessions share, round after round (rulings FR3, FR8, FR9).

A table whose game deals cards keeps its shoe over the rounds, and the deal of the one in play.

A bet writes its session alone, and the save looks that the table stood still; what ends a round is
one save over the table and all its sessions, so that no payment is made alone (G4).
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from ledger.domain import events as ev, session as ses
from ledger.domain.decider import Change, Dealing, Decider, fold
from ledger.domain.ids import StreamName, session_stream, table_stream
from ledger.domain.refusals import Code, Refusal

MESSAGES_KEPT: Final = 64
"""How many messages of the feed are known again; an older one is out of order anyway."""

Phase = Literal["open", "closed", "dealing", "told"]


@dataclass(frozen=True, slots=True)
class Absent:
    """No table of this name."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table and who sits there."""

    seat: int
    session: UUID
    player: str


@dataclass(frozen=True, slots=True)
class TableRound:
    """The round in play: open for bets, closed, dealing, or told with its payments to come."""

    round: UUID
    rules: ev.SheetRef
    limits: str | None
    phase: Phase = "open"
    outcome: Any = None
    shown: str | None = None
    deals: bool = False
    """Whether cards follow the close, so that no single bet is void any more."""
    dealing: Dealing | None = None
    """The deal, from its first card on."""
    waits_since: datetime | None = None
    """When the last card or turn of it was recorded."""


@dataclass(frozen=True, slots=True)
class Shoe:
    """The shoe from which a table deals."""

    number: int
    rules: ev.SheetRef
    shuffle: Any
    """Where its cutting card is, in the game's own type."""
    gone: tuple[Any, ...] = ()
    """The cards that came out of it."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of the feed that was heard, and what it told."""

    message: str
    sequence: int
    told: str
    round: int | None
    """The number of the round that it named, if it did."""


@dataclass(frozen=True, slots=True)
class Table:
    """An open table."""

    table: str
    sheet: str
    seats_max: int
    limits: str | None
    chief: str
    seats: tuple[Seat, ...] = ()
    rounds: int = 0
    """How many rounds were opened so far."""
    round: TableRound | None = None
    owed: UUID | None = None
    """The voided round whose bets go back when the next one begins, or their player leaves.

    Where they went back at once, it is one that was saved between that decision and its save.
    """
    suspended: str | None = None
    """Why no round is opened, where the table is suspended."""
    heard: tuple[Heard, ...] = ()
    """The last messages that came, those that did not count too: none counts later."""
    last_sequence: int = -1
    """The place in the feed of the last message that counted; -1 before the first."""
    shoe: Shoe | None = None
    """None before the first shuffle, and always where no cards are dealt."""


@dataclass(frozen=True, slots=True)
class Closed:
    """A table that was closed for good."""


State = Absent | Table | Closed
START: Final[State] = Absent()


def _opened(_: State, e: ev.TableOpened) -> State:
    return Table(e.table, e.sheet, e.seats_max, e.limits, e.chief)


def _limited(state: Table, e: ev.TableLimitsSet) -> State:
    return replace(state, limits=e.limits, chief=e.chief)


def _sat(state: Table, e: ev.SeatTaken) -> State:
    return replace(state, seats=(*state.seats, Seat(e.seat, e.session, e.player)))


def _left(state: Table, e: ev.SeatLeft) -> State:
    return replace(state, seats=tuple(s for s in state.seats if s.session != e.session))


def _began(state: Table, e: ev.TableRoundOpened) -> State:
    begun = TableRound(e.round, e.rules, e.limits)
    return replace(state, rounds=e.number, round=begun, owed=None)


def _in_round(state: Table, **changes: Any) -> Table:
    assert state.round is not None
    return replace(state, round=replace(state.round, **changes))


def _told(state: Table, e: ev.OutcomeRecorded[Any]) -> State:
    return _counted(_in_round(state, phase="told", outcome=e.details, shown=e.shown), e)


def _counted(
    state: Table, e: ev.OutcomeRecorded[Any] | ev.CardDealt[Any] | ev.ShoeShuffled[Any]
) -> Table:
    """The table with the message that told this, if one did, known as the last that counted."""
    if e.feed is None:
        return state
    return replace(_heard(state, e.feed, e.details), last_sequence=e.feed.sequence)


def _heard(state: Table, feed: ev.FeedRef, told: ev.Details) -> Table:
    if any(h.message == feed.message or h.sequence == feed.sequence for h in state.heard):
        return state
    heard = Heard(feed.message, feed.sequence, told.model_dump_json(), feed.round)
    return replace(state, heard=(*state.heard, heard)[-MESSAGES_KEPT:])


def _shuffled(state: Table, e: ev.ShoeShuffled[Any]) -> State:
    return replace(_counted(state, e), shoe=Shoe(e.number, e.rules, e.details))


def _dealing(state: Table, e: ev.DealingBegun) -> State:
    return _in_round(state, phase="dealing", dealing=Dealing(e.boxes))


def _dealt(state: Table, e: ev.CardDealt[Any], at: datetime | None) -> State:
    assert state.shoe is not None
    shoe = replace(state.shoe, gone=(*state.shoe.gone, e.details))
    return replace(_stepped(_counted(state, e), e, at), shoe=shoe)


def _stepped(state: Table, e: ev.CardDealt[Any] | ev.TurnTaken[Any], at: datetime | None) -> Table:
    assert state.round is not None
    assert state.round.dealing is not None
    dealing = after(state.round.dealing, e)
    return _in_round(state, dealing=dealing, waits_since=at)


def after(dealing: Dealing, step: ev.CardDealt[Any] | ev.TurnTaken[Any]) -> Dealing:
    """A deal with one more step."""
    return Dealing(dealing.boxes, (*dealing.steps, step))


def _voided(state: Table, e: ev.TableRoundVoided) -> State:
    return replace(state, round=None, owed=e.round)


evolve = fold(
    {
        ev.TableOpened: _opened,
        ev.TableLimitsSet: _limited,
        ev.SeatTaken: _sat,
        ev.SeatLeft: _left,
        ev.TableRoundOpened: _began,
        ev.BetsClosed: lambda s, e: _in_round(s, phase="closed", deals=e.deals is True),
        ev.ShoeShuffled: _shuffled,
        ev.DealingBegun: _dealing,
        ev.OutcomeRecorded: _told,
        ev.FeedMessageRefused: lambda s, e: _heard(s, e.feed, e.details),
        ev.TableRoundSettled: lambda s, _: replace(s, round=None),
        ev.TableRoundVoided: _voided,
        ev.TableSuspended: lambda s, e: replace(s, suspended=e.reason, chief=e.chief),
        ev.TableResumed: lambda s, e: replace(s, suspended=None, chief=e.chief),
        ev.TableClosed: lambda _, __: Closed(),
    },
    timed={ev.CardDealt: _dealt, ev.TurnTaken: _stepped},
)


def opened(state: State) -> Table | Refusal:
    """The open table, or why there is none."""
    if isinstance(state, Absent):
        return Refusal(Code.UNKNOWN_TABLE, "No such table; open it first.")
    if isinstance(state, Closed):
        return Refusal(Code.TABLE_CLOSED, "The table is closed for good; open another.")
    return state


def reheard(found: Table, feed: ev.FeedRef, told: ev.Details) -> Any:
    """Why a message of the feed cannot count for what came before it; None where it can."""
    again = Heard(feed.message, feed.sequence, told.model_dump_json(), feed.round)
    for heard in found.heard:
        if heard.message == feed.message or heard.sequence == feed.sequence:
            return "repeated" if heard == again else "contradictory"
    if feed.sequence <= found.last_sequence:
        return "out-of-order"
    if feed.round is not None and (found.round is None or feed.round != found.rounds):
        return "late" if feed.round <= found.rounds else "untimely"
    return None


def for_bets(state: State, leave: str | None) -> ev.TableRef | Refusal:
    """The round that a bet is placed in now, or why none is taken (rulings FR8).

    With the chief's leave, which is on record, a bet is taken after the bets were closed, never
    after the outcome, nor where cards are dealt now.
    """
    table = opened(state)
    if isinstance(table, Refusal):
        return table
    round_ = table.round
    if round_ is None or not (round_.phase == "open" or (leave and awaits_outcome(round_))):
        return Refusal(Code.TABLE_TAKES_NO_BETS, "No bets now; wait for the next round.")
    return ev.TableRef(table=table.table, round=round_.round, limits=round_.limits, leave=leave)


def awaits_outcome(round_: TableRound) -> bool:
    """Whether the ball rolls: the bets are closed, and an outcome is to come whole."""
    return round_.phase == "closed" and not round_.deals


def no_leave(leave: str | None) -> Refusal | None:
    """The refusal of a leave where none is to be had: it would stand nowhere on record."""
    if leave is None:
        return None
    return Refusal(Code.NOT_SEATED, "A leave is given for bets at a live table alone.")


def for_prisoners(state: State) -> ev.TableRef | Refusal | None:
    """The round before whose outcome a player disposes of what is in prison (rulings FR1).

    None between two rounds, when that is as well; refused while the ball rolls, with leave too.
    """
    table = opened(state)
    if isinstance(table, Refusal) or table.round is not None:
        return for_bets(state, None)
    return None


def is_rolling(state: State) -> bool:
    """Whether the bets of a round are closed and its payments are still to come."""
    return isinstance(state, Table) and state.round is not None and state.round.phase != "open"


def is_dealing(state: State) -> bool:
    """Whether a round's cards are dealt, or are to be dealt next."""
    round_ = state.round if isinstance(state, Table) else None
    return round_ is not None and round_.deals and round_.phase != "told"


def reads_table(session: ses.State | None) -> tuple[StreamName, ...]:
    """The table at which a session is seated, if it is."""
    if isinstance(session, ses.Open) and session.table is not None:
        return (table_stream(session.table),)
    return ()


def reads_seats(table: State | None) -> tuple[StreamName, ...]:
    """The sessions that are seated at a table."""
    seats = table.seats if isinstance(table, Table) else ()
    return tuple(session_stream(seat.session) for seat in seats)


def rise(session_id: UUID, session: ses.Open) -> tuple[Change, ...]:
    """Leave the table that a session is seated at: what its table's stream says of it."""
    place = session.place
    if place is None:
        return ()
    left = ev.SeatLeft(seat=place.seat, session=session_id)
    return (Change(table_stream(place.table), (left,)),)


DECIDER: Final = Decider(START, evolve)
