"""Deuces Wild for any moves, in turn or not: money is conserved, replay is play, quote is play."""

import random
from datetime import timedelta

from hypothesis import given, settings, strategies as st

from games.deuces_wild.moves import DeucesCards, DeucesHold, DeucesShow
from games.deuces_wild.quote import quote
from games.deuces_wild.table import DeucesDealt, DeucesFinal, DeucesFour, DeucesShown
from games.registry import DETAILS
from ledger.domain import commands as cmd, session as ses
from ledger.domain.events import (
    BetPlaced,
    DoubleUpResolved,
    DoubleUpStaked,
    DrawRecorded,
    MoveMade,
    RoundEvent,
    RoundSettled,
    WinCollected,
    WinHeld,
)
from ledger.domain.ids import session_account, sheet_stream
from ledger.domain.money import format_amount
from ledger.replay import Judge
from ledger.store.codec import Codec
from tests.deuces_table import DEUCES, ENGINE, SESSION, STREAM, TRIPLE, entropy, furnished
from tests.given import NOON, fold_recorded
from tests.memory_book import MemoryBook
from tests.properties.test_conservation import Accounts
from tests.scenes import uid

CODEC = Codec(DETAILS)
ENGINES = {"deuces-wild/1": ENGINE}

DEALS = st.builds(
    lambda coins, coin: {"coins": coins, "coin": coin},
    st.sampled_from([1, 3, 5, 5, 5, 6]),
    st.sampled_from(["0.10", "0.25", "5.00", "5.00", "0.30"]),
)
PLACES = st.lists(st.integers(1, 5), unique=True, max_size=5) | st.sampled_from([[0], [6], [2, 2]])
HOLDS = (st.just([1, 2, 3]) | PLACES).map(lambda places: {"hold": places})
DOUBLES = st.booleans().map(lambda half: {"double_up": {"half": half}})
PICKS = st.sampled_from([1, 1, 2, 3, 4, 4, 0, 5]).map(lambda number: {"pick": number})
COLLECTS = st.just({"collect": True})
MOVES = st.one_of(
    DEALS, HOLDS, HOLDS, DOUBLES, DOUBLES, DOUBLES, PICKS, PICKS, PICKS, COLLECTS
).map(ENGINE.parse)
OF_THE_RULES = st.sampled_from([DeucesCards(), DeucesShow()])
"""What a player cannot write, should anybody send it."""
OTHERS = st.sampled_from(["close", "disconnect", "reconnect", "expire", "void", "refund"])
FITTING = st.integers(0, 11)
"""Which of the moves that the session waits for is made: two steps of three are of this kind."""
STEPS = st.sampled_from([FITTING] * 12 + [MOVES] * 4 + [OF_THE_RULES, OTHERS]).flatmap(lambda k: k)
SEQUENCES = st.lists(st.tuples(STEPS, st.sampled_from([0, 0, 30])), min_size=20, max_size=40)
"""Moves and other commands, each with the minutes since the last one."""
LUCK = st.lists(st.sampled_from(["triple", "low", "any", "any"]), min_size=8, max_size=8)
"""What a draw begins with: three of a kind, the deck's first cards, or any bytes."""


