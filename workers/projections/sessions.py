"""Sessions: state, funding, play and end of each, what waits for an answer and what will expire.

`bet` is turnover, `won` is winnings with the returned stakes, both of the base game alone. Over a
closed session `posta_in - posta_out = bet - won + double_ups_staked - double_ups_returned` holds.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, TypeVar
from uuid import UUID

from ledger.domain import events as ev
from workers.days import day_of
from workers.log import Cursor, SealedEntry
from workers.projections.base import Folding, Projection, Write
from workers.projections.settled import doubled
from workers.projections.tables import Place, Row, Table

SESSIONS: Final = Table(
    "p_sessions",
    ("session",),
    {
        "session": "uuid", "player": "text", "sheet": "text", "channel": "text",
        "currency": "text", "reconnect_seconds": "int4", "requested_at": "timestamptz",
        "state": "text", "right_id": "uuid", "right_amount": "int8", "right_since": "timestamptz",
        "funded_initial": "int8", "funded_further": "int8", "funded_bonus": "int8",
        "posta_in": "int8", "posta_out": "int8", "rounds": "int8", "bet": "int8", "won": "int8",
        "refunded": "int8", "void_rounds": "int8", "disconnected_at": "timestamptz",
        "due_at": "timestamptz", "opened_at": "timestamptz", "closed_at": "timestamptz",
        "reason": "text", "double_ups": "int8", "double_ups_staked": "int8",
        "double_ups_returned": "int8", "live_table": "text", "seat": "int4", "to_drop": "int8",
        "limit_seconds": "int8", "plays_until": "timestamptz",
    },
)  # fmt: skip

DROP: Final = Table(
    "p_table_drop",
    ("day", "sheet", "live_table", "seat", "currency"),
    {
        "day": "date", "sheet": "text", "live_table": "text", "seat": "int4", "currency": "text",
        "drop": "int8",
    },
)  # fmt: skip
"""What rights brought to a seat of a live table, on the day when it came there: each cent once."""


@dataclass(frozen=True, slots=True)
class Session:
    """One row, its fields in the order of the columns; amounts in minor units."""

    session: UUID
    player: str
    sheet: str
    channel: str
    currency: str
    reconnect_seconds: int
    requested_at: datetime
    state: str = "pending"
    right_id: UUID | None = None
    right_amount: int | None = None
    right_since: datetime | None = None
    funded_initial: int = 0
    funded_further: int = 0
    funded_bonus: int = 0
    posta_in: int = 0
    posta_out: int = 0
    rounds: int = 0
    bet: int = 0
    won: int = 0
    refunded: int = 0
    void_rounds: int = 0
    disconnected_at: datetime | None = None
    due_at: datetime | None = None
    opened_at: datetime | None = None
    closed_at: datetime | None = None
    reason: str | None = None
    double_ups: int = 0
    double_ups_staked: int = 0
    double_ups_returned: int = 0
    live_table: str | None = None
    """The live table at which the session sits."""
    seat: int | None = None
    to_drop: int = 0
    """What rights brought and no table has counted as its drop."""
    limit_seconds: int | None = None
    """How long after the opening its player plans to play."""
    plays_until: datetime | None = None
    """When the time of play of an open session is over, by plan or by a limit of the conto."""


def _requested(state: Session | None, e: ev.ParticipationRequested, entry: ev.AnyEntry) -> Session:
    session = state or Session(
        UUID(entry.stream.partition(":")[2]),
        e.player,
        e.sheet,
        e.channel,
        e.currency.value,
        e.reconnect_seconds,
        entry.recorded,
    )
    asked = replace(
        session,
        right_id=e.participation,
        right_amount=e.amount,
        right_since=entry.recorded,
        limit_seconds=_least(session.limit_seconds, e.limit_seconds),
    )
    return _planned(asked, e.time_over)


def _answered(state: Session, *_: Any) -> Session:
    return replace(state, right_id=None, right_amount=None, right_since=None)


def _opened(state: Session, _: ev.SessionOpened, entry: ev.AnyEntry) -> Session:
    return _planned(replace(state, state="open", opened_at=entry.recorded))


def _time_limited(state: Session, e: ev.SessionTimeLimited, _: ev.AnyEntry) -> Session:
    return _planned(state, e.time_over)


def _planned(state: Session, time_over: datetime | None = None) -> Session:
    """A session whose plan or limit may end its time of play sooner."""
    planned = None
    if state.opened_at is not None and state.limit_seconds is not None:
        planned = state.opened_at + timedelta(seconds=state.limit_seconds)
    until = _least(state.plays_until, _least(planned, time_over))
    return replace(state, plays_until=until)


T = TypeVar("T", int, datetime)


def _least(one: T | None, other: T | None) -> T | None:
    """What is less of two that may be missing."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def _funded(state: Session, e: ev.PostaFunded, _: ev.AnyEntry) -> Session:
    name = f"funded_{e.transfer}"
    changes: dict[str, Any] = {name: getattr(state, name) + e.amount}
    if e.transfer != "bonus":
        changes["to_drop"] = state.to_drop + e.amount
    return replace(state, posta_in=state.posta_in + e.amount, **changes)


