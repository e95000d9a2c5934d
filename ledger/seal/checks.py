"""What the entries of a book must say, folded one by one in the order of their positions.

Each check takes entries by `see` and yields what it finds wrong; `end` is asked once when all were
seen. A book is sealed by whole saves, so that nothing may be left open there (G1, G2, G4, G9).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol
from uuid import UUID

from ledger.domain.events import AnyEntry, CommandAnswered, ParticipationRequested, SessionClosed
from ledger.domain.ids import command_stream
from ledger.domain.money import Currency
from ledger.domain.postings import postings
from ledger.replay import Finding
from ledger.seal.asked import Moves
from ledger.seal.differences import Differences
from ledger.seal.disclosed import Disclosures
from ledger.seal.expiries import ExpiryCheck
from ledger.seal.keys import Keys
from ledger.seal.limits import LimitCheck
from ledger.store.recorder import START_OF_TIME


class Check(Protocol):
    """One check over all entries."""

    def see(self, position: int, entry: AnyEntry) -> Iterator[Finding]:
        """Take in the next entry."""

    def end(self) -> Iterator[Finding]:
        """What is still open at the end."""


@dataclass(slots=True)
class Books:
    """Balances by account and currency: none below zero at any moment, a closed session's all zero.

    Currencies never make up for each other: a lack of one is not filled by another.
    """

    _balances: dict[tuple[str, Currency], int] = field(default_factory=dict)
    """Those that are not zero."""
    _open: set[str] = field(default_factory=set)
    """Sessions that were asked for and have not ended."""

    def see(self, _: int, entry: AnyEntry) -> Iterator[Finding]:
        """Book the entry's postings."""
        place = f"{entry.stream} version {entry.version}"
        try:
            moved = postings(entry.stream, entry.event)
        except ValueError:
            yield Finding("postings", place, "this stream cannot hold this event")
            return
        for posting in moved:
            left = self._add(posting.source.address, posting.currency, -posting.amount)
            self._add(posting.target.address, posting.currency, posting.amount)
            if left < 0 and not posting.source.is_signed:
                found = f"{posting.source.address} fell below zero in {posting.currency}"
                yield Finding("overdraft", place, found)
        if isinstance(entry.event, ParticipationRequested):
            self._open.add(entry.stream)
        if isinstance(entry.event, SessionClosed):
            self._open.discard(entry.stream)
            yield from self._closing(entry.stream, entry.event)

    def _add(self, account: str, currency: Currency, amount: int) -> int:
        """Add to a balance; what it is then."""
        balance = self._balances.pop((account, currency), 0) + amount
        if balance:
            self._balances[account, currency] = balance
        return balance

    def _closing(self, stream: str, event: SessionClosed) -> Iterator[Finding]:
        posta = self._balances.get((f"{stream}:posta", event.currency), 0)
        if posta != event.final_posta:
            found = f"final posta {event.final_posta} {event.currency}, in the books {posta}"
            yield Finding("orphan", stream, found)

    def end(self) -> Iterator[Finding]:
        """Money in the accounts of sessions that ended, or never began."""
        for (account, currency), left in sorted(self._balances.items()):
            stream, _, part = account.rpartition(":")
            if stream.startswith("session:") and stream not in self._open:
                yield Finding("orphan", stream, f"not in play with {left} {currency} in {part}")


@dataclass(slots=True)
class Saves:
    """Each command's record names exactly the entries that were saved with it."""

    _loose: dict[UUID, list[tuple[str, int]]] = field(default_factory=dict)

    def see(self, _: int, entry: AnyEntry) -> Iterator[Finding]:
        """Collect a command's entries until its record comes, which is the last of its save."""
        if not isinstance(entry.event, CommandAnswered):
            self._loose.setdefault(entry.command, []).append((entry.stream, entry.version))
            return
        if entry.stream != command_stream(entry.command):
            yield Finding("saves", entry.stream, f"records the command {entry.command}")
        if not _same(entry.event, self._loose.pop(entry.command, [])):
            yield Finding("saves", entry.stream, "names other entries than were saved with it")

    def end(self) -> Iterator[Finding]:
        """Entries whose command has no record."""
        for command, entries in self._loose.items():
            yield Finding("saves", str(command), f"no record of this command; entries {entries}")


def _same(record: CommandAnswered, found: list[tuple[str, int]]) -> bool:
    if sum(w.last - w.first + 1 for w in record.written) != len(found):
        return False
    named = [(w.stream, v) for w in record.written for v in range(w.first, w.last + 1)]
    return sorted(named) == sorted(found)


@dataclass(slots=True)
class Days:
    """Nothing is recorded in a business day after the day was closed at a size of the log."""

    closings: list[tuple[int, datetime]]
    """Sizes and the moments until which the days are closed, by size."""
    _until: datetime = START_OF_TIME
    _next: int = 0

    def see(self, position: int, entry: AnyEntry) -> Iterator[Finding]:
        """Compare the entry's time with the days closed before its position."""
        while self._next < len(self.closings) and self.closings[self._next][0] <= position:
            self._until = max(self._until, self.closings[self._next][1])
            self._next += 1
        if entry.recorded < self._until:
            found = f"recorded {entry.recorded} after that day was closed"
            yield Finding("days", f"{entry.stream} version {entry.version}", found)

    def end(self) -> Iterator[Finding]:
        """Nothing more."""
        return iter(())


CHECKS: Final = (Books, Saves, Moves, Disclosures, Keys, LimitCheck, ExpiryCheck, Differences)
"""The checks that need nothing but the entries."""
