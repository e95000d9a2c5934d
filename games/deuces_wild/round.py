"""One round of Deuces Wild: bet, five cards, one replacement, and a win held until it is collected.

Each card is drawn when it is shown, from recorded entropy over the cards that are left, so that
nothing undealt exists (G7, G10). Source: Regolamento Deuces Wild, "Singole fasi del gioco".
"""

from collections.abc import Sequence
from typing import Any, Final

from games import cards
from games.cards import Card
from games.deuces_wild import double_up
from games.deuces_wild.double_up import POOL
from games.deuces_wild.hand import HAND_SIZE, category, proposed_hold
from games.deuces_wild.moves import (
    DeucesCards,
    DeucesCollect,
    DeucesDeal,
    DeucesDoubleUp,
    DeucesHold,
    DeucesPick,
    DeucesShow,
)
from games.deuces_wild.refusals import DeucesCode
from games.deuces_wild.sheet import Sheet, bet_kind
from games.deuces_wild.table import (
    DeucesBet,
    DeucesDealt,
    DeucesFinal,
    Table,
    table_of,
)
from games.engine import header, placed_bets
from ledger.domain.decider import NeedsDraw, RoundEvents, RoundView
from ledger.domain.events import (
    BetPlaced,
    Details,
    DoubleUpResolved,
    DoubleUps,
    DrawRecorded,
    RoundSettled,
    WinCollected,
    WinHeld,
)
from ledger.domain.money import format_amount
from ledger.domain.refusals import Code, Refusal

Proposal = RoundEvents | Refusal | NeedsDraw

ALREADY_DEALT: Final = Refusal(DeucesCode.CARDS_DEALT, "The cards of this round are dealt.")

BET: Final = 1
"""The index of the round's only bet."""


def decide(view: RoundView, move: Details, draw: bytes | None) -> Proposal:
    """Propose what a move brings about (see `ledger.domain.decider.Engine.decide`)."""
    table = table_of(view)
    if isinstance(move, DeucesDeal):
        return _place(view, table, move)
    if table.bet is None:
        return Refusal(Code.NO_BET, "A round begins with a bet of coins.")
    return _go_on(view, table, move, draw)


def _go_on(view: RoundView, table: Table, move: Details, draw: bytes | None) -> Proposal:
    match move:
        case DeucesCards():
            return _deal(view, table, draw)
        case DeucesHold():
            return _replace(view, table, move, draw)
        case DeucesDoubleUp() | DeucesPick() | DeucesCollect():
            return _with_the_win(view, table, move, draw)
        case DeucesShow():
            return double_up.show(view, table, draw)
        case _:
            return Refusal(Code.WRONG_GAME, "This is no move of Deuces Wild.")


def next_move(view: RoundView) -> Details:
    """The move that the rules make: hold what is proposed, collect, or pick the first card (DW5).

    A double-up in play is picked for the player: a card to beat that is shown cannot be taken back.
    """
    table = table_of(view)
    if table.dealt is None:
        return DeucesCards()
    if table.final is None:
        return DeucesHold(hold=table.dealt.proposed_hold)
    if table.staked is None:
        return DeucesCollect()
    return DeucesShow() if table.shown is None else DeucesPick(pick=1)


def waits(view: RoundView) -> bool:
    """Whether the player is to move: all but dealing and showing is the player's."""
    return not isinstance(next_move(view), DeucesCards | DeucesShow)


def coins_not_offered(sheet: Sheet) -> Refusal:
    """The refusal of no coins, or of more than the sheet offers."""
    return Refusal(DeucesCode.COINS_NOT_OFFERED, f"Bet one to {sheet.coins_max} coins.")


def _place(view: RoundView, table: Table, move: DeucesDeal) -> RoundEvents | Refusal:
    if table.bet is not None:
        return ALREADY_DEALT
    sheet: Sheet = view.sheet
    if not 1 <= move.coins <= sheet.coins_max:
        return coins_not_offered(sheet)
    if move.coin not in sheet.coin_values:
        values = ", ".join(map(format_amount, sheet.coin_values))
        return Refusal(DeucesCode.COIN_NOT_OFFERED, f"The coins here are {values}.")
    bet = BetPlaced(
        **header(view),
        bet=BET,
        amount=move.coins * move.coin,
        currency=view.currency,
        details=DeucesBet(coins=move.coins, coin=move.coin),
    )
    return (bet,)


def _deal(view: RoundView, table: Table, draw: bytes | None) -> Proposal:
    if table.dealt is not None:
        return ALREADY_DEALT
    drawn = None if draw is None else cards.deal(draw, (), HAND_SIZE)
    return POOL if drawn is None else (dealt(view, drawn.cards, drawn.used),)


def dealt(view: RoundView, five: tuple[Card, ...], used: bytes) -> DrawRecorded[DeucesDealt]:
    """The deal of five cards that were mapped from these bytes."""
    details = DeucesDealt(cards=five, proposed_hold=proposed_hold(five))
    return DrawRecorded(**header(view), entropy=used.hex(), shown=None, details=details)


def _replace(view: RoundView, table: Table, move: DeucesHold, draw: bytes | None) -> Proposal:
    refusal = not_held(table, move)
    if refusal is not None:
        return refusal
    assert table.dealt is not None
    five = table.dealt.cards
    wanted = HAND_SIZE - len(move.hold)
    drawn = cards.deal(draw or b"", five, wanted)
    if drawn is None:
        return POOL
    final = replaced(five, move.hold, drawn.cards)
    return (_final(view, final, drawn.used), *settle(view, final))


