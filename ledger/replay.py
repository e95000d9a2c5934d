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
from ledger.domain.events import AnyEntry, DrawRecorded, RoundEvent, RoundOpened, SheetRef
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
        if isinstance(event, DrawRecorded):
            yield from self._judge(entry, event)
        yield from self._compare(entry, event)
        if isinstance(event, RoundOpened):
            self._histories[event.round] = ()
        history = (*self._histories.get(event.round, ()), event)
        self._histories[event.round] = history
        if event.NAME in _ENDS:
            del self._histories[event.round]

    def _judge(self, entry: AnyEntry, event: DrawRecorded[Any]) -> Iterator[Finding]:
        published = self.published.get(event.rules)
        if published is None or published.engine not in self.engines:
            yield _finding(entry, f"no published sheet or engine for {event.rules}")
            return
        engine = self.engines[published.engine]
        sheet = engine.read_sheet(published.text)
        history = self._histories.get(event.round, ())
        opened = next((e for e in history if isinstance(e, RoundOpened)), None)
        if opened is None:
            yield _finding(entry, "a draw of a round that was not opened")
            return
        view = RoundView(event.round, event.rules, opened.currency, sheet, history)
        proposed = engine.decide(view, engine.next_move(view), bytes.fromhex(event.entropy))
        if not isinstance(proposed, tuple):
            yield _finding(entry, "the recorded entropy does not give an outcome")
            return
        self._expected[event.round] = list(proposed)

    def _compare(self, entry: AnyEntry, event: RoundEvent) -> Iterator[Finding]:
        expected = self._expected.get(event.round)
        if not expected:
            return
        proposed = expected.pop(0)
        if proposed != event:
            yield _finding(entry, f"the sheet gives {proposed.NAME} {proposed.model_dump_json()}")


_ENDS: Final = frozenset({"round-settled", "round-voided"})


def _finding(entry: AnyEntry, found: str) -> Finding:
    return Finding("judgement", f"{entry.stream} version {entry.version}", found)
