"""Whatever personal data left the book left it as a command asked, in the book's stream (G10)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from ledger.domain import commands as cmd
from ledger.domain.events import AnyEntry, CommandAnswered, PersonalDataDisclosed
from ledger.domain.ids import BOOK
from ledger.replay import Finding


@dataclass(slots=True)
class Disclosures:
    """Each disclosure on record is what its command asked, and such a command made it."""

    _told: dict[UUID, list[AnyEntry]] = field(default_factory=dict)

    def see(self, _: int, entry: AnyEntry) -> Iterator[Finding]:
        """Collect a command's disclosures until its record comes, which is the last of its save."""
        match entry.event:
            case PersonalDataDisclosed():
                self._told.setdefault(entry.command, []).append(entry)
            case CommandAnswered() as answered:
                told = self._told.pop(entry.command, [])
                asked = answered.kind == cmd.DisclosePersonalData.KIND and not answered.refusal
                if len(told) != asked:
                    found = f"{len(told)} disclosures by this command, not {int(asked)}"
                    yield Finding("disclosures", entry.stream, found)
                elif told and not _is_asked(told[0], answered):
                    yield Finding("disclosures", entry.stream, "asked for something else than told")
            case _:
                pass

    def end(self) -> Iterator[Finding]:
        """Nothing more: what no record names is found by the check of the saves."""
        return iter(())


def _is_asked(entry: AnyEntry, record: CommandAnswered) -> bool:
    """Whether the command that is made again from the event has the digest on record."""
    head = {"id": entry.command, "actor": entry.actor, "played": entry.played}
    again = cmd.DisclosePersonalData.model_validate({**head, **dict(entry.event)})
    return entry.stream == BOOK == record.about and cmd.digest(again) == record.digest