def _seated(state: Session, e: ev.SessionSeated, _: ev.AnyEntry) -> Session:
    return replace(state, live_table=e.table, seat=e.seat)


def _unseated(state: Session, *_: Any) -> Session:
    return replace(state, live_table=None, seat=None)


def _disconnected(state: Session, e: ev.SessionDisconnected, _: ev.AnyEntry) -> Session:
    due = e.at + timedelta(seconds=state.reconnect_seconds)
    return replace(state, disconnected_at=e.at, due_at=due)


def _reconnected(state: Session, *_: Any) -> Session:
    return replace(state, disconnected_at=None, due_at=None)


def _closed(state: Session, e: ev.SessionClosed, entry: ev.AnyEntry) -> Session:
    return replace(
        state,
        state="closed",
        posta_out=e.final_posta,
        closed_at=entry.recorded,
        reason=e.reason,
        due_at=None,
        plays_until=None,
    )


def _settled(state: Session, e: ev.RoundSettled, _: ev.AnyEntry) -> Session:
    count, staked, returned = doubled(e)
    return replace(
        state,
        rounds=state.rounds + 1,
        bet=state.bet + e.staked - e.refunded,
        won=state.won + e.winnings + e.stake_returned,
        refunded=state.refunded + e.refunded,
        double_ups=state.double_ups + count,
        double_ups_staked=state.double_ups_staked + staked,
        double_ups_returned=state.double_ups_returned + returned,
    )


def _voided(state: Session, e: ev.RoundVoided, _: ev.AnyEntry) -> Session:
    refunded = state.refunded + e.refunded
    return replace(state, void_rounds=state.void_rounds + 1, refunded=refunded)


_STEPS: Final[Mapping[str, Callable[..., Session]]] = {
    ev.ParticipationRequested.NAME: _requested,
    ev.ParticipationValidated.NAME: _answered,
    ev.ParticipationRejected.NAME: _answered,
    ev.ParticipationAnnulled.NAME: _answered,
    ev.SessionOpened.NAME: _opened,
    ev.SessionTimeLimited.NAME: _time_limited,
    ev.PostaFunded.NAME: _funded,
    ev.SessionDisconnected.NAME: _disconnected,
    ev.SessionReconnected.NAME: _reconnected,
    ev.SessionClosed.NAME: _closed,
    ev.RoundSettled.NAME: _settled,
    ev.RoundVoided.NAME: _voided,
    ev.SessionSeated.NAME: _seated,
    ev.SessionUnseated.NAME: _unseated,
}


def _fold(folding: Folding, entries: Sequence[SealedEntry]) -> Write:
    keyed = [(UUID(s.entry.stream.partition(":")[2]), s.entry) for s in entries]
    known = SESSIONS.load(folding.cursor, folding.place, sorted({key for key, _ in keyed}))
    states: dict[UUID, Session] = {row[0]: Session(*row) for row in known}
    dropped: list[Row] = []
    for key, entry in keyed:
        state = _STEPS[entry.event.NAME](states.get(key), entry.event, entry)
        if state.live_table is not None and state.to_drop:
            seat = (state.sheet, state.live_table, state.seat, state.currency)
            dropped.append((day_of(entry.recorded), *seat, state.to_drop))
            state = replace(state, to_drop=0)
        states[key] = state
    return partial(_write, folding.place, SESSIONS.rows(states.values()), _summed(dropped))


def _summed(dropped: Sequence[Row]) -> list[Row]:
    """One row for each key: a statement cannot add to the same row twice."""
    sums: dict[Row, int] = defaultdict(int)
    for *keys, drop in dropped:
        sums[tuple(keys)] += drop
    return [(*keys, drop) for keys, drop in sums.items()]


def _write(place: Place, states: list[Row], dropped: list[Row], cursor: Cursor) -> None:
    SESSIONS.put(cursor, place, states)
    DROP.add(cursor, place, dropped)


PROJECTION: Final = Projection(
    name="sessions",
    version=4,
    topics=tuple(_STEPS),
    tables=(SESSIONS, DROP),
    batch=20_000,
    fold=_fold,
)
