"""Specifications of deciders: given a history, when a command comes, then events or a refusal.

    given(on(conto_stream("anna"), opened), engines=ENGINES).when(command, now=NOON).then(Code.X)

Pure: histories are folded with `DECIDERS` and decided with `HANDLERS`; no store, no clock, no dice.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from ledger.domain.commands import Command
from ledger.domain.decider import Change, Context, Decision, Engine, NeedsDraw, States
from ledger.domain.events import Event
from ledger.domain.ids import StreamName
from ledger.domain.refusals import Refusal
from ledger.domain.registry import DECIDERS, HANDLERS, kind_of

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
"""The moment of a specification that names none."""
BEFORE = NOON - timedelta(hours=1)
"""The moment at which all that was given happened."""
Recorded = tuple[Event, datetime]


def on(stream: StreamName, *events: Event) -> Change:
    """Events of a stream, in order: a piece of history, or of what is expected."""
    return Change(stream, events)


def fold(stream: StreamName, events: Iterable[Event]) -> Any:
    """The state of a stream after these events, all of one moment."""
    return fold_recorded(stream, ((event, BEFORE) for event in events))


def fold_recorded(stream: StreamName, history: Iterable[Recorded]) -> Any:
    """The state of a stream after these events, each with the moment of its recording."""
    decider = DECIDERS[kind_of(stream)]
    state = decider.initial
    for event, at in history:
        state = decider.evolve(state, event, at)
    return state


def read(command: Command, histories: Mapping[StreamName, tuple[Recorded, ...]]) -> States:
    """The states that a handler asks for, until it names no new stream."""
    states: dict[StreamName, Any] = {}
    while missing := set(HANDLERS[type(command)].reads(command, states)) - states.keys():
        states |= {s: fold_recorded(s, histories.get(s, ())) for s in missing}
    return states


@dataclass(frozen=True)
class Given:
    """What happened before."""

    histories: Mapping[StreamName, tuple[Recorded, ...]]
    engines: Mapping[str, Engine]

    def state(self, stream: StreamName) -> Any:
        """The state of a stream."""
        return fold_recorded(stream, self.histories.get(stream, ()))

    def when(self, command: Command, *, now: datetime = NOON, entropy: bytes = b"") -> "When":
        """Decide a command; `entropy` is handed in a byte at a time."""
        chunks = tuple(bytes([b]) for b in entropy)
        context = Context(now, self.engines, chunks)
        decision = HANDLERS[type(command)].decide(command, read(command, self.histories), context)
        return When(self, decision, now)


@dataclass(frozen=True)
class When:
    """What was decided."""

    given: Given
    decision: Decision
    now: datetime

    def then(self, *expected: Change | StrEnum | NeedsDraw) -> "Given":
        """Assert the decision; go on from the history that it makes."""
        if isinstance(self.decision, Refusal):
            assert expected == (self.decision.code,)
        elif isinstance(self.decision, NeedsDraw):
            assert expected == (self.decision,)
        else:
            assert expected == self.decision
        return self.given_now

    @property
    def given_now(self) -> Given:
        """The history with what was decided."""
        decided = self.decision if isinstance(self.decision, tuple) else ()
        grown = replace(self.given, histories=_grown(self.given.histories, decided, self.now))
        for change in decided:
            assert change.after in (None, grown.state(change.stream))
        return grown


def given(*changes: Change, engines: Mapping[str, Engine] | None = None) -> Given:
    """Start from a history, told by stream; a stream may be told in several pieces."""
    return Given(_grown({}, changes, BEFORE), engines or {})


def _grown(
    histories: Mapping[StreamName, tuple[Recorded, ...]], changes: Iterable[Change], at: datetime
) -> Mapping[StreamName, tuple[Recorded, ...]]:
    grown = dict(histories)
    for change in changes:
        recorded = tuple((event, at) for event in change.events)
        grown[change.stream] = grown.get(change.stream, ()) + recorded
    return grown
