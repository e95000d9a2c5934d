"""How returns and outcomes stand in a period: sums of the projection, and the rules they are of.

Source of the tolerances: those of regulators for monitored returns, z times the deviation of a unit
staked times the root of the sum of squared stakes over the sum of stakes; where one outcome decides
all bets of a round, the exact variance of the set of bets takes the place of that product.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Any, Final, Literal

from workers.biases import SCALE
from workers.days import Days
from workers.log import Cursor, sql
from workers.monitoring.looks import LEAST_ROUNDS, THRESHOLDS, Grade, graded, window_of
from workers.monitoring.statistics import ChiSquare, chi_square, evidence, mixed, z_score
from workers.ports import Ports
from workers.projections.rules import Rules, Sheet, rules_of

Key = tuple[Any, ...]
"""Sheet, version, currency, and what else was asked for."""
Apart = Literal["level", "channel"]
"""What returns may be told apart by."""
Stands = Iterator[tuple[Key, "Returns"]]


def periods(day: date) -> Mapping[str, Days]:
    """The periods that returns are told for: the day, 30 days with it, and all up to it."""
    return {"day": Days(day, day), "30-days": Days(*window_of(day)), "life": Days(date.min, day)}


def before(days: Days) -> Days:
    """The same period without its last day."""
    return Days(days.first, days.last - timedelta(days=1))


@dataclass(frozen=True, slots=True)
class Returns:
    """What rounds staked and returned, in minor units, and what they should have on average."""

    rounds: int = 0
    turnover: int = 0
    returned: int = 0
    expectation: Fraction | None = Fraction()
    """None where the variance is not known: bets of several sessions fell together."""
    variance: Fraction | None = Fraction()
    draws: int = 0
    """How many independent draws decided them: the rounds, or the outcomes of a live table.

    0 where rounds are not independent and the variance is not known.
    """

    def plus(self, other: "Returns") -> "Returns":
        """Both together."""
        return Returns(
            self.rounds + other.rounds,
            self.turnover + other.turnover,
            self.returned + other.returned,
            _sum(self.expectation, other.expectation),
            _sum(self.variance, other.variance),
            self.draws + other.draws,
        )

    @property
    def actual(self) -> Fraction | None:
        """The actual return; None without turnover."""
        return Fraction(self.returned, self.turnover) if self.turnover else None

    @property
    def theoretical(self) -> Fraction | None:
        """What these very bets return on average; None without turnover or where it is unknown."""
        return self.expectation / self.turnover if self.expectation and self.turnover else None

    @property
    def z(self) -> float | None:
        """By how many deviations the returns are above what they should be."""
        if self.expectation is None or self.variance is None:
            return None
        return z_score(self.returned, self.expectation, self.variance)

    def tolerance(self, grade: Grade) -> float | None:
        """How far the return may be from the theoretical one, as a ratio of turnover."""
        if self.variance is None or not self.turnover:
            return None
        return THRESHOLDS[grade] * math.sqrt(self.variance) / self.turnover

    @property
    def state(self) -> str:
        """Within, a warning or an alarm, as a single look tells it; else why nothing is told."""
        if self.z is None:
            return "unknown"
        return "few-rounds" if self.draws < LEAST_ROUNDS else graded(self.z, THRESHOLDS) or "within"


def _sum(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one + other


def returns(
    cursor: Cursor, ports: Ports, days: Days, by: Apart | None = None
) -> Mapping[Key, Returns]:
    """Returns of a period by sheet, version and currency, and by one thing more, in order."""
    more = () if by is None else (by,)
    totals: dict[Key, Returns] = defaultdict(Returns)
    for key, stands in (
        *_of_rounds(cursor, ports, days, more),
        *_of_tables(cursor, ports, days, more),
    ):
        totals[key] = totals[key].plus(stands)
    return dict(sorted(totals.items()))


def _of_rounds(cursor: Cursor, ports: Ports, days: Days, more: tuple[str, ...]) -> Stands:
    """What rounds returned that were decided one by one."""
    names = ", ".join(("sheet", "sheet_version", "currency", *more, "bet_kind", "live_table"))
    text = _RETURNS.format(names=names, book="{book}")
    rows = cursor.execute(sql(text, ports.book), (days.first, days.last)).fetchall()
    width = 3 + len(more)
    rules = rules_of(cursor, ports, {row[:2] for row in rows})
    for row in rows:
        key, kind = row[:width], row[width]
        yield key, _returns(rules[key[:2]], kind, *map(int, row[width + 2 :]))


def _returns(rules: Rules, kind: str, *figures: int) -> Returns:
    """A row's figures, exact where every round has them, else by what the sheet declares."""
    rounds, turnover, returned, squares, watched, expectation, variance = figures
    watch = rules.game.watch
    told: tuple[Fraction | None, Fraction | None] = (None, None)
    if watch is not None and rounds == watched:
        told = Fraction(expectation, watch.ways), Fraction(variance, watch.ways**2)
    elif watch is not None and watch.moments is None:
        declared = {each.kind: each for each in rules.game.returns(rules.sheet)}
        if kind in declared:
            of = declared[kind]
            told = of.expected * turnover, of.variance * squares
    return Returns(rounds, turnover, returned, *told, 0 if told[1] is None else rounds)


