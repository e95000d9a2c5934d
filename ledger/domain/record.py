"""How a command stands on record: unseen, revoked before it came, or answered once (G3)."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from ledger.domain.decider import Decider, fold
from ledger.domain.events import CommandAnswered, CommandRevoked


@dataclass(frozen=True, slots=True)
class Unseen:
    """No word of this command yet."""


@dataclass(frozen=True, slots=True)
class Revoked:
    """A refund came first; the bet of this session is to be refused when it comes."""

    session: UUID


@dataclass(frozen=True, slots=True)
class Answered:
    """The command was answered, for ever."""

    answer: CommandAnswered


State = Unseen | Revoked | Answered
START: Final[State] = Unseen()

evolve = fold(
    {CommandRevoked: lambda _, e: Revoked(e.session), CommandAnswered: lambda _, e: Answered(e)}
)

DECIDER: Final = Decider(START, evolve)
