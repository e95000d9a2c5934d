"""Events of a FairPlay series: numbers that are fixed, committed and encrypted before any bet (G7).

Each number is encrypted under a key of its own, which is kept outside the book; the book holds what
was committed, who took which number, and in the end the secret string in clear (rulings HW6, HW8).
"""

from typing import Annotated, Final
from uuid import UUID

from pydantic import Field

from ledger.domain.events.base import Count, Digest, Event, Frozen
from ledger.domain.ids import Instant, PlayerId, SheetId, Word

NUMBERS_MAX: Final = 50
"""Most numbers in one series (rulings HW6)."""

Alias = Annotated[str, Field(pattern=r"^[A-Za-z0-9]{1,40}$")]
"""A player's pseudonym in a secret string: letters and digits, nothing personal."""

UserKey = Annotated[str, Field(pattern=r"^[A-Za-z0-9]{1,64}$")]
"""What a player adds to a secret string: Latin letters and digits."""

Md5 = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Ciphertext = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]+={0,2}$", max_length=2_000)]
"""Encrypted bytes in base64."""


class Sealed(Frozen):
    """Something encrypted: what it belongs to, which place it has there, and its ciphertext."""

    series: UUID
    place: Annotated[int, Field(strict=True, ge=0, le=NUMBERS_MAX)]
    """The number's place from 1; 0 is the secret string."""
    ciphertext: Ciphertext


class SeriesNumber(Frozen):
    """Which number of which series a round is played with, and how the player shifts it."""

    place: Count
    offset: Annotated[int, Field(strict=True, ge=0)]
    client: Word | None
    """The client program and version that the player plays with."""
    sealed: Sealed


class SeriesPrepared(Event):
    """A series is ready: its commitments are shown, its numbers are readable by nobody."""

    NAME = "series-prepared"
    series: UUID
    player: PlayerId
    sheet: SheetId
    alias: Alias
    user_key: UserKey | None
    md5: Md5
    sha256: Digest
    keep_seconds: Count
    """How long it can be played on and asked for after its last spin, from the sheet of the day."""
    numbers: Annotated[tuple[Sealed, ...], Field(min_length=1, max_length=NUMBERS_MAX)]
    secret: Sealed


class NumberTaken(Event):
    """The next number of the series belongs to a round, whatever becomes of that round."""

    NAME = "number-taken"
    place: Count
    session: UUID
    round: UUID


class SeriesEnded(Event):
    """The player ended the series early: no further number is played."""

    NAME = "series-ended"
    unplayed: Count
    """How many numbers are never played."""


class SeriesRevealed(Event):
    """The secret string, in clear: what was committed can be checked by anyone."""

    NAME = "series-revealed"
    secret: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]+$", max_length=1_000)]


class SeriesExpired(Event):
    """The time to play on or to ask for the secret is over; the keys are destroyed after this."""

    NAME = "series-expired"
    due: Instant
