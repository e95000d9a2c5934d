"""Rounds to audit: books in memory are played at random from a seed, and read back as stored."""

import random
from dataclasses import replace
from datetime import timedelta

import orjson

from games import registry
from games.roulette.bets import Spin
from games.roulette.fairplay.bets import FairPlaySpin
from games.roulette.layout import PLACEMENTS
from ledger.domain import commands as cmd, events as ev
from ledger.domain.events import make_entry
from ledger.domain.ids import session_stream
from ledger.domain.money import Currency
from ledger.domain.refusals import Refusal
from ledger.store.codec import Codec
from tests.deuces_table import DEUCES, TRIPLE, entropy
from tests.fairplay_table import FAIRPLAY, opened
from tests.french_pit import FrenchPit, read
from tests.french_table import FRENCH
from tests.given import NOON
from tests.memory_book import MemoryBook
from tests.scenes import ANNA, money, uid

CODEC = Codec(registry.DETAILS)
CHANCES = ("red", "black", "even", "odd", "low", "high")
POSTA = 10_000_000


def stored(entries):
    """Entries as an audit has them: what is stored, decoded, with the name on disk."""
    rows = [CODEC.encode(entry) for entry in entries]
    return [{"name": row.topic, **orjson.loads(row.state)} for row in rows]


def rounds_of(entries):
    """The events of each round, in order: of the sessions' rounds and of the tables' own."""
    rounds = {}
    for entry in entries:
        round_id = getattr(entry.event, "round", None)
        if round_id is not None and not isinstance(entry.event, ev.NumberTaken):
            rounds.setdefault((entry.stream, round_id), []).append(entry)
    return [stored(found) for found in rounds.values()]


def audit(text, events):
    """What the audit of the sheet's game finds in a round."""
    return registry.AUDITS[orjson.loads(text)["engine"]](text.encode(), events)


class Parlour:
    """Anna plays alone at a sheet, with ten million minor units in her posta."""

    def __init__(self, text, draws):
        head = orjson.loads(text)
        head["session"]["posta_max"] = POSTA
        self.text = orjson.dumps(head, option=orjson.OPT_SORT_KEYS).decode()
        self.engine = registry.ENGINES[head["engine"]]
        self.book = MemoryBook(registry.ENGINES, draws)
        self._number = 1_000
        sheet, currency = head["sheet"], Currency(head["currency"])
        cash = money(POSTA, currency)
        told = {"sheet": sheet, "sheet_version": head["version"], "in_force_from": NOON}
        self._do(cmd.OpenBook, book="contoposta", clock="simulated")
        self._do(cmd.PublishSheet, text=self.text, **told)
        self._do(cmd.OpenConto, player=ANNA, currency=currency, personal=())
        self._do(cmd.Deposit, player=ANNA, reference="first", channel="card", **cash)
        if sheet == "roulette-fairplay":
            self._do(cmd.SetAccountType, player=ANNA, account="VIP", reason="asked")
        asked = {"player": ANNA, "sheet": sheet, "channel": "web", **cash}
        right = self._do(cmd.RequestParticipation, session=uid(1), **asked).command
        proof = {"participation": right, "ticket": "T-1", "count": 1, "total": POSTA}
        self._do(cmd.ValidateParticipation, session=uid(1), **proof)

    def send(self, kind, **fields):
        """Send a command; its answer."""
        self._number += 1
        return self.book.handle(kind(id=uid(self._number), actor=ANNA, **fields), NOON)

    def _do(self, kind, **fields):
        answer = self.send(kind, **fields)
        assert answer.refusal is None, answer.message
        return answer

    def bet(self, document, kind=cmd.PlayRound):
        """Play a round, open it, or play it with demo chips; its answer."""
        move = self.engine.parse(document)
        assert not isinstance(move, Refusal), move
        return self.send(kind, session=uid(1), move=move)

    def void(self, round_id):
        """The house gives a round's bets back."""
        ref = cmd.RoundRef(session=uid(1), round=round_id)
        self._do(cmd.VoidRounds, rounds=(ref,), reason="the wheel did not stop")

    def spin(self, round_id):
        """Anna asks for the spin herself."""
        opening = next(e.event.move for e in self.book.entries if e.command == round_id)
        move = FairPlaySpin() if opening.type == "fairplay-bets" else Spin()
        self._do(cmd.ContinueRound, session=uid(1), round=round_id, move=move)

    def rounds(self):
        """Every round, as stored."""
        return rounds_of(e for e in self.book.entries if e.stream == session_stream(uid(1)))


def a_line(dice, amounts, names=("voisins", "serie", "orphelins")):
    """One bet in any of the ways that all roulette knows."""
    amount = dice.choice(amounts)
    numbers = list(dice.choice(PLACEMENTS).numbers)
    return dice.choice(
        [
            {"numbers": numbers, "amount": amount},
            {"numbers": numbers[::-1], "amount": amount},
            {"chance": dice.choice(CHANCES), "amount": amount},
            {"announced": dice.choice(names), "chip": amount},
        ]
    )


