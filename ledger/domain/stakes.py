"""A round in play: its stakes, where each of them is, and its own events for the engine.

Written out by hand where a round is played in one save, for these steps are the hot path of play
and `replace` would double their time.
"""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from ledger.domain import events as ev
from ledger.domain.decider import RoundEvents


@dataclass(frozen=True, slots=True)
class Stake:
    """One accepted bet of a round in play: its index, amount, and what of it was refunded."""

    bet: int
    amount: int
    refunded: int = 0
    returned: int = 0
    """What of it came back with a payout, a held win or a release from prison."""
    imprisoned: int = 0
    """What of it is in prison."""
    lost: int = 0
    """What of it the bank took while the round goes on."""

    @property
    def held(self) -> int:
        """What is still at stake, in minor units."""
        return self.amount - self.refunded - self.returned - self.imprisoned - self.lost


@dataclass(frozen=True, slots=True)
class RoundInPlay:
    """An open round: its stakes, and its own events for the engine to fold."""

    round: UUID
    game: str
    rules: ev.SheetRef
    stakes: tuple[Stake, ...]
    history: RoundEvents
    win: int = 0
    """The held win, in minor units: `session:<id>:win`."""
    at_risk: int = 0
    """What of the win a double-up has at risk; it is not in `win` meanwhile."""

    @property
    def opening(self) -> ev.RoundOpened[Any]:
        """The round's first event: the player's move, and what the house held of the player."""
        opened = self.history[0]
        assert isinstance(opened, ev.RoundOpened)
        return opened

    @property
    def table_round(self) -> UUID | None:
        """The round of a live table in which it was bet, or in which its stakes played on last."""
        for event in reversed(self.history):
            if isinstance(event, ev.TableRoundJoined) and event.plays_on:
                return event.table.round
        place = self.opening.table
        return None if place is None else place.round

    @property
    def at_stake(self) -> int:
        """Minor units that are staked and neither refunded nor settled."""
        return sum(s.held for s in self.stakes) + self.at_risk

    @property
    def in_prison(self) -> int:
        """Minor units that are imprisoned: `session:<id>:prison`."""
        return sum(s.imprisoned for s in self.stakes)


Rounds = tuple[RoundInPlay, ...]


def grown(rounds: Rounds, e: ev.RoundEvent, stakes: tuple[Stake, ...] | None = None) -> Rounds:
    """The rounds with one more event in its own, whose stakes may have changed."""
    return tuple(
        [
            RoundInPlay(
                r.round,
                r.game,
                r.rules,
                r.stakes if stakes is None else stakes,
                (*r.history, e),
                r.win,
                r.at_risk,
            )
            if r.round == e.round
            else r
            for r in rounds
        ]
    )


def without(rounds: Rounds, e: ev.RoundEvent) -> Rounds:
    """The rounds without the one that an event ended."""
    return tuple([r for r in rounds if r.round != e.round])


def holding(rounds: Rounds, e: ev.RoundEvent, **changes: Any) -> Rounds:
    """The rounds with one more event in its own, and these changes to it."""
    return tuple(
        replace(r, history=(*r.history, e), **changes) if r.round == e.round else r for r in rounds
    )


def of_bet(played: RoundInPlay, e: Any, **amounts: int) -> tuple[Stake, ...]:
    """The stakes of a round, with these amounts set in that of an event's bet."""
    return tuple([replace(s, **amounts) if s.bet == e.bet else s for s in played.stakes])
