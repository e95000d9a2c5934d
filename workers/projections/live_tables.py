"""What outcomes of live tables decide, for the RTP monitoring.

One outcome decides the bets of all seats, so that what is counted is the outcome: all that it
brings, over every round that it was told, beside the exact expectation and variance of that. They
are summed for the sheet, and for each stake level and channel by what belongs there, whose
variances do not add up to the sheet's.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from uuid import UUID

from games.engine import Exposure
from ledger.domain import events as ev
from ledger.domain.decider import RoundView
from ledger.domain.ids import StreamName
from workers.days import day_of
from workers.log import Cursor, SealedEntry, entries_before, saved_with
from workers.ports import Ports
from workers.projections.base import Figures, Key
from workers.projections.fallen import OUTCOMES, Counted
from workers.projections.histories import before
from workers.projections.rules import Rules, Sheet, rules_of, sheet_of
from workers.projections.tables import Table
from workers.projections.turnover import NONE, level_of, origins

TABLE_RETURNS: Final = Table(
    "p_table_returns",
    ("day", "sheet", "sheet_version", "live_table", "level", "channel", "currency"),
    {
        "day": "date", "sheet": "text", "sheet_version": "int4", "live_table": "text",
        "level": "text", "channel": "text", "currency": "text",
        "outcomes": "int8", "rounds": "int8", "turnover": "int8", "returned": "int8",
        "expectation": "numeric", "variance": "numeric",
    },
)  # fmt: skip
"""A row names a level or a channel where it is of what belongs there alone, else neither."""

_TOLD: Final = (
    ev.RoundOpened.NAME, ev.MoveMade.NAME, ev.BetPlaced.NAME, ev.BetRefunded.NAME,
    ev.OutcomeTold.NAME, ev.WinHeld.NAME, ev.WinCollected.NAME, ev.TableRoundJoined.NAME,
    ev.StakeLeft.NAME, ev.StakeImprisoned.NAME, ev.PrisonerStepped.NAME, ev.PrisonerMoved.NAME,
    ev.PrisonerReleased.NAME,
)  # fmt: skip
"""What a round's exposure may depend on."""

_BEFORE_SETTLED: Final = (ev.TableRoundOpened.NAME, ev.OutcomeRecorded.NAME)


@dataclass(frozen=True, slots=True)
class Spin:
    """An outcome that was settled, of a table and by the rules of its round."""

    round: UUID
    sheet: Sheet
    day: date
    table: str
    shown: str


@dataclass(frozen=True, slots=True)
class Told:
    """An outcome as a round was told it."""

    entry: ev.AnyEntry
    event: ev.OutcomeTold[Any]

    @property
    def sheet(self) -> Sheet:
        """The sheet that the round is played by."""
        return sheet_of(self.event.rules)


@dataclass(frozen=True, slots=True)
class Exposed:
    """What an outcome decides of one round, with what the round is told apart by."""

    sheet: Sheet
    level: str
    channel: str
    currency: str
    exposure: Exposure


def outcomes(cursor: Cursor, ports: Ports, settled: Sequence[SealedEntry]) -> Counted:
    """Each outcome that was settled: once, and with all that it decided."""
    spins = [_spin(cursor, ports, sealed.entry) for sealed in settled]
    told = _told(cursor, ports, settled)
    wanted = {spin.sheet for spin in spins} | {each.sheet for each in told}
    rules = rules_of(cursor, ports, wanted)
    exposed = _exposed(cursor, ports, told, rules)
    for spin in spins:
        watch = rules[spin.sheet].game.watch
        if watch is not None and watch.table_draw is not None:
            place = (spin.day, *spin.sheet, spin.table)
            yield OUTCOMES.name, (*place, watch.table_draw, spin.shown), (1,)
        yield from _returns(spin, exposed[spin.round], rules)


