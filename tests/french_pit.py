"""A live table of French roulette in a book in memory, with everything that a round needs."""

from games import registry
from games.roulette.wheel import outcome
from ledger.domain import commands as cmd, events as ev
from ledger.domain.ids import table_stream
from ledger.domain.postings import postings
from ledger.domain.refusals import Refusal
from tests.french_table import FRENCH
from tests.given import NOON
from tests.memory_book import MemoryBook
from tests.scenes import ANNA, BRUNO, EUR, money, uid
from tests.table_checks import found_at_tables

TABLE = "roulette-1"
CHIEF = {"chief": "maria"}
ENGINE = registry.ENGINES["french-roulette/1"]
RIGHT = 50_000
"""What each player begins with, in cents."""


class FrenchPit:
    """Anna sits at seat 1 and bruno at seat 2, with 500.00 each."""

    def __init__(self, text=FRENCH):
        self.pool = []
        self.book = MemoryBook({"french-roulette/1": ENGINE}, lambda _: self.pool.pop(0))
        self.now = NOON
        self._number = 1_000
        self._sequence = 0
        told = {"sheet": "french-roulette", "sheet_version": 1, "in_force_from": NOON}
        self.do(cmd.OpenBook, book="contoposta", clock="simulated")
        self.do(cmd.PublishSheet, text=text, **told)
        self.open_table()
        for number, player in ((1, ANNA), (2, BRUNO)):
            self.do(cmd.OpenConto, player=player, currency=EUR, personal=())
            paid = {"reference": player, "channel": "card", **money(200_000)}
            self.do(cmd.Deposit, player=player, **paid)
            self.sit_down(number, player)

    def send(self, kind, **fields):
        """Send a command; its answer."""
        self._number += 1
        return self.book.handle(kind(id=uid(self._number), actor="test", **fields), self.now)

    def do(self, kind, **fields):
        """Send a command that is accepted; its answer."""
        answer = self.send(kind, **fields)
        assert answer.refusal is None, (answer.refusal, answer.message)
        return answer

    def at(self, kind, table=TABLE, **fields):
        """Send a command about the table; its answer."""
        return self.send(kind, table=table, **fields)

    def open_table(self, table=TABLE):
        """Open a table with three seats, from 1.00 to 100.00 on a position."""
        limits = '{"max":"100.00","min":"1.00"}'
        fields = {"sheet": "french-roulette", "seats_max": 3, "limits": limits, **CHIEF}
        self.do(cmd.OpenTable, table=table, **fields)

    def sit_down(self, number, player, **planned):
        """Open a session with 500.00, under the limits that its player plans, and take a seat."""
        session, right = uid(number), uid(self._number + 1)
        asked = {"player": player, "sheet": "french-roulette", "channel": "web", **money(RIGHT)}
        self.do(cmd.RequestParticipation, session=session, **asked, **planned)
        proof = {"participation": right, "ticket": "T-1", "count": 1, "total": RIGHT}
        self.do(cmd.ValidateParticipation, session=session, **proof)
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

    def session(self, number=1):
        """A session as it stands."""
        return self.book.state(f"session:{uid(number)}")

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

    @property
    def table(self):
        """The table as it stands."""
        return self.book.state(table_stream(TABLE))

    def balances(self):
        """What every account holds, by the postings of all entries."""
        sums = {}
        for entry in self.book.entries:
            for each in postings(entry.stream, entry.event):
                for account, sign in ((each.source, -1), (each.target, 1)):
                    sums[account.address] = sums.get(account.address, 0) + sign * each.amount
                    assert account.is_signed or sums[account.address] >= 0
        return sums


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


def names(answer):
    """What an answer wrote, in order."""
    return [e.event.NAME for e in answer.entries]
