"""Boxes of live tables that deal: each with its bets apart, what they staked and what they brought.

`bets` holds them in order: the bet of the box, then what was doubled, split or insured, with the
game's own details, by whose kind they are told apart. `p_box_bets` shows them one a row. A box that
is still in play has no end.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from psycopg.types.json import Jsonb

from ledger.domain import events as ev
from workers.log import SealedEntry
from workers.projections.base import Folding, Projection, Write
from workers.projections.tables import Table

BOXES: Final = Table(
    "p_boxes",
    ("round",),
    {
        "round": "uuid", "session": "uuid", "game": "text", "sheet": "text",
        "sheet_version": "int4", "currency": "text", "live_table": "text", "table_round": "uuid",
        "seat": "int4", "opened_at": "timestamptz", "bets": "jsonb", "ended_at": "timestamptz",
        "settled": "bool",
    },
)  # fmt: skip

Bet = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Box:
    """One row, its fields in the order of the columns; amounts of bets in minor units."""

    round: UUID
    session: UUID
    game: str
    sheet: str
    sheet_version: int
    currency: str
    live_table: str
    table_round: UUID
    seat: int
    opened_at: datetime
    bets: list[Bet]
    ended_at: datetime | None = None
    settled: bool = False


def _opened(e: ev.RoundOpened[Any], entry: ev.AnyEntry) -> Box | None:
    """The box that a round plays; None for a round that plays none."""
    place = e.table
    if place is None or place.seat is None:
        return None
    return Box(
        round=e.round,
        session=UUID(entry.stream.partition(":")[2]),
        game=e.game,
        sheet=e.rules.sheet,
        sheet_version=e.rules.version,
        currency=e.currency.value,
        live_table=place.table,
        table_round=place.round,
        seat=place.seat,
        opened_at=entry.recorded,
        bets=[],
    )


def _placed(state: Box, e: ev.BetPlaced[Any], _: ev.AnyEntry) -> Box:
    amounts = {"staked": e.amount, "refunded": 0, "winnings": 0, "stake_returned": 0}
    bet = {"bet": e.bet, **amounts, "details": e.details.model_dump(mode="json")}
    return replace(state, bets=[*state.bets, bet])


def _changed(state: Box, bet: int, **more: int) -> Box:
    """The box with amounts added to one of its bets."""
    bets = [
        each | {name: each[name] + amount for name, amount in more.items()}
        if each["bet"] == bet
        else each
        for each in state.bets
    ]
    return replace(state, bets=bets)


def _paid(state: Box, e: ev.PayoutCredited, _: ev.AnyEntry) -> Box:
    return _changed(state, e.bet, winnings=e.winnings, stake_returned=e.stake_returned)


def _refunded(state: Box, e: ev.BetRefunded, _: ev.AnyEntry) -> Box:
    return _changed(state, e.bet, refunded=e.amount)


def _ended(state: Box, e: ev.RoundSettled | ev.RoundVoided, entry: ev.AnyEntry) -> Box:
    return replace(state, ended_at=entry.recorded, settled=isinstance(e, ev.RoundSettled))


_STEPS: Final[Mapping[str, Callable[..., Box]]] = {
    ev.BetPlaced.NAME: _placed,
    ev.PayoutCredited.NAME: _paid,
    ev.BetRefunded.NAME: _refunded,
    ev.RoundSettled.NAME: _ended,
    ev.RoundVoided.NAME: _ended,
}


def _fold(folding: Folding, entries: Sequence[SealedEntry]) -> Write:
    rounds = {s.entry.event.round for s in entries if isinstance(s.entry.event, ev.RoundEvent)}
    known = BOXES.load(folding.cursor, folding.place, sorted(rounds))
    states: dict[UUID, Box] = {row[0]: Box(*row) for row in known}
    for entry in (sealed.entry for sealed in entries):
        event: Any = entry.event
        if isinstance(event, ev.RoundOpened):
            begun = _opened(event, entry)
            if begun is not None:
                states[event.round] = begun
        elif event.round in states:
            states[event.round] = _STEPS[event.NAME](states[event.round], event, entry)
    return partial(BOXES.put, place=folding.place, rows=BOXES.rows(map(_as_json, states.values())))


def _as_json(state: Box) -> Box:
    changes: dict[str, Any] = {"bets": Jsonb(state.bets)}
    return replace(state, **changes)


PROJECTION: Final = Projection(
    name="boxes",
    version=1,
    topics=(ev.RoundOpened.NAME, *_STEPS),
    tables=(BOXES,),
    batch=20_000,
    fold=_fold,
)
