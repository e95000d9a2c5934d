"""The second method of each game: what was worked by hand is right, and a faulty engine is found.

The golden rounds are written out as events here from their answers, without any engine.
"""

import hashlib
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from games import cards, draws, registry
from games.auditing import AuditError, first_drawn, share
from games.deuces_wild import double_up, hand, round as deuces_round
from games.deuces_wild.hand import Category
from games.engine import LOST, Payout
from games.roulette import announced, laying, payouts, round as colpo
from games.roulette.auditing import colour
from games.roulette.fairplay import round as fairplay_round
from games.roulette.french import payments, positions, prison, round as french_round
from games.roulette.french.held_audit import chain
from ledger.domain import commands as cmd
from ledger.domain.money import half_up
from tests.audit_rounds import (
    Evening,
    Machine,
    alone,
    audit,
    fairplay,
    rounds_of,
)
from tests.fairplay_table import FAIRPLAY
from tests.french_pit import FrenchPit
from tests.french_table import FRENCH, MANUAL
from tests.roulette_table import CLASSIC, PREMIUM

GOLDEN = Path(__file__).parents[1] / "golden"
ROUND = "0b0e0000-0000-4000-8000-000000000001"


def golden_rounds(*names):
    """The golden rounds of these files."""
    lines = (line for n in names for line in (GOLDEN / f"{n}.jsonl").read_text().splitlines())
    return [json.loads(line) for line in lines]


def cents(text):
    """An amount of a document in minor units."""
    return int(text.replace(".", ""))


# --- rounds worked by hand -----------------------------------------------------------------------


class Written:
    """A round alone at roulette as it would be stored, written from what a golden round tells."""

    def __init__(self, golden):
        self.text = next(s.text for s in registry.PACKAGED if s.sheet == golden["sheet"])
        sheet = json.loads(self.text)
        self.game, _, _ = sheet["engine"].partition("/")
        ref = {"sheet": sheet["sheet"], "version": 1, "hash": _hash(self.text)}
        self._common = {"round": ROUND, "game": self.game, "rules": ref}
        self._currency = {"currency": sheet["currency"]}
        self.events = []

    def add(self, name, *, money=True, **fields):
        """One more event."""
        currency = self._currency if money else {}
        self.events.append({"name": name, "event": self._common | currency | fields})

    def of(self, document, rows):
        """Opening, bets, draw, payouts and end, by rows of kind, numbers, amount and credited."""
        self._open(document)
        for bet, row in enumerate(rows, 1):
            on_it = {"type": "roulette-bet", "kind": row["kind"], "numbers": row["numbers"]}
            self.add("bet-placed", bet=bet, amount=cents(row["amount"]), details=on_it)
        self._draw(document)
        won = {bet: row for bet, row in enumerate(rows, 1) if cents(row["credited"])}
        for bet, row in won.items():
            stake = cents(row["amount"])
            winnings = cents(row["credited"]) - stake
            self.add("payout-credited", bet=bet, winnings=winnings, stake_returned=stake)
        staked = sum(cents(row["amount"]) for row in rows)
        returned = sum(cents(row["amount"]) for row in won.values())
        credited = sum(cents(row["credited"]) for row in rows)
        back = {"winnings": credited - returned, "stake_returned": returned, "refunded": 0}
        lost = {"stakes_lost": staked - returned, "bets": len(rows)}
        self.add("round-settled", staked=staked, **back, **lost)
        return self

    def _open(self, document):
        kind = "fairplay-bets" if self.game == "roulette-fairplay" else "roulette-bets"
        lines = [
            {**line, **{k: cents(line[k]) for k in ("amount", "chip") if k in line}}
            for line in document["bets"]
        ]
        held = {"account": document["account"]} if "account" in document else {}
        if "limits" in document:
            held["own_limits"] = json.dumps(document["limits"])
        if "offset" in document:
            held["series"] = {"place": 1, "offset": document["offset"], "client": "2D"}
        self.add("round-opened", move={"type": kind, "lines": lines}, **held)

    def _draw(self, document):
        offset = document.get("offset", 0)
        number = document.get("series_number", document.get("outcome"))
        pocket = (number + offset) % 37
        told = {"type": "wheel-outcome", "pocket": pocket, "colour": colour(pocket)}
        if self.game == "roulette-fairplay":
            told |= {"type": "fairplay-outcome", "number": number, "offset": offset}
        entropy = f"{number:02x}"
        self.add("draw-recorded", money=False, entropy=entropy, shown=str(pocket), details=told)


def _hash(text):
    return hashlib.sha256(text.encode()).hexdigest()


ALONE = golden_rounds("european-roulette", "roulette-fairplay")
"""Golden rounds that one player plays alone; only `quote` knows a divided stake."""

