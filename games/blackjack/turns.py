"""What a round waits for: who gets the next card, whose turn it is, and what may be done in it.

Whoever deals asks for a card where `following` answers `DealTo` and waits for a box where it
answers `Turn`; no card exists before that (G7, G10).

Order: a card to each box, the dealer's, a second card to each box, then the turns in the same
order, then the dealer. Insurance and even money open a box's own turn. A 21, a bust and a Blackjack
end a hand by themselves, so that no turn comes of them: only with an ace of the dealer a Blackjack
has one, for even money. Source: Live Blackjack rules, "La partita", "Opzioni per il giocatore" and
"La strategia della casa".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games.blackjack.hand import (
    ACE,
    BLACKJACK,
    FIRST_CARDS,
    is_bust,
    is_soft,
    may_become_blackjack,
    total,
    value,
)
from games.blackjack.refusals import BlackjackCode
from games.blackjack.round import Action, Box, DealTo, Hand, Round
from games.blackjack.rules import Rules
from games.cards import Card
from ledger.domain.refusals import Refusal

DEALER_STANDS: Final = 17
"""Where the dealer stands, on a soft 17 by the rules of the sheet."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A box is to choose for one of its hands among these actions."""

    box: int
    hand: int
    allowed: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Over:
    """No card is dealt and no choice is made any more: every bet is decided."""


Following = DealTo | Turn | Over


def following(rules: Rules, played: Round) -> Following:
    """What a round waits for: a card, a choice, or nothing any more."""
    first = first_cards(played)
    if first is not None:
        return first
    for box in played.boxes:
        own = pending(rules, played, box)
        if own is not None:
            return own
    return DealTo(None) if _dealer_draws(rules, played) else Over()


def first_cards(played: Round) -> DealTo | None:
    """Two cards to each box in order, and the dealer's first between them."""
    for box in played.boxes:
        if not box.hands[0].cards:
            return DealTo(box.number)
    if not played.dealer:
        return DealTo(None)
    for box in played.boxes:
        if not box.is_split and len(box.hands[0].cards) < FIRST_CARDS:
            return DealTo(box.number)
    return None


def pending(rules: Rules, played: Round, box: Box) -> DealTo | Turn | None:
    """What a box waits for in its turn; None when all its hands have ended.

    The hands of a split get their second cards, the first hand's first, before any is played.
    """
    for at, hand in enumerate(box.hands, 1):
        if len(hand.cards) < FIRST_CARDS:
            return DealTo(box.number, at)
    for at, hand in enumerate(box.hands, 1):
        if hand.due:
            return DealTo(box.number, at)
        allowed = _allowed(rules, played, box, hand)
        if allowed:
            return Turn(box.number, at, allowed)
    return None


def _allowed(rules: Rules, played: Round, box: Box, hand: Hand) -> tuple[Action, ...]:
    """What a hand may do; nothing once it has ended."""
    if box.has_blackjack:
        return _with_blackjack(played, box, hand)
    if _has_ended(rules, box, hand):
        return ()
    offered = (
        (Action.HIT, True),
        (Action.STAND, True),
        (Action.DOUBLE, _doubles(rules, box, hand)),
        (Action.SPLIT, _splits(rules, box, hand)),
        (Action.INSURANCE, _insures(rules, played, box, hand)),
    )
    return tuple([action for action, is_offered in offered if is_offered])


def _with_blackjack(played: Round, box: Box, hand: Hand) -> tuple[Action, ...]:
    """A Blackjack may be paid evenly against an ace, and then to decline it is a choice too."""
    chosen = hand.stood or box.even_money
    return () if chosen or played.dealer[0][0] != ACE else (Action.STAND, Action.EVEN_MONEY)


def _has_ended(rules: Rules, box: Box, hand: Hand) -> bool:
    """Whether a hand that is no Blackjack is played to its end."""
    split_aces = box.is_split and hand.cards[0][0] == ACE
    stands_by_rule = split_aces and not rules.split_aces_play
    return hand.stood or hand.doubled or stands_by_rule or total(hand.cards) >= BLACKJACK


