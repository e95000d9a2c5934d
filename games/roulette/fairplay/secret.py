"""The secret string of a FairPlay series, byte for byte, and what is committed of it (HW6, HW8).

    <alias>-DATE<yyyymmdd>TIME<hhmmss>-USERKEY-<player's key>-SRVKEY-<house's key>
    -START-<nn>-..-<nn>-END-<hash>

all on one line. The hash is the MD5 of the part before `-START`. No part may hold a hyphen, every
one has one way to be written, and so a string has one reading or none. Source: rules of roulette
with FairPlay, sections on the control of fairness and on the additional signature.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Annotated, Final

from pydantic import AfterValidator, ConfigDict, Field

from games.documents import malformed
from games.draws import uniform
from games.roulette.wheel import POCKETS
from ledger.domain.events import Digest, Frozen
from ledger.domain.events.series import NUMBERS_MAX
from ledger.domain.ids import Instant
from ledger.domain.refusals import Refusal

NUMBERS_MIN: Final = 5
"""Fewest numbers that a string holds."""

NOT_ASSIGNED: Final = "NotAssigned"
"""What stands in place of the player's key where there is none."""

KEY_BYTES: Final = 16
"""The house's key has at least so many random bytes: 128 bits, which nobody can try out."""


def _assigned(key: str | None) -> str | None:
    if key == NOT_ASSIGNED:
        raise ValueError("this key means that there is none; choose another")
    return key


Alias = Annotated[str, Field(pattern=r"^[A-Za-z0-9]{1,40}$")]
"""A player's pseudonym: letters and digits, nothing personal."""
UserKey = Annotated[str | None, Field(pattern=r"^[A-Za-z0-9]{1,64}$"), AfterValidator(_assigned)]
"""What the player adds, so that the house could not know the whole string beforehand."""
ServerKey = Annotated[str, Field(pattern=r"^[A-Za-z0-9]{1,64}$", repr=False)]
Number = Annotated[int, Field(ge=POCKETS[0], le=POCKETS[-1])]


class Secret(Frozen):
    """What a secret string says; house's key and numbers stay out of its printed form."""

    model_config = ConfigDict(hide_input_in_errors=True)
    alias: Alias
    prepared: Instant
    """When, in UTC and whole seconds; a fraction is not written."""
    user_key: UserKey = None
    """The player's key; None where there is none."""
    server_key: ServerKey
    numbers: Annotated[
        tuple[Number, ...], Field(min_length=NUMBERS_MIN, max_length=NUMBERS_MAX, repr=False)
    ]


class Commitment(Frozen):
    """What is shown of a secret string before the first bet, in hexadecimal."""

    md5: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    sha256: Digest | None
    """None where nobody kept it: a series of this house always has one."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A secret string that was read."""

    secret: Secret
    service_hash: str
    """The hash that the string ends with, as it stands there; whether it is right is checked."""


def number_of(entropy: bytes) -> int | None:
    """The number that a series gets from fresh random bytes; None when none of them decides.

    It is the mapping by which a spin draws, so that the log replays either kind of round.
    """
    mapped = uniform(entropy, len(POCKETS))
    return None if mapped is None else mapped.value


def server_key(entropy: bytes) -> str:
    """The house's key from at least sixteen fresh random bytes."""
    assert len(entropy) >= KEY_BYTES
    return entropy.hex()


def service_part(secret: Secret) -> str:
    """The part before `-START`, which has a hash of its own."""
    day, hour = f"{secret.prepared:%Y%m%d}".zfill(8), f"{secret.prepared:%H%M%S}"
    user_key = secret.user_key or NOT_ASSIGNED
    return f"{secret.alias}-DATE{day}TIME{hour}-USERKEY-{user_key}-SRVKEY-{secret.server_key}"


def service_hash(secret: Secret) -> str:
    """The MD5 of the part before `-START`, in hexadecimal."""
    return md5(service_part(secret))


