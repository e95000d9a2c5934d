"""The FairPlay series: numbers committed before any bet, taken one a spin, then revealed (G7).

A number is taken together with the bets of its round, and decrypted in a later save: it can depend
on nothing that it is played against. Only the last number taken may be in play, so that nothing is
revealed which is still to be drawn.
"""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from ledger.domain import commands as cmd, conto, events as ev, session as ses, sheets
from ledger.domain.decider import (
    Change,
    Context,
    Decider,
    Decision,
    Handler,
    Handlers,
    NeedsDraw,
    States,
    fold,
)
from ledger.domain.ids import (
    StreamName,
    conto_stream,
    series_stream,
    session_stream,
    sheet_stream,
)
from ledger.domain.refusals import Code, Refusal
from ledger.domain.terms import Terms


@dataclass(frozen=True, slots=True)
class Absent:
    """No series of this id."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A number that was taken: its place, and the round that it belongs to."""

    place: int
    session: UUID
    round: UUID


@dataclass(frozen=True, slots=True)
class Series:
    """A series whose time is not over."""

    id: UUID
    player: str
    sheet: str
    md5: str
    sha256: str
    keep_seconds: int
    numbers: tuple[ev.Sealed, ...]
    secret: ev.Sealed
    used_at: datetime | None
    """When it was prepared or its last number was taken."""
    last: Taken | None = None
    ended: bool = False
    """Whether the player ended it early."""
    revealed: bool = False

    @property
    def taken(self) -> int:
        """How many numbers were taken."""
        return 0 if self.last is None else self.last.place

    @property
    def is_over(self) -> bool:
        """Whether no further number is played."""
        return self.ended or self.revealed or self.taken == len(self.numbers)

    @property
    def due(self) -> datetime:
        """When its time is over: 240 hours after it was used last, or what its sheet says (HW7)."""
        assert self.used_at is not None
        return self.used_at + timedelta(seconds=self.keep_seconds)


@dataclass(frozen=True, slots=True)
class Expired:
    """A series whose time is over; its keys are destroyed."""


State = Absent | Series | Expired
START: Final[State] = Absent()


def _prepared(_: State, e: ev.SeriesPrepared, at: datetime | None) -> State:
    return Series(
        e.series,
        e.player,
        e.sheet,
        e.md5,
        e.sha256,
        e.keep_seconds,
        e.numbers,
        e.secret,
        at,
    )


def _taken(state: Series, e: ev.NumberTaken, at: datetime | None) -> State:
    return replace(state, last=Taken(e.place, e.session, e.round), used_at=at)


evolve = fold(
    {
        ev.SeriesEnded: lambda s, _: replace(s, ended=True),
        ev.SeriesRevealed: lambda s, _: replace(s, revealed=True),
        ev.SeriesExpired: lambda _, __: Expired(),
    },
    timed={ev.SeriesPrepared: _prepared, ev.NumberTaken: _taken},
)


def alive(state: State, now: datetime) -> Series | Refusal:
    """The series, or why there is none to play or ask for."""
    if isinstance(state, Absent):
        return Refusal(Code.UNKNOWN_SERIES, "No such series; prepare one first.")
    if isinstance(state, Expired) or now >= state.due:
        return Refusal(Code.SERIES_EXPIRED, "The time of this series is over; prepare another.")
    return state


def next_number(state: State, terms: Terms, now: datetime) -> tuple[int, ev.Sealed] | Refusal:
    """The place and ciphertext of the number that is played next, or why none is."""
    series = alive(state, now)
    if isinstance(series, Refusal):
        return series
    if (series.player, series.sheet) != (terms.player, terms.sheet):
        return Refusal(Code.UNKNOWN_SERIES, "This series belongs to another player or sheet.")
    if series.is_over:
        return Refusal(Code.SERIES_ENDED, "All numbers are played or given up; prepare another.")
    place = series.taken + 1
    return place, series.numbers[place - 1]


def reads_last(stream: StreamName, states: States) -> tuple[StreamName, ...]:
    """The series, and the session in which its last number was taken."""
    state = states.get(stream)
    if isinstance(state, Series) and state.last is not None:
        return (stream, session_stream(state.last.session))
    return (stream,)


def last_in_play(state: State, states: States) -> Refusal | None:
    """The refusal while the round of the last number is in play; None when nothing is."""
    if not isinstance(state, Series) or state.last is None:
        return None
    session: ses.State = states[session_stream(state.last.session)]
    if isinstance(session, ses.Open) and ses.is_in_play(session, state.last.round):
        return Refusal(Code.SERIES_IN_PLAY, "Its last number is in play; finish that round first.")
    return None


def number_for(
    command: cmd.PlayRound | cmd.OpenRound | cmd.PlayDemo,
    session: ses.Open,
    terms: sheets.SeriesTerms | None,
    found: tuple[States, datetime],
) -> ev.SeriesNumber | Refusal | None:
    """The number that a round is to be played with; None where it asks for no series."""
    states, now = found
    if not isinstance(command, cmd.OpenRound) or command.series is None:
        return _no_offset(command)
    if terms is None:
        return Refusal(Code.SERIES_NOT_OFFERED, "This game is not played with a series.")
    state: State = states[series_stream(command.series)]
    number = next_number(state, session.terms, now)
    if isinstance(number, Refusal):
        return number
    in_play = last_in_play(state, states)
    if in_play is not None:
        return in_play
    offset = session.offset if command.offset is None else command.offset
    if offset >= terms.offsets or (offset and command.client not in terms.clients):
        return Refusal(
            Code.OFFSET_NOT_OFFERED,
            f"Offsets are 0 to {terms.offsets - 1}; but 0, they need one of these clients: "
            f"{', '.join(terms.clients)}.",
        )
    place, sealed = number
    return ev.SeriesNumber(place=place, offset=offset, client=command.client, sealed=sealed)


