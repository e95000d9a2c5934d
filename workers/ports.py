"""What workers need from outside, wired by ops after the fork: they command and read through it."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, Protocol
from uuid import UUID

import psycopg

from games.engine import Rulebook
from ledger.central import DayTotal, Unknown
from ledger.domain.commands import Command
from ledger.domain.ids import StreamName
from ledger.seal.verify import Bite as Verification
from ledger.store.codec import Codec

Connection = psycopg.Connection[Any]
Role = Literal["worker", "reader"]


class Handled(Protocol):
    """What the book answers to a command."""

    @property
    def refusal(self) -> str | None:
        """The code of the refusal, or None."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything that a worker may touch of one book; built in the process that uses it."""

    book: str
    """The book's schema."""
    connect: Callable[[Role], AbstractContextManager[Connection]]
    """A connection in autocommit mode that acts in a role of the book."""
    codec: Codec
    now: Callable[[], datetime]
    """The clock, aware and in UTC."""
    handle: Callable[[Command], Handled]
    """The only writer of the book; raises a `Fault` when nothing was decided."""
    state: Callable[[StreamName], Any]
    """A stream's state as it is now."""
    seal: Callable[[], int]
    """Seal what can be sealed; how many events were."""
    ask: Callable[[UUID, UUID], str]
    """Ask the central system about a session's participation again; one word for the outcome."""
    finish: Callable[[UUID, UUID], str]
    """Draw the number that a session's round has taken; one word for the outcome."""
    series_kept: Callable[[], Iterable[UUID]]
    """The FairPlay series whose keys are at hand."""
    retire: Callable[[UUID], str]
    """Expire a series that is due, and destroy keys that nothing needs; one word likewise."""
    pass_turn: Callable[[str], str]
    """Let the rules act for a seat of a live table that does not; one word for the outcome."""
    disconnect_idle: Callable[[UUID], str]
    """Disconnect a session that sits at a live table and does nothing; one word likewise."""
    erase: Callable[[str], bool]
    """Destroy the key of a player who was forgotten; whether it was there."""
    snapshot: Callable[[StreamName], bool]
    """Keep a snapshot of a stream; whether it could be kept."""
    theory: Callable[[str, str, str | None], Fraction]
    """The theoretical return by `<game>/<version>`, the sheet's text and a kind of bet.

    Without a kind it is the least return of any.
    """
    rules: Callable[[str], Rulebook[Any]]
    """The rulebook of a game, by `<game>/<version>`."""
    reports: Path
    """The folder that reports are written into."""
    verify: Callable[[bytes | None], Verification]
    """Verify the next range of the log after what is carried, or its first; the verdict at its end.

    What is carried must be known to be what this gave.
    """
    attest: Callable[[bytes], bytes]
    """Sign a message with a key that the database does not hold."""
    is_attested: Callable[[bytes, bytes], bool]
    """Whether a signature of a message was made so."""
    totals: Callable[[date], tuple[DayTotal, ...] | Unknown]
    """What the central system validated on a business day."""
    authorities: Path | None = None
    """The document of what authorities know the operator by; None where none is told."""
    schemas: Path | None = None
    """The folder of the authorities' schemas, each in a folder of its code."""
    statements: Path | None = None
    """The folder that providers' statements are put into; None where they come by hand."""
    publish: Callable[[], int] | None = None
    """Publish what is sealed as tiles; how many events were new. None where no folder is set."""