def lines(dice, amounts, most=5, **kinds):
    """A few bets."""
    return [a_line(dice, amounts, **kinds) for _ in range(dice.randint(1, most))]


def alone(text, seed, count, amounts):
    """So many rounds of roulette alone: played, opened and spun or void, and with demo chips."""
    dice = random.Random(seed)
    parlour = Parlour(text, dice.randbytes)
    for _ in range(count):
        document = {"bets": lines(dice, amounts)}
        kind = dice.choice([cmd.PlayRound] * 6 + [cmd.OpenRound] * 2 + [cmd.PlayDemo])
        answer = parlour.bet(document, kind)
        if kind is cmd.OpenRound and answer.refusal is None:
            dice.choice([parlour.void, parlour.spin])(answer.command)
    return parlour


def fairplay(seed, count, text=FAIRPLAY):
    """So many rounds by account type, each with a number of a series or a fresh one."""
    dice = random.Random(seed)
    engine = registry.ENGINES["roulette-fairplay/1"]
    found = []
    while len(found) < count:
        account, amounts = dice.choice(
            [
                ("LITE", ("1.00", "2.00")),
                ("RESPECT", ("5.00", "10.00")),
                ("VIP", ("20.00", "50.00")),
            ]
        )
        bets = lines(dice, amounts, names=("voisins", "serie", "orphelins", "zero-spiel"))
        bets += [{"neighbours": dice.randrange(37), "chip": amounts[0]}] * dice.randrange(2)
        own = OWN if account == "VIP" and dice.random() < 0.3 else None
        offset = dice.choice([None, 0, dice.randrange(37)])
        move = engine.parse({"bets": bets if dice.random() < 0.95 else []})
        view = opened(move, account, text, limits=own, offset=offset)
        placed = engine.decide(view, move, None)
        if isinstance(placed, tuple):
            view = replace(view, history=(*view.history, *placed))
            spun = engine.decide(view, engine.next_move(view), dice.randbytes(32))
            found.append(stored(entries_of((*view.history, *spun))))
    return found


def entries_of(events):
    """Events of a session as they would be recorded."""
    header = ev.Header(recorded=NOON, played=None, command=uid(7), actor=ANNA)
    stream = session_stream(uid(1))
    return [make_entry(stream, at, header, event) for at, event in enumerate(events, 1)]


OWN = {
    "positions": {"straight": {"min": "1.00", "max": "80.00"}},
    "groups": {"inside": {"min": "1.00", "max": "2000.00"}},
}
"""What a VIP has agreed with the house."""


