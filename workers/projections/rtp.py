"""What actual returns are held against: stakes and their squares, exact moments, and outcomes.

By the business day of the settlement, as turnover is. A round's moments are those of all its bets
together, for one outcome decides them all; a game whose players decide on has none here, and is
held against the variance that its sheet declares. Draws that no decision touches are counted by
outcome. Refunded stakes and void rounds are in none of it, and neither are double-ups and bonuses,
which have figures of their own (rulings C4). Where the outcome of a live table decides many rounds
together, that outcome is counted instead of each round; other rounds at tables have no variance.

Every sum is a sum over rounds, outcomes or shoes, each counted where it ended and told by the log
before alone, so that the sums of ranges of the log add up to those of the whole.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from games.engine import Watch
from ledger.domain import events as ev
from ledger.domain.decider import RoundView
from ledger.domain.ids import StreamName
from workers.days import day_of
from workers.log import Cursor, SealedEntry
from workers.ports import Ports
from workers.projections.base import Projection, Sums
from workers.projections.fallen import EVIDENCE, OUTCOMES, Counted
from workers.projections.histories import Histories, before, by_round
from workers.projections.live_tables import TABLE_RETURNS, is_decided_by_outcomes, outcomes
from workers.projections.rules import Rules, rules_of, sheet_of
from workers.projections.shoes import shoes
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

_TABLES: Final = (RTP, TABLE_RETURNS, OUTCOMES, EVIDENCE)

OF_ROUNDS: Final = (
    ev.RoundOpened.NAME,
    ev.BetPlaced.NAME,
    ev.BetRefunded.NAME,
    ev.DrawRecorded.NAME,
    ev.DoubleUpResolved.NAME,
    ev.RoundSettled.NAME,
)


def _sums(cursor: Cursor, ports: Ports, entries: Sequence[SealedEntry]) -> Sums:
    of_rounds = [s.entry for s in entries if isinstance(s.entry.event, ev.RoundEvent)]
    spun = [s for s in entries if isinstance(s.entry.event, ev.TableRoundSettled)]
    shuffled = [s.entry for s in entries if isinstance(s.entry.event, ev.ShoeShuffled)]
    rounds = _rounds(cursor, ports, of_rounds)
    return summed((*rounds, *outcomes(cursor, ports, spun), *shoes(cursor, ports, shuffled)))


def _rounds(cursor: Cursor, ports: Ports, entries: Sequence[ev.AnyEntry]) -> Counted:
    """The rounds that end among some entries."""
    histories = _histories(cursor, ports, entries)
    ends = [entries[-1] for entries in histories.values()]
    known = origins(cursor, ports, {StreamName(e.stream) for e in ends})
    sheets = [sheet_of(_settled(e).rules) for e in ends]
    rules = rules_of(cursor, ports, sheets)
    for history, sheet in zip(histories.values(), sheets, strict=True):
        origin = known[StreamName(history[-1].stream)]
        yield from _round(history, origin, rules[sheet])


def _histories(cursor: Cursor, ports: Ports, entries: Sequence[ev.AnyEntry]) -> Histories:
    """The rounds that end among some entries, with what was recorded of them before."""
    at_hand = by_round(entries)
    ended = {key: mine for key, mine in at_hand.items() if _ends(mine[-1])}
    begun_before = [m[0] for m in ended.values() if not isinstance(m[0].event, ev.RoundOpened)]
    older = before(cursor, ports, begun_before, OF_ROUNDS)
    return {key: [*older.get(key, ()), *mine] for key, mine in ended.items()}


def _ends(entry: ev.AnyEntry) -> bool:
    return isinstance(entry.event, ev.RoundSettled)


def _settled(entry: ev.AnyEntry) -> ev.RoundSettled:
    assert isinstance(entry.event, ev.RoundSettled)
    return entry.event


def _round(history: list[ev.AnyEntry], origin: Origin, rules: Rules) -> Counted:
    """One round that was settled, and what was drawn in it."""
    end = _settled(history[-1])
    opened = history[0].event
    assert isinstance(opened, ev.RoundOpened)
    if opened.table is not None and is_decided_by_outcomes(rules):
        return
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
    version=2,
    topics=(*OF_ROUNDS, ev.TableRoundSettled.NAME, ev.ShoeShuffled.NAME),
    tables=_TABLES,
    batch=20_000,
    fold=folded_by(_TABLES, _sums),
    sums=_sums,
)
