"""Any sequence of commands at live tables keeps the book whole (G1, G2, G3, G9), in memory.

Three sessions of two players move between two tables. Whatever was done, everybody can be paid out
and every table closed.
"""

from datetime import timedelta

from hypothesis import given, settings, strategies as st

from ledger.domain import commands as cmd, events as ev, session as ses, table
from ledger.domain.ids import session_stream, sheet_stream, table_stream
from ledger.store.codec import Codec
from tests.coin import DETAILS, CoinOutcome, coin_sheet
from tests.given import NOON, fold_recorded
from tests.memory_book import MemoryBook
from tests.properties.test_conservation import Accounts, check_states
from tests.scenes import ANNA, BRUNO, EUR, coins, money, uid
from tests.table_checks import found_at_tables
from tests.table_coin import TABLE_ENGINES

CODEC = Codec(DETAILS)
HOLDERS = {uid(1): ANNA, uid(2): BRUNO, uid(3): ANNA}
TABLES = ("coin-1", "coin-2")
CHIEF, REASON = "maria", "test"
SESSIONS = st.sampled_from([uid(1), uid(1), uid(2), uid(3)])
NAMES = st.sampled_from(["coin-1", "coin-1", "coin-1", "coin-2"])
IDS = st.integers(100, 900).map(uid)
LINES = st.lists(
    st.tuples(st.sampled_from(["heads", "tails"]), st.integers(1, 1_200)), min_size=1, max_size=2
)
MOVES = LINES.map(lambda lines: coins(*lines))
OUTCOMES = st.sampled_from(["heads", "tails"]).map(lambda side: CoinOutcome(side=side))
FEEDS = st.integers(1, 8).map(lambda n: ev.FeedRef(message=f"m-{n}", sequence=n))
LEAVE = st.sampled_from([None, None, CHIEF])
LATER = st.sampled_from([0, 0, 0, 1, 25]).map(lambda minutes: timedelta(minutes=minutes))


def of(kind, **fields):
    """Commands of a kind under any id."""
    return st.builds(lambda i, f: kind(id=i, actor="test", **f), IDS, st.fixed_dictionaries(fields))


def at(kind, **fields):
    """Commands about one of the tables."""
    return of(kind, table=NAMES, **fields)


def by(kind, **fields):
    """Commands of one of the sessions."""
    return of(kind, session=SESSIONS, **fields)


CHIEFS, WHY = {"chief": st.just(CHIEF)}, {"reason": st.just(REASON)}
BETS = (
    by(cmd.OpenRound, move=MOVES, leave=LEAVE),
    by(cmd.ContinueRound, round=IDS, move=MOVES, leave=LEAVE),
)
STEPS = (
    at(cmd.OpenTableRound),
    at(cmd.CloseBets),
    at(cmd.HearOutcome, feed=FEEDS, outcome=OUTCOMES),
    at(cmd.DrawOutcome),
    at(cmd.SettleTableRound),
    by(cmd.TakeSeat, table=NAMES),
)
TROUBLE = (
    by(cmd.LeaveSeat),
    at(cmd.VoidTableRound, refund=st.sampled_from(["at-once", "next-round"]), **WHY),
    at(cmd.SuspendTable, **CHIEFS, **WHY),
    at(cmd.ResumeTable, **CHIEFS),
    at(cmd.CloseTable, **CHIEFS),
    at(cmd.SetTableLimits, limits=st.sampled_from([None, '{"max":500}']), **CHIEFS),
    by(cmd.RefundBets, placed_by=IDS, **WHY),
    by(cmd.DisconnectSession, at=st.just(NOON)),
    by(cmd.ReconnectSession),
    by(cmd.ExpireSession),
    by(cmd.CloseSession),
)
ENDS = (
    of(
        cmd.ExcludePlayer,
        player=st.sampled_from([ANNA, BRUNO]),
        until=st.just(NOON + timedelta(days=9)),
    ),
    by(
        cmd.RequestParticipation,
        player=st.sampled_from([ANNA, BRUNO]),
        sheet=st.just("coin-flip"),
        channel=st.just("web"),
        **{name: st.just(word) for name, word in money(600).items()},
    ),
    by(
        cmd.ValidateParticipation,
        participation=IDS,
        ticket=st.just("T-1"),
        count=st.just(1),
        total=st.just(600),
    ),
    by(cmd.RejectParticipation, participation=IDS, **WHY),
)
COMMANDS = st.sampled_from(BETS * 12 + STEPS * 6 + TROUBLE * 2 + ENDS * 2).flatmap(lambda k: k)
SEQUENCES = st.lists(st.tuples(COMMANDS, LATER), min_size=20, max_size=40)


