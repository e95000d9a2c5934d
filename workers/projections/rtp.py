"""What actual returns are held against: stakes and their squares, exact moments, and outcomes.

By the business day of the settlement, as turnover is. A round's moments are those of all its bets
together, for one outcome decides them all; a game whose players decide on has none here, and is
held against the variance that its sheet declares. Draws that no decision touches are counted by
outcome. Refunded stakes and void rounds are in none of it, and neither are double-ups and bonuses,
which have figures of their own (rulings C4). Rounds at a live table fall together, by one outcome
for many sessions: that is counted once, of the table, and they have no variance of their own.

Every sum is a sum over rounds, and a round is counted where it is settled, so that the sums of
ranges of the log add up to those of the whole.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from uuid import UUID

from games.engine import Rulebook, Watch
from ledger.domain import events as ev
from ledger.domain.decider import RoundView
from ledger.domain.ids import StreamName, sheet_stream
from workers.days import day_of
from workers.log import Cursor, SealedEntry, entries_at, entries_before
from workers.ports import Ports
from workers.projections.base import Figures, Key, Projection, Sums
from workers.projections.sums import folded_by, summed
from workers.projections.tables import Table
from workers.projections.turnover import NONE, Origin, level_of, origins

RTP: Final = Table(
    "p_rtp",
    (
        "day", "sheet", "sheet_version", "bet_kind", "level", "channel", "live_table", "currency",
    ),
    {
        "day": "date", "sheet": "text", "sheet_version": "int4", "bet_kind": "text",
        "level": "text", "channel": "text", "live_table": "text", "currency": "text",
        "rounds": "int8", "turnover": "int8", "returned": "int8", "squares": "numeric",
        "watched": "int8", "expectation": "numeric", "variance": "numeric",
    },
)  # fmt: skip

OUTCOMES: Final = Table(
    "p_outcomes",
    ("day", "sheet", "sheet_version", "live_table", "draw", "outcome"),
    {
        "day": "date", "sheet": "text", "sheet_version": "int4", "live_table": "text",
        "draw": "text", "outcome": "text", "times": "int8",
    },
)  # fmt: skip

_TABLES: Final = (RTP, OUTCOMES)

OF_ROUNDS: Final = (
    ev.RoundOpened.NAME,
    ev.BetPlaced.NAME,
    ev.BetRefunded.NAME,
    ev.DrawRecorded.NAME,
    ev.DoubleUpResolved.NAME,
    ev.RoundSettled.NAME,
)

_BEFORE_SETTLED: Final = (ev.TableRoundOpened.NAME, ev.OutcomeRecorded.NAME)

Sheet = tuple[str, int]
"""A sheet's id and version."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A published sheet as its game read it."""

    game: Rulebook[Any]
    sheet: Any


Counted = Iterator[tuple[str, Key, Figures]]
"""Figures, each with the name of its table and the key of its row."""

Histories = Mapping[UUID, list[ev.AnyEntry]]
"""The entries of rounds that were settled, each round's in order."""


def _sums(cursor: Cursor, ports: Ports, entries: Sequence[SealedEntry]) -> Sums:
    of_rounds = [s.entry for s in entries if _is_of_round(s.entry)]
    of_tables = [s.entry for s in entries if not _is_of_round(s.entry)]
    return summed((*_rounds(cursor, ports, of_rounds), *_tables(cursor, ports, of_tables)))


def _is_of_round(entry: ev.AnyEntry) -> bool:
    return isinstance(entry.event, ev.RoundEvent)


def _rounds(cursor: Cursor, ports: Ports, entries: Sequence[ev.AnyEntry]) -> Counted:
    """The rounds that end among some entries."""
    histories = _histories(cursor, ports, entries)
    ends = [entries[-1] for entries in histories.values()]
    known = origins(cursor, ports, {StreamName(e.stream) for e in ends})
    refs = [_settled(e).rules for e in ends]
    rules = rules_of(cursor, ports, ((r.sheet, r.version) for r in refs))
    for history, ref in zip(histories.values(), refs, strict=True):
        origin = known[StreamName(history[-1].stream)]
        yield from _round(history, origin, rules[ref.sheet, ref.version])


def _tables(cursor: Cursor, ports: Ports, settled: Sequence[ev.AnyEntry]) -> Counted:
    """The outcome of each table's round that was settled: once, whoever bet there."""
    spins = [_spin(cursor, ports, entry) for entry in settled]
    rules = rules_of(cursor, ports, (sheet for sheet, *_ in spins))
    for sheet, day, table, shown in spins:
        watch = rules[sheet].game.watch
        if watch is not None and watch.table_draw is not None:
            yield OUTCOMES.name, (day, *sheet, table, watch.table_draw, shown), (1,)


