"""Double-ups: each as a bet of its own kind, with what was drawn for it, as history shows it.

`draws` holds the details of the draws in order, as the game wrote them: the card to beat, then the
cards face down and which was picked. A double-up that is still in play has no outcome.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from psycopg.types.json import Jsonb

from ledger.domain import events as ev
from workers.log import SealedEntry
from workers.projections.base import Folding, Projection, Write
from workers.projections.tables import Row, Table

DOUBLE_UPS: Final = Table(
    "p_double_ups",
    ("round", "number"),
    {
        "round": "uuid", "number": "int4", "session": "uuid", "game": "text", "sheet": "text",
        "sheet_version": "int4", "currency": "text", "staked_at": "timestamptz", "half": "bool",
        "at_risk": "int8", "kept": "int8", "draws": "jsonb", "outcome": "text",
        "returned": "int8", "resolved_at": "timestamptz",
    },
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DoubleUp:
    """One row, its fields in the order of the columns; amounts in minor units."""

    round: UUID
    number: int
    session: UUID
    game: str
    sheet: str
    sheet_version: int
    currency: str
    staked_at: datetime
    half: bool
    at_risk: int
    kept: int
    draws: list[dict[str, Any]]
    outcome: str | None = None
    returned: int | None = None
    resolved_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Fold:
    """The double-ups that a batch changes, and which of each round is in play."""

    changed: dict[tuple[UUID, int], DoubleUp] = field(default_factory=dict)
    in_play: dict[UUID, DoubleUp] = field(default_factory=dict)

    def see(self, entry: ev.AnyEntry) -> None:
        """Take in the next entry; a draw outside of a double-up is none of it."""
        match entry.event:
            case ev.DoubleUpStaked() as staked:
                self._put(_staked(staked, entry))
            case ev.DrawRecorded() as drawn if drawn.round in self.in_play:
                state = self.in_play[drawn.round]
                details = drawn.details.model_dump(mode="json")
                self._put(replace(state, draws=[*state.draws, details]))
            case ev.DoubleUpResolved() as resolved:
                state = self.in_play.pop(resolved.round)
                self.changed[state.round, state.number] = replace(
                    state,
                    outcome=resolved.outcome,
                    returned=resolved.returned,
                    resolved_at=entry.recorded,
                )
            case _:
                pass

    def _put(self, state: DoubleUp) -> None:
        self.changed[state.round, state.number] = self.in_play[state.round] = state

    def rows(self) -> list[Row]:
        """What is to be written."""
        return DOUBLE_UPS.rows(map(_as_json, self.changed.values()))


def _as_json(state: DoubleUp) -> DoubleUp:
    changes: dict[str, Any] = {"draws": Jsonb(state.draws)}
    return replace(state, **changes)


def _staked(e: ev.DoubleUpStaked, entry: ev.AnyEntry) -> DoubleUp:
    return DoubleUp(
        round=e.round,
        number=e.number,
        session=UUID(entry.stream.partition(":")[2]),
        game=e.game,
        sheet=e.rules.sheet,
        sheet_version=e.rules.version,
        currency=e.currency.value,
        staked_at=entry.recorded,
        half=e.half,
        at_risk=e.at_risk,
        kept=e.kept,
        draws=[],
    )


def _fold(folding: Folding, entries: Sequence[SealedEntry]) -> Write:
    rounds = {s.entry.event.round for s in entries if isinstance(s.entry.event, ev.RoundEvent)}
    known = DOUBLE_UPS.load(folding.cursor, folding.place, sorted(rounds))
    older = (DoubleUp(*row) for row in known)
    fold = _Fold(in_play={state.round: state for state in older if state.outcome is None})
    for sealed in entries:
        fold.see(sealed.entry)
    return partial(DOUBLE_UPS.put, place=folding.place, rows=fold.rows())


PROJECTION: Final = Projection(
    name="double-ups",
    version=1,
    topics=(ev.DoubleUpStaked.NAME, ev.DrawRecorded.NAME, ev.DoubleUpResolved.NAME),
    tables=(DOUBLE_UPS,),
    batch=20_000,
    fold=_fold,
)
