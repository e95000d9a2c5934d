"""What every roulette shows of chance alone: the pockets, and the moments of all bets of a spin."""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from games.engine import Moments, Watch, bets_in_play
from games.roulette.rtp import moments
from games.roulette.wheel import POCKETS
from ledger.domain.decider import RoundView
from ledger.domain.events import DrawRecorded

POCKET: Final = "pocket"
"""The kind of draw that a wheel makes."""

_EVEN: Final = MappingProxyType(
    {POCKET: MappingProxyType({str(n): Fraction(1, len(POCKETS)) for n in POCKETS})}
)


def chances(_: Any) -> Mapping[str, Mapping[str, Fraction]]:
    """Every pocket is as likely as any other, whatever the sheet."""
    return _EVEN


def outcomes(view: RoundView) -> tuple[tuple[str, str], ...]:
    """Where the ball came to rest, as the history of the screen shows it."""
    drawn = [event.shown for event in view.history if isinstance(event, DrawRecorded)]
    return tuple((POCKET, shown) for shown in drawn if shown is not None)


def round_moments(view: RoundView) -> Moments:
    """The exact moments of all bets in play of a round, which one spin decides."""
    return moments(view.sheet.pays, ((b.details, b.amount) for b in bets_in_play(view)))


WATCH: Final = Watch(chances=chances, outcomes=outcomes, moments=round_moments, ways=len(POCKETS))
