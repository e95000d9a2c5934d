"""What a revealed series proves, worked out again from nothing but what a player holds.

Each statement is proved, fails, or is not proven, and says so in words: a check that is silent
about what it cannot see would promise more than it keeps.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

from games.roulette.fairplay.bets import FairPlayOutcome
from games.roulette.fairplay.round import shifted
from games.roulette.fairplay.secret import (
    KEY_BYTES,
    Commitment,
    Reading,
    Secret,
    commit,
    read,
    service_hash,
)
from ledger.domain.events import Details
from ledger.domain.refusals import Refusal


class Standing(StrEnum):
    """How a statement stands."""

    PROVED = "proved"
    FAILED = "failed"
    NOT_PROVEN = "not-proven"


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that is claimed of a series, how it stands, and why, in a sentence or two."""

    about: str
    standing: Standing
    says: str


@dataclass(frozen=True, slots=True)
class Spin:
    """One spin of a series as the player knows it."""

    offset: int
    pocket: int | None = None
    """Where the ball came to rest; None where that is not known, as of a void round."""
    number: int | None = None
    """The series' number on record; None where there is no record at hand."""


@dataclass(frozen=True, slots=True)
class Noted:
    """What a player noted of one spin; None where that was not noted."""

    offset: int | None
    pocket: int | None

    def differs(self, spin: Spin) -> bool:
        """Whether a book has something else on record."""
        return self.offset not in (None, spin.offset) or self.pocket not in (None, spin.pocket)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a book has on record of the string that it committed to."""

    alias: str
    user_key: str | None
    numbers: int
    """How many there are."""
    noted: tuple[Noted, ...] = ()
    """What the player noted of the spins, to be held against the book's; none where not told."""


@dataclass(frozen=True, slots=True)
class Step:
    """One number of a revealed series, worked out again."""

    place: int
    number: int
    spin: Spin | None
    """None where the number was not played."""

    @property
    def pocket(self) -> int | None:
        """Where the ball had to come to rest; None where it was not played."""
        return None if self.spin is None else shifted(self.number, self.spin.offset).pocket

    @property
    def agrees(self) -> bool | None:
        """Whether what is known of the spin is what had to come; None where nothing is known."""
        if self.spin is None or (self.spin.pocket is None and self.spin.number is None):
            return None
        return self.spin.pocket in (None, self.pocket) and self.spin.number in (None, self.number)


