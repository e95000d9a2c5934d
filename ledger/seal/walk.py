"""A verification on its way: all that was seen and that later entries are held against.

A walk goes through the log once, from its first position to its end. It may be put down after any
row, as bytes, and taken up again by another process: it then finds what it would have found in one
go. What it carries grows with what is open in the book (balances, contos, sessions and rounds in
play), not with what was seen.

The bytes are a pickle of this code's own classes: whoever takes a walk up must know that nobody
else has written them, as he must know it of its findings.
"""

import io
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Self
from uuid import UUID

from typing_extensions import override

from ledger.domain import sheets
from ledger.domain.events import AnyEntry, SheetRef
from ledger.replay import Finding, Judge, publications
from ledger.seal.alerts import AlertCheck
from ledger.seal.checks import CHECKS, Check, Days
from ledger.seal.corrections import CorrectionCheck
from ledger.seal.dealing import DealingCheck
from ledger.seal.disputes import DisputeCheck
from ledger.seal.merkle import Frontier
from ledger.seal.outcomes import OutcomeCheck
from ledger.seal.payments import PaymentCheck
from ledger.seal.seats import SeatCheck
from ledger.seal.series import SeriesCheck
from ledger.seal.snapshots import SnapshotCheck

LEAVES: Final = 5_000
"""How many leaves wait at most before they are taken into the tree."""

Means = Mapping[str, Any]
"""What a walk is given and does not carry, by name: `engines`, `secrets`, `codec`, `shapes`,
`rows`, which reads the book by a query, and `history`, which reads a stream."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A checkpoint as stored: what must be true after that many events."""

    root: bytes
    frontier: bytes
    order: tuple[int, int, int]
    last_recorded: datetime


@dataclass(frozen=True, slots=True)
class Row:
    """A sealed position, and the event that it names as it is stored now."""

    position: int
    stream: UUID
    version: int
    leaf: bytes
    order: tuple[int, int, int]
    stands: bool
    """Whether the event stands at the same epoch, transaction and place as the position says."""
    topic: str
    state: bytes | None
    recomputed: bytes
    """The leaf hash of what is stored; of a row that is gone, what was sealed."""


@dataclass(slots=True)
class Tree:
    """The tree as it grows row by row, compared with each checkpoint on the way."""

    kept: Mapping[int, bytes]
    """Roots by size that were kept outside of the book."""
    frontier: Frontier = field(default_factory=Frontier)
    _leaves: list[bytes] = field(default_factory=list)
    size: int = 0
    _order: tuple[int, int, int] = (0, 0, -1)

    def see(self, row: Row, stop: Stop | None, entry: AnyEntry | None) -> list[Finding]:
        """Append a row, after which a checkpoint may stand."""
        findings: list[Finding] = []
        if row.position != self.size:
            findings.append(_finding(row.position, f"expected {self.size}"))
        if row.order <= self._order:
            findings.append(_finding(row.position, "out of the order of the saves"))
        self.size, self._order = row.position + 1, row.order
        self._leaves.append(row.recomputed)
        if stop is not None or self.size in self.kept or len(self._leaves) == LEAVES:
            self.grow()
        if self.size in self.kept and self.kept[self.size] != self.frontier.root():
            findings.append(Finding("kept", f"checkpoint {self.size}", "had another root"))
        if stop is not None:
            findings += self._differs(stop, entry)
        return findings

    def grow(self) -> None:
        """Take the rows seen since the last checkpoint into the tree."""
        self.frontier, self._leaves = self.frontier.extend(self._leaves), []

    def _differs(self, stop: Stop, entry: AnyEntry | None) -> list[Finding]:
        place = f"checkpoint {self.size}"
        findings: list[Finding] = []
        if self.frontier.root() != stop.root:
            findings.append(Finding("roots", place, "the rows give another root"))
        if self.frontier.to_bytes() != stop.frontier:
            findings.append(Finding("checkpoints", place, "the rows give another frontier"))
        if self._order != stop.order:
            findings.append(Finding("checkpoints", place, "ends at another save"))
        if entry is not None and entry.recorded != stop.last_recorded:
            findings.append(Finding("checkpoints", place, "names another time"))
        return findings


def _finding(position: int, found: str) -> Finding:
    return Finding("positions", f"position {position}", found)


@dataclass(slots=True)
class Walk:
    """How far a verification came, what it carries, and all that it found."""

    tree: Tree
    published: dict[SheetRef, sheets.Published]
    judge: Judge
    days: Days
    checks: list[Check]
    findings: list[Finding] = field(default_factory=list)
    rounds: int = 0
    checkpoints: int = 0
    covered: int = 0
    """The size of the last checkpoint that was seen."""
    vouched: bool = False
    """Whether a trusted key has signed one of them."""

    @classmethod
    def begin(cls, means: Means, kept: Mapping[int, bytes]) -> Self:
        """A walk before the first row; `kept` are roots by size from outside of the book."""
        engines, rows, codec = means["engines"], means["rows"], means["codec"]
        published: dict[SheetRef, sheets.Published] = {}
        days = Days([])
        checks: list[Check] = [
            *(check() for check in CHECKS),
            days,
            SeriesCheck(means["secrets"]),
            SnapshotCheck(rows, codec, means["shapes"]),
            OutcomeCheck(),
            SeatCheck(),
            PaymentCheck(engines, published),
            DealingCheck(engines, published),
            DisputeCheck(means["history"]),
            CorrectionCheck(rows, codec),
            AlertCheck(rows),
        ]
        return cls(Tree(kept), published, Judge(engines, published), days, checks)

    def see(self, row: Row, stop: Stop | None, entry: AnyEntry | None) -> None:
        """Take in a row, its entry if it can be read, and the checkpoint after it if one is."""
        findings = self.findings
        findings += self.tree.see(row, stop, entry)
        if entry is None:
            return
        self.published.update(publications(entry))
        for check in self.checks:
            findings += check.see(row.position, entry)
        findings += self.judge.see(entry)
        self.rounds += entry.event.NAME == "round-settled"

    def end(self) -> None:
        """What is still open when all was seen."""
        for check in self.checks:
            self.findings += check.end()
        self.findings += self.judge.end()

    def put_down(self, means: Means) -> bytes:
        """The walk as bytes, for `take_up`."""
        out = io.BytesIO()
        _Pickler(out, means).dump(self)
        return out.getvalue()

    @classmethod
    def take_up(cls, data: bytes, means: Means) -> Self:
        """The walk that `put_down` wrote: the same code, of the same book, and nobody else."""
        walk: Self = _Unpickler(io.BytesIO(data), means).load()
        assert isinstance(walk, cls)
        return walk


def _outside(means: Means) -> dict[str, Any]:
    """What stays outside of the bytes: the means, and the classes that a codec has made."""
    return dict(means) | {f"class {name}": made for name, made in means["codec"].classes().items()}


class _Pickler(pickle.Pickler):
    def __init__(self, out: io.BytesIO, means: Means) -> None:
        super().__init__(out, protocol=pickle.HIGHEST_PROTOCOL)
        self._names = {id(value): name for name, value in _outside(means).items()}

    @override
    def persistent_id(self, obj: Any) -> str | None:
        """The name of what is given again to who takes the walk up."""
        return self._names.get(id(obj))


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: io.BytesIO, means: Means) -> None:
        super().__init__(data)
        self._outside = _outside(means)

    @override
    def persistent_load(self, pid: str) -> Any:
        """What has this name here."""
        return self._outside[pid]
