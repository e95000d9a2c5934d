"""Replay: any state at any version, and each round judged again from what was recorded (G7, G8).

Nothing is drawn, read from a clock or written here. A round is judged by the sheet that its events
name; the engine is given the recorded entropy and must propose exactly the events on record.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from ledger.domain import sheets
from ledger.domain.decider import Engine, RoundEvents, RoundView
from ledger.domain.events import (
    AnyEntry,
    BetPlaced,
    BetRefunded,
    DrawRecorded,
    RoundEvent,
    RoundOpened,
    RoundVoided,
    SheetRef,
)
from ledger.domain.ids import StreamName
from ledger.folding import advance, start
from ledger.store.snapshots import Folded


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: which check found it, where, and what it found."""

    check: str
    place: str
    found: str


def state_at(stream: StreamName, entries: Iterable[AnyEntry], version: int | None = None) -> Folded:
    """A stream's state at a version, or at its end; entries in order from the first."""
    folded = start(stream)
    for entry in entries:
        if version is not None and entry.version > version:
            break
        folded = advance(folded, entry)
    return folded


@dataclass(slots=True)
class Judge:
    """Judges rounds again while entries pass by in the order of their streams."""

    engines: Mapping[str, Engine]
    published: Mapping[SheetRef, sheets.Published]
    _histories: dict[UUID, RoundEvents] = field(default_factory=dict)
    _expected: dict[UUID, list[RoundEvent]] = field(default_factory=dict)

    def see(self, entry: AnyEntry) -> Iterator[Finding]:
        """Take in one entry; yield what differs from the engine's judgement."""
        event = entry.event
        if not isinstance(event, RoundEvent):
            return
        if isinstance(event, RoundOpened):
            self._histories[event.round] = ()
            yield from self._of_the_day(entry, event)
        expected = self._expected.get(event.round)
        if expected is None and isinstance(event, DrawRecorded):
            yield from self._judge(entry, event)
        yield from self._compare(entry, event)
        history = (*self._histories.get(event.round, ()), event)
        self._histories[event.round] = history
        if event.NAME in _ENDS:
            yield from self._forget(entry, event, history)

    def end(self) -> Iterator[Finding]:
        """Rounds that were drawn and not paid to their end."""
        for round_id, expected in self._expected.items():
            names = ", ".join(e.NAME for e in expected)
            yield Finding(
                "judgement", f"round {round_id}", f"after its draw the sheet gives {names}"
            )

    def _of_the_day(self, entry: AnyEntry, event: RoundOpened) -> Iterator[Finding]:
        sheet, now = event.rules.sheet, entry.recorded
        versions = [p.ref for p in self.published.values() if p.ref.sheet == sheet]
        in_force = [r for r in versions if self.published[r].in_force_from <= now]
        if not in_force or in_force[-1] != event.rules:
            yield _finding(entry, f"not the version of {sheet} in force at {now}")

    def _judge(self, entry: AnyEntry, event: DrawRecorded[Any]) -> Iterator[Finding]:
        try:
            proposed = self._proposed(event)
        except Exception as error:  # noqa: BLE001 - what was forged may break any assumption
            yield _finding(entry, f"cannot be judged: {type(error).__name__}")
            return
        if isinstance(proposed, tuple):
            self._expected[event.round] = list(proposed)
        else:
            yield _finding(entry, "the recorded entropy does not give an outcome")

    def _proposed(self, event: DrawRecorded[Any]) -> object:
        published = self.published[event.rules]
        engine = self.engines[published.engine]
        sheet = engine.read_sheet(published.text)
        history = self._histories[event.round]
        opened = next(e for e in history if isinstance(e, RoundOpened))
        view = RoundView(event.round, event.rules, opened.currency, sheet, history)
        return engine.decide(view, engine.next_move(view), bytes.fromhex(event.entropy))

    def _compare(self, entry: AnyEntry, event: RoundEvent) -> Iterator[Finding]:
        expected = self._expected.get(event.round)
        if not expected:
            if event.NAME in _EARNED:
                yield _finding(entry, "no draw on record gives this")
            return
        proposed = expected.pop(0)
        if not expected:
            del self._expected[event.round]
        if proposed != event:
            yield _finding(entry, f"the sheet gives {proposed.NAME} {proposed.model_dump_json()}")

    def _forget(
        self, entry: AnyEntry, event: RoundEvent, history: RoundEvents
    ) -> Iterator[Finding]:
        del self._histories[event.round]
        if self._expected.pop(event.round, None):
            yield _finding(entry, "the sheet gives more events than these")
        if isinstance(event, RoundVoided) and _amounts(history, BetPlaced) != _amounts(
            history, BetRefunded
        ):
            yield _finding(entry, "not every stake was refunded once")


def _amounts(history: RoundEvents, kind: type[BetPlaced[Any]] | type[BetRefunded]) -> list[Any]:
    return sorted((e.bet, e.amount) for e in history if isinstance(e, kind))


_ENDS: Final = frozenset({"round-settled", "round-voided"})
_EARNED: Final = frozenset({"payout-credited", "round-settled"})
"""What only a judged draw can bring about."""


def _finding(entry: AnyEntry, found: str) -> Finding:
    return Finding("judgement", f"{entry.stream} version {entry.version}", found)
