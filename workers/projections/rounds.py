"""Rounds: what each was played by, staked and brought, and those that are still in play (G9).

What its double-ups staked and returned stands apart from the base game's figures.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from ledger.domain import events as ev
from workers.log import SealedEntry
from workers.projections.base import Folding, Projection, Write
from workers.projections.settled import doubled
from workers.projections.tables import Table

ROUNDS: Final = Table(
    "p_rounds",
    ("round",),
    {
        "round": "uuid", "session": "uuid", "game": "text", "sheet": "text",
        "sheet_version": "int4", "currency": "text", "opened_at": "timestamptz", "bets": "int4",
        "staked": "int8", "winnings": "int8", "stake_returned": "int8", "refunded": "int8",
        "ended_at": "timestamptz", "settled": "bool", "void_reason": "text", "shown": "text",
        "double_ups": "int4", "double_ups_staked": "int8", "double_ups_returned": "int8",
        "account": "text", "series": "uuid", "live_table": "text",
    },
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Round:
    """One row, its fields in the order of the columns; amounts in minor units."""

    round: UUID
    session: UUID
    game: str
    sheet: str
    sheet_version: int
    currency: str
    opened_at: datetime
    bets: int = 0
    staked: int = 0
    winnings: int = 0
    stake_returned: int = 0
    refunded: int = 0
    ended_at: datetime | None = None
    settled: bool = False
    void_reason: str | None = None
    shown: str | None = None
    double_ups: int = 0
    double_ups_staked: int = 0
    double_ups_returned: int = 0
    account: str | None = None
    series: UUID | None = None
    """The FairPlay series whose number the round took."""
    live_table: str | None = None
    """The live table at which it was bet."""


def _opened(_: None, e: ev.RoundOpened[Any], entry: ev.AnyEntry) -> Round:
    session = UUID(entry.stream.partition(":")[2])
    rules = (e.rules.sheet, e.rules.version)
    series = None if e.series is None else e.series.sealed.series
    begun = Round(e.round, session, e.game, *rules, e.currency.value, entry.recorded)
    live_table = None if e.table is None else e.table.table
    return replace(begun, account=e.account, series=series, live_table=live_table)


def _bet(state: Round, e: ev.BetPlaced[Any] | ev.StakeLeft, _: ev.AnyEntry) -> Round:
    return replace(state, bets=state.bets + 1, staked=state.staked + e.amount)


def _drawn(state: Round, e: ev.DrawRecorded[Any], _: ev.AnyEntry) -> Round:
    return state if e.shown is None else replace(state, shown=e.shown)


def _told(state: Round, e: ev.OutcomeTold[Any] | ev.BoxDecided[Any], _: ev.AnyEntry) -> Round:
    """The first outcome is the round's own; later ones are told to what it has in prison."""
    return replace(state, shown=state.shown or e.shown)


def _refunded(state: Round, e: ev.BetRefunded, _: ev.AnyEntry) -> Round:
    return replace(state, refunded=state.refunded + e.amount)


def _settled(state: Round, e: ev.RoundSettled, entry: ev.AnyEntry) -> Round:
    count, staked, returned = doubled(e)
    return replace(
        state,
        winnings=e.winnings,
        stake_returned=e.stake_returned,
        ended_at=entry.recorded,
        settled=True,
        double_ups=count,
        double_ups_staked=staked,
        double_ups_returned=returned,
    )


def _voided(state: Round, e: ev.RoundVoided, entry: ev.AnyEntry) -> Round:
    return replace(state, ended_at=entry.recorded, void_reason=e.reason)


_STEPS: Final[Mapping[str, Callable[..., Round]]] = {
    ev.RoundOpened.NAME: _opened,
    ev.BetPlaced.NAME: _bet,
    ev.StakeLeft.NAME: _bet,
    ev.DrawRecorded.NAME: _drawn,
    ev.OutcomeTold.NAME: _told,
    ev.BoxDecided.NAME: _told,
    ev.BetRefunded.NAME: _refunded,
    ev.RoundSettled.NAME: _settled,
    ev.RoundVoided.NAME: _voided,
}


def _fold(folding: Folding, entries: Sequence[SealedEntry]) -> Write:
    keyed = [(_round_of(s.entry), s.entry) for s in entries]
    begun = {key for key, entry in keyed if isinstance(entry.event, ev.RoundOpened)}
    older = sorted({key for key, _ in keyed} - begun)
    states: dict[UUID, Round] = {
        row[0]: Round(*row) for row in ROUNDS.load(folding.cursor, folding.place, older)
    }
    for key, entry in keyed:
        states[key] = _STEPS[entry.event.NAME](states.get(key), entry.event, entry)
    return partial(ROUNDS.put, place=folding.place, rows=ROUNDS.rows(states.values()))


def _round_of(entry: ev.AnyEntry) -> UUID:
    assert isinstance(entry.event, ev.RoundEvent)
    return entry.event.round


PROJECTION: Final = Projection(
    name="rounds",
    version=6,
    topics=tuple(_STEPS),
    tables=(ROUNDS,),
    batch=20_000,
    fold=_fold,
)
