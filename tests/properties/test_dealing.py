"""Any sequence of commands at a table that deals keeps the book whole (G1, G2, G7, G9), in memory.

Three players bet, act, come late, lose their connection, leave, and are excluded, while cards come,
turns pass, and rounds are void. Whatever was done, everybody can be paid out.
"""

from datetime import timedelta
from itertools import cycle

from hypothesis import given, settings, strategies as st

from games import registry
from games.blackjack.round import Action
from ledger.domain import commands as cmd, session as ses
from ledger.domain.decider import Turn
from ledger.domain.ids import session_stream
from ledger.domain.refusals import Code
from ledger.store.codec import Codec
from tests.blackjack_pit import ENGINE, SHEET, TABLE, BlackjackPit, findings
from tests.given import fold_recorded
from tests.memory_pit import CHIEF
from tests.properties.test_conservation import Accounts, check_states
from tests.scenes import uid

CODEC = Codec(registry.DETAILS)
SEATS = (1, 2, 3)
NUMBERS = st.sampled_from(SEATS)
LATER = st.sampled_from([0] * 9 + [1, 20, 1_200]).map(lambda seconds: timedelta(seconds=seconds))


class Evening(BlackjackPit):
    """The pit, whose accounts and states are looked at after each command."""

    def __init__(self, entropy):
        self.accounts, self._seen = Accounts(), 0
        super().__init__(len(SEATS), right=6_000)
        self.book._entropy = lambda size: bytes(next(entropy) for _ in range(size))

    def send(self, kind, **fields):
        """Send a command and look at the whole book after it; the answer."""
        answer = super().send(kind, **fields)
        for entry in self.book.entries[self._seen :]:
            self.accounts.post(entry)
        self._seen = len(self.book.entries)
        check_states(self.book, self.accounts)
        return answer

    def act_in_turn(self, number, name):
        """A move of the box in turn, or of any other."""
        if isinstance(self.session(number), ses.Open):
            self.act(name, number)

    def bet_of(self, number):
        """A bet of a session that is open, or a seat for one that stands."""
        if isinstance(self.session(number), ses.Open):
            self.send(cmd.TakeSeat, session=uid(number), table=TABLE)
            self.bet(number, "10.01")

    def go_on(self, pick):
        """What the table waits for: a round with its bets, a card, an action, or its payments."""
        played = self.table.round
        if played is None:
            self.at(cmd.OpenTableRound)
            for number in SEATS:
                self.bet_of(number)
            self.at(cmd.CloseBets)
        elif played.phase == "told":
            self.at(cmd.SettleTableRound)
        elif played.dealing is None or not isinstance(turn := self.turn(played.dealing), Turn):
            if self.at(cmd.DealCard).refusal == Code.SHOE_OUT:
                self.at(cmd.ShuffleShoe)
        else:
            self.act_in_turn(turn.seat, turn.actions[pick % len(turn.actions)])

    def turn(self, dealing):
        """What a deal waits for."""
        return ENGINE.following(ENGINE.read_sheet(SHEET.text), dealing)

    def end_all(self):
        """Play or void what is in play, and close every session."""
        played = self.table.round
        if played is not None and played.phase == "told":
            self.do(cmd.SettleTableRound, table=TABLE)
        elif played is not None:
            self.do(cmd.VoidTableRound, table=TABLE, reason="test")
        for number in SEATS:
            if isinstance(self.session(number), ses.Open):
                self.do(cmd.CloseSession, session=uid(number), reason="operator")
        self.do(cmd.CloseTable, table=TABLE, **CHIEF)


GO_ON = st.integers(0, 59).map(lambda pick: lambda pit: pit.go_on(pick))
STEPS = (
    st.just(lambda pit: pit.at(cmd.DealCard)),
    st.builds(
        lambda number, action: lambda pit: pit.act_in_turn(number, action.value),
        NUMBERS,
        st.sampled_from(Action),
    ),
    st.builds(lambda number: lambda pit: pit.bet_of(number), NUMBERS),
    st.sampled_from(
        [cmd.ShuffleShoe, cmd.OpenTableRound, cmd.CloseBets, cmd.PassTurn, cmd.SettleTableRound]
    ).map(lambda kind: lambda pit: pit.at(kind)),
)
TROUBLE = (
    st.sampled_from(["at-once", "next-round"]).map(
        lambda when: lambda pit: pit.at(cmd.VoidTableRound, reason="test", refund=when)
    ),
    st.just(lambda pit: pit.at(cmd.SuspendTable, reason="test", **CHIEF)),
    st.just(lambda pit: pit.at(cmd.ResumeTable, **CHIEF)),
    st.builds(
        lambda number, kind: lambda pit: pit.send(kind, session=uid(number)),
        NUMBERS,
        st.sampled_from([cmd.LeaveSeat, cmd.ReconnectSession, cmd.ExpireSession, cmd.CloseSession]),
    ),
    NUMBERS.map(lambda n: lambda pit: pit.send(cmd.DisconnectSession, session=uid(n), at=pit.now)),
    NUMBERS.map(
        lambda n: (
            lambda pit: pit.send(
                cmd.ExcludePlayer, player=f"player-{n}", until=pit.now + timedelta(days=1)
            )
        )
    ),
)
SEQUENCES = st.lists(
    st.tuples(
        st.sampled_from((GO_ON,) * 60 + STEPS * 3 + TROUBLE).flatmap(lambda step: step), LATER
    ),
    min_size=30,
    max_size=70,
)


@settings(deadline=None, max_examples=40)
@given(SEQUENCES, st.binary(min_size=40, max_size=99))
def test_g1_g2_g9_every_sequence_at_a_table_that_deals_conserves_money(sequence, seed):
    """No cent is lost; states are what stands on disk; all is judged good; everybody is paid out.

    Most steps are what the table waits for, so that most sequences deal.
    """
    pit = Evening(cycle(seed))
    for step, later in sequence:
        step(pit)
        pit.now += later
    live = {stream: pit.book.state(stream) for stream in pit.book.streams()}
    for stream, state in live.items():
        read = [CODEC.decode(CODEC.encode(e)) for e in pit.book.entries if e.stream == stream]
        assert fold_recorded(stream, [(e.event, e.recorded) for e in read]) == state

    pit.end_all()

    assert [] == findings(pit.book.entries)
    ended = [pit.book.state(session_stream(uid(number))) for number in SEATS]
    assert [ses.Closed] * len(SEATS) == list(map(type, ended))
    assert 0 == sum(pit.balances().values())
