"""Players at a table through the real service: contos, rights, rounds in batches, top-ups."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final
from uuid import UUID, uuid4

from games import registry
from games.engine import Game
from ledger.answers import Answer
from ledger.domain import commands as cmd, conto as con, session as ses
from ledger.domain.events import Details, DoubleUps, RoundSettled
from ledger.domain.money import Currency, format_amount
from ledger.domain.refusals import Fault, Refusal
from ledger.domain.sheets import read_head
from ops.desk import Desk, Opening
from ops.habits import HABITS, MIXED, Habit, Whim


@dataclass(frozen=True, slots=True)
class Purse:
    """How simulated players of a currency are called, and what they pay in minor units."""

    currency: Currency
    prefix: str
    """A conto has one currency, and so a player."""
    payment: int
    """Into the conto when it is empty."""
    right: int
    """The initial and each further participation right."""


PURSES: Final = {
    Currency.EUR: Purse(Currency.EUR, "player-", 200_000, 30_000),
    Currency.RUR: Purse(Currency.RUR, "player-rur-", 2_000_000, 300_000),
}
BATCH: Final = 25


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays what: sheet, number of players, rounds for each, the seed of their habits, how."""

    sheet: str
    players: int
    rounds: int
    seed: int
    strategy: str = MIXED
    """One of those that `strategies` names."""


@dataclass(slots=True)
class Doubled:
    """The double-ups apart from the bets; amounts in minor units."""

    count: int = 0
    staked: int = 0
    returned: int = 0

    def add(self, more: DoubleUps | None) -> None:
        """Take in those of a round; None where there were none."""
        if more is not None:
            self.count += more.count
            self.staked += more.staked
            self.returned += more.returned

    def document(self) -> dict[str, Any]:
        """The figures for machines and people."""
        return {
            "count": self.count,
            "staked": format_amount(self.staked),
            "returned": format_amount(self.returned),
            "actual_rtp": _rtp(self.returned, self.staked),
        }


def _rtp(returned: int, staked: int) -> str | None:
    """What returned of each hundred staked; None where nothing was."""
    return f"{float(Fraction(returned, staked)):.4%}" if staked else None


