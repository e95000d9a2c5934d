"""Any sequence of commands keeps the book whole (G1, G2, G3, G9), on the book in memory."""

from collections import Counter
from datetime import timedelta

from hypothesis import given, settings, strategies as st

from ledger.domain import commands as cmd, conto, session as ses
from ledger.domain.events import (
    CorrectionLine,
    FundsDeposited,
    FundsWithdrawn,
    MoveMade,
    RoundOpened,
    RoundSettled,
    RoundVoided,
)
from ledger.domain.ids import (
    WORLD_PAYMENTS,
    Account,
    bank_account,
    conto_account,
    session_account,
    session_stream,
    sheet_stream,
)
from ledger.domain.postings import postings
from ledger.replay import Judge
from ledger.store.codec import Codec
from tests.coin import DETAILS, ENGINES, CoinToss, coin_sheet
from tests.given import NOON, fold_recorded
from tests.memory_book import MemoryBook
from tests.scenes import ANNA, BRUNO, EUR, RUR, coins, money, uid

CODEC = Codec(DETAILS)
PLAYERS = st.sampled_from([ANNA, BRUNO])
SESSIONS = st.sampled_from([uid(1), uid(1), uid(2), uid(3)])
IDS = st.integers(100, 180).map(uid)
"""Few ids, so that rights, rounds, refunds and repeats meet."""
AMOUNTS = st.one_of(st.integers(1, 1_200), st.integers(1, 120_000))
STAKES = st.integers(1, 1_200) | st.sampled_from([5_000, 5_001])
LINES = st.lists(st.tuples(st.sampled_from(["heads", "tails"]), STAKES), max_size=3)
CURRENCIES = st.sampled_from([EUR, EUR, EUR, EUR, RUR])
REFERENCES = st.integers(1, 12).map("pay-{}".format)
"""Few of them, so that a payment comes again."""
SHEET = {"sheet": "coin-flip", "channel": "web"}


def of(kind, **fields):
    """Commands of a kind under any id."""
    return st.builds(lambda i, f: kind(id=i, actor="test", **f), IDS, st.fixed_dictionaries(fields))


def paying(kind):
    """Deposits or withdrawals."""
    payment = {"reference": REFERENCES, "channel": st.just("card")}
    return of(kind, player=PLAYERS, amount=AMOUNTS, currency=CURRENCIES, **payment)


REQUESTS = of(
    cmd.RequestParticipation,
    session=SESSIONS,
    player=PLAYERS,
    amount=AMOUNTS,
    currency=CURRENCIES,
    limit_loss=st.none() | st.integers(0, 5_000),
    limit_seconds=st.none() | st.sampled_from([60, 3_600]),
    **{name: st.just(word) for name, word in SHEET.items()},
)
YES = of(
    cmd.ValidateParticipation,
    session=SESSIONS,
    participation=IDS,
    ticket=st.just("T-1"),
    count=st.just(1),
    total=AMOUNTS,
)
REASON = st.just("test")
MOMENTS = st.sampled_from([0, 0, 1, 30, 60]).map(lambda minutes: NOON + timedelta(minutes=minutes))
MOVES = LINES.map(lambda lines: coins(*lines))
REFS = st.builds(cmd.RoundRef, session=SESSIONS, round=IDS)
FINAL = (
    of(cmd.ExcludePlayer, player=PLAYERS, until=st.just(NOON + timedelta(days=1))),
    of(cmd.CloseConto, player=PLAYERS, reason=REASON),
    of(cmd.ExpireSession, session=SESSIONS),
    of(cmd.CloseSession, session=SESSIONS),
    of(cmd.VoidRounds, rounds=st.lists(REFS, min_size=1, max_size=2).map(tuple), reason=REASON),
    of(cmd.RefundBets, session=SESSIONS, placed_by=IDS, reason=REASON),
)
AT_THE_DOORS = (
    paying(cmd.Deposit),
    paying(cmd.Withdraw),
    REQUESTS,
    YES,
    of(cmd.RejectParticipation, session=SESSIONS, participation=IDS, reason=REASON),
    of(cmd.AnnulParticipation, session=SESSIONS, participation=IDS, reason=REASON),
    of(cmd.GrantBonus, session=SESSIONS, amount=AMOUNTS, currency=CURRENCIES, reason=REASON),
    of(cmd.DisconnectSession, session=SESSIONS, at=MOMENTS),
    of(cmd.ReconnectSession, session=SESSIONS),
)
CORRECTED = st.sampled_from(
    [conto_account(ANNA), conto_account(BRUNO), bank_account("coin"), WORLD_PAYMENTS]
)
LINES_OF_CORRECTIONS = st.lists(
    st.tuples(CORRECTED, CORRECTED, AMOUNTS)
    .filter(lambda line: line[0] != line[1])
    .map(lambda x: CorrectionLine(source=x[0].address, target=x[1].address, amount=x[2])),
    min_size=1,
    max_size=3,
).map(tuple)
CORRECTIONS = of(
    cmd.PostCorrection,
    corrects=st.sampled_from([uid(41), uid(42)]) | IDS,
    code=st.just("ruling"),
    reason=REASON,
    approvers=st.just(("ada", "bruno")),
    currency=CURRENCIES,
    lines=LINES_OF_CORRECTIONS,
)
IN_PLAY = (
    of(cmd.PlayRound, session=SESSIONS, move=MOVES),
    of(cmd.OpenRound, session=SESSIONS, move=MOVES),
    of(cmd.ContinueRound, session=SESSIONS, round=IDS, move=MOVES | st.just(CoinToss())),
)
COMMANDS = st.sampled_from((*FINAL * 2, *AT_THE_DOORS * 2, *IN_PLAY * 10, CORRECTIONS)).flatmap(
    lambda kind: kind
)
"""Play is frequent and the end is rare, so that there is something to end."""
LATER = st.sampled_from([0, 1, 30]).map(lambda minutes: timedelta(minutes=minutes))
SEQUENCES = st.lists(st.tuples(COMMANDS, LATER, st.booleans()), min_size=20, max_size=40)
"""Commands, the time since the last one, and whether the command is aimed at what is there."""