def _spin(cursor: Cursor, ports: Ports, settled: ev.AnyEntry) -> Spin:
    """What a table's stream says of a round that was settled.

    Nothing lies between its opening and its outcome, or its settlement, that has their topics.
    """
    place = (StreamName(settled.stream), settled.version)
    opened, told = entries_before(cursor, ports, [place], _BEFORE_SETTLED, last=2)
    begun, outcome = opened.event, told.event
    assert isinstance(begun, ev.TableRoundOpened)
    assert isinstance(outcome, ev.OutcomeRecorded)
    table, day = settled.stream.partition(":")[2], day_of(settled.recorded)
    return Spin(begun.round, sheet_of(begun.rules), day, table, outcome.shown)


def _told(cursor: Cursor, ports: Ports, settled: Sequence[SealedEntry]) -> list[Told]:
    """What was told of outcomes: in the save that settled each, before its settlement."""
    positions = [sealed.position for sealed in settled]
    saved = saved_with(cursor, ports, positions, (ev.OutcomeTold.NAME,))
    return [Told(e, e.event) for e in saved if isinstance(e.event, ev.OutcomeTold)]


def _exposed(
    cursor: Cursor, ports: Ports, told: Sequence[Told], rules: Mapping[Sheet, Rules]
) -> Mapping[UUID, list[Exposed]]:
    """What each outcome decides, by the table's round."""
    mine = [each for each in told if is_decided_by_outcomes(rules[each.sheet])]
    histories = before(cursor, ports, [each.entry for each in mine], _TOLD)
    known = origins(cursor, ports, {StreamName(each.entry.stream) for each in mine})
    found: dict[UUID, list[Exposed]] = defaultdict(list)
    for each in mine:
        watch, entry = rules[each.sheet].game.watch, each.entry
        assert watch is not None
        assert watch.exposure is not None
        view = _view(histories[each.event.round], entry.version, rules[each.sheet])
        exposure = watch.exposure(view)
        if exposure is not None:
            group = (level_of(exposure.stake), known[StreamName(entry.stream)].channel)
            one = Exposed(each.sheet, *group, view.currency.value, exposure)
            found[each.event.table_round].append(one)
    return found


def is_decided_by_outcomes(rules: Rules) -> bool:
    """Whether the outcomes of a live table alone decide what its rounds bring."""
    return rules.game.watch is not None and rules.game.watch.exposure is not None


def _view(history: Sequence[ev.AnyEntry], version: int, rules: Rules) -> RoundView:
    """A round as it stood before an entry of its session."""
    events = tuple(
        e.event for e in history if isinstance(e.event, ev.RoundEvent) and e.version < version
    )
    opened = events[0]
    assert isinstance(opened, ev.RoundOpened)
    return RoundView(opened.round, opened.rules, opened.currency, rules.sheet, events)


def _returns(spin: Spin, exposed: Sequence[Exposed], rules: Mapping[Sheet, Rules]) -> Counted:
    """What an outcome decided together: of each sheet, and of each level and channel there."""
    parts: dict[Key, list[Exposure]] = defaultdict(list)
    for each in exposed:
        for level, channel in ((NONE, NONE), (each.level, NONE), (NONE, each.channel)):
            parts[each.sheet, level, channel, each.currency].append(each.exposure)
    for (sheet, *group), together in parts.items():
        key = (spin.day, *sheet, spin.table, *group)
        yield TABLE_RETURNS.name, key, _figures(rules[sheet], spin.shown, together)


def _figures(rules: Rules, shown: str, together: Sequence[Exposure]) -> Figures:
    """One outcome: what it decided and brought, beside the exact moments of that."""
    new = [exposure.stake for exposure in together if not exposure.again]
    brings: Counter[str] = Counter()
    for exposure in together:
        brings.update(exposure.brings)
    watch = rules.game.watch
    assert watch is not None
    assert watch.table_draw is not None
    chances = watch.chances(rules.sheet)[watch.table_draw]
    expectation = sum(chances[name] * amount for name, amount in brings.items())
    squares = sum(chances[name] * amount**2 for name, amount in brings.items())
    moments = (expectation * watch.ways, (squares - expectation**2) * watch.ways**2)
    return (1, len(new), sum(new), brings[shown], *map(int, moments))
