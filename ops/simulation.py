"""Players at a table through the real service: contos, rights, rounds in batches, top-ups."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final
from uuid import UUID, uuid4

import orjson

from games import registry
from ledger.answers import Answer
from ledger.domain import commands as cmd, conto as con, session as ses
from ledger.domain.events import RoundSettled
from ledger.domain.money import Currency, format_amount
from ledger.domain.refusals import Fault, Refusal
from ledger.domain.sheets import read_head
from ops.desk import Desk, Opening
from ops.habits import HABITS, Habit, Whim

PURSE: Final = 200_000
"""What a simulated player pays into the conto when it is empty, in minor units."""
RIGHT: Final = 30_000
"""The initial and each further participation right, in minor units."""
BATCH: Final = 25


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays what: sheet, number of players, rounds for each, and the seed of their habits."""

    sheet: str
    players: int
    rounds: int
    seed: int


@dataclass(slots=True)
class Outcome:
    """What came of it; amounts in minor units."""

    rounds: int = 0
    staked: int = 0
    credited: int = 0
    topups: int = 0
    refused: dict[str, int] = field(default_factory=dict)

    def count(self, answer: Answer) -> None:
        """Take in one round's answer."""
        if answer.refusal is not None:
            self.refused[answer.refusal] = self.refused.get(answer.refusal, 0) + 1
        for entry in answer.entries:
            if isinstance(entry.event, RoundSettled):
                self.rounds += 1
                self.staked += entry.event.staked
                self.credited += entry.event.winnings + entry.event.stake_returned

    def document(self) -> dict[str, Any]:
        """The figures for machines and people."""
        returned = float(Fraction(self.credited, self.staked)) if self.staked else None
        return {
            "rounds": self.rounds,
            "staked": format_amount(self.staked),
            "credited": format_amount(self.credited),
            "actual_rtp": None if returned is None else f"{returned:.4%}",
            "topups": self.topups,
            "refused": dict(sorted(self.refused.items())),
        }


@dataclass(slots=True)
class Seat:
    """One player at the table."""

    player: str
    session: UUID
    habit: Habit
    whim: Whim


@dataclass(slots=True)
class Table:
    """A running simulation: its seats, and what came of it so far."""

    desk: Desk
    plan: Plan
    seats: list[Seat]
    outcome: Outcome = field(default_factory=Outcome)

    def play(self, progress: Callable[[int], None]) -> None:
        """Play every seat's rounds, many in one save."""
        for _ in range(self.plan.rounds):
            commands = [c for seat in self.seats if (c := self._bet(seat)) is not None]
            for start in range(0, len(commands), BATCH):
                batch = commands[start : start + BATCH]
                for answer in self.desk.service.handle_many(batch, self.desk.clock()):
                    self.outcome.count(answer)
                progress(len(batch))

    def _bet(self, seat: Seat) -> cmd.PlayRound | None:
        state = self.desk.session(seat.session)
        if isinstance(state, ses.Open) and state.posta < RIGHT // 3:
            self._topup(seat, state)
        move = self.desk.move(seat.session, seat.habit(seat.whim))
        if isinstance(move, Refusal):
            return None
        return cmd.PlayRound(id=uuid4(), actor=seat.player, session=seat.session, move=move)

    def _topup(self, seat: Seat, state: ses.Open) -> None:
        if state.funded + RIGHT > state.terms.posta_max:
            close(self.desk, seat.session)
            seat.session = sit_down(self.desk, self.plan.sheet, seat.player)
            return
        buy(self.desk, self.plan.sheet, seat.player, seat.session)
        self.outcome.topups += 1

    def leave(self) -> None:
        """End every seat's session."""
        for seat in self.seats:
            close(self.desk, seat.session)


def set_up(desk: Desk, plan: Plan) -> Table:
    """Open contos and sessions for a plan's players; contos of an earlier run are used again."""
    sheet = registry.SHEETS[plan.sheet]
    game = read_head(sheet.text).engine.partition("/")[0]
    chip = min(orjson.loads(sheet.text)["game"]["chips"])
    habits = HABITS[game]
    seats = []
    for number in range(plan.players):
        player = f"player-{number + 1}"
        dice = random.Random(f"{plan.seed}:{number}")  # noqa: S311 - whims, not draws
        session = sit_down(desk, plan.sheet, player)
        seats.append(Seat(player, session, habits[number % len(habits)], Whim(dice, chip)))
    return Table(desk, plan, seats)


def simulate(desk: Desk, plan: Plan, progress: Callable[[int], None] = lambda _: None) -> Outcome:
    """Sit down, play, leave; what came of it."""
    table = set_up(desk, plan)
    table.play(progress)
    table.leave()
    return table.outcome


def sit_down(desk: Desk, sheet: str, player: str) -> UUID:
    """Open the player's conto if there is none, and a session with a valid right; its id."""
    if isinstance(desk.conto(player), con.Absent):
        names = {"name": f"Player {player}", "nickname": player}
        expect(desk.open_conto(Opening(player, Currency.EUR, names)))
    session = uuid4()
    buy(desk, sheet, player, session)
    return session


def buy(desk: Desk, sheet: str, player: str, session: UUID) -> None:
    """Buy one right, after a payment when the conto does not cover it."""
    state = desk.conto(player)
    if isinstance(state, con.Conto) and state.balance < RIGHT:
        paid_in(desk, player, PURSE)
    answer, _ = desk.buy_right(
        cmd.RequestParticipation(
            **desk.head(),
            session=session,
            player=player,
            sheet=sheet,
            amount=RIGHT,
            currency=Currency.EUR,
            channel="simulation",
        )
    )
    expect(answer)


def paid_in(desk: Desk, player: str, amount: int) -> None:
    """Book a payment into the player's conto."""
    head = desk.head()
    reference = f"simulation-{head['id']}"
    deposit = cmd.Deposit(
        **head,
        player=player,
        amount=amount,
        currency=Currency.EUR,
        reference=reference,
        channel="simulation",
    )
    expect(desk.handle(deposit))


def close(desk: Desk, session: UUID) -> None:
    """End a session."""
    expect(desk.handle(cmd.CloseSession(**desk.head(), session=session)))


class Stopped(Fault):
    """The simulation cannot go on, as when the house is closed for maintenance."""


def expect(answer: Answer) -> Answer:
    """The answer, which the simulation relies on being accepted; else raise `Stopped`."""
    if answer.refusal is not None:
        raise Stopped(f"The simulation stopped ({answer.refusal}): {answer.message}")
    return answer