def _of_tables(cursor: Cursor, ports: Ports, days: Days, more: tuple[str, ...]) -> Stands:
    """What the outcomes of live tables returned, each with all bets that it decided together."""
    names = ", ".join(("sheet", "sheet_version", "currency", *more))
    text = _TABLE_RETURNS.format(names=names, book="{book}")
    of = ("level" in more, "channel" in more)
    rows = cursor.execute(sql(text, ports.book), (days.first, days.last, *of)).fetchall()
    rules = rules_of(cursor, ports, {row[:2] for row in rows})
    for *key, outcomes_, rounds, turnover, returned, expectation, variance in rows:
        watch = rules[key[0], key[1]].game.watch
        assert watch is not None
        told = Fraction(int(expectation), watch.ways), Fraction(int(variance), watch.ways**2)
        yield tuple(key), Returns(rounds, turnover, returned, *told, outcomes_)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How often each outcome of one kind of draw came, and how likely each is."""

    counts: Mapping[str, int]
    chances: Mapping[str, Fraction]
    told: tuple[int, ...] = ()
    """What draws that depend on each other tell of each bias, in billionths; none else."""

    @property
    def total(self) -> int:
        """How many draws there were."""
        return sum(self.counts.values())

    @property
    def tested(self) -> ChiSquare | None:
        """The counts beside the chances; None where draws depend on each other."""
        return None if self.told else chi_square(self.counts, self.chances)

    @property
    def evidence(self) -> float:
        """The logarithm of the evidence against chance."""
        if self.told:
            return mixed(billionths / SCALE for billionths in self.told)
        return evidence(self.counts, self.chances)


def outcomes(cursor: Cursor, ports: Ports, days: Days) -> Mapping[Key, Outcomes]:
    """Outcomes of a period by sheet, version, live table and kind of draw, in order."""
    counts: dict[Key, dict[str, int]] = defaultdict(dict)
    for *key, outcome, times in cursor.execute(
        sql(_OUTCOMES, ports.book), (days.first, days.last)
    ).fetchall():
        counts[tuple(key)][outcome] = times
    told: dict[Key, tuple[int, ...]] = {
        tuple(key): tuple(billionths)
        for *key, billionths in cursor.execute(
            sql(_EVIDENCE, ports.book), (days.first, days.last)
        ).fetchall()
    }
    rules = rules_of(cursor, ports, {key[:2] for key in counts})
    return {
        key: Outcomes(counts[key], _chances(rules, key), told.get(key, ()))
        for key in sorted(counts)
    }


def _chances(rules: Mapping[Sheet, Rules], key: Key) -> Mapping[str, Fraction]:
    sheet, version, _, draw = key
    read = rules[sheet, version]
    assert read.game.watch is not None
    return read.game.watch.chances(read.sheet)[draw]


def subject_of(live_table: str, draw: str) -> str:
    """What a kind of draw is called in an alert: with its live table, where it has one."""
    return f"{draw} at {live_table}" if live_table else draw


_RETURNS: Final = """
SELECT {names}, sum(rounds)::int8, sum(turnover)::int8, sum(returned)::int8, sum(squares),
       sum(watched)::int8, sum(expectation), sum(variance)
  FROM {book}.p_rtp WHERE day BETWEEN %s AND %s GROUP BY {names} ORDER BY {names}
"""

_TABLE_RETURNS: Final = """
SELECT {names}, sum(outcomes)::int8, sum(rounds)::int8, sum(turnover)::int8, sum(returned)::int8,
       sum(expectation), sum(variance)
  FROM {book}.p_table_returns
 WHERE day BETWEEN %s AND %s AND (level <> '') = %s AND (channel <> '') = %s
 GROUP BY {names} ORDER BY {names}
"""

_OUTCOMES: Final = """
SELECT sheet, sheet_version, live_table, draw, outcome, sum(times)::int8
  FROM {book}.p_outcomes WHERE day BETWEEN %s AND %s
 GROUP BY sheet, sheet_version, live_table, draw, outcome ORDER BY 1, 2, 3, 4, 5
"""

_EVIDENCE: Final = """
SELECT sheet, sheet_version, live_table, draw, array_agg(billionths ORDER BY outcome, ratio)
  FROM (SELECT sheet, sheet_version, live_table, draw, outcome, ratio,
               sum(billionths)::int8 AS billionths
          FROM {book}.p_evidence WHERE day BETWEEN %s AND %s
         GROUP BY sheet, sheet_version, live_table, draw, outcome, ratio) AS biases
 GROUP BY sheet, sheet_version, live_table, draw
"""