def _spin(cursor: Cursor, ports: Ports, settled: ev.AnyEntry) -> tuple[Sheet, date, str, str]:
    """A settled round of a table: its sheet, day, table and outcome.

    Nothing lies between its opening and its outcome, or its settlement, that has their topics.
    """
    place = (StreamName(settled.stream), settled.version)
    opened, told = entries_before(cursor, ports, [place], _BEFORE_SETTLED, last=2)
    assert isinstance(opened.event, ev.TableRoundOpened)
    assert isinstance(told.event, ev.OutcomeRecorded)
    rules, table = opened.event.rules, settled.stream.partition(":")[2]
    return (rules.sheet, rules.version), day_of(settled.recorded), table, told.event.shown


def _histories(cursor: Cursor, ports: Ports, entries: Sequence[ev.AnyEntry]) -> Histories:
    """The rounds that end among some entries, with what was recorded of them before."""
    at_hand = _by_round(entries)
    ended = {key: mine for key, mine in at_hand.items() if _ends(mine[-1])}
    begun_before = [m[0] for m in ended.values() if not isinstance(m[0].event, ev.RoundOpened)]
    places = {StreamName(e.stream): e.version for e in reversed(begun_before)}
    older = entries_before(cursor, ports, list(places.items()), OF_ROUNDS)
    before = _by_round(e for e in older if _round_of(e) in ended)
    return {key: [*before.get(key, ()), *mine] for key, mine in ended.items()}


def _by_round(entries: Iterable[ev.AnyEntry]) -> dict[UUID, list[ev.AnyEntry]]:
    found: dict[UUID, list[ev.AnyEntry]] = defaultdict(list)
    for entry in entries:
        found[_round_of(entry)].append(entry)
    return found


def _round_of(entry: ev.AnyEntry) -> UUID:
    assert isinstance(entry.event, ev.RoundEvent)
    return entry.event.round


def _ends(entry: ev.AnyEntry) -> bool:
    return isinstance(entry.event, ev.RoundSettled)


def _settled(entry: ev.AnyEntry) -> ev.RoundSettled:
    assert isinstance(entry.event, ev.RoundSettled)
    return entry.event


def rules_of(cursor: Cursor, ports: Ports, wanted: Iterable[Sheet]) -> Mapping[Sheet, Rules]:
    """Sheets as they were published, read by the games that they name."""
    places = [(sheet_stream(sheet), version) for sheet, version in sorted(set(wanted))]
    found: dict[Sheet, Rules] = {}
    for entry in entries_at(cursor, ports.book, ports.codec, places):
        event = entry.event
        assert isinstance(event, ev.SheetPublished)
        game = ports.rules(event.engine)
        read = Rules(game, game.engine.read_sheet(event.text))
        found[event.sheet, event.sheet_version] = read
    return found


def _round(history: list[ev.AnyEntry], origin: Origin, rules: Rules) -> Counted:
    """One round that was settled, and what was drawn in it."""
    end = _settled(history[-1])
    opened = history[0].event
    assert isinstance(opened, ev.RoundOpened)
    at_table = NONE if opened.table is None else opened.table.table
    game = (day_of(history[-1].recorded), end.rules.sheet, end.rules.version)
    group = (end.bet_kind or NONE, level_of(end.staked), origin.channel, at_table)
    turnover = end.staked - end.refunded
    returned = end.winnings + end.stake_returned
    view = RoundView(end.round, end.rules, end.currency, rules.sheet, _events(history))
    moments = (0, 0, 0) if at_table else _moments(rules.game.watch, view)
    figures = (1, turnover, returned, turnover * turnover, *moments)
    yield RTP.name, (*game, *group, end.currency.value), figures
    if rules.game.watch is not None and not at_table:
        for draw, outcome in rules.game.watch.outcomes(view):
            yield OUTCOMES.name, (*game, at_table, draw, outcome), (1,)


def _events(history: Iterable[ev.AnyEntry]) -> tuple[ev.RoundEvent, ...]:
    return tuple(e.event for e in history if isinstance(e.event, ev.RoundEvent))


def _moments(watch: Watch | None, view: RoundView) -> tuple[int, int, int]:
    """Whether the round's moments are exact, and what they add in whole numbers."""
    if watch is None or watch.moments is None:
        return (0, 0, 0)
    exact = watch.moments(view)
    return (1, int(exact.expectation * watch.ways), int(exact.variance * watch.ways**2))


PROJECTION: Final = Projection(
    name="rtp",
    version=1,
    topics=(*OF_ROUNDS, ev.TableRoundSettled.NAME),
    tables=_TABLES,
    batch=20_000,
    fold=folded_by(_TABLES, _sums),
    sums=_sums,
)
