"""No sequence of commands passes a limit of a conto: beside a second method, minute by minute.

The second method knows nothing of sums and deadlines. It walks over the minutes of Rome's calendar
and keeps what was accepted in them; limits, deposits and play are of whole minutes, so that both
must agree on every answer.
"""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, settings, strategies as st

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
        self.ask(cmd.OpenBook, book="contoposta", clock="simulated")
        self.ask(cmd.PublishSheet, **sheet, in_force_from=START)
        self.ask(cmd.OpenConto, player=ANNA, currency=EUR, personal=())

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
        limits, now = self.book.state(CONTO).limits, self.model.now
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
        """A session is opened where there is time, and the amount fits and is there."""
        self.leave()
        session, holds = uid(self.number + 1), self.book.state(CONTO).balance
        bought = {"session": session, "player": ANNA, "sheet": "coin-flip", "channel": "web"}
        answer = self.ask(cmd.RequestParticipation, **bought, **money(amount))
        expected = "insufficient-conto" if amount > holds else None
        if not self.model.fits("spend", amount):
            expected = "spend-limit-reached"
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


AMOUNTS = st.sampled_from([500, 900, 1_000, 1_700, 3_000])
WAITS = st.sampled_from([1, 7, 20, 60, 200, 353, 600, 1_439, 1_440, 3_000, 10_079, 10_080])
MOSTS = st.sampled_from([None, 30, 90, 500, 1_000, 1_439])
STEPS = st.one_of(
    st.tuples(st.just("wait"), WAITS),
    st.tuples(st.just("limit"), st.just("time"), st.just("day"), MOSTS),
    st.tuples(
        st.just("limit"),
        st.sampled_from(["deposit", "spend"]),
        st.sampled_from(list(PERIODS)),
        st.sampled_from([None, 900, 1_800, 2_500, 6_000]),
    ),
    st.tuples(st.just("deposit"), AMOUNTS),
    st.tuples(st.just("sit"), AMOUNTS),
    st.tuples(st.just("play")),
    st.tuples(st.just("leave")),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=40))
def test_no_sequence_of_commands_passes_a_limit(steps):
    """Stricter at once, looser never within seven days: every answer is the second method's."""
    player = Player()
    for name, *values in steps:
        if name == "wait":
            player.model.wait(*values)
        else:
            getattr(player, name)(*values)
