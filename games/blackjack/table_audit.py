"""The deals of a table of Live Blackjack by a second method: a croupier deals them once more.

Every card is one of those that lie in the shoe then, and goes where the croupier is to lay it;
every turn is that of the box which the croupier asks. Source: Live Blackjack rules; the published
sheet has their figures.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from games.auditing import AuditError, Fields, Trail, first_drawn, limits_of, within
from games.blackjack.auditing import (
    DECK,
    Box,
    Hand,
    allowed,
    awaits,
    hold_cards,
    is_live,
    shown,
    stands,
)

_Due = tuple[int | None, int, set[str]]
"""What a croupier asks for: a box or the dealer, a hand, and what that may choose; else a card."""

_Croupier = Generator[_Due, str, None]


@dataclass(slots=True)
class _Shoe:
    """The cards that came since the shuffle, and how many lie before the cutting card."""

    number: int | None = None
    """Which shoe of the table it is."""
    cut: int | None = None
    """None where the shuffle is not known, nor the cards that came before the round."""
    gone: list[str] = field(default_factory=list)

    def take(self, trail: Trail, event: Fields) -> str:
        """A card that came: one of those left, and the one that its entropy gives."""
        card: str = trail.of_type(event["details"], ["blackjack-card"])["card"]
        if self.cut is not None and "entropy" in event:
            decks = trail.game["shoe"]["decks"]
            left = [each for each in DECK for _ in range(decks - self.gone.count(each))]
            _of_entropy(trail, event, left, card)
        self.gone.append(card)
        hold_cards(trail, self.gone)
        return card


def _of_entropy(trail: Trail, event: Fields, faces: Sequence[Any], face: Any) -> None:
    at, rest = first_drawn(bytes.fromhex(event["entropy"]), len(faces))
    if rest or faces[at] != face:
        trail.wrong(f"the entropy on record gives {faces[at]}")


def _of_source(trail: Trail, event: Fields) -> None:
    if ("entropy" in event) == ("feed" in event):
        trail.wrong("a card or a shuffle is either drawn or told by the feed")


def hold_table(trail: Trail) -> None:
    """The shoes and the rounds of a table in their order, or one round of it alone."""
    shoe = _in_use(trail, _Shoe())
    while trail.next == "table-round-opened":
        shoe = _in_use(trail, _round(trail, shoe))


def _in_use(trail: Trail, shoe: _Shoe) -> _Shoe:
    """The shoe from which the next card comes."""
    while trail.next == "shoe-shuffled":
        shoe = _shuffled(trail, shoe)
    return shoe


def _shuffled(trail: Trail, before: _Shoe) -> _Shoe:
    event = trail.take_other()
    _of_source(trail, event)
    if before.number not in (None, event["number"] - 1):
        trail.wrong("it is not the table's next shoe")
    if event["rules"] != trail.played_by()["rules"]:
        trail.wrong("the shoe is made up by another sheet")
    cut = trail.of_type(event["details"], ["blackjack-cut"])["cards"]
    places = range(trail.game["shoe"]["cut_min"], trail.game["shoe"]["cut_max"] + 1)
    if cut not in places:
        trail.wrong("the cutting card cannot lie there")
    if "entropy" in event:
        _of_entropy(trail, event, places, cut)
    return _Shoe(event["number"], cut)


# --- a round -------------------------------------------------------------------------------------


def _round(trail: Trail, shoe: _Shoe) -> _Shoe:
    """From its opening to its end; the shoe from which the next one is dealt."""
    limits, is_over = limits_of(trail, trail.open_table()["limits"]), False
    shoe = _in_use(trail, shoe)
    if trail.next == "bets-closed":
        if trail.take()["deals"] is not True:
            trail.wrong("cards follow the close of the bets")
        shoe = _in_use(trail, shoe)
        if trail.next == "dealing-begun":
            is_over = _deal(trail, shoe, list(_boxes(trail, limits)))
    if trail.next == ("table-round-settled" if is_over else "table-round-voided"):
        trail.take()
        if not is_over and trail.next == "refunds-made":
            trail.take()
    elif trail.next == "table-round-opened":
        trail.wrong("the round has not ended, and another begins")
    return shoe


def _boxes(trail: Trail, limits: Fields) -> Iterator[Box]:
    """The boxes in play, in the order of their seats."""
    told = trail.take()["boxes"]
    seats = [0, *(box["seat"] for box in told), trail.game["seats"] + 1]
    if any(one >= two for one, two in pairwise(seats)):
        trail.wrong("boxes are dealt in the order of their seats")
    for box in told:
        within(trail, "a box", box["stake"], limits)
        yield Box(box["seat"], box["stake"], round=box["round"])


def _deal(trail: Trail, shoe: _Shoe, boxes: Sequence[Box]) -> bool:
    """Cards and turns as a croupier asks for them, and the outcome; whether it came to that."""
    if shoe.cut is not None and len(shoe.gone) >= shoe.cut:
        trail.wrong("the cutting card is out, and the shoe is to be shuffled first")
    dealer: Hand = []
    croupier = _croupier(trail.game, boxes, dealer)
    due: _Due | None = next(croupier)
    number = 0
    undecided = list(boxes)
    while due is not None and trail.next in ("card-dealt", "turn-taken"):
        number += trail.next == "card-dealt"
        due = _after(croupier, _step(trail, shoe, due, number))
        decided = [box for box in undecided if box.reached and box.is_decided(dealer[0])]
        undecided = [box for box in undecided if box not in decided]
        _decided(trail, decided, dealer)
    if due is None:
        _outcome(trail, boxes, dealer)
    return due is None


def _after(croupier: _Croupier, answer: str) -> _Due | None:
    """What the croupier asks for next; None where the round is over."""
    try:
        return croupier.send(answer)
    except StopIteration:
        return None


def _decided(trail: Trail, decided: Iterable[Box], dealer: Hand) -> None:
    """Boxes that the last step decided are told so, and what lies there; where that is at hand."""
    for box in decided:
        if trail.next == "box-decided":
            event = trail.take_other()
            outcome = trail.of_type(event["details"], ["blackjack-outcome"])
            hands = [{"seat": box.seat, "hands": box.hands}]
            told = event["round"], outcome["boxes"], outcome["dealer"]
            if told != (box.round, hands, dealer[:1]):
                trail.wrong("a box is told what does not lie on the table")


def _step(trail: Trail, shoe: _Shoe, due: _Due, number: int) -> str:
    """A card or an action, where the croupier asks for it."""
    name, event = trail.next, trail.take()
    seat, hand, may = due
    if (event["seat"], event["hand"], name == "turn-taken") != (seat, hand, bool(may)):
        raise AuditError(f"what comes next is for hand {hand} of seat {seat or 'the dealer'}")
    if name == "card-dealt":
        _of_source(trail, event)
        if event["number"] != number:
            trail.wrong(f"it is card {number} of the round")
        return shoe.take(trail, event)
    action: str = trail.of_type(event["details"], ["blackjack-move"])["action"]
    if action not in may or (action != "stand" and "passed" in event):
        raise AuditError(f"{action} cannot be chosen for hand {hand} of seat {seat} now")
    return action


def _outcome(trail: Trail, boxes: Sequence[Box], dealer: Hand) -> None:
    """All cards by box and hand."""
    if trail.next != "outcome-recorded":
        raise AuditError("the outcome of the round follows its last step")
    event = trail.take()
    told = {
        "type": "blackjack-outcome",
        "boxes": [{"seat": box.seat, "hands": box.hands} for box in boxes],
        "dealer": dealer,
    }
    if (event["details"], event["shown"]) != (told, shown("dealer", dealer)):
        trail.wrong("the outcome is not what the cards make")
    if "entropy" in event or "feed" in event:
        trail.wrong("an outcome of cards is neither drawn nor told")


# --- the croupier --------------------------------------------------------------------------------


def _croupier(game: Fields, boxes: Sequence[Box], dealer: Hand) -> _Croupier:
    """A card to each box, the dealer's, a second to each; then turns in this order; the dealer."""
    for box in boxes:
        box.hands[0].append((yield box.seat, 1, set()))
    dealer.append((yield None, 1, set()))
    for box in boxes:
        box.hands[0].append((yield box.seat, 1, set()))
    for box in boxes:
        yield from _turn(game, box, dealer[0])
    if any(map(is_live, boxes)):
        while not stands(game, dealer):
            dealer.append((yield None, 1, set()))
    elif any(awaits(box, dealer[0]) for box in boxes):
        dealer.append((yield None, 1, set()))


def _turn(game: Fields, box: Box, up: str) -> _Croupier:
    """Hand after hand, each until it has ended or stands."""
    at, box.reached = 1, True
    while at <= len(box.hands):
        may = allowed(game, box, at, up)
        action = (yield box.seat, at, may) if may else "stand"
        match action:
            case "stand":
                at += 1
            case "split":
                box.hands = [[card] for card in box.hands[0]]
                for number, hand in enumerate(box.hands, 1):
                    hand.append((yield box.seat, number, set()))
            case "insurance":
                box.insured = True
            case "even-money":
                box.even_money = True
            case _:
                box.doubled |= {at} if action == "double" else set()
                box.hands[at - 1].append((yield box.seat, at, set()))