def first(number):
    """The payment with which a conto begins."""
    return {"reference": f"first-{number}", "channel": "card"}


PLANS = {ANNA: {}, BRUNO: {"limit_loss": 1_000}}


def furnished(entropy):
    """A book with a sheet, two contos with 900.00 and a valid session of 50.00 for each.

    Bruno plans to lose 10.00 of them at most.
    """
    book = MemoryBook(ENGINES, entropy)
    text = coin_sheet(rounds_max=2)
    sheet = {"sheet": "coin-flip", "sheet_version": 1, "in_force_from": NOON, "text": text}
    commands = [
        cmd.OpenBook(id=uid(10), actor="test", book="contoposta", clock="simulated"),
        cmd.PublishSheet(id=uid(11), actor="test", **sheet),
    ]
    for number, player in enumerate((ANNA, BRUNO), 1):
        base = {"actor": "test", "player": player}
        right, session = uid(20 + number), uid(number)
        commands += [
            cmd.OpenConto(id=uid(30 + number), **base, currency=EUR, personal=()),
            cmd.Deposit(id=uid(40 + number), **base, **money(90_000), **first(number)),
            cmd.RequestParticipation(
                id=right, **base, session=session, **money(5_000), **SHEET, **PLANS[player]
            ),
            cmd.ValidateParticipation(
                id=uid(50 + number),
                actor="test",
                session=session,
                participation=right,
                ticket="T-1",
                count=1,
                total=5_000,
            ),
        ]
    for command in commands:
        assert book.handle(command, NOON).refusal is None
    return book


def aimed(command, book):
    """The command, aimed at a right or a round of its session, where it has one."""
    state = book.state(session_stream(getattr(command, "session", uid(1))))
    right = getattr(state, "right", None)
    rounds = getattr(state, "rounds", ())
    match command:
        case cmd.ValidateParticipation() | cmd.RejectParticipation() | cmd.AnnulParticipation() if (
            right
        ):
            return command.model_copy(update={"participation": right.participation})
        case cmd.ContinueRound() if rounds:
            return command.model_copy(update={"round": rounds[-1].round})
        case cmd.RefundBets() if rounds:
            return command.model_copy(update={"placed_by": placed_by(rounds[0])})
        case cmd.VoidRounds() if rounds:
            refs = tuple(cmd.RoundRef(session=uid(1), round=r.round) for r in rounds)
            return command.model_copy(update={"rounds": refs})
        case _:
            return command


def placed_by(played):
    """The command that made the last further move of a round; else the one that opened it."""
    moves = [e.made_by for e in played.history if isinstance(e, MoveMade)]
    return moves[-1] if moves else played.round


class Accounts:
    """Balances by account and currency, kept by hand from the postings."""

    def __init__(self) -> None:
        self.balances: Counter[tuple[Account, str]] = Counter()

    def post(self, entry) -> None:
        """Add an entry, and look at all balances after it."""
        for posting in postings(entry.stream, entry.event):
            self.balances[posting.source, posting.currency] -= posting.amount
            self.balances[posting.target, posting.currency] += posting.amount
            assert {EUR} == {posting.currency}
        assert sum(self.balances.values()) == 0
        assert all(b >= 0 for (account, _), b in self.balances.items() if not account.is_signed)

    def of(self, account: Account) -> int:
        """The balance of an account in euro."""
        return self.balances[account, EUR]


