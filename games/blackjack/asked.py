"""Documents that ask what a round brings, read strictly (fault S6)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.blackjack.limits import out_of_limits, read_limits
from games.blackjack.refusals import BlackjackCode
from games.blackjack.round import Action
from games.blackjack.sheet import Sheet
from games.cards import DECK, Card, read_card
from games.documents import malformed, read_amount
from games.engine import foremost
from games.ranges import Range
from ledger.domain.refusals import Code, Refusal

ACTIONS_MAX: Final = 50
"""Most actions of one box in a document."""


@dataclass(frozen=True, slots=True)
class AskedBox:
    """A box as a document tells it."""

    bet: int
    """Minor units."""
    actions: tuple[Action, ...]
    """In order, over all its hands; an insurance or even money first."""


@dataclass(frozen=True, slots=True)
class AskedRound:
    """A round as a document tells it."""

    boxes: tuple[AskedBox, ...]
    shoe: tuple[Card, ...]
    """The cards in the order in which they come; those beyond the round's last are not dealt."""


_ROUND: Final = frozenset({"boxes", "shoe"})
_BOX: Final = frozenset({"bet", "actions", "insurance", "even_money"})
_OPENING: Final = {"insurance": Action.INSURANCE, "even_money": Action.EVEN_MONEY}
"""What a box may choose as its turn begins, by the field that says so."""
_LISTED: Final = (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT)


def read_round(document: object, sheet: Sheet) -> AskedRound | Refusal:
    """Read a round: its boxes in the order of the deal, and the cards of the shoe."""
    if not isinstance(document, dict) or set(document) - {"limits"} != _ROUND:
        return malformed(_HOW)
    limits = read_limits(document["limits"]) if "limits" in document else sheet.limits
    if isinstance(limits, Refusal):
        return limits
    boxes, shoe = _boxes(document["boxes"], sheet, limits), _shoe(document["shoe"], sheet)
    if isinstance(boxes, Refusal) or isinstance(shoe, Refusal):
        wrong = foremost(x for x in (boxes, shoe) if isinstance(x, Refusal))
        assert wrong is not None
        return wrong
    return AskedRound(boxes, shoe)


def _boxes(told: object, sheet: Sheet, limits: Range) -> tuple[AskedBox, ...] | Refusal:
    if not isinstance(told, list) or len(told) > sheet.seats:
        return malformed(f'"boxes" must be a list of at most {sheet.seats} boxes.')
    if not told:
        return Refusal(Code.NO_BET, "A round needs at least one box with a bet.")
    read = [_box(box, f"Box {at}", limits) for at, box in enumerate(told, 1)]
    wrong = foremost(x for x in read if isinstance(x, Refusal))
    return wrong or tuple(x for x in read if not isinstance(x, Refusal))


def _box(told: object, place: str, limits: Range) -> AskedBox | Refusal:
    if not isinstance(told, dict) or "bet" not in told or not set(told) <= _BOX:
        return malformed(f"{place} must have {_BOX_HAS}, and nothing else.")
    bet, actions = read_amount(told["bet"], place), _actions(told, place)
    if isinstance(bet, Refusal) or isinstance(actions, Refusal):
        wrong = foremost(x for x in (bet, actions) if isinstance(x, Refusal))
        assert wrong is not None
        return wrong
    refusal = out_of_limits(limits, bet)
    if refusal is not None:
        return Refusal(refusal.code, f"{place}: {refusal.message}")
    return AskedBox(bet, actions)


def _actions(told: Mapping[str, Any], place: str) -> tuple[Action, ...] | Refusal:
    listed = told.get("actions", [])
    if not isinstance(listed, list) or len(listed) > ACTIONS_MAX:
        return malformed(f'{place}: "actions" must be a list of at most {ACTIONS_MAX}.')
    if not all(isinstance(action, str) and action in _LISTED for action in listed):
        return malformed(f"{place}: the actions are {', '.join(_LISTED)}.")
    chosen = {name: told.get(name, False) for name in _OPENING}
    for name, value in chosen.items():
        if type(value) is not bool:
            return malformed(f'{place}: "{name}" must be true or false.')
    opening = [action for name, action in _OPENING.items() if chosen[name]]
    return (*opening, *map(Action, listed))


def _shoe(told: object, sheet: Sheet) -> tuple[Card, ...] | Refusal:
    most = sheet.decks * len(DECK)
    if not isinstance(told, list) or len(told) > most:
        return malformed(f'"shoe" must be a list of at most {most} cards.')
    cards: list[Card] = []
    came: Counter[Card] = Counter()
    for at, name in enumerate(told, 1):
        card = read_card(name, f'"shoe", card {at}')
        if isinstance(card, Refusal):
            return card
        came[card] += 1
        if came[card] > sheet.decks:
            text = f'"shoe", card {at}: all {sheet.decks} cards of this name came before it.'
            return Refusal(BlackjackCode.CARD_NOT_IN_SHOE, text)
        cards.append(card)
    return tuple(cards)


_BOX_HAS: Final = '"bet", if need be with "actions", "insurance" and "even_money"'

_HOW: Final = (
    'Write {"boxes": [{"bet": "10.00", "actions": ["hit", "stand"]}], "shoe": ["8h", "6c", ..]}, '
    'if need be with "limits".'
)