class Machine:
    """One session under any commands; money is looked at after every event."""

    def __init__(self, luck, seed):
        self._dice = random.Random(seed)
        self._luck = luck
        self.book = furnished(MemoryBook(ENGINES, self._entropy))
        self.accounts = Accounts()
        self.now = NOON
        self._number, self._seen = 1_000, 0
        self._round = uid(999)
        self._look()

    def _entropy(self, size):
        begun = {"triple": entropy(TRIPLE), "low": bytes(5), "any": b""}
        return (begun[self._dice.choice(self._luck)] + self._dice.randbytes(size))[:size]

    def send(self, step, minutes):
        """Send a move as the opening of a round or as a further one, or another command."""
        self.now += timedelta(minutes=minutes)
        self._number += 1
        answer = self.book.handle(self._command(step, uid(self._number)), self.now)
        if answer.refusal is None and answer.answered.kind == "open-round":
            self._round = answer.command
        self._look()

    def _command(self, step, command):
        at = {"id": command, "actor": "test", "session": SESSION}
        if isinstance(step, int):
            step = self._fitting(step)
        if isinstance(step, str):
            kind, fields = self._others()[step]
            return kind(**({"id": command, "actor": "test"} if step == "void" else at), **fields)
        if step.type == "deuces-deal" and not self.rounds:
            return cmd.OpenRound(**at, move=step)
        return cmd.ContinueRound(**at, round=self._round, move=step)

    def _fitting(self, number):
        """A step that is in turn, one of twelve."""
        state = self.book.state(STREAM)
        if getattr(state, "disconnected_at", None):
            return "expire" if number % 3 == 0 else "reconnect"
        documents = _in_turn(state.rounds[0]) if self.rounds else [{"coins": 5, "coin": "0.25"}]
        return ENGINE.parse(documents[number % len(documents)])

    def _others(self):
        """The commands that are no moves, by what they do, with their own fields."""
        ref = cmd.RoundRef(session=SESSION, round=self._round)
        return {
            "close": (cmd.CloseSession, {}),
            "disconnect": (cmd.DisconnectSession, {"at": self.now}),
            "reconnect": (cmd.ReconnectSession, {}),
            "expire": (cmd.ExpireSession, {}),
            "void": (cmd.VoidRounds, {"rounds": (ref,), "reason": "test"}),
            "refund": (cmd.RefundBets, {"placed_by": self._round, "reason": "test"}),
        }

    def _look(self):
        """Post what is new, and compare what the session's state says with its accounts."""
        for entry in self.book.entries[self._seen :]:
            self.accounts.post(entry)
        self._seen = len(self.book.entries)
        expected = {"right": 0, "posta": 0, "stakes": 0, "win": 0, "prison": 0} | self._told()
        assert expected == {p: self.accounts.of(session_account(SESSION, p)) for p in expected}

    def _told(self):
        state = self.book.state(STREAM)
        if not isinstance(state, ses.Open):
            return {}
        stakes, win = (sum(getattr(r, name) for r in state.rounds) for name in ("at_stake", "win"))
        assert state.win_box == win + sum(r.at_risk for r in state.rounds)
        return {"posta": state.posta, "stakes": stakes, "win": win}

    @property
    def rounds(self):
        """The rounds in play."""
        return getattr(self.book.state(STREAM), "rounds", ())

    def histories(self):
        """The events of each round, by its id."""
        found = {}
        for event in self.book.events(STREAM):
            if isinstance(event, RoundEvent):
                found.setdefault(event.round, []).append(event)
        return found


def _in_turn(played):
    """The documents of moves that a round waits for, some of them twice."""
    if played.at_risk:
        return [{"pick": number} for number in (1, 2, 3, 4)]
    if played.win:
        return [{"double_up": {"half": half}} for half in (False, True)] * 3 + [{"collect": True}]
    return [{"hold": hold} for hold in ([1, 2, 3], [1, 2, 3, 4, 5], [])]


def run(sequence, luck, seed):
    """Run a sequence on a machine of its own."""
    machine = Machine(luck, seed)
    for step, minutes in sequence:
        machine.send(step, minutes)
    return machine


def of(history, kind):
    """The events of a kind in a history."""
    return [event for event in history if isinstance(event, kind)]


def drawn(history, kind):
    """The details of a kind that were drawn in a history."""
    return [e.details for e in of(history, DrawRecorded) if isinstance(e.details, kind)]


