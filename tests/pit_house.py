"""Live tables of French roulette on a real database: players seated, bets, numbers of a feed."""

from dataclasses import dataclass, field
from itertools import count
from typing import Any
from uuid import UUID

from ledger.answers import Answer
from ledger.domain import commands as cmd, table as tab
from ledger.domain.events import FeedRef
from ledger.domain.ids import session_stream, table_stream
from tests.french_pit import on, outcome, read
from tests.house import House, order
from tests.memory_pit import CHIEF

FRENCH = "french-roulette"
TABLE = "roulette-1"


@dataclass
class Pit:
    """One table of a house."""

    house: House
    table: str = TABLE
    sequence: "count[int]" = field(default_factory=lambda: count(1))

    def open(self, seats: int = 30) -> "Pit":
        """Open the table, from 1.00 to 100.00 on a position."""
        limits = '{"max":"100.00","min":"1.00"}'
        self.do(cmd.OpenTable, sheet=FRENCH, seats_max=seats, limits=limits, **CHIEF)
        return self

    def order(self, kind: Any, command: UUID | None = None, **fields: Any) -> Any:
        """A command about the table."""
        return order(kind, command, table=self.table, **fields)

    def do(self, kind: Any, **fields: Any) -> Answer:
        """A command about the table that must be accepted."""
        return self.house.do(kind, table=self.table, **fields)

    def seat(self, player: str, posta: int = 100_00) -> UUID:
        """A new player with a session who sits at the table."""
        self.house.conto(player, 2 * posta)
        session = self.house.session(player, posta, FRENCH)
        self.do(cmd.TakeSeat, session=session)
        return session

    def bet(self, session: UUID, *lines: Any) -> Any:
        """The command that bets lines, or 1.00 on red."""
        move = read({"bets": list(lines or (on("red", 100),))})
        return order(cmd.OpenRound, session=session, move=move)

    def heard(self, pocket: int) -> Any:
        """The command that takes in a number of the feed."""
        place = next(self.sequence)
        feed = FeedRef(message=f"m-{place}", sequence=place)
        return self.order(cmd.HearOutcome, feed=feed, outcome=outcome(pocket))

    def spin(self, pocket: int) -> Answer:
        """Close the bets, hear the number, and settle; the settlement's answer."""
        self.do(cmd.CloseBets)
        assert self.house.ask(self.heard(pocket)).refusal is None
        return self.do(cmd.SettleTableRound)

    @property
    def state(self) -> Any:
        """The table as it stands."""
        state = self.house.service.state(table_stream(self.table))
        assert isinstance(state, tab.Table)
        return state

    def session(self, session: UUID) -> Any:
        """A session as it stands."""
        return self.house.service.state(session_stream(session))
