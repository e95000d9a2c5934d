"""Events of a live table that deals cards: its shoe, its cards, and the turns of its seats.

Each card and each turn stands on the table's stream with who brought it about and when, so that the
deal can be played again without a generator and without a studio (G7). What a box brought is an
event of its session's own round.
"""

from typing import Annotated, Generic, Literal
from uuid import UUID

from pydantic import Field, SerializeAsAny

from ledger.domain.events.base import Count, D, Event, Frozen, Hex, is_absent
from ledger.domain.events.round import RoundEvent, SheetRef
from ledger.domain.events.table import FeedRef
from ledger.domain.ids import Word
from ledger.domain.money import Amount


class Box(Frozen):
    """A seat that is in play: whose session's round has its bet, and how much that is."""

    seat: Count
    session: UUID
    round: UUID
    stake: Amount


class ShoeShuffled(Event, Generic[D]):
    """All cards are in the shoe again, and the cutting card was placed."""

    NAME = "shoe-shuffled"
    number: Count
    """Which shoe of the table it is, from 1."""
    rules: SheetRef
    """By which rules it is made up; rounds by others need another shoe."""
    details: SerializeAsAny[D]
    entropy: Annotated[Hex | None, Field(exclude_if=is_absent)] = None
    """What the place was mapped from, where it was drawn here."""
    feed: Annotated[FeedRef | None, Field(exclude_if=is_absent)] = None
    """Which message told it, where it came from the studio."""


class DealingBegun(Event):
    """The boxes that have a bet, in the order of the deal; no other is in play."""

    NAME = "dealing-begun"
    round: UUID
    boxes: Annotated[tuple[Box, ...], Field(min_length=1)]


class CardDealt(Event, Generic[D]):
    """A card came out of the shoe and lies in sight."""

    NAME = "card-dealt"
    round: UUID
    number: Count
    """Which card of the round it is, from 1."""
    seat: Count | None
    """The box that it lies at; None for the dealer's."""
    hand: Count
    """Which of the hands there."""
    details: SerializeAsAny[D]
    entropy: Annotated[Hex | None, Field(exclude_if=is_absent)] = None
    """What it was mapped from, where it was drawn here."""
    feed: Annotated[FeedRef | None, Field(exclude_if=is_absent)] = None
    """Which message told it, where it came from the studio."""


class TurnTaken(Event, Generic[D]):
    """A box in turn acted: its player did, or the rules did for one who did not."""

    NAME = "turn-taken"
    round: UUID
    seat: Count
    hand: Count
    details: SerializeAsAny[D]
    """The action."""
    passed: Annotated[
        Literal["time", "disconnected", "excluded"] | None, Field(exclude_if=is_absent)
    ] = None
    """Why the rules acted; None where the player did."""


class BoxDecided(RoundEvent, Generic[D]):
    """Every bet of a box is decided before its table's round is over; it is paid at once."""

    NAME = "box-decided"
    table_round: UUID
    shown: Word
    details: SerializeAsAny[D]