@dataclass(frozen=True, slots=True)
class Proof:
    """All that was worked out of a revealed series."""

    secret: Secret
    steps: tuple[Step, ...]
    statements: tuple[Statement, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing failed."""
        return all(each.standing is not Standing.FAILED for each in self.statements)


def prove(
    shown: Commitment, text: str, spins: Sequence[Spin], prepared: Prepared | None = None
) -> Proof | Refusal:
    """Check a revealed string against what was shown before play, and the spins against it.

    `spins` are in the order of play, from the first number on, void and empty ones included.
    `prepared` is what a book says that the string holds; None where no book is at hand.
    """
    reading = read(text)
    if isinstance(reading, Refusal):
        return reading
    numbers = reading.secret.numbers
    steps = tuple(
        Step(place, number, spin)
        for place, (number, spin) in enumerate(zip_longest(numbers, spins[: len(numbers)]), 1)
    )
    statements = (
        *_committed(shown, commit(text)),
        _service(reading),
        *_on_record(reading.secret, prepared),
        _played(steps, len(spins)),
        *_as_noted(spins, prepared),
        *_unseen(reading.secret),
    )
    return Proof(reading.secret, steps, statements)


def agrees(text: str, place: int, outcome: Details) -> bool:
    """Whether a secret string has, at a place from 1, the number that an outcome came of."""
    reading = read(text)
    if isinstance(reading, Refusal) or not isinstance(outcome, FairPlayOutcome):
        return False
    return reading.secret.numbers[place - 1 :][:1] == (outcome.number,)


def spins_of(outcomes: Iterable[tuple[int, FairPlayOutcome | None]]) -> tuple[Spin, ...]:
    """The spins of a series from a book: each one's offset, and its outcome on record.

    In the order in which the numbers were taken; None stands for a round that was void before its
    number was opened. The offset is the one that stood beside the bets: what an outcome says of it
    is no evidence of what was chosen.
    """
    return tuple(
        Spin(offset) if came is None else Spin(offset, came.pocket, came.number)
        for offset, came in outcomes
    )


def _committed(shown: Commitment, found: Commitment) -> Iterator[Statement]:
    if found.md5 == shown.md5:
        yield Statement(
            "md5",
            Standing.PROVED,
            "The string has the MD5 that was shown. By itself that no longer shows that the string "
            "was fixed before play: two strings with one MD5 can be made on purpose.",
        )
    else:
        yield Statement("md5", Standing.FAILED, "The string has another MD5 than was shown.")
    if shown.sha256 is None:
        yield Statement(
            "sha-256",
            Standing.NOT_PROVEN,
            "No SHA-256 was given, so nothing rules out a second string with the same MD5, kept "
            "ready to be revealed in place of this one.",
        )
    elif found.sha256 == shown.sha256:
        yield Statement(
            "sha-256",
            Standing.PROVED,
            "The string has the SHA-256 that was shown. No way is known to make two strings with "
            "one SHA-256: numbers, their order and both keys were fixed when it was shown.",
        )
    else:
        yield Statement(
            "sha-256", Standing.FAILED, "The string has another SHA-256 than was shown."
        )


def _service(reading: Reading) -> Statement:
    if reading.service_hash == service_hash(reading.secret):
        return Statement(
            "service-hash",
            Standing.PROVED,
            "The hash at the string's end is the MD5 of its part before -START.",
        )
    return Statement(
        "service-hash",
        Standing.FAILED,
        "The hash at the string's end is not the MD5 of its part before -START.",
    )


def _on_record(secret: Secret, prepared: Prepared | None) -> Iterator[Statement]:
    """Whether the string says what a book has on record of it, where there is one."""
    if prepared is None:
        return
    differ = [
        name
        for name, said, kept in (
            ("alias", secret.alias, prepared.alias),
            ("player's key", secret.user_key, prepared.user_key),
            ("count of numbers", len(secret.numbers), prepared.numbers),
        )
        if said != kept
    ]
    if differ:
        text = f"The string has not what the book has on record; look at: {', '.join(differ)}."
        yield Statement("record", Standing.FAILED, text)
    else:
        text = "Alias, player's key and count of numbers are what the book has on record."
        yield Statement("record", Standing.PROVED, text)


def _played(steps: tuple[Step, ...], spins: int) -> Statement:
    """Whether every spin that is known came as its number and offset say."""
    wrong = ", ".join(str(step.place) for step in steps if step.agrees is False)
    known = sum(step.agrees is True for step in steps)
    if spins > len(steps):
        text = f"There were {spins} spins, and the string has only {len(steps)} numbers."
        return Statement("spins", Standing.FAILED, text)
    if wrong:
        text = f"Number and offset give something else than what came; look at spin {wrong}."
        return Statement("spins", Standing.FAILED, text)
    if known < spins or not spins:
        text = (
            f"What came is known of {known} out of {spins} spins; the others are worked out only."
        )
        return Statement("spins", Standing.NOT_PROVEN, text)
    text = f"In each of {spins} spins the ball came to rest where number and offset put it."
    return Statement("spins", Standing.PROVED, text)


def _as_noted(spins: Sequence[Spin], prepared: Prepared | None) -> Iterator[Statement]:
    """Whether a book has the spins on record as their player noted them, where both are told."""
    noted = () if prepared is None else prepared.noted
    if not noted:
        return
    pairs = enumerate(zip(noted, spins, strict=False), 1)
    wrong = ", ".join(str(place) for place, (mine, spin) in pairs if mine.differs(spin))
    if len(noted) != len(spins):
        text = f"You noted {len(noted)} spins, and the book has {len(spins)} on record."
        yield Statement("noted", Standing.FAILED, text)
    elif wrong:
        text = f"The book has something else on record than you noted; look at spin {wrong}."
        yield Statement("noted", Standing.FAILED, text)
    else:
        text = f"What you noted of {len(noted)} spins is what the book has on record."
        yield Statement("noted", Standing.PROVED, text)


def _unseen(secret: Secret) -> Iterator[Statement]:
    """What lies in part or wholly outside of what a string can show."""
    if secret.user_key is None:
        text = (
            "The string holds no key of the player: it may have been made before you asked for it."
        )
        yield Statement("player-key", Standing.NOT_PROVEN, text)
    else:
        text = (
            "The string holds a key of the player: if you chose it, the string was made after that."
        )
        yield Statement("player-key", Standing.PROVED, text)
    if len(secret.server_key) < 2 * KEY_BYTES:
        text = (
            "The house's key is shorter than the 32 characters that hold 128 random bits, so that "
            "somebody could have read the numbers out of the commitment by trying keys."
        )
        yield Statement("house-key", Standing.NOT_PROVEN, text)
    else:
        text = (
            "The house's key is long enough for 128 random bits: if it was drawn at random, nobody "
            "could read the numbers out of the commitment by trying keys."
        )
        yield Statement("house-key", Standing.PROVED, text)
    yield Statement(
        "before-play",
        Standing.NOT_PROVEN,
        "When the commitment was shown is not in the string. Compare it with what you noted before "
        "your first bet.",
    )
    yield Statement(
        "chance",
        Standing.NOT_PROVEN,
        "How the numbers were chosen is not in the string. Offsets that you choose by chance "
        "yourself, once the commitment is shown, make every pocket equally likely all the same.",
    )
