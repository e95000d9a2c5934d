"""What the alerts of a book must say: each was asked for as it stands, of one checkpoint (G3, G6).

The figures of an alert are found again from its checkpoint by who knows the games; here they are
held to be those that the command asked to be recorded.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from ledger.domain import commands as cmd
from ledger.domain.events import (
    AnyEntry,
    CommandAnswered,
    RtpAlertAcknowledged,
    RtpAlertRaised,
)
from ledger.domain.ids import alert_stream
from ledger.replay import Finding
from ledger.seal.snapshots import Rows

_KINDS: Final = frozenset({cmd.RaiseRtpAlert.KIND, cmd.AcknowledgeRtpAlert.KIND})


@dataclass(slots=True)
class AlertCheck:
    """A check of the entries: every alert and every finding, beside checkpoints and commands."""

    rows: Rows
    _open: set[str] = field(default_factory=set)
    _made: dict[UUID, AnyEntry] = field(default_factory=dict)
    """What was recorded of alerts by commands whose record, the last of its save, is to come."""

    def see(self, position: int, entry: AnyEntry) -> Iterator[Finding]:
        """Compare an entry about an alert with those before it, and with what was asked."""
        place = f"{entry.stream} version {entry.version}"
        match entry.event:
            case RtpAlertRaised() as raised:
                self._made[entry.command] = entry
                yield from (Finding("alerts", place, f) for f in self._raised(position, entry))
                if not self._has(raised.checkpoint_size, bytes.fromhex(raised.checkpoint_root)):
                    yield Finding("alerts", place, "names a checkpoint that the book has not")
                self._open.add(entry.stream)
            case RtpAlertAcknowledged():
                self._made[entry.command] = entry
                if entry.stream not in self._open:
                    yield Finding("alerts", place, "answers no alert that was open")
                self._open.discard(entry.stream)
            case CommandAnswered() as record:
                if not _is_asked(record, self._made.pop(entry.command, None)):
                    yield Finding("alerts", entry.stream, "asked for something else of an alert")
            case _:
                pass

    def _raised(self, position: int, entry: AnyEntry) -> Iterator[str]:
        raised: Any = entry.event
        if entry.stream != alert_stream(entry.command) or entry.version != 1:
            yield "is not the first of the alert that its command names"
        if raised.checkpoint_size > position:
            yield "comes of a checkpoint that it was recorded before"

    def _has(self, size: int, root: bytes) -> bool:
        """Whether the book has this checkpoint."""
        return bool(self.rows(_CHECKPOINT, {"size": size, "root": root}))

    def end(self) -> Iterator[Finding]:
        """Nothing more: what has no record is found by the check of the saves."""
        return iter(())


def _is_asked(record: CommandAnswered, made: AnyEntry | None) -> bool:
    """Whether a command that was accepted recorded what it asked for, and no other did."""
    asks = record.kind in _KINDS and record.refusal is None
    if made is None or not asks:
        return (made is not None) == asks
    return cmd.digest(_command(made)) == record.digest


def _command(made: AnyEntry) -> cmd.Command:
    """The command that must have asked for an entry."""
    said: dict[str, Any] = made.event.model_dump()
    head: dict[str, Any] = {"id": made.command, "actor": made.actor, "played": made.played}
    if isinstance(made.event, RtpAlertRaised):
        return cmd.RaiseRtpAlert(**head, **said)
    return cmd.AcknowledgeRtpAlert(**head, alert=UUID(made.stream.partition(":")[2]), **said)


_CHECKPOINT: Final = "SELECT size FROM {book}.checkpoints WHERE size = %(size)s AND root = %(root)s"
