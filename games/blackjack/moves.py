"""What a round of Live Blackjack has on record, and the documents that players and studios write.

A session's round has its bets and moves, each move with the cards on which it was made; the table
has the cards, the actions, and at the end all hands. Here is only what can be read at all; whether
a move may be made is said when the round is decided.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from games.blackjack.round import Action
from games.blackjack.settle import Kind
from games.cards import Card, read_card
from games.documents import malformed
from ledger.domain.events import Count, Details, Frozen
from ledger.domain.money import Amount, parse_amount
from ledger.domain.refusals import Refusal

Cards = tuple[Card, ...]
Hands = Annotated[tuple[Cards, ...], Field(min_length=1, max_length=2)]
"""The hands of one box, two after a split."""

CARDS_MAX: Final = 8 * 52
"""No shoe has more cards before its cutting card."""


class BlackjackBet(Details):
    """Bet an amount on the box of one's seat: the opening move."""

    type: Literal["blackjack-bet"] = "blackjack-bet"
    amount: Amount


class BlackjackMove(Details):
    """Act for the hand that is in turn."""

    type: Literal["blackjack-move"] = "blackjack-move"
    action: Annotated[Action, Field(strict=False)]


class BlackjackStake(Details):
    """For what a bet was placed, and on which hand it stands."""

    type: Literal["blackjack-stake"] = "blackjack-stake"
    kind: Annotated[Kind, Field(strict=False)]
    hand: Count


class BlackjackCard(Details):
    """One card."""

    type: Literal["blackjack-card"] = "blackjack-card"
    card: Card


class BlackjackCut(Details):
    """How many cards lie before the cutting card."""

    type: Literal["blackjack-cut"] = "blackjack-cut"
    cards: Annotated[int, Field(strict=True, ge=1, le=CARDS_MAX)]


class BlackjackSeen(Details):
    """The cards on which a move was made: those of its box, and the dealer's first."""

    type: Literal["blackjack-seen"] = "blackjack-seen"
    hands: Hands
    hand: Count
    """The hand that is in turn."""
    dealer: Card


class BoxHands(Frozen):
    """The hands of a box."""

    seat: Count
    hands: Hands


class BlackjackOutcome(Details):
    """All cards of the boxes that are decided, and the dealer's."""

    type: Literal["blackjack-outcome"] = "blackjack-outcome"
    boxes: tuple[BoxHands, ...]
    dealer: Cards


def parse(document: object) -> BlackjackBet | BlackjackMove | Refusal:
    """Read a player's move; the refusal shows how to write one."""
    match document:
        case {"bet": amount, **rest} if not rest:
            return _bet(amount)
        case {"action": str(name), **rest} if not rest and name in _ACTIONS:
            return BlackjackMove(action=_ACTIONS[name])
        case _:
            named = ", ".join(_ACTIONS)
            return malformed(f'Write {{"bet": "10.00"}}, or {{"action": ..}} with one of: {named}.')


_ACTIONS: Final[Mapping[str, Action]] = MappingProxyType({each.value: each for each in Action})


def _bet(document: Any) -> BlackjackBet | Refusal:
    amount = parse_amount(document)
    if isinstance(amount, Refusal):
        return Refusal(amount.code, f'"bet": {amount.message}')
    return BlackjackBet(amount=amount)


def parse_card(document: object) -> BlackjackCard | Refusal:
    """Read a card that a studio tells, alone or as `{"card": "Tc"}`."""
    card = read_card(_alone(document, "card"), "The card")
    return card if isinstance(card, Refusal) else BlackjackCard(card=card)


def parse_cut(document: object) -> BlackjackCut | Refusal:
    """Read where a studio placed the cutting card, alone or as `{"cut": 208}`."""
    cards = _alone(document, "cut")
    if type(cards) is not int or not 0 < cards <= CARDS_MAX:
        return malformed('Write how many cards lie before the cutting card: {"cut": 208}.')
    return BlackjackCut(cards=cards)


def _alone(document: object, name: str) -> object:
    """What stands under the only name of a document; anything else as it is."""
    return document[name] if isinstance(document, dict) and set(document) == {name} else document
