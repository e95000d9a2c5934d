"""Best play as it is asked for from outside: the study of a sheet, and advice on a hand.

Only here the arrays are loaded, and only when an answer needs them: what plays or judges a round
reaches the game too, and must not wait for them.
"""

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, get_args

from games.blackjack.hand import BLACKJACK, FIRST_CARDS, is_soft, total
from games.blackjack.refusals import BlackjackCode
from games.blackjack.round import Box, Hand, Round
from games.blackjack.sheet import Sheet, Strategy
from games.blackjack.strategy import printed
from games.blackjack.turns import Turn, following
from games.cards import Card, read_card
from games.documents import malformed
from games.engine import Options, Progress, SheetReader, Study, decimal_of
from ledger.domain.refusals import Refusal

if TYPE_CHECKING:
    from games.blackjack.ways import Way

VALUE_PLACES: Final = 6
"""Decimal places of a value, in units of the bet."""


def study(sheet: Sheet, options: Options, progress: Progress) -> Study | Refusal:
    """Enumerate the strategy that the option `strategy` names, if the sheet declares its return."""
    known: tuple[Strategy, ...] = get_args(Strategy)
    named = next((name for name in known if options == {"strategy": name}), None)
    if named is None or named not in sheet.returns:
        declared = " or ".join(sheet.returns)
        return malformed(f"Give a strategy whose return the sheet declares: {declared}.")
    from games.blackjack import returns  # noqa: PLC0415 - loads the arrays

    return returns.study(sheet, named, progress)


def advise(engine: SheetReader, sheet_text: str, document: object) -> dict[str, Any] | Refusal:
    """Tell what each action that a hand may take wins on average, the best one first.

    After it the hand is played on by the best play. Every other card of a full shoe can still come,
    but that a hand of a split knows the first card of the other hand, which is of its own value.
    """
    sheet: Sheet = engine.read_sheet(sheet_text)
    hand = _read(document, sheet)
    if isinstance(hand, Refusal):
        return hand
    cards, dealer, first = hand
    waits = following(sheet.rules, _round(cards, dealer, first=first))
    if not isinstance(waits, Turn):
        return Refusal(BlackjackCode.HAND_ENDED, "This hand has ended; nothing is left to choose.")
    from games.blackjack import advice  # noqa: PLC0415 - loads the arrays

    ways = advice.ways_of(sheet, cards, dealer, waits.allowed, first=first)
    return {
        "accepted": True,
        "hand": list(cards),
        "dealer": dealer,
        "total": total(cards),
        "soft": is_soft(cards),
        "unit": "won on average beyond all stakes, for each unit first bet on the hand",
        "printed": printed(cards, dealer, waits.allowed).value,
        "best": ways[0].action.value,
        "ways": [_way(way) for way in ways],
    }


def _way(way: "Way") -> dict[str, str]:
    return {
        "action": way.action.value,
        "won": decimal_of(Fraction(way.won), VALUE_PLACES),
        "staked": decimal_of(Fraction(way.staked), VALUE_PLACES),
    }


def _round(cards: tuple[Card, ...], dealer: Card, *, first: bool) -> Round:
    """A round that waits for the hand; beside a hand of a split the other one has stood."""
    hand = Hand(_BET, cards)
    other = Hand(_BET, (cards[0], cards[0]), stood=True)
    return Round((Box(1, (hand,) if first else (hand, other)),), (dealer,))


def _read(document: object, sheet: Sheet) -> tuple[tuple[Card, ...], Card, bool] | Refusal:
    if not isinstance(document, dict) or set(document) not in _FORMS:
        return malformed(_HOW)
    told, first = document["hand"], document.get("first", True)
    if not isinstance(told, list) or not FIRST_CARDS <= len(told) <= BLACKJACK:
        return malformed(f'"hand": write a list of {FIRST_CARDS} to {BLACKJACK} cards.')
    if type(first) is not bool:
        return malformed('"first" must be true or false.')
    cards = []
    for name, place in [*((name, '"hand"') for name in told), (document["dealer"], '"dealer"')]:
        card = read_card(name, place)
        if isinstance(card, Refusal):
            return card
        cards.append(card)
    if max(Counter(cards).values()) > sheet.decks:
        text = f"A card stands there more often than in {sheet.decks} decks."
        return Refusal(BlackjackCode.CARD_NOT_IN_SHOE, text)
    return tuple(cards[:-1]), cards[-1], first


_BET: Final = 2
"""A bet that can be insured: its half is a whole minor unit."""

_FORMS: Final = (frozenset({"hand", "dealer"}), frozenset({"hand", "dealer", "first"}))

_HOW: Final = (
    'Write {"hand": ["8h", "8d"], "dealer": "6c"}, with "first": false for a hand of a split.'
)
