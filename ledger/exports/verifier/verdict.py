"""What a verification is given from outside, and what it answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ledger.seal.notes import VerifyingKey

Fields = Mapping[str, Any]
"""A JSON object."""

Audit = Callable[[bytes, Sequence[Fields]], list[str]]
"""Settles one round a second time: the sheet's bytes and the round's entries in their order, each
with its `name`; a sentence for each thing that does not follow from the sheet."""

FINDINGS_MAX: Final = 1_000
"""So many findings are told in full; more are counted."""


@dataclass(frozen=True, slots=True)
class Trust:
    """What must come from elsewhere than the package: without keys it only agrees with itself."""

    keys: tuple[VerifyingKey, ...] = ()
    origin: str | None = None
    witnesses: tuple[str, ...] = ()
    """Signed checkpoint notes that a witness, an older package or a report kept."""
    previous: Path | None = None
    """The folder of the package before this one."""
    audits: Mapping[str, Audit] = field(default_factory=dict)
    """The second methods by the engine that a sheet names, such as `roulette/1`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: which check found it, where, and what it found."""

    check: str
    place: str
    found: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was proved, what was taken as given, and all that is wrong."""

    first: int
    size: int
    root: str
    rounds: int
    proved: tuple[str, ...]
    taken: tuple[str, ...]
    findings: tuple[Finding, ...]
    more: int
    """Findings beyond those that are told."""

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


@dataclass(slots=True)
class Findings:
    """What was found so far."""

    told: list[Finding] = field(default_factory=list)
    more: int = 0
    failed: set[str] = field(default_factory=set)
    """Every check that found something, told or counted."""

    def add(self, check: str, place: str, found: str) -> None:
        """Take one more in, or count it."""
        self.failed.add(check)
        if len(self.told) < FINDINGS_MAX:
            self.told.append(Finding(check, place, found))
        else:
            self.more += 1

    def include(self, other: "Findings", where: str) -> None:
        """Take in what was found elsewhere."""
        for finding in other.told:
            self.add(finding.check, f"{where}, {finding.place}", finding.found)
        self.more += other.more
        self.failed |= other.failed
