"""What a scrape reads of the book itself: how far seal and projections are, and what was played.

Nobody's last word is repeated: a worker that is gone lets the lags grow on the page. Money and
returns are not counted as they pass, because a task may run twice; they equal the projection. While
the database does not answer, `contoposta_up` says so, and the rest of the page is served.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, Final

import psycopg
import structlog
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.metrics_core import CounterMetricFamily
from prometheus_client.registry import Collector
from typing_extensions import override

from ledger.domain.money import MINOR_PER_MAJOR
from ledger.domain.refusals import Fault
from ledger.seal.sealer import lag, waiting_since
from workers.days import Days
from workers.log import Cursor, connected, sealed_size, sql, transaction
from workers.monitoring.looks import GRADES
from workers.monitoring.standing import outcomes, returns
from workers.overdue import overdue
from workers.ports import Ports
from workers.projections.base import find
from workers.projections.registry import PROJECTIONS
from workers.regulators.registry import AUTHORITIES

BOUND: Final = "5s"
"""After so long the database counts as not answering: a scrape is not waited for much longer."""

log = structlog.get_logger()


class BookFigures(Collector):
    """Lags, play and returns as they stand at each scrape."""

    def __init__(self, wire: Callable[[], Ports]) -> None:
        """`wire` gives the ports, and is asked at each scrape; it may raise a fault."""
        self._wire = wire

    def describe(self) -> Iterable[Metric]:
        """Nothing ahead of a scrape: the database need not be there yet."""
        return ()

    @override
    def collect(self) -> Iterable[Metric]:
        """What can be told, and first whether the database answered."""
        try:
            told = _told(self._wire())
        except (Fault, psycopg.Error) as error:
            log.warning("database-not-scraped", fault=type(error).__name__)
            return [_up(0)]
        return [_up(1), *told]


def _told(ports: Ports) -> list[Metric]:
    with (
        connected(ports, "reader") as connection,
        transaction(connection, frozen=True) as cursor,
    ):
        cursor.execute(_BOUNDED, (BOUND,))
        return [
            *_seal(cursor, ports),
            *_projections(cursor, ports.book),
            *_play(cursor, ports),
            *_watch(cursor, ports),
            _records(cursor, ports.book),
            *overdue(cursor, ports),
        ]


def _up(value: int) -> Metric:
    return _by("up", "Whether a part answers this scrape.", "part", {"database": value})


def _seal(cursor: Cursor, ports: Ports) -> Iterable[Metric]:
    since = waiting_since(cursor.connection, ports.book)
    seconds = 0.0 if since is None else (ports.now() - since).total_seconds()
    waiting = lag(cursor.connection, ports.book).waiting
    yield _gauge("checkpoint_events", "Events that the newest checkpoint covers.",
                 sealed_size(cursor, ports.book))  # fmt: skip
    yield _gauge("seal_lag_events", "Events that wait for their position.", waiting)
    yield _gauge("seal_lag_seconds", "How long the first of them waits.", max(seconds, 0.0))


def _projections(cursor: Cursor, book: str) -> Iterable[Metric]:
    size = sealed_size(cursor, book)
    found = {p.name: find(cursor, book, p.name) for p in PROJECTIONS}
    folded = {name: progress.position if progress else 0 for name, progress in found.items()}
    lags = {name: size - position for name, position in folded.items()}
    by = "projection"
    yield _by("projected_events", "Sealed events that a projection has folded.", by, folded)
    yield _by("projection_lag_events", "Sealed events that a projection has not folded.", by, lags)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"contoposta_{name}", text, value=value)


def _by(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    gauge = GaugeMetricFamily(f"contoposta_{name}", text, labels=[label])
    for of, value in values.items():
        gauge.add_metric([of], value)
    return gauge


def _play(cursor: Cursor, ports: Ports) -> Iterable[Metric]:
    rows = cursor.execute(sql(_FIGURES, ports.book)).fetchall()
    for place, (name, text) in enumerate(_COUNTERS.items(), _LABELS):
        counter = CounterMetricFamily(f"contoposta_{name}", text, labels=_BY)
        unit = MINOR_PER_MAJOR if name in _MONEY else 1
        for row in rows:
            counter.add_metric([str(v) for v in row[:_LABELS]], row[place] / unit)
        yield counter
    yield _returns(rows)
    yield _demo_rounds(cursor, ports.book)


def _demo_rounds(cursor: Cursor, book: str) -> Metric:
    """Demo rounds are in none of the figures above."""
    text = "Rounds with demo chips, which are in no other figure."
    counter = CounterMetricFamily("contoposta_demo_rounds", text, labels=_BY[:3])
    for *by, rounds in cursor.execute(sql(_DEMOS, book)):
        counter.add_metric([str(value) for value in by], rounds)
    return counter


def _returns(rows: Iterable[tuple[Any, ...]]) -> Metric:
    gauge = GaugeMetricFamily("contoposta_rtp", "Returns of turnover since the start.", labels=_BY)
    for row in rows:
        told = dict(zip(_COUNTERS, row[_LABELS:], strict=True))
        if told["turnover"]:
            returned = told["winnings"] + told["stakes_returned"]
            gauge.add_metric([str(v) for v in row[:_LABELS]], returned / told["turnover"])
    return gauge


def _watch(cursor: Cursor, ports: Ports) -> Iterable[Metric]:
    """How far returns and outcomes are from what chance allows, and which alerts wait."""
    life = Days(date.min, date.max)
    labels = ("sheet", "version", "currency")
    z = GaugeMetricFamily(
        "contoposta_rtp_z", "Deviations of returns since the start.", labels=labels
    )
    for key, stands in returns(cursor, ports, life).items():
        if stands.z is not None:
            z.add_metric([str(value) for value in key], stands.z)
    yield z
    text = "Logarithm of the evidence that outcomes since the start hold against chance."
    draws = ("sheet", "version", "table", "draw")
    against = GaugeMetricFamily("contoposta_outcome_evidence", text, labels=draws)
    for key, fell in outcomes(cursor, ports, life).items():
        against.add_metric([str(value) for value in key], fell.evidence)
    yield against
    waiting = dict(cursor.execute(sql(_WAITING, ports.book)).fetchall())
    text = "Alerts on returns and outcomes that wait for a finding."
    yield _by("rtp_alerts_open", text, "grade", {g: waiting.get(g, 0) for g in GRADES})


def _records(cursor: Cursor, book: str) -> Metric:
    """What controls keep from authorities: it was blocked, and never released."""
    blocked = dict(cursor.execute(sql(_BLOCKED, book)).fetchall())
    text = "Periods whose records for an authority are blocked by controls."
    values = {a.code: blocked.get(a.code, 0) for a in AUTHORITIES}
    return _by("records_blocked", text, "authority", values)


_BY: Final = ("sheet", "version", "account", "currency")
_LABELS: Final = len(_BY)
_COUNTERS: Final = {
    "rounds": "Rounds settled.",
    "bets": "Bets of settled rounds.",
    "turnover": "Stakes of settled rounds less refunds, in units of the currency.",
    "winnings": "Winnings paid, in units of the currency.",
    "stakes_returned": "Stakes returned with wins, in units of the currency.",
    "refunded": "Stakes refunded, those of void rounds too, in units of the currency.",
    "void_rounds": "Rounds that do not count.",
    "double_ups": "Double-ups of settled rounds; turnover, winnings and returns are without them.",
    "double_ups_staked": "Stakes of double-ups, in units of the currency.",
    "double_ups_returned": "What double-ups returned, in units of the currency.",
}
_MONEY: Final = (
    "turnover", "winnings", "stakes_returned", "refunded", "double_ups_staked",
    "double_ups_returned",
)  # fmt: skip

_BOUNDED: Final = "SELECT set_config('statement_timeout', %s, true)"

_FIGURES: Final = """
SELECT sheet, sheet_version, account, currency, sum(rounds)::int8, sum(bets)::int8,
       sum(turnover)::int8, sum(winnings)::int8, sum(stake_returned)::int8,
       sum(refunded + void_refunded)::int8,
       sum(void_rounds)::int8, sum(double_ups)::int8, sum(double_ups_staked)::int8,
       sum(double_ups_returned)::int8
  FROM {book}.p_turnover GROUP BY sheet, sheet_version, account, currency ORDER BY 1, 2, 3, 4
"""

_WAITING: Final = """
SELECT grade, count(*) FROM {book}.p_rtp_alerts WHERE acknowledged_at IS NULL GROUP BY grade
"""

_BLOCKED: Final = """
SELECT authority, count(DISTINCT period) FROM {book}.p_release_blocks AS b
 WHERE NOT EXISTS (SELECT FROM {book}.p_releases r
                    WHERE (r.authority, r.period) = (b.authority, b.period))
 GROUP BY authority
"""

_DEMOS: Final = """
SELECT sheet, sheet_version, account, sum(rounds)::int8
  FROM {book}.p_demo_rounds GROUP BY sheet, sheet_version, account ORDER BY 1, 2, 3
"""