def not_held(table: Table, move: DeucesHold) -> Refusal | None:
    """Why these cards cannot be held now; None where they can."""
    if table.final is not None:
        return Refusal(DeucesCode.CARDS_REPLACED, "Cards are replaced once; the hand is final.")
    if not all(1 <= position <= HAND_SIZE for position in move.hold):
        return Refusal(DeucesCode.NO_SUCH_CARD, f"The cards are at the positions 1 to {HAND_SIZE}.")
    if len(set(move.hold)) != len(move.hold):
        return Refusal(DeucesCode.CARD_HELD_TWICE, "Name each card that you hold once.")
    return None


def replaced(
    five: tuple[Card, ...], hold: tuple[int, ...], fresh: tuple[Card, ...]
) -> tuple[Card, ...]:
    """The hand with fresh cards, in order, at the positions that are not held."""
    coming = iter(fresh)
    return tuple(card if at in hold else next(coming) for at, card in enumerate(five, 1))


def _final(view: RoundView, five: tuple[Card, ...], used: bytes) -> DrawRecorded[DeucesFinal]:
    made = category(five)
    return DrawRecorded(
        **header(view),
        entropy=used.hex(),
        shown=f"{' '.join(five)} {made}",
        details=DeucesFinal(cards=five, category=made),
    )


def settle(view: RoundView, five: tuple[Card, ...]) -> RoundEvents:
    """Hold what a final hand wins, or end the round that it loses."""
    bet = placed_bets(view)[0]
    sheet: Sheet = view.sheet
    paid = sheet.pay(category(five), bet.details.coins) * bet.details.coin
    if not paid:
        return (_ended(view, ()),)
    returned = min(paid, bet.amount)
    held = WinHeld(
        **header(view),
        bet=BET,
        winnings=paid - returned,
        stake_returned=returned,
        currency=view.currency,
    )
    return (held,)


def _with_the_win(
    view: RoundView,
    table: Table,
    move: DeucesDoubleUp | DeucesPick | DeucesCollect,
    draw: bytes | None,
) -> Proposal:
    if table.win == 0:
        return Refusal(DeucesCode.NO_WIN, "No win is held; replace cards first.")
    if isinstance(move, DeucesPick):
        return _pick(view, table, move, draw)
    if table.staked is not None:
        return Refusal(DeucesCode.DOUBLE_UP_IN_PLAY, "A double-up is in play; pick a card.")
    if isinstance(move, DeucesDoubleUp):
        return double_up.stake(view, table, move)
    return _collected(view, (), table.win)


def _pick(view: RoundView, table: Table, move: DeucesPick, draw: bytes | None) -> Proposal:
    if table.staked is None:
        return double_up.NOT_IN_PLAY
    picked = double_up.pick(view, table, move, draw)
    if not isinstance(picked, tuple):
        return picked
    drawn, resolved = picked
    assert isinstance(resolved, DoubleUpResolved)
    if resolved.outcome != "lost":
        return picked
    return (drawn, *_collected(view, (resolved,), table.staked.kept))


def _collected(view: RoundView, resolved: tuple[DoubleUpResolved, ...], amount: int) -> RoundEvents:
    """Collect what is held, if anything is, and end the round."""
    ended = _ended(view, resolved)
    if not amount:
        return (*resolved, ended)
    collected = WinCollected(**header(view), amount=amount, currency=view.currency)
    return (*resolved, collected, ended)


def _ended(view: RoundView, resolved: tuple[DoubleUpResolved, ...]) -> RoundSettled:
    """The end of the round: its bet against what it won, double-ups apart."""
    bet = placed_bets(view)[0]
    wins = [e for e in view.history if isinstance(e, WinHeld)]
    earlier = [e for e in view.history if isinstance(e, DoubleUpResolved)]
    returned = sum(e.stake_returned for e in wins)
    return RoundSettled(
        **header(view),
        currency=view.currency,
        staked=bet.amount,
        winnings=sum(e.winnings for e in wins),
        stake_returned=returned,
        stakes_lost=bet.amount - returned,
        refunded=0,
        bets=1,
        double_ups=_doubled([*earlier, *resolved]),
        bet_kind=bet_kind(bet.details.coins),
    )


def _doubled(resolved: Sequence[DoubleUpResolved]) -> DoubleUps | None:
    if not resolved:
        return None
    return DoubleUps(
        count=len(resolved),
        staked=sum(e.at_risk for e in resolved),
        returned=sum(e.returned for e in resolved),
    )


def screen(view: RoundView) -> dict[str, Any]:
    """What the player sees of a round in play, for the screen (rulings C7)."""
    table = table_of(view)
    if table.staked is not None:
        return {"card_to_beat": table.shown, "may": ["pick"]}
    if table.final is not None:
        more = [name for half, name in _DOUBLES if _offered(view.sheet, table, half=half)]
        hand = {"cards": list(table.final.cards), "category": table.final.category.value}
        return hand | {"may": ["collect", *more]}
    if table.dealt is None:
        return {}
    held = list(table.dealt.proposed_hold)
    return {"cards": list(table.dealt.cards), "proposed_hold": held, "may": ["hold"]}


_DOUBLES: Final = ((False, "double-up"), (True, "half double-up"))


def _offered(sheet: Sheet, table: Table, *, half: bool) -> bool:
    return double_up.not_offered(sheet, table.win, table.double_ups, half=half) is None
