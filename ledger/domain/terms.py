"""The terms of a session: what holds from its door to its end (rulings C1, HW4)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from ledger.domain.money import Currency


@dataclass(frozen=True, slots=True)
class Limits:
    """What the player planned for the session: a loss in minor units, times in seconds."""

    loss: int | None = None
    seconds: int | None = None
    idle_seconds: int | None = None
    """How long the player may do nothing at a table that deals, where its sheet allows longer."""

    def narrowed(self, other: "Limits") -> "Limits":
        """The stricter of each pair: a plan is never loosened while it is played by."""
        return Limits(
            _least(self.loss, other.loss),
            _least(self.seconds, other.seconds),
            _least(self.idle_seconds, other.idle_seconds),
        )


def _least(one: int | None, other: int | None) -> int | None:
    return min((each for each in (one, other) if each is not None), default=None)


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for the whole session: from the sheet of its first day, and the player's plan."""

    player: str
    sheet: str
    currency: Currency
    posta_max: int
    reconnect_seconds: int
    limits: Limits = Limits()
    """What the player plans for the session."""
    account: str | None = None
    """The player's account type, where the house gave one."""
    own_limits: str | None = None
    """The player's own limits at the sheet, where the house set some."""
    time_over: datetime | None = None
    """When the player's time of play is over by a limit of the conto, if one ends it."""
    opened_at: datetime | None = None
    is_barred: bool = False
    """Whether the player was excluded since, so that nothing begins any more."""

    @property
    def plays_until(self) -> datetime | None:
        """From when on no round begins; None where neither plan nor limit ends the play.

        A planned time runs from the opening.
        """
        if self.limits.seconds is None or self.opened_at is None:
            return self.time_over
        planned = self.opened_at + timedelta(seconds=self.limits.seconds)
        return planned if self.time_over is None else min(planned, self.time_over)
