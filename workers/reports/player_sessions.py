"""Player sessions: those that ended in the period, and those that were open at its end.

Of each that ended: how it was funded, bonuses apart, what was bet and returned, refunded and void
apart, the final posta, and why it ended. Of each open one: what its accounts held at the end.
"""

from collections.abc import Mapping
from typing import Any, Final

from workers.days import Days
from workers.log import Cursor, sql
from workers.ports import Ports
from workers.reports.closed import base_of, by_currency, by_day, left_of
from workers.reports.measures import CURRENCY, SHEET, TIES, agree
from workers.reports.periods import Period, Unit
from workers.reports.table import Cell, Column, Keyed, Kind, Measures, Section, listing, section

KIND: Final = "player-sessions"
TITLE: Final = "Player sessions"
VERSION: Final = 2
PROJECTIONS: Final = ("sessions", "journal")
PERIOD: Final = ("ended", "open")
"""Sections that say whether there was any activity."""
DUE: Final = (Unit.DAY,)
FILTERS: Final = "none"

_OF: Final = (Column("session", Kind.TEXT), Column("player", Kind.TEXT))
_ENDED: Final = (
    SHEET,
    *_OF,
    Column("channel", Kind.TEXT),
    Column("opened", Kind.INSTANT),
    Column("closed", Kind.INSTANT),
    Column("reason_of_end", Kind.TEXT),
    CURRENCY,
)
_OPEN: Final = (
    SHEET,
    *_OF,
    Column("channel", Kind.TEXT),
    Column("requested", Kind.INSTANT),
    CURRENCY,
)
_COUNTS: Final = ("rounds", "void_rounds")
_PLAYED: Final = (
    "funded_initial", "funded_further", "funded_bonus", "rounds", "bet", "won", "refunded",
    "void_rounds", "double_ups_staked", "double_ups_returned", "final_posta",
)  # fmt: skip
_HELD: Final = ("right", "posta", "stakes", "prison", "win")


def _measures(names: tuple[str, ...]) -> Measures:
    columns = (Column(n, Kind.COUNT if n in _COUNTS else Kind.MONEY) for n in names)
    return Measures(tuple(columns), names, lambda figures: tuple(figures[n] for n in names))


def sections(cursor: Cursor, ports: Ports, period: Period) -> tuple[Section, ...]:
    """The report's sections for a closed period."""
    days = period.days
    values = {"begins": days.begins, "ends": days.ends, "kinds": list(_HELD)}
    ended = _keyed(cursor.execute(sql(_SESSIONS, ports.book), values), len(_ENDED))
    still_open = _keyed(cursor.execute(sql(_STILL_OPEN, ports.book), values), len(_OPEN))
    return (
        section("ended", _ENDED, _measures(_PLAYED), ended),
        section("open", _OPEN, _measures(_HELD), still_open),
        listing("control", _CONTROL, _control(cursor, ports, days)),
    )


def _keyed(cursor: Any, width: int) -> list[Keyed]:
    return [(row[:width], row[width:]) for row in cursor.fetchall()]


_CONTROL: Final = (
    CURRENCY,
    *(
        Column(name, Kind.MONEY)
        for name in (
            *("funded", "journal_funded", "final_posta", "journal_final_posta"),
            *("left", "bets_less_returns"),
        )
    ),
    TIES,
)


def _control(cursor: Cursor, ports: Ports, days: Days) -> list[tuple[Cell, ...]]:
    """What sessions that ended say of their doors beside the journal (G1), and of their play."""
    told = by_currency(by_day(cursor, ports, days))
    cursor.execute(sql(_DOORS, ports.book), {"begins": days.begins, "ends": days.ends})
    journal = {currency: (funded, final) for currency, funded, final in cursor.fetchall()}
    return [_controlled(c, told[c], journal.get(c, (0, 0))) for c in sorted(told)]


def _controlled(
    currency: str, told: Mapping[str, int], journal: tuple[int, int]
) -> tuple[Cell, ...]:
    funded, final = told["funded"], told["final_posta"]
    ties = (funded, final) == journal and left_of(told) == base_of(told)
    doors = (funded, journal[0], final, journal[1])
    return (currency, *doors, left_of(told), base_of(told), agree(ties))


_SESSIONS: Final = """
SELECT sheet, session::text, player, channel, opened_at, closed_at, reason, currency,
       funded_initial, funded_further, funded_bonus, rounds, bet, won, refunded, void_rounds,
       double_ups_staked, double_ups_returned, posta_out
  FROM {book}.p_sessions WHERE closed_at >= %(begins)s AND closed_at < %(ends)s
"""

# What an account holds at a moment is the sum of its lines before.
_STILL_OPEN: Final = """
SELECT s.sheet, s.session::text, s.player, s.channel, s.requested_at, s.currency,
       held.of[1], held.of[2], held.of[3], held.of[4], held.of[5]
  FROM {book}.p_sessions s CROSS JOIN LATERAL (
    SELECT array_agg(coalesce(moved.amount, 0) ORDER BY kinds.place) AS of
      FROM unnest(%(kinds)s::text[]) WITH ORDINALITY AS kinds(kind, place)
     CROSS JOIN LATERAL (
       SELECT sum(CASE WHEN j.target = account.name THEN j.amount ELSE -j.amount END)::int8
              AS amount
         FROM (SELECT format('session:%%s:%%s', s.session, kinds.kind) AS name) AS account
         JOIN {book}.p_journal j ON account.name IN (j.source, j.target)
        WHERE j.recorded < %(ends)s) AS moved) AS held
 WHERE s.requested_at < %(ends)s AND (s.closed_at IS NULL OR s.closed_at >= %(ends)s)
"""

_DOORS: Final = """
SELECT s.currency,
       coalesce(sum(j.amount) FILTER (WHERE j.event = 'posta-funded'), 0)::int8,
       coalesce(sum(j.amount) FILTER (WHERE j.event = 'funds-transferred-to-conto'), 0)::int8
  FROM {book}.p_sessions s
  JOIN {book}.p_journal j ON format('session:%%s:posta', s.session) IN (j.source, j.target)
 WHERE s.closed_at >= %(begins)s AND s.closed_at < %(ends)s
 GROUP BY s.currency
"""