class Hall:
    """A book in memory with two tables and three seated sessions of 50.00 each."""

    def __init__(self, entropy):
        self.book = MemoryBook(TABLE_ENGINES, entropy)
        self.accounts, self.now = Accounts(), NOON
        self.sent = []
        self._seen, self._number = 0, 10_000
        text = coin_sheet(engine="coin/2", rounds_max=2)
        told = {"sheet": "coin-flip", "sheet_version": 1, "in_force_from": NOON, "text": text}
        self.do(cmd.OpenBook, book="contoposta", clock="simulated")
        self.do(cmd.PublishSheet, **told)
        for name in TABLES:
            self.do(cmd.OpenTable, table=name, sheet="coin-flip", seats_max=2, chief=CHIEF)
        for player in (ANNA, BRUNO):
            self.do(cmd.OpenConto, player=player, currency=EUR, personal=())
            self.do(cmd.Deposit, player=player, reference=player, channel="card", **money(90_000))
        for session, player in HOLDERS.items():
            asked = {"player": player, "sheet": "coin-flip", "channel": "web", **money(5_000)}
            right = self.do(cmd.RequestParticipation, session=session, **asked).command
            proof = {"participation": right, "ticket": "T-1", "count": 1, "total": 5_000}
            self.do(cmd.ValidateParticipation, session=session, **proof)
            self.do(cmd.TakeSeat, session=session, table=TABLES[session == uid(3)])

    def send(self, command):
        """Send a command and look at the whole book after it; the answer."""
        self.sent.append(command)
        answer = self.book.handle(command, self.now)
        for entry in self.book.entries[self._seen :]:
            self.accounts.post(entry)
        self._seen = len(self.book.entries)
        check_states(self.book, self.accounts)
        self.check_seats()
        streams = [w.stream for w in answer.answered.written]
        assert sorted(set(streams)) == sorted(streams)
        return answer

    def do(self, kind, **fields):
        """Send a command that must be accepted; the answer."""
        self._number += 1
        answer = self.send(kind(id=uid(self._number), actor="test", **fields))
        assert answer.refusal is None, answer.message
        return answer

    def session(self, session):
        """A session as it stands."""
        return self.book.state(session_stream(session))

    def table(self, name):
        """A table as it stands."""
        return self.book.state(table_stream(name))

    def check_seats(self):
        """Who sits is told alike by tables and sessions, and bets lie where their table says."""
        seats = {
            (seat.session, name, seat.seat)
            for name in TABLES
            if isinstance(found := self.table(name), table.Table)
            for seat in found.seats
        }
        sessions = {s: state for s in HOLDERS if isinstance(state := self.session(s), ses.Open)}
        places = {(s, o.place.table, o.place.seat) for s, o in sessions.items() if o.place}
        assert places == seats
        for state in sessions.values():
            for played in state.rounds:
                found = self.table(state.table)
                current = None if found.round is None else found.round.round
                assert played.history[0].table.round in (current, found.owed)

    def aimed(self, command):
        """The command, aimed at a right, a round or a moment of its session, where it has one."""
        state = self.session(getattr(command, "session", uid(1)))
        right, rounds = getattr(state, "right", None), getattr(state, "rounds", ())
        update = {}
        match command:
            case cmd.ValidateParticipation() | cmd.RejectParticipation() if right:
                update = {"participation": right.participation}
            case cmd.ContinueRound() if rounds:
                update = {"round": rounds[-1].round}
            case cmd.RefundBets() if rounds:
                update = {"placed_by": rounds[0].round}
            case cmd.DisconnectSession():
                update = {"at": self.now}
            case cmd.RequestParticipation():
                update = {"player": HOLDERS[command.session]}
        return command.model_copy(update=update)

    def end_all(self):
        """Answer what waits, pay what was told, void what was not, and close everything."""
        for session in HOLDERS:
            state = self.session(session)
            if getattr(state, "right", None) is not None:
                right = {"participation": state.right.participation, "reason": REASON}
                self.do(cmd.AnnulParticipation, session=session, **right)
        for name in self.open_tables():
            self.end_round(name)
        for session in HOLDERS:
            if isinstance(self.session(session), ses.Open):
                self.do(cmd.CloseSession, session=session, reason="operator")
        for name in self.open_tables():
            self.do(cmd.CloseTable, table=name, chief=CHIEF)

    def open_tables(self):
        """The tables that are not closed."""
        return [name for name in TABLES if isinstance(self.table(name), table.Table)]

    def end_round(self, name):
        """Pay the table's round if its outcome is told; else void it."""
        played = self.table(name).round
        if played is not None and played.phase == "told":
            self.do(cmd.SettleTableRound, table=name)
        elif played is not None:
            self.do(cmd.VoidTableRound, table=name, reason=REASON)


def run(sequence, seed):
    """Run commands in order of time; everything is looked at after each."""
    bytes_left = iter(seed)
    hall = Hall(lambda size: bytes(next(bytes_left, 0) for _ in range(size)))
    for drawn, later in sequence:
        hall.now += later
        hall.send(hall.aimed(drawn))
    return hall


@settings(deadline=None)
@given(SEQUENCES, st.binary(max_size=20))
def test_g1_g2_g9_every_sequence_at_tables_conserves_money_and_can_be_ended(sequence, seed):
    """No cent is lost, no seat stays taken, and no refund is owed when the doors are shut."""
    hall = run(sequence, seed)
    hall.end_all()

    for session in HOLDERS:
        assert isinstance(hall.session(session), ses.Closed | ses.Absent)


@settings(deadline=None)
@given(SEQUENCES, st.binary(max_size=20))
def test_replay_equals_live_at_tables_and_every_round_is_judged_again(sequence, seed):
    """States folded from what would stand on disk are the live ones; no judgement differs."""
    hall = run(sequence, seed)
    book = hall.book
    published = {p.ref: p for p in book.state(sheet_stream("coin-flip")).versions}

    for stream in book.streams():
        read = [CODEC.decode(CODEC.encode(e)) for e in book.entries if e.stream == stream]
        assert fold_recorded(stream, [(e.event, e.recorded) for e in read]) == book.state(stream)
    assert [] == found_at_tables(book.entries, TABLE_ENGINES, published)
