"""Judge a round of Live Blackjack without recording it: how disputes check a payout.

Nothing is decided here: cards and actions go through the functions that a table goes through.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, Final

from games.blackjack.asked import AskedRound, read_round
from games.blackjack.hand import BLACKJACK, total
from games.blackjack.round import Action, Box, Dealt, DealTo, Round, Took, begin, evolve
from games.blackjack.rules import Rules
from games.blackjack.settle import Kind, Settled, settle
from games.blackjack.sheet import Sheet
from games.blackjack.turns import Over, Turn, first_cards, following, pending, refusal_of
from games.cards import Card
from games.documents import malformed, refused
from games.engine import SheetReader
from ledger.domain.money import format_amount
from ledger.domain.refusals import Refusal

Answer = dict[str, Any]


def quote(engine: SheetReader, sheet_text: str, document: object) -> Answer:
    """Answer a round: every hand of each box, the dealer's cards, and what it brings.

    Raises `SheetError` when `sheet_text` is no sheet of the engine; never for a document.
    """
    sheet: Sheet = engine.read_sheet(sheet_text)
    asked = read_round(document, sheet)
    played = asked if isinstance(asked, Refusal) else _play(sheet.rules, asked)
    if isinstance(played, Refusal):
        return refused(played)
    return {"accepted": True} | _told(played, settle(sheet.rules, played))


class _Script:
    """What one box is asked to do; when nothing is left of it, its hands stand."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self.left = list(actions)
        self._passed = 0

    def next(self, box: Box, hand: int) -> Action:
        """The action for a hand in turn."""
        self.skip(box, hand - 1)
        return self.left.pop(0) if self.left else Action.STAND

    def skip(self, box: Box, hands: int) -> None:
        """Go on behind the first hands of a box: each 21, which ended by itself, may be stood on.

        So a stand that follows a 21 in the document means it, and not the hand after it.
        """
        for hand in box.hands[self._passed : hands]:
            if total(hand.cards) == BLACKJACK and not hand.stood and self.left[:1] == _STAND:
                self.left.pop(0)
        self._passed = hands


_STAND: Final = [Action.STAND]


def _play(rules: Rules, asked: AskedRound) -> Round | Refusal:
    """The round that the document tells, to its end."""
    boxes = dict(enumerate(asked.boxes, 1))
    scripts = {number: _Script(box.actions) for number, box in boxes.items()}
    played, shoe = begin({number: box.bet for number, box in boxes.items()}), iter(asked.shoe)
    while not isinstance(waits := following(rules, played), Over):
        step = _surplus(rules, played, scripts) or (
            _card(waits, shoe)
            if isinstance(waits, DealTo)
            else _choice(rules, played, waits, scripts[waits.box])
        )
        if isinstance(step, Refusal):
            return step
        played = evolve(played, step)
    return _surplus(rules, played, scripts) or played


def _card(to: DealTo, shoe: Iterator[Card]) -> Dealt | Refusal:
    card = next(shoe, None)
    return _TOO_FEW if card is None else Dealt(card, to)


def _choice(rules: Rules, played: Round, turn: Turn, script: _Script) -> Took | Refusal:
    action = script.next(played.box(turn.box), turn.hand)
    refusal = refusal_of(rules, played, turn.box, action)
    if refusal is not None:
        return Refusal(refusal.code, f"Box {turn.box}, hand {turn.hand}: {refusal.message}")
    return Took(turn.box, turn.hand, action)


def _surplus(rules: Rules, played: Round, scripts: dict[int, _Script]) -> Refusal | None:
    """The refusal of an action that is left to a box whose hands have all ended."""
    if first_cards(played) is not None:
        return None
    for box in takewhile(lambda box: pending(rules, played, box) is None, played.boxes):
        script = scripts[box.number]
        script.skip(box, len(box.hands))
        refusal = refusal_of(rules, played, box.number, script.left[0]) if script.left else None
        if refusal is not None:
            return Refusal(refusal.code, f"Box {box.number}: {refusal.message}")
    return None


_TOO_FEW: Final = malformed('"shoe" ends before the round does; write every card that is dealt.')


def _told(played: Round, settled: Sequence[Settled]) -> Answer:
    """The boxes with their hands, the dealer, and the totals."""
    return {
        "boxes": [_told_box(box, settled) for box in played.boxes],
        "dealer": {"cards": list(played.dealer), "drawn": len(played.dealer) - 1},
        **_money(settled),
    }


def _told_box(box: Box, settled: Sequence[Settled]) -> Answer:
    own = [s for s in settled if s.bet.box == box.number]
    on_hands = [s for s in own if s.bet.kind is not Kind.INSURANCE]
    return {
        "bet": format_amount(box.bet),
        "hands": [
            {"cards": list(hand.cards)} | _decided([s for s in on_hands if s.bet.hand == at])
            for at, hand in enumerate(box.hands, 1)
        ],
        "insurance": _decided([s for s in own if s.bet.kind is Kind.INSURANCE]) or None,
    }


def _decided(settled: Sequence[Settled]) -> Answer:
    """The outcome of bets that stand or fall together, and their money; empty without any."""
    return {"outcome": settled[0].outcome.value} | _money(settled) if settled else {}


def _money(settled: Sequence[Settled]) -> Answer:
    winnings = sum(s.payout.winnings for s in settled)
    returned = sum(s.payout.stake_returned for s in settled)
    return {
        "staked": format_amount(sum(s.bet.amount for s in settled)),
        "winnings": format_amount(winnings),
        "stake_returned": format_amount(returned),
        "credited": format_amount(winnings + returned),
    }
