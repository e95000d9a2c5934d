"""Games a second of Live Blackjack: seven boxes, every card and action a save of its own."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from games import registry
from games.blackjack.round import Action
from games.blackjack.strategy import printed
from ledger.answers import Answer
from ledger.domain import commands as cmd, table as tab
from ledger.domain.decider import Turn, is_dealt
from ledger.domain.events import Box, Details
from ledger.domain.ids import table_stream
from ledger.domain.refusals import Code
from ledger.service import Service
from ops import clock
from ops.benchmarks.concession import Side, accepted, identities, seated, service
from ops.benchmarks.lines import Line, spread

SIDE: Final = Side("a table that deals", "bench_deal")
SHEET: Final = "live-blackjack"
SEATS: Final = 7
TABLE: Final = "bench-deal"
_ENGINE: Final = registry.ENGINES["live-blackjack/1"]
_RULES: Final = _ENGINE.read_sheet(registry.SHEETS[SHEET].text)


@dataclass(slots=True)
class _Table:
    """A table with a player at each box, who plays by the printed strategy."""

    service: Service
    sessions: Sequence[UUID]
    fresh: Callable[[], UUID]
    saves: int = 0

    def play(self, games: int) -> float:
        """Play games from the opening to the payments; games a second."""
        began = time.perf_counter()
        for _ in range(games):
            self._at(cmd.OpenTableRound)
            for session in self.sessions:
                self._do(cmd.OpenRound, session=session, move=_read({"bet": "1.00"}))
            self._at(cmd.CloseBets)
            self._deal()
            self._at(cmd.SettleTableRound)
        return games / (time.perf_counter() - began)

    def _deal(self) -> None:
        while (played := self._round()).phase != "told":
            turn = self._turn(played)
            if turn is not None:
                self._act(played, turn)
            elif self._send(cmd.DealCard, table=TABLE).refusal == Code.SHOE_OUT:
                self._at(cmd.ShuffleShoe)

    def _round(self) -> tab.TableRound:
        found = self.service.state(table_stream(TABLE))
        assert isinstance(found, tab.Table)
        assert found.round is not None
        return found.round

    def _turn(self, played: tab.TableRound) -> Turn | None:
        assert is_dealt(_ENGINE)
        waits = None if played.dealing is None else _ENGINE.following(_RULES, played.dealing)
        return waits if isinstance(waits, Turn) else None

    def _act(self, played: tab.TableRound, turn: Turn) -> None:
        assert is_dealt(_ENGINE)
        assert played.dealing is not None
        seen: Any = _ENGINE.seen(_RULES, played.dealing, turn.seat)
        action = printed(seen.hands[turn.hand - 1], seen.dealer, tuple(map(Action, turn.actions)))
        box: Box = next(each for each in played.dealing.boxes if each.seat == turn.seat)
        move = _read({"action": action.value})
        self._do(cmd.ContinueRound, session=box.session, round=box.round, move=move)

    def _at(self, kind: type[cmd.Command]) -> None:
        self._do(kind, table=TABLE)

    def _do(self, kind: type[cmd.Command], **fields: Any) -> None:
        accepted((self._send(kind, **fields),))

    def _send(self, kind: type[cmd.Command], **fields: Any) -> Answer:
        self.saves += 1
        return self.service.handle(kind(id=self.fresh(), actor="bench", **fields), clock.now())


def measure(conninfo: str, turns: int, games: int) -> Line:
    """Play turns of games; the first turn warms up and is not counted."""
    store = SIDE.store(conninfo)
    table = _seated(service(store, seed=4))
    figures = [table.play(games) for _ in range(turns + 1)][1:]
    store.close()
    saves = table.saves // ((turns + 1) * games)
    return Line(
        f"games of Blackjack, {SEATS} boxes, each step in its own save",
        "games/s",
        spread(figures),
        f"some {saves} saves a game, one after the other, each after a read",
    )


def _seated(made: Service) -> _Table:
    fresh = identities("a table that deals")
    sessions = [fresh() for _ in range(SEATS)]
    opening = cmd.OpenTable(
        id=fresh(), actor="bench", table=TABLE, sheet=SHEET, seats_max=SEATS, chief="bench"
    )
    accepted((made.handle(opening, clock.now()),))
    for number, session in enumerate(sessions):
        commands = seated(f"box-player-{number}", session, fresh, SHEET)
        sit: Any = cmd.TakeSeat(id=fresh(), actor="bench", session=session, table=TABLE)
        accepted(made.handle_many([*commands, sit], clock.now()))
    return _Table(made, sessions, fresh)


def _read(document: object) -> Details:
    move = _ENGINE.parse(document)
    assert isinstance(move, Details)
    return move
