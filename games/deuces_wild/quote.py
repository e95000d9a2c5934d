"""Judge a hand or a chain of double-ups without recording it: how disputes check a payout.

Nothing is decided here: a hand goes through the session's own `step` and the functions that the
round is played by, and so does each step of a chain.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from games.cards import Card, read_cards
from games.deuces_wild import double_up
from games.deuces_wild.hand import HAND_SIZE, category
from games.deuces_wild.moves import read_deal, read_hold
from games.deuces_wild.refusals import DeucesCode
from games.deuces_wild.round import dealt, not_held, replaced, settle
from games.deuces_wild.sheet import Sheet
from games.deuces_wild.table import table_of
from games.documents import malformed, read_amount, refused
from games.quoting import begin
from ledger.domain.decider import Engine, RoundView
from ledger.domain.events import BetPlaced, WinHeld
from ledger.domain.money import format_amount
from ledger.domain.refusals import Refusal

CHAIN_MAX: Final = 99
"""Most double-ups in one document."""

Answer = dict[str, Any]


def quote(engine: Engine, sheet_text: str, document: object) -> dict[str, Any]:
    """Answer a final hand, a hand with its replacement, one double-up, or a chain of them.

    Raises `SheetError` when `sheet_text` is no sheet of the engine; never for a document.
    """
    judge = _FORMS.get(frozenset(document)) if isinstance(document, dict) else None
    if judge is None or not isinstance(document, dict):
        return refused(malformed(_HOW))
    answer = judge(engine, sheet_text, document)
    return refused(answer) if isinstance(answer, Refusal) else {"accepted": True} | answer


def begun(engine: Engine, sheet_text: str, document: Mapping[str, Any]) -> RoundView | Refusal:
    """The view of a round after the bet that `coins` and `coin` of a document ask for."""
    move = read_deal(document)
    return move if isinstance(move, Refusal) else begin(engine, sheet_text, move)


def _final(engine: Engine, sheet_text: str, document: Mapping[str, Any]) -> Answer | Refusal:
    five = read_cards(document["final"], '"final"', HAND_SIZE)
    if isinstance(five, Refusal):
        return five
    view = begun(engine, sheet_text, document)
    return view if isinstance(view, Refusal) else _paid(view, five)


def _played(engine: Engine, sheet_text: str, document: Mapping[str, Any]) -> Answer | Refusal:
    five = read_cards(document["deal"], '"deal"', HAND_SIZE)
    hold = read_hold(document)
    if isinstance(five, Refusal):
        return five
    if isinstance(hold, Refusal):
        return hold
    view = begun(engine, sheet_text, document)
    if isinstance(view, Refusal):
        return view
    deal = dealt(view, five, b"")
    refusal = not_held(table_of(view), hold)
    if refusal is not None:
        return refusal
    fresh = _fresh(document["draw"], five, HAND_SIZE - len(hold.hold))
    if isinstance(fresh, Refusal):
        return fresh
    proposed = {"proposed_hold": list(deal.details.proposed_hold)}
    return proposed | _paid(view, replaced(five, hold.hold, fresh))


def _fresh(document: object, five: tuple[Card, ...], count: int) -> tuple[Card, ...] | Refusal:
    """The cards drawn in place of those that are not held; none of them was dealt."""
    fresh = read_cards(document, '"draw"', count)
    if isinstance(fresh, tuple) and set(fresh) & set(five):
        return malformed('"draw" must hold cards that were not dealt.')
    return fresh


def _paid(view: RoundView, five: tuple[Card, ...]) -> Answer:
    staked = sum(e.amount for e in view.history if isinstance(e, BetPlaced))
    wins = [e for e in settle(view, five) if isinstance(e, WinHeld)]
    winnings, returned = sum(e.winnings for e in wins), sum(e.stake_returned for e in wins)
    return {
        "final": list(five),
        "category": category(five).value,
        "staked": format_amount(staked),
        "winnings": format_amount(winnings),
        "stake_returned": format_amount(returned),
        "credited": format_amount(winnings + returned),
    }


@dataclass(frozen=True, slots=True)
class _Pick:
    """One double-up as a document tells it."""

    half: bool
    shown: Card
    picked: Card


def _single(engine: Engine, sheet_text: str, document: Mapping[str, Any]) -> Answer | Refusal:
    told = document["double_up"]
    if not isinstance(told, dict) or "win" not in told:
        return malformed(_HOW)
    rest = {name: value for name, value in told.items() if name != "win"}
    chain = _chain(engine, sheet_text, {"win": told["win"], "double_ups": [rest]})
    if isinstance(chain, Refusal):
        return chain
    only: Answer = chain["double_ups"][0]
    return only | {"credited": chain["credited"]}


def _chain(engine: Engine, sheet_text: str, document: Mapping[str, Any]) -> Answer | Refusal:
    win = read_amount(document["win"], '"win"')
    if isinstance(win, Refusal):
        return win
    told = document["double_ups"]
    if not isinstance(told, list) or len(told) > CHAIN_MAX:
        return malformed(f'"double_ups" must be a list of at most {CHAIN_MAX}.')
    sheet: Sheet = engine.read_sheet(sheet_text)
    steps: list[Answer] = []
    offered, credited = win, win
    for number, step in enumerate(told, 1):
        pick = _pick(step, f"Double-up {number}")
        if isinstance(pick, Refusal):
            return pick
        done = _double(sheet, offered, number, pick)
        if isinstance(done, Refusal):
            return done
        offered, credited, answer = done
        steps.append(answer)
    return {"double_ups": steps, "credited": format_amount(credited)}


def _pick(told: object, place: str) -> _Pick | Refusal:
    if not isinstance(told, dict) or set(told) != {"half", "shown", "picked"}:
        return malformed(f'{place}: write {{"half": false, "shown": "9h", "picked": "Kd"}}.')
    if type(told["half"]) is not bool:
        return malformed(f'{place}: "half" must be true or false.')
    two = read_cards([told["shown"], told["picked"]], f"{place}: shown and picked", 2)
    return two if isinstance(two, Refusal) else _Pick(told["half"], *two)


def _double(sheet: Sheet, win: int, number: int, pick: _Pick) -> tuple[int, int, Answer] | Refusal:
    """What is on offer after one double-up, what the player would get now, and the answer."""
    if win == 0:
        return Refusal(DeucesCode.NO_WIN, f"Double-up {number}: no win is left to double.")
    refusal = double_up.not_offered(sheet, win, number - 1, half=pick.half)
    if refusal is not None:
        return Refusal(refusal.code, f"Double-up {number}: {refusal.message}")
    split = double_up.risk(win, half=pick.half)
    outcome = double_up.judge(sheet, pick.shown, pick.picked)
    collected = split.kept + double_up.TIMES[outcome] * split.at_risk
    offered = 0 if outcome == "lost" else collected
    answer = {
        "outcome": outcome,
        "at_risk": format_amount(split.at_risk),
        "kept": format_amount(split.kept),
        "on_offer": format_amount(offered),
    }
    return offered, collected, answer


_HOW: Final = (
    'Write {"coins": 5, "coin": "0.25"} with "final" or with "deal", "hold" and "draw"; or '
    '{"double_up": {"win": "2.00", "half": false, "shown": "9h", "picked": "Kd"}}; or '
    '{"win": "2.00", "double_ups": [..]}.'
)

_FORMS: Final[
    Mapping[frozenset[str], Callable[[Engine, str, Mapping[str, Any]], Answer | Refusal]]
] = {
    frozenset({"coins", "coin", "final"}): _final,
    frozenset({"coins", "coin", "deal", "hold", "draw"}): _played,
    frozenset({"double_up"}): _single,
    frozenset({"win", "double_ups"}): _chain,
}
