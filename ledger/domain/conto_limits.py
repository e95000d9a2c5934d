"""Limits of a conto on deposits, spend and time of play (rules of the Italian concession).

A limit is per business day, week or month. A stricter one is in force at once, a looser one seven
days after it was asked for; both moments are on record.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal
from uuid import UUID

from ledger.domain import commands as cmd, events as ev
from ledger.domain.days import Period, bounds, day_of, next_first
from ledger.domain.events import LimitKind
from ledger.domain.money import Currency, format_amount
from ledger.domain.refusals import Code, Refusal
from ledger.domain.tally import Spell, Tally, total

COOLING_OFF: Final = timedelta(days=7)
"""How long after it was asked for a looser limit is in force: 168 hours, whatever clocks do."""

TIME_MAX: Final = 24 * 3600 - 1
"""The longest time of play that is a limit, in seconds: less than any two days."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The most of a kind in a period: minor units, or seconds of play; None where there is none."""

    kind: LimitKind
    period: Period
    most: int | None
    since: datetime


Limits = tuple[Limit, ...]
"""Of each kind and period the limit in force, then one that waits, if any."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The limits that a conto begins with, by what the law makes of the player's age."""

    deposit: int
    """Minor units of euro a day."""
    spend: int
    """Likewise."""
    seconds: int
    """Time of play a day."""


PROFILES: Final = {
    "it-standard": Profile(deposit=200_00, spend=100_00, seconds=3 * 3600),
    "it-young": Profile(deposit=50_00, spend=50_00, seconds=2 * 3600),
}
"""Italy: limits at the first activation of a conto, and those for players from 18 to 24."""

_ADULT, _GROWN = 18, 25


def profile_of(born: date, today: date) -> str | Refusal:
    """The profile of an Italian player who was born on a day; nobody under 18 has a conto."""
    age = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
    if age < _ADULT:
        return Refusal(Code.UNDER_AGE, f"A player is at least {_ADULT} years old.")
    return "it-young" if age < _GROWN else "it-standard"


def first(command: cmd.OpenConto, now: datetime) -> tuple[ev.ContoLimitSet, ...] | Refusal:
    """The limits that a conto begins with, in force at once; none without a profile."""
    if command.profile is None:
        return ()
    profile = PROFILES.get(command.profile)
    if profile is None:
        return Refusal(Code.MALFORMED, f"A profile is one of {', '.join(PROFILES)}.")
    if command.currency is not Currency.EUR:
        return Refusal(Code.WRONG_CURRENCY, "The limits of a profile are in EUR.")
    mosts: tuple[tuple[LimitKind, int], ...] = (
        ("deposit", profile.deposit),
        ("spend", profile.spend),
        ("time", profile.seconds),
    )
    return tuple(
        ev.ContoLimitSet(
            player=command.player, limit=kind, period="day", most=most, asked=now, in_force_from=now
        )
        for kind, most in mosts
    )


def told(kind: LimitKind, most: int | None) -> str | None:
    """An amount, or hours, minutes and seconds; None where there is no limit."""
    if most is None:
        return None
    return str(timedelta(seconds=most)) if kind == "time" else format_amount(most)


def in_force(limits: Limits, kind: LimitKind, period: Period, now: datetime) -> int | None:
    """The most that holds at a moment; None where nothing limits it."""
    held = [x for x in limits if (x.kind, x.period) == (kind, period) and x.since <= now]
    return held[-1].most if held else None


def waiting(limits: Limits, kind: LimitKind, period: Period, now: datetime) -> Limit | None:
    """The limit that comes into force later, if any."""
    late = (x for x in limits if (x.kind, x.period) == (kind, period) and x.since > now)
    return next(late, None)


def begins(limits: Limits, asked: tuple[LimitKind, Period, int | None], now: datetime) -> datetime:
    """From when on a limit that is asked for now is in force."""
    kind, period, most = asked
    held = in_force(limits, kind, period, now)
    looser = held is not None and (most is None or most > held)
    return now + COOLING_OFF if looser else now


def with_limit(limits: Limits, e: ev.ContoLimitSet) -> Limits:
    """The limits after one was set: it takes the place of one that waited."""
    same = tuple(x for x in limits if (x.kind, x.period) == (e.limit, e.period))
    others = tuple(x for x in limits if x not in same)
    held = tuple(x for x in same if x.since <= e.asked < e.in_force_from)
    return (*others, *held[-1:], Limit(e.limit, e.period, e.most, e.in_force_from))


PERIODS: Final[tuple[Period, ...]] = ("day", "week", "month")

Spending = Literal["deposit", "spend"]
"""What is limited as money."""

_REACHED: Final[dict[Spending, Code]] = {
    "deposit": Code.DEPOSIT_LIMIT_REACHED,
    "spend": Code.SPEND_LIMIT_REACHED,
}


def used(tally: Tally, kind: Spending, period: Period, now: datetime) -> int:
    """What counts towards a limit on money in its period so far, in minor units."""
    sums = tally.deposits if kind == "deposit" else tally.outlays
    return total(sums, period, day_of(now))


def beyond(
    limits: Limits, tally: Tally, wanted: tuple[Spending, int], now: datetime
) -> Refusal | None:
    """The refusal of an amount in minor units beyond a limit of any period, or None."""
    kind, amount = wanted
    for period in PERIODS:
        most = in_force(limits, kind, period, now)
        rest = 0 if most is None else max(0, most - used(tally, kind, period, now))
        if most is not None and amount > rest:
            until = changes(limits, kind, period, now).isoformat()
            words = f"The {kind} limit of the {period} leaves {format_amount(rest)} until {until}."
            return Refusal(_REACHED[kind], words)
    return None


def changes(limits: Limits, kind: LimitKind, period: Period, now: datetime) -> datetime:
    """When what is left grows by itself: the period's end, or a looser limit before it."""
    end = bounds(next_first(period, day_of(now)))[0]
    later = waiting(limits, kind, period, now)
    return end if later is None else min(end, later.since)


def time_left(limits: Limits, tally: Tally, now: datetime) -> timedelta | None:
    """What is left of a day's time of play; None where nothing limits it."""
    most = in_force(limits, "time", "day", now)
    if most is None:
        return None
    return max(timedelta(), timedelta(seconds=most) - tally.time_of(day_of(now), now))


def time_over(limits: Limits, tally: Tally, now: datetime) -> datetime | None:
    """When the time of play is over for a player who plays from now on; None where it never is.

    Not later than now where no time is left. A day's time ends with the day: who plays on over
    midnight plays on the time of the next.
    """
    here = now
    playing = Tally(spells=(*tally.spells, Spell(UUID(int=0), now)))
    while (rest := time_left(limits, playing, here)) is not None:
        stop = changes(limits, "time", "day", here)
        if here + rest < stop:
            return here + rest
        here = stop
    return None


def no_time_left(limits: Limits, now: datetime) -> Refusal:
    """The refusal of a session that no time of play is left for."""
    again = changes(limits, "time", "day", now).isoformat()
    return Refusal(Code.TIME_LIMIT_REACHED, f"No time of play is left until {again}.")
