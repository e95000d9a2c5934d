"""The deal of a table as its stream tells it, in the terms of the pure machine.

A box is decided before the round is over when all its bets are: by a Blackjack that the dealer
cannot equal as its turn comes, by even money, and by hands that are all bust. Until then its bets
stand together, so that a box that is void is refunded whole (rulings BJ5, BJ6, BJ8).
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from games.blackjack.hand import is_bust, may_become_blackjack, total
from games.blackjack.moves import (
    BlackjackCard,
    BlackjackOutcome,
    BlackjackSeen,
    BoxHands,
    Cards,
)
from games.blackjack.round import Box, Dealt, DealTo, Round, Step, Took, begin, evolve
from games.blackjack.rules import Rules
from games.blackjack.settle import Outcome, bets_of, settle
from games.blackjack.sheet import Sheet
from games.blackjack.shoe import Shoe, shoe_of
from games.blackjack.turns import Over, Turn, following
from ledger.domain import decider as dec
from ledger.domain.events import CardDealt, Details, TurnTaken


def round_of(dealing: dec.Dealing) -> Round:
    """The round that a table's steps make; folded on from where it was last asked for."""
    known = _FOLDED.get(dealing.boxes[0].round)
    if known is None or not _goes_on(dealing, known[0]):
        known = dec.Dealing(dealing.boxes), begin({b.seat: b.stake for b in dealing.boxes})
    so_far, played = known
    for step in dealing.steps[len(so_far.steps) :]:
        played = evolve(played, _step(step))
    if len(_FOLDED) > FOLDED_KEPT:
        _FOLDED.clear()
    _FOLDED[dealing.boxes[0].round] = dealing, played
    return played


def _goes_on(dealing: dec.Dealing, known: dec.Dealing) -> bool:
    return known.boxes == dealing.boxes and known.steps == dealing.steps[: len(known.steps)]


FOLDED_KEPT: Final = 1_000
_FOLDED: Final[dict[UUID, tuple[dec.Dealing, Round]]] = {}
"""The last deal that was folded of a table's round, by the first box's; a deal is asked for often.

What is kept is compared with what is asked for, step by step, so that it is never another's.
"""


def _step(step: CardDealt[Any] | TurnTaken[Any]) -> Step:
    if isinstance(step, CardDealt):
        return Dealt(step.details.card, DealTo(step.seat, step.hand))
    return Took(step.seat, step.hand, step.details.action)


def next_of(rules: Rules, dealing: dec.Dealing) -> dec.DealTo | dec.Turn | dec.Over:
    """What a table's deal waits for."""
    played = round_of(dealing)
    match following(rules, played):
        case DealTo(box, hand):
            return dec.DealTo(box, hand)
        case Turn(box, hand, allowed):
            return dec.Turn(box, hand, tuple(action.value for action in allowed))
        case Over():
            return dec.Over(_outcome(played, played.boxes), _shown("dealer", played.dealer))


def decided(rules: Rules, dealing: dec.Dealing) -> tuple[dec.Decided, ...]:
    """The boxes that the last step decided, before the end of the round and at once."""
    before = round_of(dec.Dealing(dealing.boxes, dealing.steps[:-1]))
    played = round_of(dealing)
    now = tuple(_decided_at_once(rules, played))
    if not now:
        return ()
    known = {box.number for box, _ in _decided_at_once(rules, before)}
    return tuple(
        dec.Decided(
            next(each for each in dealing.boxes if each.seat == box.number),
            _outcome(played, (box,)),
            _shown(outcome.value, box.hands[-1].cards),
        )
        for box, outcome in now
        if box.number not in known
    )


def _decided_at_once(rules: Rules, played: Round) -> Iterable[tuple[Box, Outcome]]:
    """The boxes that need no card of the dealer any more, and how their last bet ended."""
    boxes = [box for box in played.boxes if played.dealer and _may_be_decided(box)]
    ended = settle(rules, played) if boxes else ()
    for box in boxes:
        own = [each.outcome for each in ended if each.bet.box == box.number]
        is_whole = len(own) == len(bets_of(rules, box))
        if is_whole and all(_is_at_once(played, outcome) for outcome in own):
            yield box, own[-1]


def _may_be_decided(box: Box) -> bool:
    """Whether a box is worth a look: most are not, and every step asks."""
    return box.has_blackjack or all(is_bust(hand.cards) for hand in box.hands)


def _is_at_once(played: Round, outcome: Outcome) -> bool:
    if outcome is Outcome.BLACKJACK:
        return not may_become_blackjack(played.dealer[0])
    return outcome in {Outcome.EVEN_MONEY, Outcome.BUST}


def _outcome(played: Round, boxes: Iterable[Box]) -> BlackjackOutcome:
    hands = (
        BoxHands(seat=box.number, hands=tuple(hand.cards for hand in box.hands)) for box in boxes
    )
    return BlackjackOutcome(boxes=tuple(hands), dealer=played.dealer)


def _shown(name: str, cards: Cards) -> str:
    """A hand for the history of the screen (rulings C7): a name, its total, its cards."""
    return f"{name} {total(cards)}: {' '.join(cards)}"


def seen(rules: Rules, dealing: dec.Dealing, seat: int) -> BlackjackSeen:
    """The cards on which a box in turn acts."""
    played = round_of(dealing)
    turn = following(rules, played)
    assert isinstance(turn, Turn)
    hands = tuple(hand.cards for hand in played.box(seat).hands)
    return BlackjackSeen(hands=hands, hand=turn.hand, dealer=played.dealer[0])


def shoe_left(decks: int, gone: Sequence[Details]) -> Shoe:
    """The shoe of which these cards are gone."""
    return shoe_of(decks, (card.card for card in gone if isinstance(card, BlackjackCard)))


def table_screen(sheet: Sheet, dealing: dec.Dealing) -> dict[str, Any]:
    """What lies on the table for who watches it: every card that came, and whose turn it is."""
    played = round_of(dealing)
    turn = following(sheet.rules, played)
    in_turn = turn if isinstance(turn, Turn) else None
    return {
        "boxes": [_box_shown(box) for box in played.boxes],
        "dealer": _hand_shown(played.dealer),
        "turn": None
        if in_turn is None
        else {
            "seat": in_turn.box,
            "hand": in_turn.hand,
            "may": [action.value for action in in_turn.allowed],
        },
    }


def _box_shown(box: Box) -> dict[str, Any]:
    return {
        "seat": box.number,
        "hands": [_hand_shown(hand.cards) | {"doubled": hand.doubled} for hand in box.hands],
        "insured": box.insured,
        "even_money": box.even_money,
    }


def _hand_shown(cards: Cards) -> dict[str, Any]:
    return {"cards": list(cards), "total": total(cards)}
