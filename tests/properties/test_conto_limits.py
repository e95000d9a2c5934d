"""No sequence of commands passes a limit of a conto: beside a second method, minute by minute.

The second method knows nothing of sums and deadlines. It walks over the minutes of Rome's calendar
and keeps what was accepted in them; limits, deposits and play are of whole minutes, so that both
must agree on every answer.
"""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from ledger.domain import commands as cmd
from ledger.domain.conto_limits import in_force
from tests.coin import ENGINES, coin_sheet
from tests.memory_book import MemoryBook
from tests.scenes import ANNA, CONTO, EUR, coins, money, order, uid

ROME = ZoneInfo("Europe/Rome")
START = datetime(2026, 3, 27, 18, 7, tzinfo=UTC)
"""A Friday evening: clocks go forward on Sunday, and the month ends on Tuesday."""
MINUTE, WEEK = timedelta(minutes=1), timedelta(days=7)
PERIODS = {
    "day": lambda d: (d.year, d.month, d.day),
    "week": lambda d: d.isocalendar()[:2],
    "month": lambda d: (d.year, d.month),
}


class Wishes:
    """What a player asked of one limit, and what therefore holds."""

    def __init__(self):
        self.most, self.next = None, None

    def ask(self, most, now):
        """A stricter wish is fulfilled at once, and another in a week; the last one counts."""
        looser = self.most is not None and (most is None or most > self.most)
        self.next = (now + WEEK, most) if looser else None
        self.most = self.most if looser else most

    def at(self, now):
        """What holds now."""
        if self.next is not None and now >= self.next[0]:
            self.most, self.next = self.next[1], None
        return self.most


class Minutes:
    """The second method: anna's wishes, her money by the minute, and the minutes she played."""

    def __init__(self):
        self.now, self.wishes = START, defaultdict(Wishes)
        self.deposits, self.outlays = [], []
        self.played, self.is_playing = defaultdict(int), False

    def wait(self, minutes):
        """Let the minutes pass, one by one."""
        for _ in range(minutes):
            self.is_playing = self.is_playing and self.has_time()
            self.played[self.today()] += self.is_playing
            self.now += MINUTE
        self.is_playing = self.is_playing and self.has_time()

    def today(self):
        """The day in Rome."""
        return PERIODS["day"](self.now.astimezone(ROME))

    def has_time(self):
        """Whether the day has a minute left."""
        most = self.wishes["time", "day"].at(self.now)
        return most is None or self.played[self.today()] * 60 < most

    def fits(self, kind, amount):
        """Whether an amount is within every limit of its kind."""
        return all(
            (most := self.wishes[kind, period].at(self.now)) is None
            or self.sum(kind, period) + amount <= most
            for period in PERIODS
        )

    def sum(self, kind, period):
        """What came in the period of now."""
        name, booked = PERIODS[period], self.deposits if kind == "deposit" else self.outlays
        here = name(self.now.astimezone(ROME))
        return sum(amount for at, amount in booked if name(at.astimezone(ROME)) == here)


