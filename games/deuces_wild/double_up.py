"""The double-up: the held win, or half of it, on a card against one of four (rulings DW3, DW4).

What is at risk is fixed before any card is drawn, the card to beat is drawn before the pick, and
the four cards after it: nothing undealt exists that could be told (G7, G10).
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

from games import cards
from games.cards import Card
from games.deuces_wild.moves import DeucesDoubleUp, DeucesPick
from games.deuces_wild.refusals import DeucesCode
from games.deuces_wild.sheet import Sheet
from games.deuces_wild.table import FACE_DOWN, DeucesFour, DeucesShown, Table
from games.engine import header
from ledger.domain.decider import NeedsDraw, RoundEvents, RoundView
from ledger.domain.events import DoubleUpResolved, DoubleUpStaked, DrawRecorded
from ledger.domain.money import format_amount
from ledger.domain.refusals import Refusal

POOL: Final = NeedsDraw(32)
"""Enough for four cards almost always; when rejections use it up, as much again is asked for."""

NOT_IN_PLAY: Final = Refusal(DeucesCode.NO_DOUBLE_UP, "No double-up is in play; ask for one first.")

Outcome = Literal["won", "pushed", "lost"]
TIMES: Final[dict[Outcome, int]] = {"won": 2, "pushed": 1, "lost": 0}
"""What returns of the amount at risk."""


@dataclass(frozen=True, slots=True)
class Risk:
    """How a win is split for a double-up: at risk and kept, in minor units."""

    at_risk: int
    kept: int


def risk(win: int, *, half: bool) -> Risk:
    """Split a win in minor units; of an odd one the smaller half is at risk (rulings DW4)."""
    at_risk = win // 2 if half else win
    return Risk(at_risk, win - at_risk)


def judge(sheet: Sheet, shown: Card, picked: Card) -> Outcome:
    """What a picked card does against the shown one; suits do not count."""
    mine, other = sheet.ranks.index(picked[0]), sheet.ranks.index(shown[0])
    if mine == other:
        return "pushed"
    return "won" if mine > other else "lost"


def not_offered(sheet: Sheet, win: int, already: int, *, half: bool) -> Refusal | None:
    """Why a win cannot be doubled up, after so many double-ups; None where it can (DW4)."""
    if already >= sheet.count_max:
        return Refusal(
            DeucesCode.DOUBLE_UPS_USED,
            f"A round has at most {sheet.count_max} double-ups; collect the win.",
        )
    if win > sheet.limit:
        limit = format_amount(sheet.limit)
        return Refusal(
            DeucesCode.DOUBLE_UP_ABOVE_LIMIT, f"A win above {limit} is not doubled up; collect it."
        )
    if risk(win, half=half).at_risk == 0:
        return Refusal(DeucesCode.NO_HALF, "This win has no half; double all of it or collect it.")
    return None


def stake(view: RoundView, table: Table, move: DeucesDoubleUp) -> RoundEvents | Refusal:
    """Put the win of the table, or half of it, at risk."""
    refusal = not_offered(view.sheet, table.win, table.double_ups, half=move.half)
    if refusal is not None:
        return refusal
    split = risk(table.win, half=move.half)
    staked = DoubleUpStaked(
        **header(view),
        number=table.double_ups + 1,
        half=move.half,
        at_risk=split.at_risk,
        kept=split.kept,
        currency=view.currency,
    )
    return (staked,)


def show(view: RoundView, table: Table, draw: bytes | None) -> RoundEvents | Refusal | NeedsDraw:
    """Draw the card to beat from a whole deck, once for each stake."""
    if table.staked is None:
        return NOT_IN_PLAY
    if table.shown is not None:
        return Refusal(DeucesCode.DOUBLE_UP_IN_PLAY, "The card to beat is shown; pick a card.")
    dealt = None if draw is None else cards.deal(draw, (), 1)
    if dealt is None:
        return POOL
    details = DeucesShown(card=dealt.cards[0])
    return (DrawRecorded(**header(view), entropy=dealt.used.hex(), shown=None, details=details),)


def pick(
    view: RoundView, table: Table, move: DeucesPick, draw: bytes | None
) -> RoundEvents | Refusal | NeedsDraw:
    """Draw the four cards that lie face down, and decide by the picked one."""
    if not 1 <= move.pick <= FACE_DOWN:
        return Refusal(DeucesCode.NO_SUCH_PICK, f"Pick one of the cards 1 to {FACE_DOWN}.")
    assert table.shown is not None
    dealt = None if draw is None else cards.deal(draw, (table.shown,), FACE_DOWN)
    if dealt is None:
        return POOL
    four = DeucesFour(cards=dealt.cards, picked=move.pick)
    drawn: DrawRecorded[Any] = DrawRecorded(
        **header(view), entropy=dealt.used.hex(), shown=None, details=four
    )
    outcome = judge(view.sheet, table.shown, dealt.cards[move.pick - 1])
    return (drawn, resolved(view, table, outcome))


def resolved(view: RoundView, table: Table, outcome: Outcome) -> DoubleUpResolved:
    """The end of the double-up in play."""
    assert table.staked is not None
    return DoubleUpResolved(
        **header(view),
        number=table.staked.number,
        outcome=outcome,
        at_risk=table.staked.at_risk,
        returned=TIMES[outcome] * table.staked.at_risk,
        currency=view.currency,
    )