ACCEPTED = [g for g in ALONE if "answer" in g and "stake" not in str(g["document"])]
SENTENCES = {
    "not-a-sum-of-chips": "no chips make",
    "illegal-placement": "is offered",
    "placement-not-offered": "is offered",
    "no-bet": "a round needs a bet",
    "position-above-maximum": "may lie there",
    "position-below-minimum": "must lie there",
    "group-above-maximum": "the group inside",
    "group-below-minimum": "the group inside",
    "unknown-account": "what follows cannot be told: KeyError",
    "own-limits-not-offered": "no limits of its own",
}
"""What an audit says of a round that should have been refused with a code."""

REFUSED = [g for g in ALONE if g.get("refusal") in SENTENCES]


def whys(golden):
    """What golden rounds show, as names of tests."""
    return [g["why"] for g in golden]


@pytest.mark.parametrize("golden", ACCEPTED, ids=whys(ACCEPTED))
def test_g8_a_golden_round_follows_by_the_second_method(golden):
    """Given a round written from its answer, then nothing is found; with a cent more, it is."""
    written = Written(golden).of(golden["document"], golden["answer"]["bets"])
    wrong = [*written.events[:-1], _with_more(written.events[-1], "winnings")]

    assert [] == audit(written.text, written.events)
    assert 1 == len(audit(written.text, wrong))


def _with_more(event, field):
    return {**event, "event": {**event["event"], field: event["event"][field] + 1}}


@pytest.mark.parametrize("golden", REFUSED, ids=whys(REFUSED))
def test_g8_a_round_that_the_sheet_refuses_is_found_by_its_own_sentence(golden):
    """Given a round on record that should have been refused, then the audit says why."""
    document = golden["document"]
    rows = [_laid_as_told(line) for line in document["bets"]]
    written = Written(golden).of(document, rows)

    found = audit(written.text, written.events)

    assert any(SENTENCES[golden["refusal"]] in sentence for sentence in found), found


def _laid_as_told(line):
    numbers = sorted(line.get("numbers", [17]))
    amount = line.get("amount", line.get("chip"))
    return {"kind": "straight", "numbers": numbers, "amount": amount, "credited": "0.00"}


FRENCH_ROUNDS = [g for g in golden_rounds("french-roulette") if "bets" in g["document"]]


@pytest.mark.parametrize("golden", FRENCH_ROUNDS, ids=whys(FRENCH_ROUNDS))
def test_g8_a_golden_round_of_a_table_follows_by_the_second_method(golden):
    """Given it played at a table, then what was credited is the answer's, and nothing is found."""
    document, pit = golden["document"], FrenchPit()
    pit.begin()
    leave = "maria" if document.get("force") else None
    answer = pit.bet(*document["bets"], leave=leave)
    if "refusal" in golden:
        assert golden["refusal"] == answer.answered.refusal
        return
    pit.spin(document["outcome"])
    credited = [
        e.event.winnings + e.event.stake_returned
        for e in pit.book.entries
        if e.event.NAME == "payout-credited"
    ]

    assert cents(golden["answer"]["credited"]) == sum(credited)
    assert [] == [
        found for events in rounds_of(pit.book.entries) for found in audit(FRENCH, events)
    ]


FRENCH_PRISONS = [
    (g["why"], asked, told, g["document"].get("outcome"))
    for g in golden_rounds("french-roulette")
    if "prison" in g["document"]
    for asked, told in zip(g["document"]["prison"], g["answer"]["prison"], strict=True)
]


@pytest.mark.parametrize(("why", "asked", "told", "outcome"), FRENCH_PRISONS)
def test_fr1_a_golden_prisoner_follows_by_the_second_method(why, asked, told, outcome):
    """Given a stake at its level, when its player chooses and a number comes, then as answered."""
    pit = FrenchPit()
    pit.at(cmd.SetTableLimits, limits='{"max":"100.00","min":"0.01"}', chief="maria")
    round_id = pit.imprisoned(cents(asked["amount"]), asked["chance"])
    for _ in range(asked["level"] - 1):
        pit.begin()
        pit.spin(0)
    if asked["choice"] != "leave":
        to = {"to": asked["to"]} if "to" in asked else {}
        pit.move(round_id, prison=[{"bet": 1, "choice": asked["choice"], **to}])
    if outcome is not None:
        pit.begin()
        pit.spin(outcome)
    (events,) = [r for r in rounds_of(pit.book.entries) if r[0]["name"] == "round-opened"]
    released = [e["event"] for e in events if e["name"] == "prisoner-released"]

    assert [] == audit(FRENCH, events), why
    assert [(cents(told["credited"]), cents(told["to_bank"]))] * (told["level"] == 0) == [
        (e["returned"], e["to_bank"]) for e in released
    ]


# --- engines with a fault ------------------------------------------------------------------------


