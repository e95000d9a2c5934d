"""The second method of Live Blackjack: rounds by hand are right, a faulty engine is found."""

import copy

import pytest

from games.blackjack import deal, settle, shoe, turns
from games.blackjack.round import Action
from games.blackjack.settle import Kind, Outcome
from games.draws import Mapped
from ledger.domain import commands as cmd
from tests.audit_rounds import audit, rounds_of
from tests.blackjack_evening import told_of
from tests.blackjack_pit import SHEET, BlackjackPit

ACTIONS = {action.value for action in Action}


def told(*script, bets=("10.00",), drawn=0):
    """A round of boxes from seat 1: cards as text, and actions of whoever is in turn, by seat."""
    pit = BlackjackPit(len(bets))
    pit.begin(*bets)
    for line in script:
        seat, _, action = line.partition(" ")
        if action in ACTIONS:
            answer = pit.act(action, int(seat))
            assert answer.refusal is None, (line, answer.message)
        else:
            pit.deal(line)
    for _ in range(drawn):
        pit.pool = [bytes([0, 7] * 16)]
        pit.at(cmd.DealCard)
    if pit.table.round.phase == "told":
        pit.settle()
    return [e for e in pit.book.entries if e.stream.startswith(("session:", "table:"))]


def found(entries):
    """What the audit finds in the rounds of the boxes and in the deal."""
    return [each for events in told_of(entries) for each in audit(SHEET.text, events)]


def figures(entries):
    """By the order of the boxes: staked, winnings and stakes returned, as settled."""
    ends = [events[-1]["event"] for events in told_of(entries)[:-1]]
    return [(e["staked"], e["winnings"], e["stake_returned"]) for e in ends]


BLACKJACK_AT_ONCE = ("Ac 5d Kd",)
INSURED = ("8h Ac 9d", "1 insurance", "1 stand", "Kc")
SPLIT_TAKEN = ("8h Ac 8d", "1 split", "Tc 9d", "1 stand", "1 stand", "Kc")
SOFT_17 = ("Th 6c 9d", "1 stand", "Ad")
EVEN_MONEY = ("Ac Ad Kd", "1 even-money")
PUSHED = ("Ac Td Kd", "As")
DOUBLED = ("6c 6d 5c", "1 double", "Th", "Ts 9s")
ACES = ("Ac 6d As", "1 split", "Kc 5c", "Td Ks")
BUST_INSURED = ("Th Ac 6d", "1 insurance", "1 hit", "9c", "Qc")
SPLIT_TO_11 = ("8h 5c 8d", "1 split", "3c Td")
BUST = ("Th Tc 6d", "1 hit", "9c")


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (BLACKJACK_AT_ONCE, (1000, 1500, 1000)),
        (INSURED, (1500, 1000, 500)),
        (SPLIT_TAKEN, (2000, 0, 0)),
        (SOFT_17, (1000, 1000, 1000)),
        (EVEN_MONEY, (1000, 1000, 1000)),
        (PUSHED, (1000, 0, 1000)),
        (DOUBLED, (2000, 2000, 2000)),
        (ACES, (2000, 2000, 2000)),
        (BUST_INSURED, (1500, 1000, 500)),
        (BUST, (1000, 0, 0)),
    ],
)
def test_a_round_worked_by_hand_is_right_by_the_second_method(script, expected):
    """Given ten rounds with 10.00 on the box, then they pay as by hand and nothing is found."""
    entries = told(*script)

    assert [expected] == figures(entries)
    assert [] == found(entries)


def test_c2_half_a_cent_of_a_blackjack_is_the_players_and_half_a_cent_of_insurance_is_not_staked():
    """Given 10.01 on two boxes, then 3 to 2 wins 15.02, and half of it insures as 5.00."""
    blackjack = told(*BLACKJACK_AT_ONCE, bets=("10.01",))
    insured = told(*INSURED, bets=("10.01",))

    assert [(1001, 1502, 1001), (1501, 1000, 500)] == [*figures(blackjack), *figures(insured)]
    assert [] == [*found(blackjack), *found(insured)]


