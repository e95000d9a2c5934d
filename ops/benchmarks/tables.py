"""Rounds a second of a live table: thirty seats with four bets each, from opening to payment."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from games import registry
from ledger.domain import commands as cmd
from ledger.domain.events import Details
from ledger.service import Service
from ops import clock
from ops.benchmarks.concession import Side, accepted, identities, seated, service
from ops.benchmarks.lines import Line, spread

SIDE: Final = Side("a live table", "bench_table")
SHEET: Final = "french-roulette"
SEATS: Final = 30
BETS: Final = {
    "bets": [
        {"numbers": [17], "amount": "1.00"},
        {"numbers": [0], "amount": "1.00"},
        {"numbers": list(range(1, 13)), "amount": "1.00"},
        {"chance": "red", "amount": "1.00"},
    ]
}
TABLE: Final = "bench-1"

Fresh = Callable[[], UUID]


@dataclass(frozen=True, slots=True)
class _Table:
    """A table with all its seats taken."""

    service: Service
    sessions: Sequence[UUID]
    fresh: Fresh

    def play(self, rounds: int, *, together: bool) -> float:
        """Play rounds, the bets of each in one save or each in its own; rounds a second."""
        began = time.perf_counter()
        for _ in range(rounds):
            self._at(cmd.OpenTableRound)
            bets = [self._bet(session) for session in self.sessions]
            if together:
                accepted(self.service.handle_many(bets, clock.now()))
            else:
                accepted([self.service.handle(bet, clock.now()) for bet in bets])
            self._at(cmd.CloseBets)
            self._at(cmd.DrawOutcome)
            self._at(cmd.SettleTableRound)
        return rounds / (time.perf_counter() - began)

    def _at(self, kind: Callable[..., cmd.Command]) -> None:
        command = kind(id=self.fresh(), actor="bench", table=TABLE)
        accepted((self.service.handle(command, clock.now()),))

    def _bet(self, session: UUID) -> cmd.OpenRound:
        return cmd.OpenRound(id=self.fresh(), actor="bench", session=session, move=_MOVE)


def measure(conninfo: str, turns: int, rounds: int) -> list[Line]:
    """Play turns of both ways in turn; the first turn warms up and is not counted."""
    store = SIDE.store(conninfo)
    table = _seated(service(store, seed=3))
    reached: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(turns + 1):
        for together, figures in reached.items():
            figures.append(table.play(rounds, together=together))
    store.close()
    return [_line(together, figures[1:]) for together, figures in reached.items()]


def _line(together: bool, figures: Sequence[float]) -> Line:  # noqa: FBT001 - the key of a figure
    saves = "one save" if together else "a save each"
    return Line(
        f"rounds of a table, {SEATS} seats of 4 bets, bets in {saves}",
        "rounds/s",
        spread(figures),
        f"{SEATS} decisions and some {SEATS * 9} events a round in Python"
        + ("" if together else f", {SEATS + 4} saves one after the other"),
    )


def _seated(made: Service) -> _Table:
    fresh = identities("a table")
    sessions = [fresh() for _ in range(SEATS)]
    opening = cmd.OpenTable(
        id=fresh(), actor="bench", table=TABLE, sheet=SHEET, seats_max=SEATS, chief="bench"
    )
    accepted((made.handle(opening, clock.now()),))
    for number, session in enumerate(sessions):
        commands = seated(f"table-player-{number}", session, fresh, SHEET)
        sit: Any = cmd.TakeSeat(id=fresh(), actor="bench", session=session, table=TABLE)
        accepted(made.handle_many([*commands, sit], clock.now()))
    return _Table(made, sessions, fresh)


def _move() -> Details:
    move = registry.ENGINES["french-roulette/1"].parse(BETS)
    assert isinstance(move, Details)
    return move


_MOVE: Final = _move()