def run(sequence, seed):
    """Run commands in order of time; the accounts are looked at after every event."""
    bytes_left = iter(seed)
    book = furnished(lambda size: bytes(next(bytes_left, 0) for _ in range(size)))
    accounts, now, seen = Accounts(), NOON, 0
    sent = []
    for drawn, later, aim in sequence:
        now += later
        sent.append(aimed(drawn, book) if aim else drawn)
        book.handle(sent[-1], now)
        for entry in book.entries[seen:]:
            accounts.post(entry)
        seen = len(book.entries)
        check_states(book, accounts)
    return book, sent


def check_states(book, accounts):
    """The states that decisions are made on say the same as the postings."""
    for player in (ANNA, BRUNO):
        state = book.state(f"conto:{player}")
        balance = state.balance if isinstance(state, conto.Conto) else 0
        assert balance == accounts.of(conto_account(player))
    for session in (uid(1), uid(2), uid(3)):
        expected = {"right": 0, "posta": 0, "stakes": 0, "win": 0, "prison": 0}
        expected |= told(book.state(session_stream(session)))
        assert expected == {p: accounts.of(session_account(session, p)) for p in expected}


def told(state):
    """What a session's state says of its accounts; one that ended has nothing left (G9)."""
    if isinstance(state, ses.Absent | ses.Closed):
        return {}
    right = {"right": state.right.amount if state.right else 0}
    if isinstance(state, ses.Pending):
        return right
    return right | {"posta": state.posta, "stakes": sum(r.at_stake for r in state.rounds)}


@settings(deadline=None)
@given(SEQUENCES, st.binary(max_size=20))
def test_g1_g2_g9_every_sequence_of_commands_conserves_money(sequence, seed):
    """After each event all accounts sum to zero and none is overdrawn; ended sessions are empty."""
    run(sequence, seed)


@settings(deadline=None)
@given(SEQUENCES, st.binary(max_size=20))
def test_replay_equals_live(sequence, seed):
    """States folded from what would stand on disk are the states that were decided on."""
    book, _ = run(sequence, seed)

    for stream in book.streams():
        entries = [e for e in book.entries if e.stream == stream]
        assert [e.version for e in entries] == list(range(1, len(entries) + 1))
        read = [CODEC.decode(CODEC.encode(e)) for e in entries]
        history = [(e.event, e.recorded) for e in read]
        assert fold_recorded(stream, history) == book.state(stream)


@settings(deadline=None)
@given(SEQUENCES, st.binary(max_size=20))
def test_g7_g8_every_round_is_judged_again_as_it_was_played(sequence, seed):
    """From moves, entropy and sheet on record, with refunds and voids in between."""
    book, _ = run(sequence, seed)
    published = {p.ref: p for p in book.state(sheet_stream("coin-flip")).versions}
    judge = Judge(ENGINES, published)

    assert [f for entry in book.entries for f in judge.see(entry)] == []
    assert list(judge.end()) == []


@settings(deadline=None)
@given(SEQUENCES, st.binary(max_size=20))
def test_s1_no_payment_is_booked_twice_and_no_session_plays_more_rounds_than_it_may(sequence, seed):
    """One event for one reference in one direction; at most two rounds in play by this sheet."""
    book, _ = run(sequence, seed)
    paid = [
        (type(e.event), e.event.reference)
        for e in book.entries
        if isinstance(e.event, FundsDeposited | FundsWithdrawn)
    ]
    in_play = Counter()

    assert len(paid) == len(set(paid))
    for entry in book.entries:
        in_play[entry.stream] += isinstance(entry.event, RoundOpened)
        in_play[entry.stream] -= isinstance(entry.event, RoundSettled | RoundVoided)
        assert in_play[entry.stream] in (0, 1, 2)


@settings(deadline=None)
@given(SEQUENCES, st.binary(max_size=20))
def test_g3_sending_everything_again_changes_nothing(sequence, seed):
    """The second answer is the first one, byte for byte, and nothing is written."""
    book, sent = run(sequence, seed)
    first = {}
    for command in sent:
        answer = book.handle(command, NOON + timedelta(days=1))
        first.setdefault(command.id, answer.to_bytes())
    length = len(book.entries)

    for command in sent:
        again = book.handle(command, NOON + timedelta(days=2))
        assert again.refusal == "command-conflict" or first[command.id] == again.to_bytes()
    assert length == len(book.entries)
