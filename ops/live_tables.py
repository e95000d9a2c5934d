"""Players at a live table through the real service: round after round, all its bets in one save."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

from games import registry
from games.sheets import SheetFile
from ledger.domain import commands as cmd, session as ses, table as tab
from ledger.domain.decider import Dealing, Turn, is_dealt, is_of_tables
from ledger.domain.events import Box
from ledger.domain.refusals import Code, Refusal
from ledger.domain.sheets import read_head
from ops.desk import Desk
from ops.simulation import Outcome, Plan, Seat, buy, close, expect, purse_of, seats_of, sit_down

CHIEF = "simulated chief"


def is_live(sheet: str) -> bool:
    """Whether a sheet's game is played at live tables."""
    engine = registry.ENGINES[read_head(registry.SHEETS[sheet].text).engine]
    return is_of_tables(engine)


def deals(sheet: str) -> bool:
    """Whether a sheet's game deals cards at its tables."""
    return is_dealt(registry.ENGINES[read_head(registry.SHEETS[sheet].text).engine])


@dataclass(slots=True)
class LiveTable:
    """A running simulation at one table: its name, its seats, and what came of it so far."""

    desk: Desk
    plan: Plan
    seats: list[Seat]
    name: str
    outcome: Outcome = field(default_factory=Outcome)

    def play_round(self) -> None:
        """Dispose of what is in prison, bet, close, draw or deal, and pay."""
        self._many(self._prison_moves())
        self._at(cmd.OpenTableRound)
        self._many([bet for seat in self.seats if (bet := self._bet(seat)) is not None])
        self._at(cmd.CloseBets)
        if not deals(self.plan.sheet):
            self._at(cmd.DrawOutcome)
        elif not self._deal():
            return
        self._at(cmd.SettleTableRound)

    def _deal(self) -> bool:
        """Deal card by card, each seat acting in its turn; whether there was a box in play."""
        while (round_ := self._round()).phase != "told":
            turn = None if round_.dealing is None else self._turn(round_.dealing)
            if turn is not None:
                self._act(turn)
                continue
            answer = self.desk.handle(cmd.DealCard(**self.desk.head(), table=self.name))
            if answer.refusal == Code.SHOE_OUT:
                self._at(cmd.ShuffleShoe)
            elif answer.refusal == Code.NO_BET:
                void = {**self.desk.head(), "table": self.name, "reason": "nobody bet"}
                expect(self.desk.handle(cmd.VoidTableRound(**void)))
                return False
            else:
                self.outcome.count(expect(answer))
        return True

    def _round(self) -> tab.TableRound:
        """The round in play."""
        found = self.desk.table(self.name)
        assert isinstance(found, tab.Table)
        assert found.round is not None
        return found.round

    def _turn(self, dealing: Dealing) -> Box | None:
        """The box in turn, if one is."""
        engine = registry.ENGINES[self._sheet.engine]
        assert is_dealt(engine)
        following = engine.following(engine.read_sheet(self._sheet.text), dealing)
        if not isinstance(following, Turn):
            return None
        return next(box for box in dealing.boxes if box.seat == following.seat)

    @property
    def _sheet(self) -> SheetFile:
        return registry.SHEETS[self.plan.sheet]

    def _act(self, box: Box) -> None:
        """Act for a box in turn; it stands where its action is refused, as for want of money."""
        seat = next(seat for seat in self.seats if seat.session == box.session)
        screen = self.desk.screen(box.session, box.round)
        assert seat.habit.move is not None
        document = seat.habit.move(seat.whim, screen)
        answer = self.desk.handle(self._move(seat, box.round, document))
        self.outcome.count(answer)
        if answer.refusal is not None:
            stand = self._move(seat, box.round, {"action": "stand"})
            self.outcome.count(expect(self.desk.handle(stand)))

    def _at(self, kind: Callable[..., cmd.Command]) -> None:
        command = kind(**self.desk.head(), table=self.name)
        self.outcome.count(expect(self.desk.handle(command)))

    def _many(self, commands: list[cmd.Command]) -> None:
        """Handle many commands in one save; a bet may be refused."""
        if commands:
            for answer in self.desk.service.handle_many(commands, self.desk.clock()):
                self.outcome.count(answer)

    def _prison_moves(self) -> list[cmd.Command]:
        moves: list[cmd.Command] = []
        for seat in self.seats:
            for round_id in self._in_play(seat):
                screen = self.desk.screen(seat.session, round_id)
                assert seat.habit.move is not None
                document = seat.habit.move(seat.whim, screen)
                moves.append(self._move(seat, round_id, document))
        return moves

    def _move(self, seat: Seat, round_id: UUID, document: dict[str, Any]) -> cmd.ContinueRound:
        move = self.desk.further_move(seat.session, round_id, document)
        assert not isinstance(move, Refusal), move.message
        return cmd.ContinueRound(**_head(seat), round=round_id, move=move)

    def _in_play(self, seat: Seat) -> list[UUID]:
        state = self.desk.session(seat.session)
        return [r.round for r in state.rounds] if isinstance(state, ses.Open) else []

    def _bet(self, seat: Seat) -> cmd.OpenRound | None:
        """The next bet of a seat; none of one that may buy no more and waits for its prisoners."""
        state, right = self.desk.session(seat.session), purse_of(self.plan.sheet).right
        if isinstance(state, ses.Open) and state.posta < right // 3:
            if state.funded + right <= state.terms.posta_max:
                buy(self.desk, self.plan.sheet, seat.player, seat.session)
                self.outcome.topups += 1
            elif state.rounds:
                return None
            else:
                close(self.desk, seat.session)
                take_seat(self.desk, self.plan.sheet, seat, self.name)
        move = self.desk.move(seat.session, seat.habit.bet(seat.whim))
        return None if isinstance(move, Refusal) else cmd.OpenRound(**_head(seat), move=move)

    def leave(self) -> None:
        """Close the table, which withdraws what is in prison, and end every seat's session."""
        closing = cmd.CloseTable(**self.desk.head(), table=self.name, chief=CHIEF)
        self.outcome.count(expect(self.desk.handle(closing)))
        for seat in self.seats:
            close(self.desk, seat.session)


def _head(seat: Seat) -> dict[str, Any]:
    return {"id": uuid4(), "actor": seat.player, "session": seat.session}


def take_seat(desk: Desk, sheet: str, seat: Seat, table: str) -> None:
    """Open a session for a seat's player, and sit down with it."""
    seat.session = sit_down(desk, sheet, seat.player)
    expect(desk.handle(cmd.TakeSeat(**_head(seat), table=table)))


def set_up(desk: Desk, plan: Plan) -> LiveTable:
    """Open a table, and contos and sessions for a plan's players, who sit down at it."""
    name = f"table-{uuid4().hex[:8]}"
    opening = cmd.OpenTable(
        **desk.head(), table=name, sheet=plan.sheet, seats_max=plan.players, chief=CHIEF
    )
    expect(desk.handle(opening))
    seats = seats_of(desk, plan)
    for seat in seats:
        expect(desk.handle(cmd.TakeSeat(**_head(seat), table=name)))
    return LiveTable(desk, plan, seats, name)


def simulate_live(
    desk: Desk, plan: Plan, progress: Callable[[int], None] = lambda _: None
) -> Outcome:
    """Sit down at a table, play its rounds, leave; what came of it."""
    table = set_up(desk, plan)
    for _ in range(plan.rounds):
        table.play_round()
        progress(plan.players)
    table.leave()
    return table.outcome
