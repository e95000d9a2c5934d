"""A book in memory that really decides: what the service does, without a store.

Reads until the handler names no new stream, decides, hands in entropy where a draw is asked for,
and appends all events with the command's record, or a refusal's record alone. It keeps a live
state for each stream beside the entries, so that a replay can be compared with it.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from ledger.answers import Answer
from ledger.domain import record
from ledger.domain.book import Opened
from ledger.domain.commands import (
    Command,
    ContinueRound,
    OpenBook,
    OpenRound,
    PlayRound,
    digest,
)
from ledger.domain.decider import Changes, Context, Decision, Engine, NeedsDraw
from ledger.domain.events import AnyEntry, Event, Header, Sealed, Written, make_entry
from ledger.domain.ids import BOOK, StreamName, command_stream
from ledger.domain.refusals import Code, Refusal
from ledger.domain.registry import DECIDERS, HANDLERS, kind_of
from ledger.draft import answer_record


class MemoryBook:
    """All entries in order, and the state of each stream; `entropy` gives bytes of a size."""

    def __init__(self, engines: Mapping[str, Engine], entropy: Callable[[int], bytes]) -> None:
        self.entries: list[AnyEntry] = []
        self.unseal: Callable[[Sealed], bytes] = _nothing_sealed
        self._engines = engines
        self._entropy = entropy
        self._states: dict[StreamName, Any] = {}
        self._versions: dict[StreamName, int] = {}
        self._answers: dict[Any, Answer] = {}

    def state(self, stream: StreamName) -> Any:
        """The live state of a stream."""
        return self._states.get(stream, DECIDERS[kind_of(stream)].initial)

    def streams(self) -> tuple[StreamName, ...]:
        """The streams that hold events."""
        return tuple(self._states)

    def events(self, stream: StreamName) -> tuple[Event, ...]:
        """The events of a stream, oldest first."""
        return tuple(e.event for e in self.entries if e.stream == stream)

    def handle(self, command: Command, now: datetime) -> Answer:
        """Answer a command, at most once for its id."""
        standing: record.State = self.state(command_stream(command.id))
        if isinstance(standing, record.Answered):
            if standing.answer.digest == digest(command):
                return self._answers[command.id]
            return self._unrecorded(command, now, Code.COMMAND_CONFLICT)
        if command.played is not None and command.played > now:
            return self._unrecorded(command, now, Code.MALFORMED)
        if not isinstance(command, OpenBook) and not isinstance(self.state(BOOK), Opened):
            return self._unrecorded(command, now, Code.BOOK_NOT_OPEN)
        if isinstance(standing, record.Revoked) and _is_revoked(command, standing):
            return self._write(command, now, Refusal(Code.REFUNDED_BEFORE_PLACED, "Refunded."))
        return self._write(command, now, self._decide(command, now))

    def _decide(self, command: Command, now: datetime) -> Changes | Refusal:
        handler, states = HANDLERS[type(command)], {}
        while missing := set(handler.reads(command, states)) - states.keys():
            states |= {s: self.state(s) for s in missing}
        drawn: list[bytes] = []
        while True:
            context = Context(now, self._engines, tuple(drawn))
            decision: Decision = handler.decide(command, states, context)
            if not isinstance(decision, NeedsDraw):
                return decision
            sealed = decision.sealed
            fresh = self._entropy(decision.size) if sealed is None else self.unseal(sealed)
            drawn.append(fresh)

    def _write(self, command: Command, now: datetime, decision: Changes | Refusal) -> Answer:
        header = Header(
            recorded=now, played=command.played, command=command.id, actor=command.actor
        )
        changes = () if isinstance(decision, Refusal) else decision
        first = len(self.entries)
        runs: dict[StreamName, Written] = {}
        for change in changes:
            run = self._append_all(change.stream, header, change.events)
            begun = runs.get(change.stream, run)
            runs[change.stream] = run.model_copy(update={"first": begun.first})
        written = tuple(runs.values())
        entries = tuple(self.entries[first:])
        refusal = decision if isinstance(decision, Refusal) else None
        answered = answer_record(command, written, refusal)
        self._append_all(command_stream(command.id), header, (answered,))
        answer = Answer(command.id, now, answered, entries)
        self._answers[command.id] = answer
        return answer

    def _append_all(self, stream: StreamName, header: Header, events: tuple[Event, ...]) -> Written:
        first = self._versions.get(stream, 0) + 1
        for version, event in enumerate(events, first):
            evolve = DECIDERS[kind_of(stream)].evolve
            self._states[stream] = evolve(self.state(stream), event, header.recorded)
            self._versions[stream] = version
            self.entries.append(make_entry(stream, version, header, event))
        return Written(stream=stream, first=first, last=self._versions[stream])

    def _unrecorded(self, command: Command, now: datetime, code: Code) -> Answer:
        answered = answer_record(command, (), Refusal(code, "Not recorded."))
        return Answer(command.id, now, answered, ())


def _nothing_sealed(sealed: Sealed) -> bytes:
    raise LookupError(sealed)


def _is_revoked(command: Command, standing: record.Revoked) -> bool:
    bets = isinstance(command, PlayRound | OpenRound | ContinueRound)
    return bets and command.session == standing.session
