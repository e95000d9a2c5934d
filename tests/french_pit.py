"""A live table of French roulette in a book in memory, with everything that a round needs."""

from typing_extensions import override

from games import registry
from games.roulette.wheel import outcome
from ledger.domain import commands as cmd, events as ev
from ledger.domain.refusals import Refusal
from tests.french_table import FRENCH
from tests.memory_pit import MemoryPit
from tests.scenes import ANNA, BRUNO, uid
from tests.table_checks import found_at_tables

TABLE = "roulette-1"
ENGINE = registry.ENGINES["french-roulette/1"]
RIGHT = 50_000
"""What each player begins with, in cents."""


class FrenchPit(MemoryPit):
    """Anna sits at seat 1 and bruno at seat 2, with 500.00 each."""

    def __init__(self, text=FRENCH):
        super().__init__(TABLE, {"french-roulette/1": ENGINE}, text, sheet="french-roulette")
        self._sequence = 0
        self.open_table()
        for number, player in ((1, ANNA), (2, BRUNO)):
            self.conto(player)
            self.sit_down(number, player)

    @override
    def open_table(self, table=TABLE):
        """Open a table with three seats, from 1.00 to 100.00 on a position."""
        super().open_table(table, seats_max=3, limits='{"max":"100.00","min":"1.00"}')

    def sit_down(self, number, player, **planned):
        """Open a session with 500.00, under the limits that its player plans, and take a seat."""
        session = self.buy(number, player, RIGHT, **planned)
        self.do(cmd.TakeSeat, session=session, table=TABLE)

    def begin(self):
        """Open a round of the table; its id."""
        answer = self.at(cmd.OpenTableRound)
        assert answer.refusal is None
        return answer.command

    def bet(self, *lines, number=1, **fields):
        """Open a round with these lines; the answer."""
        return self.send(
            cmd.OpenRound, session=uid(number), move=read({"bets": list(lines)}), **fields
        )

    def move(self, round_id, number=1, leave=None, **document):
        """A further move of a player; the answer."""
        fields = {"session": uid(number), "round": round_id, "leave": leave}
        return self.send(cmd.ContinueRound, move=read(document), **fields)

    def hear(self, pocket):
        """Close the bets and hear the number."""
        self.at(cmd.CloseBets)
        self._sequence += 1
        feed = ev.FeedRef(message=f"m-{self._sequence}", sequence=self._sequence)
        return self.at(cmd.HearOutcome, feed=feed, outcome=outcome(pocket))

    def spin(self, pocket):
        """Close the bets, hear the number and settle; the last answer."""
        assert self.hear(pocket).refusal is None
        answer = self.at(cmd.SettleTableRound)
        assert answer.refusal is None, answer.message
        return answer

    def posta(self, number=1):
        """The posta of a session less what it began with."""
        return self.session(number).posta - RIGHT

    def imprisoned(self, amount=1_000, chance="red", number=1):
        """A round whose bet on a chance zero imprisoned; its id."""
        self.begin()
        bet = self.bet(on(chance, amount), number=number)
        self.spin(0)
        return bet.command

    def findings(self):
        """What is found when all rounds are judged again and the tables looked at."""
        published = {p.ref: p for p in self.book.state("sheet:french-roulette").versions}
        return found_at_tables(self.book.entries, registry.ENGINES, published)


def read(document):
    """A player's document as a move."""
    move = ENGINE.parse(document)
    assert not isinstance(move, Refusal), move
    return move


def euros(amount):
    """An amount in cents as a document writes it."""
    return f"{amount // 100}.{amount % 100:02}"


def on(where, amount):
    """A line on a chance, or on a list of numbers."""
    name = "chance" if isinstance(where, str) else "numbers"
    return {name: where, "amount": euros(amount)}
