"""Live Blackjack by a second method: a box is what its player saw, did, and was told of the cards.

Each move is held against the cards that its player saw, those against what was seen before, and the
end against all of them. Source: Live Blackjack rules; the published sheet has their figures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from games.auditing import GIVEN_BACK, AuditError, Event, Fields, Trail, audited, limits_of, within
from games.blackjack.auditing import (
    MOST,
    PAIR,
    Box,
    Hand,
    allowed,
    awaits,
    count,
    end_of,
    hold_cards,
    insurance,
    is_live,
    shown,
    stands,
    winnings,
)
from games.blackjack.table_audit import hold_table

_ENDS: Final = ("box-decided", "outcome-told")


def audit(sheet: bytes, events: Sequence[Event]) -> list[str]:
    """Audit one round of a sheet of `live-blackjack/1`, a box's or the table's own.

    See `games.auditing.Audit`. A table's events may begin with the shuffle of its shoe, and then go
    on over all rounds that were dealt since: only so it is known which cards are left, and what
    entropy gives of them. The cards that a box's round is told are taken as told: that they are the
    table's own is for who has both to compare.
    """
    return audited(_round, sheet, events)


@dataclass(slots=True)
class _Played:
    """A player's round as far as it was read."""

    trail: Trail
    place: Fields
    """The round of the table, as the round names it."""
    box: Box
    bets: dict[tuple[str, int], int] = field(default_factory=dict)
    """What was bet, in order: minor units by kind and hand."""
    cards: list[int] = field(default_factory=lambda: [PAIR])
    """How many cards each hand has when it is seen next."""
    up: str | None = None
    """The dealer's first card, once it was seen."""
    turn: int = 1
    """The first hand that may still act."""

    def bet(self, kind: str, at: int, amount: int) -> None:
        """One more bet, on a hand."""
        self.bets[kind, at] = amount
        details = {"type": "blackjack-stake", "kind": kind, "hand": at}
        self.trail.expect("bet-placed", bet=len(self.bets), amount=amount, details=details)


def _round(trail: Trail) -> None:
    if trail.next in ("shoe-shuffled", "table-round-opened"):
        hold_table(trail)
        return
    opened = trail.open()
    place, move = opened["table"], trail.of_type(opened["move"], ["blackjack-bet"])
    within(trail, "a table's seat", place["seat"], {"min": 1, "max": trail.game["seats"]})
    within(trail, "a box", move["amount"], limits_of(trail, place["limits"]))
    played = _Played(trail, place, Box(place["seat"], move["amount"]))
    played.bet("main", 1, move["amount"])
    while trail.next == "move-made":
        _moved(played)
    if trail.next in GIVEN_BACK:
        held = dict(enumerate(played.bets.values(), 1))
        trail.give_back(held, sum(held.values()), len(held))
    elif trail.next in _ENDS:
        _ended(played)


# --- moves ---------------------------------------------------------------------------------------


def _moved(played: _Played) -> None:
    """A move is one of those that the hand in turn may make by the cards that were seen."""
    trail, box = played.trail, played.box
    event = trail.take()
    action = trail.of_type(event["details"], ["blackjack-move"])["action"]
    seen = trail.of_type(event["seen"], ["blackjack-seen"])
    at, up = seen["hand"], seen["dealer"]
    if event["table"] != played.place:
        trail.wrong("a move is made at another box than that of the bet")
    _see(played, seen["hands"], up)
    if not played.turn <= at <= len(box.hands) or action not in allowed(trail.game, box, at, up):
        trail.wrong(f"{action} cannot be chosen for hand {at} now")
    played.turn = at + (action in ("stand", "double", "even-money"))
    _made(played, action, at)


def _see(played: _Played, hands: Sequence[Sequence[str]], up: str) -> None:
    """Hold cards against those seen before: each hand has them and what it asked for, no more."""
    trail, before = played.trail, played.box.hands
    hold_cards(trail, [up, *(card for hand in hands for card in hand)])
    grown = zip(before, hands, strict=False)
    if [len(hand) for hand in hands] != played.cards or any(
        list(now[: len(had)]) != had for had, now in grown
    ):
        trail.wrong("a box has other cards than it had, or more or fewer than it asked for")
    if played.up not in (None, up):
        trail.wrong("the dealer has another first card than was seen before")
    played.box.hands, played.up = [list(hand) for hand in hands], up