@settings(deadline=None, max_examples=50)
@given(SEQUENCES, LUCK, st.integers(0))
def test_g1_g2_g9_any_moves_of_deuces_wild_conserve_money_and_are_judged_again(
    sequence, luck, seed
):
    """Accounts sum to zero after each event and agree with the state; so do judge and replay."""
    machine = run(sequence, luck, seed)
    entries = [e for e in machine.book.entries if e.stream == STREAM]
    read = [CODEC.decode(CODEC.encode(e)) for e in entries]
    judge = Judge(
        ENGINES, {p.ref: p for p in machine.book.state(sheet_stream("deuces-wild")).versions}
    )

    assert fold_recorded(STREAM, [(e.event, e.recorded) for e in read]) == machine.book.state(
        STREAM
    )
    assert [] == [found for entry in machine.book.entries for found in judge.see(entry)]
    assert [] == list(judge.end())


@settings(deadline=None, max_examples=50)
@given(SEQUENCES, LUCK, st.integers(0))
def test_g10_each_card_is_drawn_once_when_its_turn_has_come(sequence, luck, seed):
    """A hand is dealt once and replaced once; each double-up shows one card and then four."""
    for history in run(sequence, luck, seed).histories().values():
        double_ups = len(of(history, DoubleUpStaked))
        picks = len(drawn(history, DeucesFour))

        assert (1, double_ups) == (
            len(drawn(history, DeucesDealt)),
            len(drawn(history, DeucesShown)),
        )
        assert len(drawn(history, DeucesFinal)) in (0, 1)
        assert picks == len(of(history, DoubleUpResolved))
        assert double_ups - picks in (0, 1)


@settings(deadline=None, max_examples=50)
@given(SEQUENCES, LUCK, st.integers(0))
def test_a_quote_of_a_hand_and_of_its_double_ups_tells_what_play_did(sequence, luck, seed):
    """Each round's hand and chain, asked again by quote, name the amounts that play booked."""
    machine = run(sequence, luck, seed)
    for history in machine.histories().values():
        if drawn(history, DeucesFinal):
            _assert_hand_quoted(history)
            _assert_chain_quoted(history, machine.rounds)


def _assert_hand_quoted(history):
    (bet,), (dealt,), (final,) = (
        of(history, BetPlaced),
        drawn(history, DeucesDealt),
        drawn(history, DeucesFinal),
    )
    moves = [e.details for e in of(history, MoveMade) if isinstance(e.details, DeucesHold)]
    held = moves[0].hold if moves else dealt.proposed_hold
    fresh = [card for place, card in enumerate(final.cards, 1) if place not in held]
    won = sum(e.winnings + e.stake_returned for e in of(history, WinHeld))

    told = quote(
        ENGINE,
        DEUCES,
        {
            "coins": bet.details.coins,
            "coin": format_amount(bet.details.coin),
            "deal": list(dealt.cards),
            "hold": list(held),
            "draw": fresh,
        },
    )

    assert (list(dealt.proposed_hold), final.category.value, format_amount(won)) == (
        told["proposed_hold"],
        told["category"],
        told["credited"],
    )


def _assert_chain_quoted(history, in_play):
    wins = of(history, WinHeld)
    resolved = of(history, DoubleUpResolved)
    if not wins:
        assert [] == resolved
        return
    staked = of(history, DoubleUpStaked)[: len(resolved)]
    pairs = zip(drawn(history, DeucesShown), drawn(history, DeucesFour), strict=False)
    steps = [
        {"half": e.half, "shown": shown.card, "picked": four.cards[four.picked - 1]}
        for e, (shown, four) in zip(staked, pairs, strict=True)
    ]
    win = format_amount(sum(e.winnings + e.stake_returned for e in wins))

    told = quote(ENGINE, DEUCES, {"win": win, "double_ups": steps})

    assert [(e.outcome, format_amount(e.at_risk)) for e in resolved] == [
        (step["outcome"], step["at_risk"]) for step in told["double_ups"]
    ]
    assert [format_amount(e.kept) for e in staked] == [s["kept"] for s in told["double_ups"]]
    collected = sum(e.amount for e in of(history, WinCollected))
    on_offer = sum(r.win + r.at_risk for r in in_play if r.round == history[0].round)
    assert format_amount(collected if of(history, RoundSettled) else on_offer) == told["credited"]
