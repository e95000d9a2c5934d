"""A payment's reference at a provider: booked once, whatever the commands' ids (fault S1)."""

from dataclasses import dataclass
from typing import Final

from ledger.domain.decider import Decider, fold
from ledger.domain.events import PaymentBooked


@dataclass(frozen=True, slots=True)
class Fresh:
    """No command has used this reference."""


@dataclass(frozen=True, slots=True)
class Booked:
    """A command has used this reference, for this player."""

    player: str


State = Fresh | Booked
START: Final[State] = Fresh()

evolve = fold({PaymentBooked: lambda _, e: Booked(e.player)})

DECIDER: Final = Decider(START, evolve)
