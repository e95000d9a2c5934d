"""One round of roulette: bets, then a spin that settles every one of them.

Bets are read against the sheet before any draw is asked for, and the outcome depends on the drawn
bytes alone (G7). Source: European Roulette rules, sections "Descrizione delle fasi di gioco" and
"Opzioni del giocatore durante la fase di gioco".
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.draws import Mapped, uniform
from games.engine import bets_in_play, foremost, header, placed_bets, settled
from games.roulette.announced import Stakes
from games.roulette.bets import AnnouncedLine, Line, RouletteBets, Spin
from games.roulette.laying import all_laid, lay, placed, position_sums, unbookable
from games.roulette.layout import RouletteBet
from games.roulette.payouts import payout
from games.roulette.refusals import RouletteCode
from games.roulette.sheet import Sheet
from games.roulette.wheel import POCKETS, outcome
from ledger.domain.decider import NeedsDraw, RoundEvents, RoundView
from ledger.domain.events import BetPlaced, Details, DrawRecorded
from ledger.domain.money import format_amount
from ledger.domain.refusals import Code, Refusal

POOL: Final = NeedsDraw(32)
"""One byte decides in 222 of 256 cases; when all 32 are rejected, as many again are asked for."""


def decide(view: RoundView, move: Details, draw: bytes | None) -> RoundEvents | Refusal | NeedsDraw:
    """Propose what a move brings about (see `ledger.domain.decider.Engine.decide`)."""
    match move:
        case RouletteBets():
            return _place(view, move)
        case Spin():
            return _spin(view, draw)
        case _:
            return Refusal(Code.WRONG_GAME, "This is no move of roulette.")


def settle(view: RoundView, pocket: int) -> RoundEvents:
    """Pay the bets in play at a pocket, and end the round."""
    return _paid(view, bets_in_play(view), pocket)


def _paid(view: RoundView, bets: Iterable[BetPlaced[Any]], pocket: int) -> RoundEvents:
    pays = view.sheet.pays
    payouts = {b.bet: payout(b.details, pays[b.details.kind], b.amount, pocket) for b in bets}
    return settled(view, payouts)


def _spin(view: RoundView, draw: bytes | None) -> RoundEvents | Refusal | NeedsDraw:
    bets = bets_in_play(view)
    if not bets:
        return Refusal(Code.NO_BET, "No bet lies on the table; place one first.")
    mapped = None if draw is None else uniform(draw, len(POCKETS))
    if mapped is None:
        return POOL
    return (_drawn(view, mapped), *_paid(view, bets, mapped.value))


def _drawn(view: RoundView, mapped: Mapped) -> DrawRecorded[Details]:
    return DrawRecorded(
        **header(view),
        entropy=mapped.used.hex(),
        shown=str(mapped.value),
        details=outcome(mapped.value),
    )


def _place(view: RoundView, move: RouletteBets) -> RoundEvents | Refusal:
    if placed_bets(view):
        return Refusal(RouletteCode.BETS_CLOSED, "The bets of this round are placed; spin.")
    if not move.lines:
        return Refusal(Code.NO_BET, "A round needs at least one bet.")
    sheet: Sheet = view.sheet
    laid = all_laid(_lay(sheet, line, f"Bet {place}") for place, line in enumerate(move.lines, 1))
    if isinstance(laid, Refusal):
        return laid
    positions = position_sums(laid)
    return _beyond(sheet, positions) or placed(view, positions)


def _lay(sheet: Sheet, line: Line, place: str) -> Stakes | Refusal:
    stakes = lay(sheet, line, place)
    if isinstance(stakes, Refusal):
        return stakes
    unit = line.chip if isinstance(line, AnnouncedLine) else line.amount
    return _chipless(sheet, unit, place) or stakes


def _chipless(sheet: Sheet, amount: int, place: str) -> Refusal | None:
    """The refusal of an amount that no chips make; what chips make, twice as many make double."""
    if sheet.chips.make(amount):
        return None
    return Refusal(
        RouletteCode.NOT_A_SUM_OF_CHIPS,
        f"{place}: bet a sum of these chips: {sheet.chips.listed()}.",
    )


def _beyond(sheet: Sheet, positions: Mapping[RouletteBet, int]) -> Refusal | None:
    """The foremost limit that the sums break: they count per position, however they came (S7)."""
    wrong = [r for bet, amount in positions.items() for r in _off_position(sheet, bet, amount)]
    total = sum(positions.values())
    if sheet.table_max is not None and total > sheet.table_max:
        most = format_amount(sheet.table_max)
        wrong.append(
            Refusal(RouletteCode.TABLE_ABOVE_MAXIMUM, f"All bets together are at most {most}.")
        )
    return foremost((*wrong, *unbookable(sheet.pays, positions)))


def _off_position(sheet: Sheet, bet: RouletteBet, amount: int) -> list[Refusal]:
    limits = sheet.positions.get(bet.kind)
    if limits is None:
        return []
    if limits.min is not None and amount < limits.min:
        text = f"On one {bet.kind} lies at least {format_amount(limits.min)}."
        return [Refusal(RouletteCode.POSITION_BELOW_MINIMUM, text)]
    if limits.max is not None and amount > limits.max:
        text = f"On one {bet.kind} lies at most {format_amount(limits.max)}."
        return [Refusal(RouletteCode.POSITION_ABOVE_MAXIMUM, text)]
    return []
