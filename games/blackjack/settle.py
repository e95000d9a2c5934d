"""What each bet of a round brings, from the moment at which it is decided.

A Blackjack that the dealer cannot equal is paid as its box's turn comes, even money when it is
taken; a bust loses at once; all else is decided when the round is over. Winnings are rounded half
up to the minor unit, once for each bet (rulings C2). Source: Live Blackjack rules, "Regole con le
quali sono determinati i risultati" and "Vincite".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from games.blackjack.hand import (
    BLACKJACK,
    is_blackjack,
    is_bust,
    may_become_blackjack,
    total,
)
from games.blackjack.round import Box, Hand, Round
from games.blackjack.rules import Rules
from games.blackjack.turns import Over, first_cards, following, insurance_of, pending
from games.cards import Card
from games.engine import LOST, Payout
from ledger.domain.money import half_up

FIRST_HAND: Final = 1
EVENLY: Final = Fraction(1)
"""What other bets that win pay, and even money: 1 to 1."""


class Kind(StrEnum):
    """For what a bet of a box was placed; the names are on record."""

    MAIN = "main"
    """The bet of the box, by which it is in play."""
    DOUBLE = "double"
    SPLIT = "split"
    INSURANCE = "insurance"


class Outcome(StrEnum):
    """How a bet ended; the names are in answers."""

    BLACKJACK = "blackjack"
    EVEN_MONEY = "even-money"
    WON = "won"
    PUSH = "push"
    LOST = "lost"
    BUST = "bust"


@dataclass(frozen=True, slots=True)
class Bet:
    """One bet of a box, in minor units."""

    kind: Kind
    box: int
    hand: int
    """The hand on which it stands, from 1; an insurance belongs to the first."""
    amount: int


@dataclass(frozen=True, slots=True)
class Settled:
    """A decided bet."""

    bet: Bet
    outcome: Outcome
    payout: Payout


def bets_of(rules: Rules, box: Box) -> tuple[Bet, ...]:
    """The bets of a box: the insurance if there is one, then hand by hand what stands on it."""
    insurance = Bet(Kind.INSURANCE, box.number, FIRST_HAND, insurance_of(rules, box.bet))
    on_hands = (bet for at, hand in enumerate(box.hands, 1) for bet in _on_hand(box, at, hand))
    return (*[insurance] * box.insured, *on_hands)


def _on_hand(box: Box, at: int, hand: Hand) -> Iterator[Bet]:
    kind = Kind.MAIN if at == FIRST_HAND else Kind.SPLIT
    yield Bet(kind, box.number, at, hand.stake)
    if hand.doubled:
        yield Bet(Kind.DOUBLE, box.number, at, hand.stake)


def settle(rules: Rules, played: Round) -> tuple[Settled, ...]:
    """The bets that are decided by now, in the order of the boxes; all of them once it is over.

    What was decided stays so: a step only adds to them, so that whoever records a step pays those
    that it added.
    """
    over = isinstance(following(rules, played), Over)
    return tuple(
        Settled(bet, outcome, _payout(rules, bet, outcome))
        for box, reached in _reached(rules, played)
        for bet in bets_of(rules, box)
        if (outcome := _outcome(played, box, bet, reached=reached, over=over)) is not None
    )


def _reached(rules: Rules, played: Round) -> Iterator[tuple[Box, bool]]:
    """Each box, and whether its turn has come."""
    reached = first_cards(played) is None
    for box in played.boxes:
        yield box, reached
        reached = reached and pending(rules, played, box) is None


def _outcome(played: Round, box: Box, bet: Bet, *, reached: bool, over: bool) -> Outcome | None:
    """How a bet ended; None while it is undecided."""
    if bet.kind is Kind.INSURANCE:
        won = Outcome.WON if is_blackjack(played.dealer) else Outcome.LOST
        return won if over else None
    if box.has_blackjack:
        return _of_blackjack(played, box, reached=reached, over=over)
    cards = box.hands[bet.hand - 1].cards
    if is_bust(cards):
        return Outcome.BUST
    return _compared(cards, played.dealer) if over else None


def _of_blackjack(played: Round, box: Box, *, reached: bool, over: bool) -> Outcome | None:
    if box.even_money:
        return Outcome.EVEN_MONEY
    if not may_become_blackjack(played.dealer[0]):
        return Outcome.BLACKJACK if reached else None
    equalled = Outcome.PUSH if is_blackjack(played.dealer) else Outcome.BLACKJACK
    return equalled if over else None


def _compared(cards: tuple[Card, ...], dealer: tuple[Card, ...]) -> Outcome:
    """How a hand that is neither bust nor a Blackjack stands against the dealer's."""
    held, against = total(cards), total(dealer)
    if is_blackjack(dealer) or held < against <= BLACKJACK:
        return Outcome.LOST
    return Outcome.PUSH if held == against else Outcome.WON


def _payout(rules: Rules, bet: Bet, outcome: Outcome) -> Payout:
    if outcome in {Outcome.LOST, Outcome.BUST}:
        return LOST
    return Payout(half_up(bet.amount * _pays(rules, bet, outcome)), bet.amount)


def _pays(rules: Rules, bet: Bet, outcome: Outcome) -> Fraction:
    """Winnings for each unit of a bet that is not lost."""
    if outcome is Outcome.PUSH:
        return Fraction(0)
    if outcome is Outcome.BLACKJACK:
        return rules.blackjack_pays
    return rules.insurance_pays if bet.kind is Kind.INSURANCE else EVENLY
