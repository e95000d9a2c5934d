"""A live table of any game in a book in memory: its commands, its players, and what it holds."""

import itertools

from ledger.domain import commands as cmd
from ledger.domain.ids import table_stream
from ledger.domain.postings import postings
from tests.given import NOON
from tests.memory_book import MemoryBook
from tests.scenes import EUR, money, uid

CHIEF = {"chief": "maria"}


class MemoryPit:
    """A table of one sheet, in a book that was just opened; the draws to come are in `pool`."""

    def __init__(self, table, engines, text, **sheet):
        self.pool = []
        self.book = MemoryBook(engines, lambda _: self.pool.pop(0))
        self.now = NOON
        self.name, self.sheet = table, sheet["sheet"]
        self._numbers = itertools.count(1_001)
        self.do(cmd.OpenBook, book="contoposta", clock="simulated")
        self.do(cmd.PublishSheet, text=text, in_force_from=NOON, **{"sheet_version": 1, **sheet})

    def send(self, kind, **fields):
        """Send a command; its answer."""
        number = uid(next(self._numbers))
        return self.book.handle(kind(id=number, actor="test", **fields), self.now)

    def do(self, kind, **fields):
        """Send a command that is accepted; its answer."""
        answer = self.send(kind, **fields)
        assert answer.refusal is None, (answer.refusal, answer.message)
        return answer

    def at(self, kind, **fields):
        """Send a command about the table, or about another; its answer."""
        return self.send(kind, **{"table": self.name, **fields})

    def open_table(self, table=None, **fields):
        """Open the table, or another, under the sheet."""
        self.do(cmd.OpenTable, table=table or self.name, sheet=self.sheet, **fields, **CHIEF)

    def conto(self, player, balance=200_000):
        """Open a player's conto that holds a balance in cents."""
        self.do(cmd.OpenConto, player=player, currency=EUR, personal=())
        paid = {"reference": player, "channel": "card", **money(balance)}
        self.do(cmd.Deposit, player=player, **paid)

    def buy(self, number, player, right, **planned):
        """Open the session of this number with a right, under what its player plans; its id."""
        session = uid(number)
        asked = {"player": player, "sheet": self.sheet, "channel": "web", **planned}
        bought = self.do(cmd.RequestParticipation, session=session, **asked, **money(right))
        proof = {"participation": bought.command, "ticket": "T-1", "count": 1, "total": right}
        self.do(cmd.ValidateParticipation, session=session, **proof)
        return session

    def session(self, number=1):
        """A session as it stands."""
        return self.book.state(f"session:{uid(number)}")

    @property
    def table(self):
        """The table as it stands."""
        return self.book.state(table_stream(self.name))

    def balances(self):
        """What every account holds, by the postings of all entries."""
        sums = {}
        for entry in self.book.entries:
            for each in postings(entry.stream, entry.event):
                for account, sign in ((each.source, -1), (each.target, 1)):
                    sums[account.address] = sums.get(account.address, 0) + sign * each.amount
                    assert account.is_signed or sums[account.address] >= 0
        return sums


def names(answer):
    """What an answer wrote, in order."""
    return [e.event.NAME for e in answer.entries]
