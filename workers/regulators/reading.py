"""What the records of several authorities are written from: sessions that ended, and payments."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from workers.log import Cursor, sql
from workers.ports import Ports


@dataclass(frozen=True, slots=True)
class Payment:
    """Money that came into a conto or left it; the amount in minor units."""

    position: int
    recorded: datetime
    player: str
    way: str
    channel: str
    amount: int
    currency: str


@dataclass(frozen=True, slots=True)
class Played:
    """What was played in a session up to a broken connection or its end; in minor units."""

    game: str
    tables: str | None
    """The live tables, with commas; None where there was none."""
    first: datetime
    last: datetime
    rounds: int
    """Rounds that count: void ones do not."""
    rounds_won: int
    stake: int
    refunded: int
    returned: int
    """Winnings and returned stakes, double-ups included as in the stake."""
    part: int
    """How often the player had come back before."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A session that ended in the period, with all that was played in it."""

    session: UUID
    player: str
    sheet: str
    channel: str
    currency: str
    opened_at: datetime
    closed_at: datetime
    reason: str
    bonus: int
    posta_in: int
    posta_out: int
    parts: tuple[Played, ...]
    """One for each stretch between two breaks in which a round was opened."""

    @property
    def stake(self) -> int:
        """What was staked, in minor units."""
        return sum(part.stake for part in self.parts)

    @property
    def refunded(self) -> int:
        """What of it was refunded, in minor units."""
        return sum(part.refunded for part in self.parts)

    @property
    def returned(self) -> int:
        """Winnings and returned stakes, in minor units."""
        return sum(part.returned for part in self.parts)

    @property
    def taken(self) -> int:
        """What the house took, in minor units; it may be below zero."""
        return self.stake - self.refunded - self.returned


def ended(cursor: Cursor, ports: Ports, begins: datetime, ends: datetime) -> tuple[Ended, ...]:
    """The opened sessions that ended from `begins` on and before `ends`, in that order."""
    cursor.execute(sql(_ENDED, ports.book), {"begins": begins, "ends": ends})
    grouped = groupby(cursor.fetchall(), key=lambda row: tuple(row[:_OF_SESSION]))
    return tuple(Ended(*(*session, _parts(rows))) for session, rows in grouped)


def _parts(rows: Iterable[tuple[Any, ...]]) -> tuple[Played, ...]:
    """The parts of a session; a row without one is of a session in which nothing was bet."""
    return tuple(Played(*row[_OF_SESSION:]) for row in rows if row[-1] is not None)


def payments(cursor: Cursor, ports: Ports, begins: datetime, ends: datetime) -> tuple[Payment, ...]:
    """Payments recorded from `begins` on and before `ends`, in the order of the log."""
    cursor.execute(sql(_PAYMENTS, ports.book), {"begins": begins, "ends": ends})
    return tuple(Payment(*row) for row in cursor.fetchall())


_OF_SESSION: Final = 11

_ENDED: Final = """
SELECT s.session, s.player, s.sheet, s.channel, s.currency, s.opened_at, s.closed_at, s.reason,
       s.funded_bonus, s.posta_in, s.posta_out,
       p.game, p.tables, p.first, p.last, p.rounds, p.won, p.stake, p.refunded, p.returned, p.part
  FROM {book}.p_sessions s
  LEFT JOIN LATERAL (
       SELECT r.game, string_agg(DISTINCT r.live_table, ',') AS tables,
              min(r.opened_at) AS first, max(r.ended_at) AS last,
              count(*) FILTER (WHERE r.settled) AS rounds,
              count(*) FILTER (WHERE r.settled AND r.winnings > 0) AS won,
              sum(r.staked + r.double_ups_staked)::int8 AS stake,
              sum(r.refunded)::int8 AS refunded,
              sum(r.winnings + r.stake_returned + r.double_ups_returned)::int8 AS returned,
              b.part
         FROM {book}.p_rounds r,
              LATERAL (SELECT count(*) AS part FROM {book}.p_connections c
                        WHERE c.session = r.session AND c.state = 'back'
                          AND c.at <= r.opened_at) AS b
        WHERE r.session = s.session GROUP BY r.game, b.part) AS p ON true
 WHERE s.closed_at >= %(begins)s AND s.closed_at < %(ends)s AND s.opened_at IS NOT NULL
 ORDER BY s.closed_at, s.session, p.part
"""

_PAYMENTS: Final = """
SELECT position, recorded, player, way, channel, amount, currency FROM {book}.p_payments
 WHERE recorded >= %(begins)s AND recorded < %(ends)s ORDER BY position
"""