def test_a_round_of_a_table_is_right_alone_where_its_shoe_is_not_known():
    """Given a table's round without its shuffle, then steps, places and outcome are still held."""
    entries = told(*DOUBLED)
    (alone,) = [e for e in rounds_of(entries) if e[0]["name"] == "table-round-opened"]
    forged = copy.deepcopy(alone)
    outcome = next(e for e in forged if e["name"] == "outcome-recorded")
    outcome["event"]["details"]["dealer"] = ["6d", "Ts", "8s"]

    assert [] == audit(SHEET.text, alone)
    assert ["event 11, outcome-recorded: the outcome is not what the cards make"] == audit(
        SHEET.text, forged
    )


def test_s11_drawn_cards_are_counted_off_those_that_are_left():
    """Given the first card drawn from 00 07 and no other gone, then it is the eighth two of clubs.

    The next from 00 07 is then the first two of diamonds, for seven twos of clubs are left.
    """
    entries = told(drawn=2)
    cards = [e.event.details.card for e in entries if e.event.NAME == "card-dealt"]

    assert ["2c", "2d"] == cards
    assert [] == found(entries)


# --- engines with one rule wrong -----------------------------------------------------------------

outcome_of, stands, pays = settle._outcome, turns._dealer_stands, settle._pays


def natural_is_21(rules, bet, outcome):
    """A Blackjack pays as any hand does."""
    return pays(rules, bet, Outcome.WON if outcome is Outcome.BLACKJACK else outcome)


def three_to_one(rules, bet, outcome):
    """An insurance pays 3 to 1."""
    return 3 if bet.kind is Kind.INSURANCE else pays(rules, bet, outcome)


def after_split(rules, _, hand):
    """Hands of a split may be doubled."""
    return len(hand.cards) == 2 and turns.total(hand.cards) in rules.double_totals


def draws_on_soft_17(rules, cards):
    """The dealer takes a card on a soft 17."""
    return stands(rules, cards) and not (turns.total(cards) == 17 and turns.is_soft(cards))


def original_bets_only(played, box, bet, **known):
    """A Blackjack of the dealer takes the bet of the box, and no other."""
    outcome = outcome_of(played, box, bet, **known)
    is_more = bet.kind in {Kind.SPLIT, Kind.DOUBLE}
    natural = len(played.dealer) == 2 and turns.total(played.dealer) == 21
    return Outcome.PUSH if outcome is Outcome.LOST and natural and is_more else outcome


def always_drawn(*_):
    """The dealer draws though nothing is left to decide."""
    return True


def whole_shoe(decks, _):
    """Cards that are gone can be drawn again."""
    return shoe.shoe_of(decks, ())


def one_further(pool, faces):
    """The face after that which the entropy gives."""
    return Mapped((int.from_bytes(pool[:2], "big") + 1) % faces, pool[:2])


@pytest.mark.parametrize(
    ("module", "name", "fault", "play"),
    [
        (settle, "_pays", natural_is_21, lambda: told(*BLACKJACK_AT_ONCE)),
        (settle, "_pays", three_to_one, lambda: told(*INSURED)),
        (turns, "_doubles", after_split, lambda: told(*SPLIT_TO_11, "1 double")),
        (turns, "_dealer_stands", draws_on_soft_17, lambda: told(*SOFT_17, "5d Td")),
        (settle, "_outcome", original_bets_only, lambda: told(*SPLIT_TAKEN)),
        (turns, "_is_live", always_drawn, lambda: told(*BUST, "8d")),
        (deal, "shoe_left", whole_shoe, lambda: told(drawn=2)),
        (shoe, "uniform", one_further, lambda: told(drawn=2)),
    ],
)
def test_a_seeded_fault_of_the_engine_is_found(module, name, fault, play, monkeypatch):
    """Given an engine with one rule wrong, when it shows in a round, then the audit tells."""
    monkeypatch.setattr(module, name, fault)

    assert found(play())
