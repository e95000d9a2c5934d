"""Any run of moves at a table whose winnings are collected: no cent is lost, and all can end (FR7).

Two players bet, add, withdraw, collect and dispose of what is in prison while the table opens, pays
and voids its rounds under changing limits; one of them may go away for good.
"""

from datetime import timedelta

from hypothesis import given, settings, strategies as st

from ledger.domain import commands as cmd, session as ses, table
from ledger.domain.ids import session_stream, table_stream
from tests.french_pit import TABLE, FrenchPit, on
from tests.french_table import MANUAL
from tests.given import fold_recorded
from tests.memory_pit import CHIEF
from tests.scenes import uid

PLACES = ("red", "black", "odd", [7], [7, 8], list(range(1, 13)), list(range(1, 35, 3)))
POCKETS = st.sampled_from([0, 7, 8, 13])
LINE = st.builds(on, st.sampled_from(PLACES), st.sampled_from([100, 300, 4_000]))
LIMITS = st.sampled_from(['{"max":"100.00","min":"1.00"}', '{"max":"30.00","min":"2.00"}'])
PRISON = st.sampled_from([{"choice": "withdraw"}, {"choice": "leave"}])
STEP = st.one_of(
    st.tuples(st.just("begin")),
    st.tuples(st.just("bet"), st.integers(1, 2), LINE),
    st.tuples(st.just("add"), st.integers(1, 2), LINE),
    st.tuples(st.just("withdraw"), st.integers(1, 2), st.integers(1, 4)),
    st.tuples(st.just("collect"), st.integers(1, 2)),
    st.tuples(st.just("prison"), st.integers(1, 2), st.integers(1, 4), PRISON),
    st.tuples(st.just("spin"), POCKETS),
    st.tuples(st.just("void"), st.sampled_from(["at-once", "next-round"])),
    st.tuples(st.just("limits"), LIMITS),
    st.tuples(st.just("away")),
)
STEPS = st.lists(STEP, max_size=30)


class Evening(FrenchPit):
    """A table that is told what to do; what may not be is refused, and nothing is written."""

    def take(self, step):
        """Take one step."""
        getattr(self, f"do_{step[0]}")(*step[1:])

    def do_begin(self):
        """Open a round of the table."""
        self.at(cmd.OpenTableRound)

    def do_bet(self, number, line):
        """Open a round of a session."""
        self.bet(line, number=number)

    def do_add(self, number, line):
        """Add to the last round of a session."""
        self._last(number, bets=[line])

    def do_withdraw(self, number, bet):
        """Take a bet off."""
        self._last(number, withdraw=[bet])

    def do_collect(self, number):
        """Collect in every round of a session."""
        for played in self._rounds(number):
            self.move(played.round, number=number, collect=True)

    def do_prison(self, number, bet, choice):
        """Dispose of a prisoner of the last round."""
        self._last(number, prison=[{"bet": bet} | choice])

    def do_spin(self, pocket):
        """Let the ball fall, and pay."""
        self.hear(pocket)
        self.at(cmd.SettleTableRound)

    def do_void(self, refund):
        """Void the round in play."""
        self.at(cmd.VoidTableRound, reason="the wheel broke", refund=refund)

    def do_limits(self, limits):
        """Announce other limits."""
        self.at(cmd.SetTableLimits, limits=limits, **CHIEF)

    def do_away(self):
        """Bruno's connection is lost for good."""
        self.send(cmd.DisconnectSession, session=uid(2), at=self.now)
        self.now += timedelta(minutes=20)
        self.send(cmd.ExpireSession, session=uid(2))

    def _rounds(self, number):
        state = self.session(number)
        return state.rounds if isinstance(state, ses.Open) else ()

    def _last(self, number, **document):
        for played in self._rounds(number)[-1:]:
            self.move(played.round, number=number, **document)

    def end_all(self):
        """End the table's round and close the table; each session that is left is closed."""
        if self.table.round is not None:
            self.at(cmd.VoidTableRound, reason="the wheel broke")
        closed = self.at(cmd.CloseTable, **CHIEF)
        assert closed.refusal is None, closed.message
        for number in (1, 2):
            if isinstance(self.session(number), ses.Open):
                self.do(cmd.CloseSession, session=uid(number))


@settings(deadline=None, max_examples=60)
@given(STEPS)
def test_g1_g2_g9_whatever_is_collected_or_left_no_cent_is_lost_and_all_ends(steps):
    """No account falls below zero at any event, nothing is found, and all accounts end at zero."""
    evening = Evening(MANUAL)
    for step in steps:
        evening.take(step)
    evening.end_all()

    held = evening.balances()
    assert 0 == sum(held.values())
    assert {0} == {held.get(f"session:{uid(n)}:{part}", 0) for n in (1, 2)
                   for part in ("posta", "stakes", "win", "prison", "right")}  # fmt: skip
    assert [] == evening.findings()
    assert isinstance(evening.book.state(table_stream(TABLE)), table.Closed)
    for stream in map(session_stream, (uid(1), uid(2))):
        recorded = [(e.event, e.recorded) for e in evening.book.entries if e.stream == stream]
        assert fold_recorded(stream, recorded) == evening.book.state(stream)