def _no_offset(command: cmd.PlayRound | cmd.OpenRound | cmd.PlayDemo) -> Refusal | None:
    """Refuse what shifts no number: it would be asked for and stand nowhere on record."""
    if isinstance(command, cmd.OpenRound) and (command.offset, command.client) != (None, None):
        return Refusal(
            Code.OFFSET_NOT_OFFERED, "An offset and its client go with an open series alone."
        )
    return None


def take(command: cmd.OpenRound, number: ev.SeriesNumber) -> Change:
    """Take a number of the series for the round that a command opens."""
    assert command.series is not None
    taken = ev.NumberTaken(place=number.place, session=command.session, round=command.id)
    return Change(series_stream(command.series), (taken,))


def _reads_preparing(command: cmd.PrepareSeries, _: States) -> tuple[StreamName, ...]:
    series, player = series_stream(command.series), conto_stream(command.player)
    return (series, player, sheet_stream(command.sheet))


def _prepare(command: cmd.PrepareSeries, states: States, context: Context) -> Decision:
    published = sheets.in_force(states[sheet_stream(command.sheet)], context.now)
    if isinstance(published, Refusal):
        return published
    player = conto.at_liberty(states[conto_stream(command.player)], context.now)
    if isinstance(player, Refusal):
        return player
    terms = sheets.read_head(published.text).series
    if terms is None:
        return Refusal(Code.SERIES_NOT_OFFERED, "This game is not played with a series.")
    stream = series_stream(command.series)
    if not isinstance(states[stream], Absent):
        return Refusal(Code.SERIES_ALREADY_PREPARED, "This id is taken; make a new one.")
    return _unsound(command, terms) or (Change(stream, (_event(command, terms.keep_seconds),)),)


def _unsound(command: cmd.PrepareSeries, terms: sheets.SeriesTerms) -> Refusal | None:
    if not terms.numbers_min <= len(command.numbers) <= terms.numbers_max:
        bounds = f"{terms.numbers_min} to {terms.numbers_max}"
        return Refusal(Code.MALFORMED, f"A series has {bounds} numbers.")
    if not _is_in_place(command):
        return Refusal(Code.MALFORMED, "The numbers of a series are sealed for it, in order.")
    return None


def _is_in_place(command: cmd.PrepareSeries) -> bool:
    sealed = (command.secret, *command.numbers)
    return [(command.series, n) for n in range(len(sealed))] == [
        (s.series, s.place) for s in sealed
    ]


def _event(command: cmd.PrepareSeries, keep_seconds: int) -> ev.SeriesPrepared:
    return ev.SeriesPrepared(
        series=command.series,
        player=command.player,
        sheet=command.sheet,
        alias=command.alias,
        user_key=command.user_key,
        md5=command.md5,
        sha256=command.sha256,
        keep_seconds=keep_seconds,
        numbers=command.numbers,
        secret=command.secret,
    )


def _reads(command: cmd.SeriesCommand, states: States) -> tuple[StreamName, ...]:
    return reads_last(series_stream(command.series), states)


def _end(command: cmd.EndSeries, states: States, context: Context) -> Decision:
    stream = series_stream(command.series)
    series = alive(states[stream], context.now)
    if isinstance(series, Refusal):
        return series
    if series.is_over:
        return Refusal(Code.SERIES_ENDED, "The series has ended already.")
    ended = ev.SeriesEnded(unplayed=len(series.numbers) - series.taken)
    return last_in_play(series, states) or (Change(stream, (ended,)),)


def _reveal(command: cmd.RevealSeries, states: States, context: Context) -> Decision:
    stream = series_stream(command.series)
    series = alive(states[stream], context.now)
    if isinstance(series, Refusal):
        return series
    if series.revealed:
        return Refusal(Code.SERIES_ENDED, "The secret is revealed already; it is in the log.")
    if not series.is_over:
        return Refusal(Code.SERIES_IN_PLAY, "The secret is told when the series is over.")
    in_play = last_in_play(series, states)
    if in_play is not None:
        return in_play
    if not context.entropy:
        return NeedsDraw(1, series.secret)
    secret = context.entropy[0]
    # A commitment since SHA-256; MD5 is what the players' rules promise beside it.
    assert hashlib.sha256(secret).hexdigest() == series.sha256
    assert hashlib.md5(secret, usedforsecurity=False).hexdigest() == series.md5
    return (Change(stream, (ev.SeriesRevealed(secret=secret.decode("ascii")),)),)


def _expire(command: cmd.ExpireSeries, states: States, context: Context) -> Decision:
    stream = series_stream(command.series)
    state: State = states[stream]
    if isinstance(state, Absent):
        return Refusal(Code.UNKNOWN_SERIES, "No such series.")
    if isinstance(state, Expired):
        return Refusal(Code.SERIES_EXPIRED, "The time of this series is over already.")
    if context.now < state.due:
        return Refusal(Code.NOT_YET_DUE, f"The series may be used until {state.due.isoformat()}.")
    expired = ev.SeriesExpired(due=state.due)
    return last_in_play(state, states) or (Change(stream, (expired,)),)


DECIDER: Final = Decider(START, evolve)
HANDLERS: Final[Handlers] = {
    cmd.PrepareSeries: Handler(_reads_preparing, _prepare),
    cmd.EndSeries: Handler(_reads, _end),
    cmd.RevealSeries: Handler(_reads, _reveal),
    cmd.ExpireSeries: Handler(_reads, _expire),
}