def write(secret: Secret) -> str:
    """The secret string."""
    numbers = "".join(f"-{number:02}" for number in secret.numbers)
    return f"{service_part(secret)}-START{numbers}-END-{service_hash(secret)}"


def commit(text: str) -> Commitment:
    """What is shown of a string before play."""
    return Commitment(md5=md5(text), sha256=hashlib.sha256(text.encode()).hexdigest())


def md5(text: str) -> str:
    """The MD5 in hexadecimal, which the rules name; alone it no longer binds (HW8)."""
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def read(text: str) -> Reading | Refusal:
    """Read a secret string; the refusal names the first character at fault, counted from 1."""
    scanner = _Scanner(text)
    try:
        return _reading(scanner)
    except _Misread as wrong:
        return malformed(
            f"The string is wrong at character {wrong.place + 1}: {wrong.expected} is due there."
        )


class _Misread(Exception):  # noqa: N818 - it never leaves this module
    """The string is wrong at a place, counted from 0."""

    def __init__(self, place: int, expected: str) -> None:
        super().__init__()
        self.place, self.expected = place, expected


@dataclass(slots=True)
class _Scanner:
    """A string that is read from the front, piece by piece."""

    text: str
    at: int = 0

    def take(self, pattern: str, expected: str) -> str:
        """The next piece, which matches a pattern."""
        match = re.compile(pattern).match(self.text, self.at)
        if match is None:
            raise _Misread(self.at, expected)
        self.at = match.end()
        return match[0]

    def word(self, literal: str) -> None:
        """Take exactly this; the first character that differs is at fault."""
        for offset, expected in enumerate(literal, self.at):
            if self.text[offset : offset + 1] != expected:
                raise _Misread(offset, f'"{literal}"')
        self.at += len(literal)


def _reading(scanner: _Scanner) -> Reading:
    alias = scanner.take("[A-Za-z0-9]{1,40}", "an alias of Latin letters and digits")
    scanner.word("-DATE")
    day = _day(scanner)
    scanner.word("TIME")
    hour = _hour(scanner)
    scanner.word("-USERKEY-")
    user_key = scanner.take("[A-Za-z0-9]{1,64}", "a key of Latin letters and digits")
    scanner.word("-SRVKEY-")
    server_key = scanner.take("[A-Za-z0-9]{1,64}", "a key of Latin letters and digits")
    scanner.word("-START")
    numbers = tuple(_numbers(scanner))
    scanner.word("-END-")
    hashed = scanner.take("[0-9a-f]{32}", "a hash of 32 small hexadecimal digits")
    if scanner.at != len(scanner.text):
        raise _Misread(scanner.at, "the end")
    secret = Secret(
        alias=alias,
        prepared=datetime.combine(day, hour, UTC),
        user_key=None if user_key == NOT_ASSIGNED else user_key,
        server_key=server_key,
        numbers=numbers,
    )
    return Reading(secret, hashed)


def _day(scanner: _Scanner) -> date:
    place = scanner.at
    digits = scanner.take("[0-9]{8}", "a day as eight digits")
    try:
        return date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        raise _Misread(place, "a day that there is, such as 20051028,") from None


def _hour(scanner: _Scanner) -> time:
    place = scanner.at
    digits = scanner.take("[0-9]{6}", "a time as six digits")
    try:
        return time(int(digits[:2]), int(digits[2:4]), int(digits[4:]))
    except ValueError:
        raise _Misread(place, "a time that there is, such as 152133,") from None


def _numbers(scanner: _Scanner) -> Iterator[int]:
    """The numbers up to `-END-`, between the fewest and the most that there may be."""
    for found in range(NUMBERS_MAX):
        if found >= NUMBERS_MIN and scanner.text.startswith("-END-", scanner.at):
            return
        scanner.word("-")
        due = f"a number from 00 to 36 in two digits, {NUMBERS_MIN} to {NUMBERS_MAX} in all,"
        yield int(scanner.take("[0-2][0-9]|3[0-6]", due))
