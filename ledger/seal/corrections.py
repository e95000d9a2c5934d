"""Corrections on record: each is what its command asked, by two people, about what came before.

Its lines move the money; what they do to each conto stands in the conto's own stream, and in none
besides. Nothing else may correct anything (guarantees G1, G3, G5).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from ledger.domain import commands as cmd
from ledger.domain.correction import are_two, contos_corrected
from ledger.domain.events import AnyEntry, CommandAnswered, ContoCorrected, CorrectionPosted
from ledger.domain.ids import command_stream, conto_stream, correction_stream, stream_key
from ledger.replay import Finding
from ledger.seal.snapshots import Rows
from ledger.store.codec import Codec, CorruptEntry


@dataclass(slots=True)
class CorrectionCheck:
    """Holds each correction against its command and against what it corrects."""

    rows: Rows
    codec: Codec
    _made: dict[UUID, list[tuple[int, AnyEntry]]] = field(default_factory=dict)
    """Corrections and corrected contos by command, until its record comes."""

    def see(self, position: int, entry: AnyEntry) -> Iterator[Finding]:
        """Collect what a command corrects; judge it when its record comes."""
        match entry.event:
            case CorrectionPosted() | ContoCorrected():
                self._made.setdefault(entry.command, []).append((position, entry))
            case CommandAnswered() as answered:
                made = self._made.pop(entry.command, [])
                if made or answered.kind == cmd.PostCorrection.KIND:
                    found = self._wrong(entry.command, answered, made)
                    yield from (Finding("corrections", entry.stream, each) for each in found)
            case _:
                pass

    def end(self) -> Iterator[Finding]:
        """Nothing more: events whose command has no record are found by the check of the saves."""
        return iter(())

    def _wrong(
        self, command: UUID, record: CommandAnswered, made: list[tuple[int, AnyEntry]]
    ) -> Iterator[str]:
        posted = [each for each in made if isinstance(each[1].event, CorrectionPosted)]
        asks = record.kind == cmd.PostCorrection.KIND and record.refusal is None
        if len(posted) != asks:
            yield f"{len(posted)} corrections by this command ({record.kind}), not {int(asks)}"
            return
        if not posted:
            if made:
                yield "a conto is corrected without a correction"
            return
        (position, entry), others = posted[0], [e for _, e in made if e is not posted[0][1]]
        yield from _differs(command, record, entry, others)
        yield from self._unlinked(position, entry)

    def _unlinked(self, position: int, entry: AnyEntry) -> Iterator[str]:
        """What is corrected was accepted before, and wrote something."""
        correction: Any = entry.event
        stream = stream_key(command_stream(correction.corrects))
        found = self.rows(_RECORDS, {"stream": stream, "position": position})
        if not any(self._wrote(StoredEvent(*row)) for row in found):
            yield f"corrects {correction.corrects}, which wrote nothing before"

    def _wrote(self, row: StoredEvent) -> bool:
        try:
            event = self.codec.decode(row).event
        except CorruptEntry:
            return False
        return isinstance(event, CommandAnswered) and bool(event.written)


def _differs(
    command: UUID, record: CommandAnswered, entry: AnyEntry, others: list[AnyEntry]
) -> Iterator[str]:
    correction: Any = entry.event
    if entry.stream != correction_stream(command):
        yield f"a correction stands in {entry.stream}"
    if not are_two(correction.approvers):
        yield "one person approved of a correction twice"
    asked = cmd.PostCorrection(
        id=command,
        actor=entry.actor,
        played=entry.played,
        **{name: getattr(correction, name) for name in type(correction).model_fields},
    )
    if cmd.digest(asked) != record.digest:
        yield "asked for something else than its correction says"
    expected = contos_corrected(command, correction)
    told = sorted((e.stream, e.event.model_dump_json()) for e in others)
    if told != sorted((conto_stream(p), e.model_dump_json()) for p, e in expected.items()):
        yield "the contos are corrected by something else than its lines"


_RECORDS: Final = """
SELECT e.originator_id, e.originator_version, e.topic, e.state
  FROM {book}.sealed s JOIN {book}.events e USING (originator_id, originator_version)
 WHERE s.originator_id = %(stream)s AND s.position < %(position)s
"""