@dataclass(slots=True)
class Outcome:
    """What came of it; amounts in minor units, those of the bets without double-ups of wins."""

    rounds: int = 0
    staked: int = 0
    credited: int = 0
    double_ups: Doubled = field(default_factory=Doubled)
    topups: int = 0
    refused: dict[str, int] = field(default_factory=dict)

    def count(self, answer: Answer) -> None:
        """Take in the answer to a move."""
        if answer.refusal is not None:
            self.refused[answer.refusal] = self.refused.get(answer.refusal, 0) + 1
        for entry in answer.entries:
            if isinstance(entry.event, RoundSettled):
                self.rounds += 1
                self.staked += entry.event.staked
                self.credited += entry.event.winnings + entry.event.stake_returned
                self.double_ups.add(entry.event.double_ups)

    def document(self) -> dict[str, Any]:
        """The figures for machines and people."""
        return {
            "rounds": self.rounds,
            "staked": format_amount(self.staked),
            "credited": format_amount(self.credited),
            "actual_rtp": _rtp(self.credited, self.staked),
            "double_ups": self.double_ups.document() if self.double_ups.count else None,
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
    left: int
    """How many rounds are still to begin."""
    round: UUID | None = None
    """The round that may be waiting for this player."""


@dataclass(slots=True)
class Table:
    """A running simulation: its seats, and what came of it so far."""

    desk: Desk
    plan: Plan
    seats: list[Seat]
    outcome: Outcome = field(default_factory=Outcome)

    def play(self, progress: Callable[[int], None]) -> None:
        """Play every seat's rounds; in each turn a seat bets or moves on, many in one save."""
        while any(seat.left or seat.round for seat in self.seats):
            turn = [c for seat in self.seats if (c := self._next(seat)) is not None]
            for start in range(0, len(turn), BATCH):
                batch = turn[start : start + BATCH]
                self._send(batch)
                progress(sum(not isinstance(c, cmd.ContinueRound) for c in batch))

    def _send(self, batch: Sequence[cmd.Command]) -> None:
        """A bet may be refused; a move is one that was offered."""
        answers = self.desk.service.handle_many(batch, self.desk.clock())
        for command, answer in zip(batch, answers, strict=True):
            self.outcome.count(expect(answer) if isinstance(command, cmd.ContinueRound) else answer)

    def _next(self, seat: Seat) -> cmd.Command | None:
        """The move of a round that waits for its player, or the next bet."""
        move = None if seat.round is None else self._move(seat, seat.round)
        return self._bet(seat) if move is None and seat.left else move

    def _move(self, seat: Seat, round_id: UUID) -> cmd.ContinueRound | None:
        """A move by what the player sees; none when the round has ended."""
        screen = self.desk.screen(seat.session, round_id)
        if not screen or seat.habit.move is None:
            seat.round = None
            return None
        document = seat.habit.move(seat.whim, screen)
        move = self.desk.further_move(seat.session, round_id, document)
        assert not isinstance(move, Refusal)
        return cmd.ContinueRound(**_head(seat, move), round=round_id)

    def _bet(self, seat: Seat) -> cmd.PlayRound | cmd.OpenRound | None:
        seat.left -= 1
        state = self.desk.session(seat.session)
        if isinstance(state, ses.Open) and state.posta < purse_of(self.plan.sheet).right // 3:
            self._topup(seat, state)
        move = self.desk.move(seat.session, seat.habit.bet(seat.whim))
        if isinstance(move, Refusal):
            return None
        head = _head(seat, move)
        if seat.habit.move is None:
            return cmd.PlayRound(**head)
        seat.round = head["id"]
        return cmd.OpenRound(**head)

    def _topup(self, seat: Seat, state: ses.Open) -> None:
        if state.funded + purse_of(self.plan.sheet).right > state.terms.posta_max:
            close(self.desk, seat.session)
            seat.session = sit_down(self.desk, self.plan.sheet, seat.player)
            return
        buy(self.desk, self.plan.sheet, seat.player, seat.session)
        self.outcome.topups += 1

    def leave(self) -> None:
        """End every seat's session."""
        for seat in self.seats:
            close(self.desk, seat.session)


def _head(seat: Seat, move: Details) -> dict[str, Any]:
    """The fields that the commands of a round share."""
    return {"id": uuid4(), "actor": seat.player, "session": seat.session, "move": move}


def sheets() -> tuple[str, ...]:
    """The published sheets whose game has players that play by themselves."""
    return tuple(sheet for sheet in registry.SHEETS if _game(sheet).engine.game in HABITS)


def strategies(sheet: str) -> tuple[str, ...]:
    """How the players of a sheet's game may be told to play."""
    return tuple(HABITS[_game(sheet).engine.game])


def _game(sheet: str) -> Game:
    return registry.BY_ENGINE[read_head(registry.SHEETS[sheet].text).engine]


def purse_of(sheet: str) -> Purse:
    """What the players of a sheet pay with."""
    return PURSES[read_head(registry.SHEETS[sheet].text).currency]


def set_up(desk: Desk, plan: Plan) -> Table:
    """Seat a plan's players."""
    return Table(desk, plan, seats_of(desk, plan))


def seats_of(desk: Desk, plan: Plan) -> list[Seat]:
    """Open contos and sessions for a plan's players; contos of an earlier run are used again."""
    engine = _game(plan.sheet).engine
    sheet = engine.read_sheet(registry.SHEETS[plan.sheet].text)
    habits = HABITS[engine.game][plan.strategy]
    seats = []
    for number in range(plan.players):
        player = f"{purse_of(plan.sheet).prefix}{number + 1}"
        dice = random.Random(f"{plan.seed}:{number}")  # noqa: S311 - whims, not draws
        habit = habits[number % len(habits)]
        session = sit_down(desk, plan.sheet, player, habit.account)
        seats.append(Seat(player, session, habit, Whim(dice, sheet), plan.rounds))
    return seats


def simulate(desk: Desk, plan: Plan, progress: Callable[[int], None] = lambda _: None) -> Outcome:
    """Sit down, play, leave; what came of it."""
    table = set_up(desk, plan)
    table.play(progress)
    table.leave()
    return table.outcome


def sit_down(desk: Desk, sheet: str, player: str, account: str | None = None) -> UUID:
    """Open the player's conto if there is none, and a session with a valid right; its id.

    With an account type the conto has it from then on.
    """
    if isinstance(desk.conto(player), con.Absent):
        names = {"name": f"Player {player}", "nickname": player}
        expect(desk.open_conto(Opening(player, purse_of(sheet).currency, names)))
    if account is not None and getattr(desk.conto(player), "account", None) != account:
        head = {**desk.head(), "player": player, "reason": "simulated"}
        expect(desk.handle(cmd.SetAccountType(**head, account=account)))
    session = uuid4()
    buy(desk, sheet, player, session)
    return session


def buy(desk: Desk, sheet: str, player: str, session: UUID) -> None:
    """Buy one right, after a payment when the conto does not cover it."""
    state, purse = desk.conto(player), purse_of(sheet)
    if isinstance(state, con.Conto) and state.balance < purse.right:
        paid_in(desk, player, purse)
    answer, _ = desk.buy_right(
        cmd.RequestParticipation(
            **desk.head(),
            session=session,
            player=player,
            sheet=sheet,
            amount=purse.right,
            currency=purse.currency,
            channel="simulation",
        )
    )
    expect(answer)


def paid_in(desk: Desk, player: str, purse: Purse) -> None:
    """Book a payment into the player's conto."""
    head = desk.head()
    reference = f"simulation-{head['id']}"
    deposit = cmd.Deposit(
        **head,
        player=player,
        amount=purse.payment,
        currency=purse.currency,
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
