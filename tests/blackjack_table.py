"""A table to try Live Blackjack at: its rules, rounds dealt card by card, and what they bring."""

from games.blackjack.engine import BlackjackEngine
from games.blackjack.quote import quote
from games.blackjack.round import Action, Dealt, DealTo, Took, begin, evolve
from games.blackjack.settle import settle
from games.blackjack.sheet import read_sheet
from games.blackjack.turns import Turn, following, refusal_of
from games.sheets import packaged

ENGINE = BlackjackEngine()

(FILE,) = packaged("games.blackjack")
SHEET = read_sheet(FILE.text)
RULES = SHEET.rules


def ask(boxes, shoe, text=FILE.text, **more):
    """What the game's quote answers to boxes and to cards, which are written as text."""
    return quote(ENGINE, text, {"boxes": boxes, "shoe": shoe.split()} | more)


def code_of(boxes, shoe="", **more):
    """The code with which a round is refused."""
    answer = ask(boxes, shoe, **more)
    assert {"accepted", "refusal"} == set(answer)
    assert answer["accepted"] is False
    return answer["refusal"]["code"]


def box(*actions, bet="10.00", **chosen):
    """A box of a document; a bet of 10.00 unless told."""
    return {"bet": bet, "actions": list(actions)} | chosen


def dealt(played, cards, rules=RULES):
    """A round after the cards of a list, each of which must belong somewhere."""
    for card in cards.split():
        to = following(rules, played)
        assert isinstance(to, DealTo), f"{card} came while the round waits for {to}"
        played = evolve(played, Dealt(card, to))
    return played


def took(played, *actions, rules=RULES):
    """A round after actions of whoever is in turn; cards are written between them as text."""
    for action in actions:
        if action not in tuple(Action):
            played = dealt(played, action, rules)
            continue
        turn = following(rules, played)
        assert isinstance(turn, Turn)
        assert refusal_of(rules, played, turn.box, Action(action)) is None
        played = evolve(played, Took(turn.box, turn.hand, Action(action)))
    return played


def table(cards, *bets, rules=RULES):
    """A round of so many boxes from seat 1 with its first cards; 10.00 on each unless told."""
    return dealt(begin(dict(enumerate(bets or (1000,), 1))), cards, rules)


def brought(played, rules=RULES):
    """What is decided: box, hand, kind of bet, outcome, stake and what was credited."""
    return [
        (s.bet.box, s.bet.hand, s.bet.kind.value, s.outcome.value, s.bet.amount, s.payout.credited)
        for s in settle(rules, played)
    ]
