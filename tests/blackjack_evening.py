"""Evenings at a table of Live Blackjack: whatever may be done is done, as the dice say."""

import random
from datetime import timedelta

from ledger.domain import commands as cmd, events as ev
from ledger.domain.decider import Turn
from ledger.domain.ids import table_stream
from tests.audit_rounds import rounds_of, stored
from tests.blackjack_pit import ENGINE, SHEET, TABLE, BlackjackPit
from tests.scenes import uid

READ = ENGINE.read_sheet(SHEET.text)
TELLING = [f"{rank}{suit}" for rank in "AA88TK56" for suit in "cdhs"]
"""Cards of which Blackjacks, pairs and insurances come often."""


class Evening:
    """Three players who bet, choose, let time pass and are cut off; drawn and told cards."""

    BETS = ("10.00", "10.01", "7.77", "0.01", "25.00")

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.pit = BlackjackPit(3)
        self.pit.book._entropy = self.dice.randbytes

    def play(self, rounds):
        """So many rounds of the table; every event of all its streams."""
        for _ in range(rounds):
            if self.pit.at(cmd.OpenTableRound).refusal is not None:
                break
            self._bet()
            self.pit.at(cmd.CloseBets)
            self._shuffle()
            self._deal()
            if self.pit.table.round is not None:
                self.pit.settle()
            self.pit.now += timedelta(seconds=30)
        return [e for e in self.pit.book.entries if e.stream.startswith(("session:", "table:"))]

    def _bet(self):
        for number in self.dice.sample((1, 2, 3), self.dice.randint(1, 3)):
            opened = self.pit.bet(number, self.dice.choice(self.BETS))
            if self.dice.random() < 0.1:
                refund = {"placed_by": opened.command, "reason": "a mistake"}
                self.pit.send(cmd.RefundBets, session=uid(number), **refund)

    def _shuffle(self):
        shoe = self.pit.table.shoe
        if shoe is None or self.dice.random() < 0.3:
            self.dice.choice([lambda: self.pit.at(cmd.ShuffleShoe), self.pit.shuffle])()

    def _deal(self):
        """Cards and turns until the outcome, or until the round is void."""
        while (played := self.pit.table.round) is not None and played.phase != "told":
            due = None if played.dealing is None else ENGINE.following(READ, played.dealing)
            if self.dice.random() < 0.004:
                how = self.dice.choice(["at-once", "next-round"])
                self.pit.at(cmd.VoidTableRound, reason="the camera failed", refund=how)
            elif isinstance(due, Turn):
                self._act(due)
            elif self._card().refusal is not None:
                self.pit.at(cmd.VoidTableRound, reason="nobody has bet", refund="at-once")

    def _act(self, turn):
        action = self.dice.choice([*turn.actions, *turn.actions[2:] * 2])
        late = self.dice.random() < 0.1
        if late or self.pit.act(action, turn.seat).refusal is not None:
            self.pit.now += timedelta(seconds=READ.act_seconds)
            assert self.pit.at(cmd.PassTurn).refusal is None

    def _card(self):
        if self.dice.random() < 0.5:
            return self.pit.hear(self.dice.choice(TELLING))
        return self.pit.at(cmd.DealCard)


def shoes_of(entries):
    """All that lies on record of a table's shoes and of what was dealt from them, in order."""
    return stored([entry for entry in entries if _is_of_a_shoe(entry)])


def _is_of_a_shoe(entry):
    """A shuffle, an event of a table's round, or what a box is told before the end."""
    told = hasattr(entry.event, "round") or isinstance(entry.event, ev.ShoeShuffled)
    is_own = entry.stream == table_stream(TABLE) and told
    return is_own or isinstance(entry.event, ev.BoxDecided)


def blackjack(seed, count):
    """Boxes' rounds of so many rounds of tables, the tables' own with their shoes; the sheet."""
    evenings = [Evening(seed + number).play(12) for number in range(count // 12)]
    return SHEET.text, [told for entries in evenings for told in told_of(entries)]


def told_of(entries):
    """What the second method judges of a table: each box's round, and all that was dealt."""
    sessions = [e for e in entries if e.stream.startswith("session:")]
    return [*rounds_of(sessions), shoes_of(entries)]