class Player:
    """Anna at a book, beside the second method."""

    def __init__(self):
        self.book, self.number, self.tosses = MemoryBook(ENGINES, self.toss), 1_000, 0
        self.model, self.session = Minutes(), None
        sheet = {"sheet": "coin-flip", "sheet_version": 1, "text": coin_sheet()}
        self.model.now = START - 6 * WEEK
        self.ask(cmd.OpenBook, book="contoposta", clock="simulated")
        self.ask(cmd.PublishSheet, **sheet, in_force_from=self.model.now)
        self.ask(cmd.OpenConto, player=ANNA, currency=EUR, personal=())
        self.deposit(10_000_000)
        self.model.now = START

    def toss(self, size):
        """Heads and tails in turn."""
        self.tosses += 1
        return bytes([self.tosses % 2] * size)

    def ask(self, kind, **fields):
        """Ask the book; its answer."""
        self.number += 1
        return self.book.handle(order(kind, self.number, **fields), self.model.now)

    def limit(self, kind, period, most):
        """The player asks for a limit: a stricter one holds at once, none sooner than it may."""
        if kind == "time":
            period, most = "day", most and most * 60
        wishes = self.model.wishes[kind, period]
        wishes.at(self.model.now)
        wishes.ask(most, self.model.now)
        self.model.wait(0)
        answer = self.ask(cmd.SetContoLimit, player=ANNA, limit=kind, period=period, most=most)
        assert answer.refusal is None

    def look(self):
        """What holds is what the wishes come to."""
        limits, now = self.book.state(CONTO).limits, self.model.now
        for (kind, period), wishes in self.model.wishes.items():
            assert wishes.at(now) == in_force(limits, kind, period, now)

    def deposit(self, amount):
        """Money comes in where it fits."""
        payment = {"reference": f"pay-{self.number}", "channel": "card"}
        answer = self.ask(cmd.Deposit, player=ANNA, **money(amount), **payment)
        fits = self.model.fits("deposit", amount)
        assert (None if fits else "deposit-limit-reached") == answer.refusal
        if fits:
            self.model.deposits.append((self.model.now, amount))

    def sit(self, amount):
        """A session is opened where there is time, and the amount fits."""
        self.leave()
        session = uid(self.number + 1)
        bought = {"session": session, "player": ANNA, "sheet": "coin-flip", "channel": "web"}
        answer = self.ask(cmd.RequestParticipation, **bought, **money(amount))
        expected = None if self.model.fits("spend", amount) else "spend-limit-reached"
        if not self.model.has_time():
            expected = "time-limit-reached"
        assert expected == answer.refusal
        if expected is None:
            yes = {"participation": uid(self.number), "ticket": "T-1", "count": 1}
            self.ask(cmd.ValidateParticipation, session=session, **yes, total=amount)
            self.session, self.model.is_playing = session, True
            self.model.outlays.append((self.model.now, amount))

    def play(self):
        """A round is played where there is time."""
        if self.session is not None:
            answer = self.ask(cmd.PlayRound, session=self.session, move=coins(("heads", 100)))
            assert self.model.is_playing == (answer.refusal is None)

    def leave(self):
        """The session is closed: what comes back was not spent."""
        if self.session is not None:
            answer = self.ask(cmd.CloseSession, session=self.session)
            back = answer.entries[-1].event.amount
            at, amount = self.model.outlays[-1]
            self.model.outlays[-1] = at, max(0, amount - back)
            self.session, self.model.is_playing = None, False


def waited(rng):
    """Minutes to let pass: few, or to a moment at which something may change."""
    return rng.choice([1, 7, 20, 45, 60, 200, 353, 700, 1_439, 1_440, 2_880, 10_079, 10_080])


def step(player, rng):
    """One thing that a player does."""
    match rng.choice(["wait"] * 4 + ["limit", "deposit", "sit", "sit", "play", "play", "leave"]):
        case "wait":
            player.model.wait(waited(rng))
        case "limit":
            kind = rng.choice(["deposit", "spend", "time"])
            most = (30, 90, 500, 1_000) if kind == "time" else (900, 1_800, 2_500, 6_000)
            player.limit(kind, rng.choice(list(PERIODS)), rng.choice([None, *most]))
        case "deposit":
            player.deposit(rng.choice([500, 900, 1_700]))
        case "sit":
            player.sit(rng.choice([500, 900, 1_700]))
        case "play":
            player.play()
        case "leave":
            player.leave()


@pytest.mark.parametrize("seed", range(8))
def test_no_sequence_of_commands_passes_a_limit(seed):
    """Stricter at once, looser never within seven days: every answer is the second method's."""
    player, rng = Player(), Random(seed)
    for _ in range(120):
        step(player, rng)
        player.look()
