"""A player's round at a table of Live Blackjack: the bet of a box, its moves, and what it brings.

A move is judged by the cards on which it was made, as they stand on record beside it, so that a
round can be judged again without its table (G8). Split, double and insurance are bets of their own.
Source: Live Blackjack rules, "Opzioni per il giocatore" and "Regole con le quali sono determinati i
risultati".
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from games.blackjack.limits import out_of_limits, read_limits
from games.blackjack.moves import (
    BlackjackBet,
    BlackjackMove,
    BlackjackOutcome,
    BlackjackSeen,
    BlackjackStake,
    Hands,
)
from games.blackjack.refusals import BlackjackCode
from games.blackjack.round import Action, Box, Hand, Round
from games.blackjack.rules import Rules
from games.blackjack.settle import FIRST_HAND, Kind, settle
from games.blackjack.turns import insurance_of, refusal_of
from games.documents import read_json
from games.engine import header, placed_bets, settled
from games.ranges import Range
from ledger.domain.decider import Due, RoundEvents, RoundView
from ledger.domain.events import BetPlaced, BoxDecided, Details, MoveMade, OutcomeTold
from ledger.domain.money import format_amount
from ledger.domain.refusals import Code, Refusal

SPLIT_HAND: Final = 2
"""The hand on which the bet of a split stands."""


def decide(view: RoundView, move: Details) -> RoundEvents | Refusal:
    """Propose what a bet, a move or the decision of a box brings about."""
    last = view.history[-1]
    match move:
        case BlackjackBet(amount=amount):
            return _bet(view, amount)
        case BlackjackMove(action=action) if isinstance(last, MoveMade):
            return _act(view, action, last.seen)
        case BlackjackOutcome() if isinstance(last, BoxDecided | OutcomeTold):
            return _ended(view, move)
        case _:
            return Refusal(Code.WRONG_GAME, "This is no move of Live Blackjack.")


def _bet(view: RoundView, amount: int) -> RoundEvents | Refusal:
    if placed_bets(view):
        return Refusal(Code.ROUND_IN_PLAY, "The box has its bet; take that back to bet anew.")
    return out_of_limits(limits_of(view), amount) or (_placed(view, Kind.MAIN, FIRST_HAND, amount),)


def limits_of(view: RoundView) -> Range:
    """The limits that hold for the bet of a box: those of the table's round, else the sheet's."""
    limits: Range = view.sheet.limits
    place = view.opening.table
    if place is None or place.limits is None:
        return limits
    read = limits_in(place.limits)
    assert not isinstance(read, Refusal)
    return read


@lru_cache(maxsize=256)
def limits_in(text: str) -> Range | Refusal:
    """Read a table's limits as the book keeps them."""
    document = read_json(text)
    return document if isinstance(document, Refusal) else read_limits(document)


def _placed(view: RoundView, kind: Kind, hand: int, amount: int) -> BetPlaced[BlackjackStake]:
    return BetPlaced(
        **header(view),
        currency=view.currency,
        bet=len(placed_bets(view)) + 1,
        amount=amount,
        details=BlackjackStake(kind=kind, hand=hand),
    )


def _act(view: RoundView, action: Action, seen: Any) -> RoundEvents | Refusal:
    """The bet that an action needs; none for most."""
    if not isinstance(seen, BlackjackSeen):
        return Refusal(BlackjackCode.NOT_IN_TURN, "No card is dealt yet; wait for your turn.")
    rules: Rules = view.sheet.rules
    box = _box(view, view.history[:-1], seen.hands, seen.hand)
    refusal = refusal_of(rules, Round((box,), (seen.dealer,)), box.number, action)
    if refusal is not None:
        return refusal
    match action:
        case Action.DOUBLE:
            stake = box.hands[seen.hand - 1].stake
            return (_placed(view, Kind.DOUBLE, seen.hand, stake),)
        case Action.SPLIT:
            return (_placed(view, Kind.SPLIT, SPLIT_HAND, box.bet),)
        case Action.INSURANCE:
            amount = insurance_of(rules, box.bet)
            return (_placed(view, Kind.INSURANCE, FIRST_HAND, amount),)
        case _:
            return ()


def _box(view: RoundView, moves: RoundEvents, hands: Hands, in_turn: int) -> Box:
    """The box as its bets, moves and cards make it; the hands before the one in turn have ended."""
    stakes = _stakes(view)
    place = view.opening.table
    assert place is not None
    assert place.seat is not None
    return Box(
        place.seat,
        tuple(
            Hand(
                stakes[Kind.MAIN if at == FIRST_HAND else Kind.SPLIT, at].amount,
                cards,
                doubled=(Kind.DOUBLE, at) in stakes,
                stood=at < in_turn,
            )
            for at, cards in enumerate(hands, 1)
        ),
        insured=(Kind.INSURANCE, FIRST_HAND) in stakes,
        even_money=any(map(_is_even_money, moves)),
    )


def _stakes(view: RoundView) -> Mapping[tuple[Kind, int], BetPlaced[Any]]:
    """The bets of the round, by what each was placed for and the hand on which it stands."""
    return {(bet.details.kind, bet.details.hand): bet for bet in placed_bets(view)}


def _is_even_money(event: Any) -> bool:
    return isinstance(event, MoveMade) and event.details.action is Action.EVEN_MONEY


def _ended(view: RoundView, outcome: BlackjackOutcome) -> RoundEvents | Refusal:
    """What every bet of the box brings, and its end."""
    place = view.opening.table
    own = next((b.hands for b in outcome.boxes if place and b.seat == place.seat), None)
    if own is None:
        return Refusal(Code.WRONG_GAME, "The box is not among those of this outcome.")
    box = _box(view, view.history, own, len(own) + 1)
    brought = settle(view.sheet.rules, Round((box,), outcome.dealer))
    stakes = _stakes(view)
    payouts = {stakes[s.bet.kind, s.bet.hand].bet: s.payout for s in brought}
    assert len(payouts) == len(stakes)
    return settled(view, payouts)


def in_payment_order(dues: Sequence[Due]) -> list[Due]:
    """Box by box, in the order of the seats."""
    return sorted(dues, key=lambda due: due.seat)


def screen(view: RoundView) -> dict[str, Any]:
    """What the player sees of the round beside the table's cards (rulings C7)."""
    return {
        "bets": [
            {
                "bet": bet.bet,
                "kind": bet.details.kind.value,
                "hand": bet.details.hand,
                "amount": format_amount(bet.amount),
            }
            for bet in placed_bets(view)
        ]
    }
