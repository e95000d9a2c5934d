"""Personal data leaves the book by right alone, and is on record before any of it is read (G10)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from ledger.domain.commands import Command, DisclosePersonalData
from ledger.domain.refusals import Fault
from ops.vault import Vault
from workers.ports import Handled


class DisclosureFault(Fault):
    """The book did not take the disclosure on record, so that nothing was disclosed."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What is handed out: business days, both included, of a checkpoint; or a dispute's file."""

    first: date
    last: date
    root: bytes
    dispute: UUID | None = None


@dataclass(frozen=True, slots=True)
class Disclosure:
    """By which command, who lets personal data leave the book, for whom and why."""

    head: Mapping[str, Any]
    recipient: str
    reason: str
    vault: Vault

    def on_record(self, handle: Callable[[Command], Handled], extent: Extent) -> Vault:
        """The vault, once the book has it on record; raises `DisclosureFault` where it has not."""
        command = DisclosePersonalData(
            **self.head,
            first=extent.first,
            last=extent.last,
            root=extent.root.hex(),
            recipient=self.recipient,
            reason=self.reason,
            dispute=extent.dispute,
        )
        refusal = handle(command).refusal
        if refusal is not None:
            raise DisclosureFault(f"Nothing is disclosed: the book refuses it ({refusal}).")
        return self.vault