class Machine:
    """Anna at Deuces Wild, who holds and doubles up as the dice say; draws are lucky at times."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.parlour = Parlour(DEUCES, self._entropy)

    def _entropy(self, size):
        lucky = self.dice.choice([b"", b"", entropy(TRIPLE), entropy(["2c", "2d", "2h", "2s"])])
        return (lucky + self.dice.randbytes(size))[:size]

    def play(self, hands):
        """So many hands, by moves or by the rules alone, with demo chips, or void; the machine."""
        for _ in range(hands):
            coins, coin = self.dice.randint(1, 5), self.dice.choice(["0.10", "0.25", "5.00"])
            kind = self.dice.choice([cmd.OpenRound] * 8 + [cmd.PlayRound, cmd.PlayDemo])
            answer = self.parlour.bet({"coins": coins, "coin": coin}, kind)
            assert answer.refusal is None, answer.message
            if kind is cmd.OpenRound:
                self._hand(answer.command)
        return self.parlour

    def _hand(self, round_id):
        if self.dice.random() < 0.05:
            self.parlour.void(round_id)
        while rounds := self.parlour.book.state(session_stream(uid(1))).rounds:
            document = self.dice.choice(_in_turn(rounds[0], self.dice))
            move = self.parlour.engine.parse(document)
            self.parlour.send(cmd.ContinueRound, session=uid(1), round=round_id, move=move)


def _in_turn(played, dice):
    """What may be done now."""
    if played.at_risk:
        return [{"pick": number} for number in (1, 2, 3, 4)]
    if played.win:
        return [{"double_up": {"half": half}} for half in (False, True)] * 3 + [{"collect": True}]
    return [{"hold": hold} for hold in ([1, 2, 3], dice.sample(range(1, 6), dice.randrange(6)))]


class Evening:
    """Two players at a table of French roulette, who do whatever may be done."""

    WORTH = ("1.00", "2.50", "5.00", "0.75")
    CALLS = ("voisins", "serie", "orphelins", "nassa", "zero-spiel")

    def __init__(self, seed, text=FRENCH):
        self.dice = random.Random(seed)
        self.pit = FrenchPit(text)
        self.pit.book._entropy = self.dice.randbytes
        self.open = {}

    def play(self, rounds):
        """So many rounds of the table; every event of all its streams."""
        for _ in range(rounds):
            self._dispose()
            self._limit()
            self.pit.begin()
            self.open = {n: r.round for n in (1, 2) for r in self._rounds(n) if r.at_stake}
            for _ in range(self.dice.randint(1, 4)):
                self._bet(self.dice.choice([1, 2]))
            self._dispose()
            self._end()
        self._vanish()
        return [e for e in self.pit.book.entries if e.stream.startswith(("session:", "table:"))]

    def _vanish(self):
        """Both are cut off and do not come back: what is in prison is withdrawn by the rules."""
        for number in (1, 2):
            self.pit.send(cmd.DisconnectSession, session=uid(number), at=self.pit.now)
        self.pit.now += timedelta(minutes=20)
        for number in (1, 2):
            self.pit.do(cmd.ExpireSession, session=uid(number))

    def _limit(self):
        least, most = self.dice.choice([("1.00", "100.00"), ("0.50", "8.00"), ("1.00", "30.00")])
        text = f'{{"max":"{most}","min":"{least}"}}'
        self.pit.at(cmd.SetTableLimits, limits=text, chief="maria")

    def _line(self):
        worth = self.dice.choice(self.WORTH)
        calls = (
            {"announced": "sector", "number": self.dice.randrange(37), "chip": worth},
            {
                "announced": "final",
                "digits": self.dice.choice([[7], [8, 9], [3, 6]]),
                "chip": worth,
            },
            {"announced": "nassa", "chip": "1.00", "declared": "5.00", "repeated_by": "carlo"},
        )
        even = {"chance": self.dice.choice(CHANCES), "amount": worth}
        return self.dice.choice([*calls, even, even, a_line(self.dice, self.WORTH, self.CALLS)])

    def _bet(self, number):
        leave = self.dice.choice([None, None, None, "maria"])
        bets = [self._line() for _ in range(self.dice.randint(1, 3))]
        document = {"bets": bets} if self.dice.random() < 0.9 else self._replay()
        if number not in self.open:
            opened = self.pit.send(
                cmd.OpenRound, session=uid(number), move=read(document), leave=leave
            )
            if opened.refusal is None:
                self.open[number] = opened.command
            return
        if self.dice.random() < 0.4:
            gone = self._lying(number)
            document = {"withdraw": self.dice.sample(gone, min(len(gone), 2)), **document}
            document = {"withdraw": gone} if self.dice.random() < 0.2 else document
            document = document if set(document) <= {"bets", "withdraw"} else {"withdraw": gone[:1]}
        moved = self.pit.move(self.open[number], number, leave, **document)
        if moved.refusal is None and self.dice.random() < 0.15:
            self.pit.send(
                cmd.RefundBets, session=uid(number), placed_by=moved.command, reason="a mistake"
            )
        self._forget()

    def _replay(self):
        name, pocket, how = self.dice.choice(
            [("serie", 5, "whole"), ("voisins", 0, "whole"), ("orphelins", 17, "complete")]
        )
        return {"announced": name, "chip": "1.00", "outcome": pocket, "replay": how}

    def _lying(self, number):
        played = self._in_play(number, self.open[number])
        return [s.bet for s in played.stakes if s.held] if played else []

    def _in_play(self, number, round_id):
        return next((r for r in self._rounds(number) if r.round == round_id), None)

    def _rounds(self, number):
        return getattr(self.pit.session(number), "rounds", ())

    def _forget(self):
        self.open = {n: r for n, r in self.open.items() if self._in_play(n, r)}

    def _dispose(self):
        """What is in prison is withdrawn, left or moved, and what is held is collected."""
        for number in (1, 2):
            for played in self._rounds(number):
                if played.win and self.dice.random() < 0.2:
                    self.pit.move(played.round, number, collect=True)
                held = [s.bet for s in played.stakes if s.imprisoned]
                if held and self.dice.random() < 0.4:
                    choices = [self._choice(b) for b in held[: self.dice.randint(1, 2)]]
                    self.pit.move(played.round, number, prison=choices)

    def _choice(self, bet):
        how = self.dice.choice(["withdraw", "leave", "move"])
        return {"bet": bet, "choice": how} | (
            {"to": self.dice.choice(CHANCES)} if how == "move" else {}
        )

    def _end(self):
        """The number comes, zero more often than by right; or the round is void."""
        pit, luck = self.pit, self.dice.random()
        if luck < 0.06:
            pit.at(cmd.VoidTableRound, reason="the ball jumped", refund="at-once")
        elif luck < 0.2:
            pit.at(cmd.CloseBets)
            pit.at(cmd.DrawOutcome)
            pit.at(cmd.SettleTableRound)
        else:
            pit.spin(0 if luck < 0.5 else self.dice.randrange(37))
        self.open = {}
