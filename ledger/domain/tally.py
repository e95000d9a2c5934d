"""What of a conto counts towards its limits: money paid in, money sent to play, time of play.

Sums are kept by business day for as long as a week or a month that holds the day is not over.
"""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Final
from uuid import UUID

from ledger.domain.days import Period, bounds, day_of, first_of


@dataclass(frozen=True, slots=True)
class Sum:
    """An amount that counts on a day, in minor units; of a session while it may give back."""

    day: date
    amount: int
    session: UUID | None = None


@dataclass(frozen=True, slots=True)
class Spell:
    """Time of play: from the purchase of a session's first right until the session's end."""

    session: UUID
    since: datetime
    until: datetime | None = None
    """When it ended or will end by rule; None while nothing ends it."""
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class Tally:
    """What counts so far."""

    deposits: tuple[Sum, ...] = ()
    outlays: tuple[Sum, ...] = ()
    """What went to sessions and has not come back."""
    spells: tuple[Spell, ...] = ()

    def deposited(self, amount: int, at: datetime) -> "Tally":
        """Money was paid in."""
        return self._at(at, deposits=_merged((*self.deposits, Sum(day_of(at), amount))))

    def paid(self, session: UUID, amount: int, at: datetime, until: datetime | None) -> "Tally":
        """Money went to a session; with the first of it the session's time begins."""
        known = any(s.session == session and s.is_open for s in self.spells)
        spells = self.spells if known else (*self.spells, Spell(session, at, until))
        outlays = (*self.outlays, Sum(day_of(at), amount, session))
        return self._at(at, outlays=outlays, spells=spells)

    def returned(self, session: UUID, amount: int, at: datetime) -> "Tally":
        """Money came back: it was not spent, of the last that went there first.

        What a session gives beyond what it got is won, and lowers nothing.
        """
        kept: list[Sum] = []
        for outlay in reversed(self.outlays):
            back = min(amount, outlay.amount) if outlay.session == session else 0
            amount -= back
            kept.append(replace(outlay, amount=outlay.amount - back))
        return self._at(at, outlays=tuple(s for s in reversed(kept) if s.amount))

    def ended(self, session: UUID, at: datetime, *, was_played: bool) -> "Tally":
        """A session is over: it gives nothing back any more; one that never opened took no time."""
        outlays = (replace(s, session=None) if s.session == session else s for s in self.outlays)
        spells = (
            replace(s, until=_earlier(s.until, at), is_open=False) if s.session == session else s
            for s in self.spells
            if s.session != session or was_played
        )
        return replace(self, outlays=_merged(tuple(outlays)), spells=tuple(spells))

    def cut(self, until: datetime) -> "Tally":
        """What is played stops at a moment, unless it does before."""
        spells = (replace(s, until=_earlier(s.until, until)) for s in self.spells)
        return replace(self, spells=tuple(spells))

    def playing(self, now: datetime) -> tuple[Spell, ...]:
        """The spells that go on at a moment."""
        return tuple(s for s in self.spells if s.is_open and (s.until is None or now < s.until))

    def time_of(self, day: date, until: datetime) -> timedelta:
        """How long was played of a day up to a moment; what overlaps counts once."""
        played, reached = timedelta(), bounds(day)[0]
        for spell in sorted(self.spells, key=lambda s: s.since):
            end = until if spell.until is None else min(until, spell.until)
            played += max(timedelta(), end - max(reached, spell.since))
            reached = max(reached, end)
        return played

    def _at(self, at: datetime, **sums: tuple[Sum, ...] | tuple[Spell, ...]) -> "Tally":
        """The tally with some sums, without what no period counts any more."""
        grown: Tally = replace(self, **sums)  # type: ignore[arg-type]
        day = day_of(at)
        oldest, midnight = min(first_of("week", day), first_of("month", day)), bounds(day)[0]
        return Tally(
            tuple(s for s in grown.deposits if s.day >= oldest),
            tuple(s for s in grown.outlays if s.day >= oldest),
            tuple(s for s in grown.spells if s.is_open or s.until is None or s.until > midnight),
        )


NOTHING_YET: Final = Tally()
"""The tally of a new conto."""


def total(sums: tuple[Sum, ...], period: Period, day: date) -> int:
    """What counts in the period that a day lies in, in minor units."""
    first = first_of(period, day)
    return sum(s.amount for s in sums if first_of(period, s.day) == first)


def _merged(sums: tuple[Sum, ...]) -> tuple[Sum, ...]:
    """One sum a day for what no session gives back any more, before what may come back."""
    owned = tuple(s for s in sums if s.session is not None)
    free = sorted((s for s in sums if s.session is None), key=attrgetter("day"))
    days = groupby(free, key=attrgetter("day"))
    return (*(Sum(day, sum(s.amount for s in each)) for day, each in days), *owned)


def _earlier(one: datetime | None, other: datetime) -> datetime:
    return other if one is None else min(one, other)