def _made(played: _Played, action: str, at: int) -> None:
    """What a move brings about: a bet, a card to come, another hand."""
    box = played.box
    match action:
        case "insurance":
            box.insured = True
            played.bet("insurance", 1, insurance(played.trail.game, box.bet))
        case "split":
            box.hands, played.cards = [[card] for card in box.hands[0]], [PAIR, PAIR]
            played.bet("split", PAIR, box.bet)
        case "double":
            box.doubled.add(at)
            played.cards[at - 1] += 1
            played.bet("double", at, box.bet)
        case "hit":
            played.cards[at - 1] += 1
        case _:
            box.even_money |= action == "even-money"


# --- the end -------------------------------------------------------------------------------------


def _ended(played: _Played) -> None:
    """The cards that decide every bet, at once or when the table's round is over."""
    trail, box = played.trail, played.box
    at_once = trail.next == "box-decided"
    told = trail.take()
    outcome = trail.of_type(told["details"], ["blackjack-outcome"])
    dealer = outcome["dealer"]
    boxes = [Box(each["seat"], 0, each["hands"]) for each in outcome["boxes"]]
    own = [each.hands for each in boxes if each.seat == box.seat]
    if len(own) != 1:
        raise AuditError("the box is told once among those of the table")
    _see(played, own[0], dealer[0])
    boxes = [box if each.seat == box.seat else each for each in boxes]
    if told["table_round"] != played.place["round"]:
        trail.wrong("cards of another round of the table are told")
    if at_once != box.is_decided(dealer[0]):
        trail.wrong("a box is decided before the end if no card can change it, and then only")
    if at_once and (len(boxes), len(dealer)) != (1, 1):
        trail.wrong("of a box that is decided its own hands are told, and the dealer's first card")
    if not at_once:
        _hold_cards_of(played, boxes, dealer)
    ends = {bet: end_of(box, *bet, dealer) for bet in _in_order(played)}
    named = shown([*ends.values()][-1], box.hands[-1]) if at_once else shown("dealer", dealer)
    if told["shown"] != named:
        trail.wrong(f"the cards are shown as {named}")
    _credit(played, ends)


def _hold_cards_of(played: _Played, boxes: Sequence[Box], dealer: Hand) -> None:
    """All hands of the table are such as can be dealt."""
    trail = played.trail
    hold_cards(trail, [*dealer, *(card for box in boxes for hand in box.hands for card in hand)])
    seats = [0, *(box.seat for box in boxes), trail.game["seats"] + 1]
    hands = [hand for box in boxes for hand in box.hands]
    if any(one >= two for one, two in pairwise(seats)) or not all(map(_can_be_dealt, hands)):
        trail.wrong("boxes are told in the order of their seats, each with hands that can be dealt")
    if not _is_drawn(played, boxes, dealer):
        trail.wrong("the dealer takes cards by the rule of the house, and no others")


def _can_be_dealt(hand: Hand) -> bool:
    """Whether it has its first cards, and took none after it had ended."""
    return len(hand) == PAIR or (len(hand) > PAIR and count(hand[:-1]) < MOST)


def _is_drawn(played: _Played, boxes: Sequence[Box], dealer: Hand) -> bool:
    """Whether the dealer's cards are those that the boxes ask for.

    Of another box it is not known here whether it is insured or was paid evenly against an ace.
    """
    game, up = played.trail.game, dealer[0]
    if any(map(is_live, boxes)):
        return [n for n in range(1, len(dealer) + 1) if stands(game, dealer[:n])] == [len(dealer)]
    others = [box for box in boxes if box is not played.box]
    if awaits(played.box, up) or (up[0] != "A" and any(awaits(box, up) for box in others)):
        return len(dealer) == PAIR
    return len(dealer) == 1 or (len(dealer) == PAIR and up[0] == "A" and bool(others))


def _in_order(played: _Played) -> list[tuple[str, int]]:
    """The bets in the order of their payment: an insurance first, then hand by hand."""
    kinds = ("insurance", "main", "split", "double")
    return sorted(played.bets, key=lambda bet: (bet[0] != "insurance", bet[1], kinds.index(bet[0])))


def _credit(played: _Played, ends: Mapping[tuple[str, int], str]) -> None:
    """What every bet brings, and the end of the round."""
    trail, numbers = played.trail, list(played.bets)
    won = returned = 0
    for (kind, at), end in ends.items():
        amount = played.bets[kind, at]
        if end in ("lost", "bust"):
            continue
        prize = winnings(trail.game, kind, amount, end)
        trail.expect(
            "payout-credited",
            bet=numbers.index((kind, at)) + 1,
            winnings=prize,
            stake_returned=amount,
        )
        won, returned = won + prize, returned + amount
    staked = sum(played.bets.values())
    trail.expect(
        "round-settled",
        staked=staked,
        winnings=won,
        stake_returned=returned,
        stakes_lost=staked - returned,
        refunded=0,
        bets=len(numbers),
    )