def zero_is_even(bet, pays, amount, pocket):
    """Zero pays whoever bet on even (fault S7)."""
    wins = pocket in bet.numbers or (pocket == 0 and bet.kind == "even")
    return Payout(amount * pays, amount) if wins else LOST


def a_straight_at_34(bet, pays, amount, pocket):
    """One stake less for a straight."""
    return payouts.payout(bet, pays - (bet.kind == "straight"), amount, pocket)


def by_remainder(pool, n):
    """The remainder of whatever byte comes (fault S11)."""
    return draws.Mapped(pool[0] % n, pool[:1])


def one_chip_each(parts, chip):
    """Every part of an announced bet gets one chip, voisins' street and corner too."""
    return announced.expand(tuple(announced.Part(part.bet, 1) for part in parts), chip)


def half_back(pays, position, pocket):
    """Half of a simple chance goes back on every loss, and nothing is imprisoned."""
    settled = positions.settle(pays, position, pocket)
    if settled.payout.credited or len(position.bet.numbers) != 18:
        return settled
    half = Payout(0, position.counted // 2)
    return positions.Settled(position, positions.Outcome.LOST, half)


def free_at_once(terms, prisoner, pocket):
    """A win frees a prisoner from any level."""
    fate = prison.spin(terms, prisoner, pocket)
    if fate.result != prison.Result.STEPPED_BACK:
        return fate
    return prison.Fate(prison.Result.FREED, None, prisoner.stake, 0)


def down(exact):
    """What is left of a fraction falls to the bank."""
    return exact.numerator // exact.denominator


def smallest_first(payment, pocket, dues):
    """Who should be paid last is paid first."""
    return IN_ORDER(payment, pocket, dues)[::-1]


IN_ORDER, RISK, JUDGE = payments.in_order, double_up.risk, double_up.judge
AROUND, NOT_OFFERED = laying.around, double_up.not_offered


def as_if_at_once(view, table, bet, brought):
    """A stake that may play on is held with its winnings."""
    return PAID(view, table, bet, brought).model_copy(
        update={"stake_returned": brought.stake_returned}
    )


def none_plays_on(view):
    """Every stake is set aside when the table's next round begins."""
    joined = view.history[-1].model_copy(update={"plays_on": False})
    return LEFT(replace(view, history=(*view.history[:-1], joined)))


PAID, LEFT = french_round.paid, french_round.left


def backwards(number, offset):
    """The offset is taken off."""
    return SHIFTED(number, -offset % 37).model_copy(update={"offset": offset})


SHIFTED = fairplay_round.shifted


def royal_is_royal(five):
    """A wild royal is paid as a natural one (fault S15)."""
    made = hand.category(five)
    return Category.NATURAL_ROYAL if made is Category.WILD_ROYAL else made


def half_rounded_up(win, *, half):
    """The larger half of an odd win is at risk."""
    return double_up.Risk(win - win // 2, win // 2) if half else RISK(win, half=half)


def deuce_is_low(sheet, shown, picked):
    """The deuce loses to every card."""
    return "lost" if picked[0] == "2" != shown[0] else JUDGE(sheet, shown, picked)


def equal_loses(sheet, shown, picked):
    """The house takes a push."""
    told = JUDGE(sheet, shown, picked)
    return "lost" if told == "pushed" else told


def from_the_bottom(pool, gone, count):
    """A draw counts the deck from its last card."""
    left = [card for card in reversed(cards.DECK) if card not in gone]
    found, used = [], 0
    for _ in range(count):
        mapped = draws.uniform(pool[used:], len(left))
        if mapped is None:
            return None
        found.append(left.pop(mapped.value))
        used += len(mapped.used)
    return cards.Dealt(tuple(found), pool[:used])


def without_end(sheet, win, already, *, half):
    """The count of double-ups is never full."""
    return NOT_OFFERED(sheet, win, min(already, 1), half=half)


def classic(amounts=("0.25", "1.50"), text=CLASSIC):
    """Rounds alone at a European table."""
    parlour = alone(text, 7, 150, amounts)
    return parlour.text, parlour.rounds()


def series(count=80):
    """Rounds by account type."""
    return FAIRPLAY, fairplay(7, count)


def evenings(count=6):
    """Rounds at the table."""
    return FRENCH, [r for seed in range(count) for r in rounds_of(Evening(seed).play(10))]


def collecting(count=6):
    """The same where winnings are collected by their players."""
    return MANUAL, [r for seed in range(count) for r in rounds_of(Evening(seed, MANUAL).play(10))]


def hands(count=150):
    """Hands with their double-ups."""
    parlour = Machine(7).play(count)
    return parlour.text, parlour.rounds()


FAULTS = [
    (colpo, "payout", zero_is_even, classic),
    (colpo, "payout", a_straight_at_34, classic),
    (colpo, "uniform", by_remainder, classic),
    (laying, "expand", one_chip_each, classic),
    (colpo, "_chipless", lambda *_: None, lambda: classic(("0.50", "1.00"), PREMIUM)),
    (colpo, "payout", a_straight_at_34, series),
    (fairplay_round, "shifted", backwards, series),
    (fairplay_round, "beyond", lambda *_: [], series),
    (fairplay_round, "around", lambda n, _, place: AROUND(n, 1, place), series),
    (french_round, "settle", half_back, evenings),
    (french_round, "spin", free_at_once, evenings),
    (prison, "half_up", down, evenings),
    (french_round, "excess", lambda *_: {}, evenings),
    (french_round, "_beyond", lambda *_: [], evenings),
    (payments, "in_order", smallest_first, evenings),
    (french_round, "paid", as_if_at_once, collecting),
    (french_round, "left", none_plays_on, collecting),
    (deuces_round, "category", royal_is_royal, hands),
    (deuces_round, "proposed_hold", lambda _: (), hands),
    (double_up, "risk", half_rounded_up, hands),
    (double_up, "judge", deuce_is_low, hands),
    (double_up, "judge", equal_loses, hands),
    (double_up, "not_offered", without_end, hands),
    (cards, "deal", from_the_bottom, hands),
]


@pytest.mark.parametrize(("module", "name", "fault", "play"), FAULTS)
def test_a_seeded_fault_of_an_engine_is_found(module, name, fault, play, monkeypatch):
    """Given an engine with one rule wrong, when it plays, then the audit finds rounds of it."""
    monkeypatch.setattr(module, name, fault)

    text, rounds = play()

    assert any(audit(text, events) for events in rounds)


# --- what an audit is ----------------------------------------------------------------------------


def test_every_engine_of_a_packaged_sheet_has_an_audit():
    """Given all sheets, then a second method settles the rounds of each."""
    assert {sheet.engine for sheet in registry.PACKAGED} == set(registry.AUDITS)


def test_s11_entropy_is_mapped_as_documented_from_one_to_300_faces():
    """Given each raw value, then as many show each face; the rest show nothing and the next does.

    Counted for one byte up to 256 faces, and for two bytes beyond.
    """
    for count in (1, 2, 37, 52, 255, 256, 300):
        width = 1 if count <= 256 else 2
        raws = [raw.to_bytes(width, "big") for raw in range(256**width)]
        faces = [first_drawn(raw + bytes(width), count) for raw in raws]
        shown = [face for face, left in faces if left]

        assert {len(raws) // count} == {shown.count(face) for face in range(count)}
        assert len(raws) % count == len(faces) - len(shown)
        assert list(range(count)) == shown[:count]


def test_entropy_that_ends_before_an_outcome_is_an_error():
    """Given 222 and more, which are no six turns of a wheel, then nothing is decided."""
    with pytest.raises(AuditError, match="ends before"):
        first_drawn(bytes([222, 255]), 37)


@pytest.mark.parametrize(
    "events",
    [
        [],
        [{"name": "bet-placed", "event": {}}],
        [{"event": {}}],
        [{"name": "round-opened", "event": []}],
        [{"name": "round-opened", "event": {"round": 1.5}}],
        [{"name": "round-opened", "event": {"round": "x", "move": None}}],
    ],
)
@pytest.mark.parametrize("sheet", registry.PACKAGED, ids=lambda sheet: sheet.sheet)
def test_what_cannot_be_read_is_a_sentence_and_no_error(sheet, events):
    """Given events that are no round, then each audit says so."""
    assert [str] == [type(told) for told in audit(sheet.text, events)[:1]]


def test_a_round_under_another_sheet_is_found():
    """Given a round of the Classic family, when Premium's sheet is held against it, then found."""
    parlour = alone(CLASSIC, 1, 1, ["1.00"])
    (events,) = parlour.rounds()

    found = audit(PREMIUM, events)

    assert any("rules is" in sentence for sentence in found)


def test_half_up_agrees_with_the_share_of_the_french_audit():
    """Given stakes up to 10.00 and each share of the prison, then the same cents."""
    ratios = ("1/2", "1/4", "1/8", "1/16")
    stakes = range(1, 1_001)

    assert [half_up(Fraction(r) * s) for r in ratios for s in stakes] == [
        share(s, r) for r in ratios for s in stakes
    ]


def test_fr1_the_chain_of_the_prison_is_the_printed_one():
    """Given three levels, then each number leads where the rules say."""
    expected = {
        (1, "zero"): 2,
        (2, "zero"): 3,
        (3, "zero"): "divided",
        (1, "won"): "freed",
        (2, "won"): 1,
        (3, "won"): 2,
        (1, "lost"): "lost",
        (2, "lost"): "lost",
        (3, "lost"): "lost",
    }

    assert expected == chain(3)
