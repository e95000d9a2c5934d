"""A round of Live Blackjack: the boxes in play, their hands and the dealer's cards, step by step.

A round is folded from its steps by `evolve`; what comes next is said by `turns`. Source: Live
Blackjack rules, "La partita" and "Opzioni per il giocatore".
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from games.blackjack.hand import is_blackjack
from games.cards import Card

SPLIT_HANDS: Final = 2


class Action(StrEnum):
    """What a box can do in its turn; the names are on record and in documents."""

    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    INSURANCE = "insurance"
    EVEN_MONEY = "even-money"


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a box."""

    stake: int
    """What was bet on it first, in minor units: the bet of the box, or the bet of its split."""
    cards: tuple[Card, ...] = ()
    doubled: bool = False
    """Whether as much again was bet on it, for one last card."""
    stood: bool = False
    due: bool = False
    """Whether a card that was asked for has not come yet."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box in play: its seat, and its hands in the order in which they are played."""

    number: int
    hands: tuple[Hand, ...]
    insured: bool = False
    even_money: bool = False

    @property
    def bet(self) -> int:
        """The bet of the box, in minor units."""
        return self.hands[0].stake

    @property
    def is_split(self) -> bool:
        """Whether its first two cards were split into hands of their own."""
        return len(self.hands) == SPLIT_HANDS

    @property
    def has_blackjack(self) -> bool:
        """Whether its first two cards make 21; after a split that is an ordinary 21."""
        return not self.is_split and is_blackjack(self.hands[0].cards)


@dataclass(frozen=True, slots=True)
class Round:
    """All boxes in play in the order in which they are dealt, and the dealer's cards."""

    boxes: tuple[Box, ...]
    dealer: tuple[Card, ...] = ()

    def box(self, number: int) -> Box:
        """The box at a seat; it must be in play."""
        return next(box for box in self.boxes if box.number == number)


@dataclass(frozen=True, slots=True)
class DealTo:
    """The next card goes to a hand of a box, both counted from 1; without a box to the dealer."""

    box: int | None
    hand: int = 1


@dataclass(frozen=True, slots=True)
class Dealt:
    """A card came, and lies where `following` said."""

    card: Card
    to: DealTo


@dataclass(frozen=True, slots=True)
class Took:
    """A box took an action for the hand that was in turn."""

    box: int
    hand: int
    action: Action


Step = Dealt | Took


def begin(bets: Mapping[int, int]) -> Round:
    """A round before its first card: the bet in minor units of each box, by its seat."""
    assert bets
    return Round(tuple(Box(number, (Hand(bets[number]),)) for number in sorted(bets)))


def evolve(played: Round, step: Step) -> Round:
    """The round after a step; what may be a step is for `turns` to say."""
    if isinstance(step, Took):
        return _with_box(played, _TAKEN[step.action](played.box(step.box), step.hand))
    if step.to.box is None:
        return Round(played.boxes, (*played.dealer, step.card))
    box = played.box(step.to.box)
    hand = box.hands[step.to.hand - 1]
    given = Hand(hand.stake, (*hand.cards, step.card), hand.doubled, hand.stood)
    return _with_box(played, _with_hand(box, step.to.hand, given))


def _with_box(played: Round, changed: Box) -> Round:
    boxes = tuple(changed if box.number == changed.number else box for box in played.boxes)
    return Round(boxes, played.dealer)


def _with_hand(box: Box, at: int, changed: Hand) -> Box:
    hands = tuple(changed if at == n else hand for n, hand in enumerate(box.hands, 1))
    return Box(box.number, hands, box.insured, box.even_money)


def _hit(box: Box, at: int) -> Box:
    return _with_hand(box, at, replace(box.hands[at - 1], due=True))


def _stand(box: Box, at: int) -> Box:
    return _with_hand(box, at, replace(box.hands[at - 1], stood=True))


def _double(box: Box, at: int) -> Box:
    return _with_hand(box, at, replace(box.hands[at - 1], doubled=True, due=True))


def _split(box: Box, _at: int) -> Box:
    hand = box.hands[0]
    return replace(box, hands=tuple(replace(hand, cards=(card,)) for card in hand.cards))


def _insure(box: Box, _at: int) -> Box:
    return replace(box, insured=True)


def _pay_evenly(box: Box, _at: int) -> Box:
    return replace(box, even_money=True)


_TAKEN: Final[Mapping[Action, Callable[[Box, int], Box]]] = {
    Action.HIT: _hit,
    Action.STAND: _stand,
    Action.DOUBLE: _double,
    Action.SPLIT: _split,
    Action.INSURANCE: _insure,
    Action.EVEN_MONEY: _pay_evenly,
}
