"""A save in the making: states as read, decisions on them, and the entries to write together."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from typing import Any, Final

from ledger.answers import Answer
from ledger.domain import record
from ledger.domain.commands import Command, content, digest_of
from ledger.domain.decider import Change, Changes, joined
from ledger.domain.events import AnyEntry, CommandAnswered, Header, Written, make_entry
from ledger.domain.events.record import ASKED_MAX
from ledger.domain.ids import StreamName, command_stream, stream_key
from ledger.domain.refusals import Refusal
from ledger.domain.registry import GUARDED, HANDLERS, kind_of
from ledger.folding import advance
from ledger.store.recorder import Admission
from ledger.store.snapshots import Folded


def answer_record(
    command: Command, written: tuple[Written, ...], refusal: Refusal | None
) -> CommandAnswered:
    """How a command was answered, as it is recorded and told."""
    asked = content(command)
    keep = refusal is not None and len(asked) <= ASKED_MAX
    return CommandAnswered(
        kind=command.KIND,
        digest=digest_of(asked),
        about=HANDLERS[type(command)].reads(command, {})[0],
        written=written,
        asked=asked.decode() if keep else None,
        refusal=refusal.code.value if refusal else None,
        message=_one_line(refusal.message) if refusal else None,
    )


def _one_line(message: str) -> str:
    """A refusal may quote what it was given: it is cut to what a record holds."""
    return _NO_SENTENCE.sub(" ", message)[:SENTENCE_MAX]


_NO_SENTENCE: Final = re.compile("[\x00-\x1f\x7f\ud800-\udfff]+")
SENTENCE_MAX: Final = 500


@dataclass(slots=True)
class Draft:
    """What one save will write; later commands of the same save see what earlier ones drafted."""

    now: datetime
    folded: dict[StreamName, Folded] = field(default_factory=dict)
    read_at: dict[StreamName, int] = field(default_factory=dict)
    entries: list[AnyEntry] = field(default_factory=list)
    _states: dict[StreamName, Any] = field(default_factory=dict)

    def add(self, states: dict[StreamName, Folded]) -> None:
        """Take in states that were read; a stream that the draft knows stays as drafted."""
        for stream, folded in states.items():
            if stream not in self.folded:
                self._set(stream, folded)
                self.read_at[stream] = folded.version

    def states(self) -> Mapping[StreamName, Any]:
        """The states to decide on, as they stand: a save may have hundreds, so none is copied."""
        return self._states

    def _set(self, stream: StreamName, folded: Folded) -> None:
        self.folded[stream] = folded
        self._states[stream] = folded.state

    def standing(self, command: Command) -> record.State:
        """How the command stands on record."""
        state: record.State = self.folded[command_stream(command.id)].state
        return state

    def write(self, command: Command, decision: Changes | Refusal) -> Answer:
        """Draft the command's events and its record; answer as the record will say for ever."""
        header = Header(
            recorded=self.now, played=command.played, command=command.id, actor=command.actor
        )
        changes = () if isinstance(decision, Refusal) else joined(decision)
        written, entries = [], []
        for change in changes:
            first = self.folded[change.stream].version + 1
            entries += self._append(change, header)
            last = self.folded[change.stream].version
            written.append(Written(stream=change.stream, first=first, last=last))
        refusal = decision if isinstance(decision, Refusal) else None
        answered = answer_record(command, tuple(written), refusal)
        self._append(Change(command_stream(command.id), (answered,)), header)
        return Answer(command.id, self.now, answered, tuple(entries))

    def _append(self, change: Change, header: Header) -> list[AnyEntry]:
        folded = self.folded[change.stream]
        made: list[AnyEntry] = [
            make_entry(change.stream, version, header, event)
            for version, event in enumerate(change.events, folded.version + 1)
        ]
        if change.after is None:
            folded = reduce(advance, made, folded)
        else:
            folded = Folded(folded.version + len(made), change.after)
        self._set(change.stream, folded)
        self.entries += made
        return made

    @property
    def is_checked(self) -> bool:
        """Whether the save finds out if any state that was decided on is not the newest.

        A stream that is written conflicts, a guarded one is looked at, and an answer is final.
        """
        return bool(self.entries) and all(
            folded.version > self.read_at[stream]
            or kind_of(stream) in GUARDED
            or isinstance(folded.state, record.Answered)
            for stream, folded in self.folded.items()
        )

    def admission(self) -> Admission:
        """What must still hold when this is saved."""
        watched = {s for s in self.folded if kind_of(s) in GUARDED}
        written = {s for s in watched if self.folded[s].version > self.read_at[s]}
        return Admission(
            at=self.now,
            guards=tuple((stream_key(s), self.read_at[s]) for s in watched - written),
            claims=tuple(stream_key(s) for s in written),
        )
