"""What a command is answered: derived from the record, so a repeat is the same bytes (G3)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson

from ledger.domain.events import AnyEntry, CommandAnswered


@dataclass(frozen=True, slots=True)
class Answer:
    """A command's answer and the entries that it wrote, in order."""

    command: UUID
    recorded: datetime
    answered: CommandAnswered
    entries: tuple[AnyEntry, ...]

    @property
    def refusal(self) -> str | None:
        """The code of the refusal; None when the command was accepted."""
        return self.answered.refusal

    @property
    def message(self) -> str | None:
        """The refusal's sentence; None when the command was accepted."""
        return self.answered.message

    def document(self) -> dict[str, Any]:
        """The answer for machines."""
        refusal = {"code": self.refusal, "message": self.message} if self.refusal else None
        return {
            "command": str(self.command),
            "kind": self.answered.kind,
            "accepted": self.refusal is None,
            "recorded": self.recorded.isoformat(),
            "refusal": refusal,
            "events": [_event(entry) for entry in self.entries],
        }

    def to_bytes(self) -> bytes:
        """The answer as canonical JSON: sorted keys, no blanks."""
        return orjson.dumps(self.document(), option=orjson.OPT_SORT_KEYS)


def _event(entry: AnyEntry) -> dict[str, Any]:
    return {
        "stream": entry.stream,
        "version": entry.version,
        "name": entry.event.NAME,
        "event": entry.event.model_dump(mode="json"),
    }