def _doubles(rules: Rules, box: Box, hand: Hand) -> bool:
    offered = rules.double_after_split or not box.is_split
    two = len(hand.cards) == FIRST_CARDS
    return two and offered and total(hand.cards) in rules.double_totals


def _splits(rules: Rules, box: Box, hand: Hand) -> bool:
    if box.is_split or len(hand.cards) != FIRST_CARDS:
        return False
    first, second = hand.cards
    return first[0] == second[0] if rules.split_by_rank else value(first) == value(second)


def _insures(rules: Rules, played: Round, box: Box, hand: Hand) -> bool:
    opens = not box.is_split and not box.insured and len(hand.cards) == FIRST_CARDS
    return opens and played.dealer[0][0] == ACE and insurance_of(rules, box.bet) > 0


def insurance_of(rules: Rules, bet: int) -> int:
    """What insures a bet, in minor units: its share rounded down; 0 where nothing is left of it."""
    return int(bet * rules.insurance_share)


def _dealer_draws(rules: Rules, played: Round) -> bool:
    """Whether the dealer takes a card, once all boxes have ended (rulings BJ7).

    With a live hand that is no Blackjack the dealer draws by rule; else one card decides what a
    Blackjack of the dealer could still equal or insurance pay; else none.
    """
    if any(_is_live(box, hand) for box in played.boxes for hand in box.hands):
        return not _dealer_stands(rules, played.dealer)
    return len(played.dealer) == 1 and any(_awaits_second_card(played, box) for box in played.boxes)


def _is_live(box: Box, hand: Hand) -> bool:
    return not box.has_blackjack and not is_bust(hand.cards)


def _awaits_second_card(played: Round, box: Box) -> bool:
    undecided = box.has_blackjack and not box.even_money
    return box.insured or (undecided and may_become_blackjack(played.dealer[0]))


def _dealer_stands(rules: Rules, cards: tuple[Card, ...]) -> bool:
    held = total(cards)
    soft_17 = held == DEALER_STANDS and is_soft(cards)
    return held >= DEALER_STANDS and not (soft_17 and rules.hits_soft_17)


def refusal_of(rules: Rules, played: Round, box: int, action: Action) -> Refusal | None:
    """Why a box may not take an action now; None when it may, for the hand that is in turn."""
    waits, own = following(rules, played), played.box(box)
    if isinstance(waits, Turn) and waits.box == box:
        return None if action in waits.allowed else _not_offered(own, action)
    if first_cards(played) is None and pending(rules, played, own) is None:
        return _NOT_OFFERED[action] if action in _OPENING else _ENDED
    return Refusal(BlackjackCode.NOT_IN_TURN, "The box is not in turn; wait for its turn.")


def _not_offered(box: Box, action: Action) -> Refusal:
    if action is Action.INSURANCE and box.has_blackjack:
        text = "A Blackjack is not insured; take even_money for it instead."
        return Refusal(BlackjackCode.INSURANCE_NOT_OFFERED, text)
    return _ENDED if action is Action.HIT else _NOT_OFFERED[action]


_OPENING: Final = (Action.INSURANCE, Action.EVEN_MONEY)
"""What may be chosen as a turn begins."""

_ENDED: Final = Refusal(BlackjackCode.HAND_ENDED, "The hand has ended; it takes nothing more.")

_NOT_OFFERED: Final[Mapping[Action, Refusal]] = {
    action: Refusal(code, text)
    for action, code, text in (
        (
            Action.DOUBLE,
            BlackjackCode.DOUBLE_NOT_OFFERED,
            "Only two cards whose total the rule sheet names are doubled; hit or stand.",
        ),
        (
            Action.SPLIT,
            BlackjackCode.SPLIT_NOT_OFFERED,
            "Only the first two cards of a box are split, once, and if they are equal.",
        ),
        (
            Action.INSURANCE,
            BlackjackCode.INSURANCE_NOT_OFFERED,
            "A bet is insured once, as its turn begins, and only against an ace of the dealer.",
        ),
        (
            Action.EVEN_MONEY,
            BlackjackCode.EVEN_MONEY_NOT_OFFERED,
            "Only a Blackjack is paid evenly, and only against an ace of the dealer.",
        ),
    )
}
