"""When the monitoring looks, at what, and from which threshold on it speaks.

A threshold has a level: the probability with which chance alone passes it. Many looks at one
threshold would pass it far more often, so that each look here is one of a plan whose level is
known:

- returns of 30 days: one look at the end of each run of 30 days, counted from the book's first
  closed day. No two share a round, and each has the level of its threshold.
- returns since the start: one look whenever the rounds have doubled from 1,024 on. The n-th of them
  spends 1/(n(n + 1)) of the level, so that all looks for ever spend it once.
- outcomes: a look at each closed day. Their evidence may be looked at as often as one likes: it
  ever passes 1/level with at most that probability. It begins anew when an alert has its finding.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final, Literal

from workers.monitoring.statistics import chance_beyond, two_sided

Grade = Literal["warning", "alarm"]
GRADES: Final[tuple[Grade, ...]] = ("alarm", "warning")
"""The graver first."""

THRESHOLDS: Final[Mapping[Grade, float]] = {"warning": 1.96, "alarm": 2.576}
"""In standard deviations, of a single look."""

EVIDENCE: Final[Mapping[Grade, float]] = {"warning": 2.996, "alarm": 4.606}
"""The natural logarithms of 1/0.05 and 1/0.01, rounded up."""

WINDOW_DAYS: Final = 30
LEAST_ROUNDS: Final = 1_024
"""With fewer rounds returns are far from normal, and nothing is said of them."""


def graded(value: float, thresholds: Mapping[Grade, float]) -> Grade | None:
    """The gravest grade whose threshold a value reaches on either side; None within all."""
    return next((grade for grade in GRADES if abs(value) >= thresholds[grade]), None)


def window_of(day: date) -> tuple[date, date]:
    """The days up to and with one, both ends included."""
    return day - timedelta(days=WINDOW_DAYS - 1), day


def is_end_of_window(first: date, day: date) -> bool:
    """Whether a run of 30 days ends with a day, where the first run begins with `first`."""
    return ((day - first).days + 1) % WINDOW_DAYS == 0


def look_of(before: int, rounds: int) -> int | None:
    """Which look at returns since the start is due, from 1; None where none is.

    `before` are the rounds up to the day before, `rounds` those with the day.
    """
    number = _doublings(rounds)
    return number if number > _doublings(before) else None


def _doublings(rounds: int) -> int:
    return (rounds // LEAST_ROUNDS).bit_length()


def spent(look: int) -> Mapping[Grade, float]:
    """The thresholds of the n-th look, which spends its share of each level."""
    share = look * (look + 1)
    return {grade: two_sided(chance_beyond(z) / share) for grade, z in THRESHOLDS.items()}
