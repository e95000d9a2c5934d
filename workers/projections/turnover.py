"""Turnover and returns by business day of the settlement: what actual RTP is computed from.

Reads only the totals that rounds end with, bonuses, and demo rounds, whose chips are no money and
stand in a table of their own (rulings HW5). Its sums are mergeable, so that a rebuild
may fold ranges of the log side by side. Refunded stakes leave turnover and are shown apart, and so
are void rounds and double-ups, whose figures stand beside those of the base game (rulings C4).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from ledger.domain import events as ev
from ledger.domain.ids import StreamName
from workers.days import day_of
from workers.log import Cursor, SealedEntry, first_entries
from workers.ports import Ports
from workers.projections.base import Figures, Key, Projection, Sums
from workers.projections.settled import doubled
from workers.projections.sums import folded_by, summed
from workers.projections.tables import Table

LEVELS: Final = (
    (1_00, "up-to-1"),
    (5_00, "up-to-5"),
    (25_00, "up-to-25"),
    (100_00, "up-to-100"),
)
"""Stake levels by the round's total stake: upper bound in minor units, included, and name.

A name such as `1-5` would be a date to a spreadsheet.
"""
HIGHEST: Final = "above-100"

TURNOVER: Final = Table(
    "p_turnover",
    (
        "day", "game", "sheet", "sheet_version", "bet_kind", "account", "level", "channel",
        "currency",
    ),
    {
        "day": "date", "game": "text", "sheet": "text", "sheet_version": "int4",
        "bet_kind": "text", "account": "text", "level": "text", "channel": "text",
        "currency": "text",
        "rounds": "int8", "bets": "int8", "turnover": "int8", "winnings": "int8",
        "stake_returned": "int8", "refunded": "int8", "void_rounds": "int8", "void_bets": "int8",
        "void_refunded": "int8", "double_ups": "int8", "double_ups_staked": "int8",
        "double_ups_returned": "int8",
    },
)  # fmt: skip

BONUSES: Final = Table(
    "p_bonuses",
    ("day", "sheet", "channel", "currency"),
    {
        "day": "date", "sheet": "text", "channel": "text", "currency": "text",
        "bonuses": "int8", "amount": "int8",
    },
)  # fmt: skip

DEMOS: Final = Table(
    "p_demo_rounds",
    ("day", "game", "sheet", "sheet_version", "account"),
    {
        "day": "date", "game": "text", "sheet": "text", "sheet_version": "int4", "account": "text",
        "rounds": "int8", "staked": "int8", "credited": "int8",
    },
)  # fmt: skip

_TABLES: Final = (TURNOVER, BONUSES, DEMOS)
NONE: Final = ""
"""The kind of bet of rounds that name none, as void ones never do; the account type of who has
none."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What the rounds of a session share."""

    sheet: str
    channel: str
    account: str


def level_of(stake: int) -> str:
    """The stake level of a round's total stake in minor units."""
    return next((name for bound, name in LEVELS if stake <= bound), HIGHEST)


def _sums(cursor: Cursor, ports: Ports, entries: Sequence[SealedEntry]) -> Sums:
    mine = [s.entry for s in entries if _counts(s.entry.event)]
    known = origins(cursor, ports, {StreamName(e.stream) for e in mine})
    counted = (_count(entry, known[StreamName(entry.stream)]) for entry in mine)
    return summed((table.name, key, figures) for table, key, figures in counted)


def _counts(event: ev.Event) -> bool:
    return not isinstance(event, ev.PostaFunded) or event.transfer == "bonus"


def _count(entry: ev.AnyEntry, origin: Origin) -> tuple[Table, Key, Figures]:
    day, event = day_of(entry.recorded), entry.event
    if isinstance(event, ev.PostaFunded):
        paid = (day, origin.sheet, origin.channel, event.currency.value)
        return BONUSES, paid, (1, event.amount)
    if isinstance(event, ev.DemoRoundPlayed):
        rules = event.rules
        shown = (day, event.game, rules.sheet, rules.version, origin.account)
        return DEMOS, shown, (1, event.staked, event.credited)
    assert isinstance(event, ev.RoundSettled | ev.RoundVoided)
    rules, currency = event.rules, event.currency.value
    kind, level = _group(event)
    group = (kind, origin.account, level, origin.channel, currency)
    return TURNOVER, (day, event.game, rules.sheet, rules.version, *group), _figures(event)


def _group(event: ev.RoundSettled | ev.RoundVoided) -> tuple[str, str]:
    """The kind of bet and the stake level."""
    if isinstance(event, ev.RoundVoided):
        return NONE, level_of(event.refunded)
    return event.bet_kind or NONE, level_of(event.staked)


def _figures(event: ev.RoundSettled | ev.RoundVoided) -> Figures:
    if isinstance(event, ev.RoundVoided):
        return (0, 0, 0, 0, 0, 0, 1, event.bets, event.refunded, 0, 0, 0)
    turnover = event.staked - event.refunded
    paid = (event.winnings, event.stake_returned, event.refunded)
    return (1, event.bets, turnover, *paid, 0, 0, 0, *doubled(event))


def origins(
    cursor: Cursor, ports: Ports, sessions: Iterable[StreamName]
) -> dict[StreamName, Origin]:
    """Where sessions came from.

    A session's first event says it, and is sealed before all its rounds.
    """
    found = first_entries(cursor, ports.book, ports.codec, sorted(sessions))
    return {StreamName(e.stream): _origin(cast("Any", e.event)) for e in found}


def _origin(requested: ev.ParticipationRequested) -> Origin:
    return Origin(requested.sheet, requested.channel, requested.account or NONE)


PROJECTION: Final = Projection(
    name="turnover",
    version=3,
    topics=(
        ev.RoundSettled.NAME,
        ev.RoundVoided.NAME,
        ev.PostaFunded.NAME,
        ev.DemoRoundPlayed.NAME,
    ),
    tables=_TABLES,
    batch=50_000,
    fold=folded_by(_TABLES, _sums),
    sums=_sums,
)
