"""One round of roulette by account type: bets or none, then a spin that settles every one of them.

The bets are held to the account's limits before any number is asked for, and the outcome depends
on the number and the offset alone (G7). A number of a series is the same mapping of its entropy as
a fresh one: it was drawn when the series was prepared, and is handed in when the bets lie. Source:
rules of roulette with FairPlay, sections on play, limits and offsets.
"""

from games.draws import uniform
from games.engine import foremost, header
from games.roulette.announced import Stakes
from games.roulette.bets import NeighboursLine
from games.roulette.fairplay.bets import FairPlayBets, FairPlayLine, FairPlayOutcome, FairPlaySpin
from games.roulette.fairplay.limits import Limits, beyond, own_of
from games.roulette.fairplay.sheet import Sheet
from games.roulette.laying import all_laid, around, lay, placed, position_sums, unbookable
from games.roulette.refusals import RouletteCode
from games.roulette.round import POOL, settle
from games.roulette.wheel import POCKETS, outcome
from ledger.domain.decider import NeedsDraw, RoundEvents, RoundView
from ledger.domain.events import Details, DrawRecorded
from ledger.domain.refusals import Code, Refusal


def decide(view: RoundView, move: Details, draw: bytes | None) -> RoundEvents | Refusal | NeedsDraw:
    """Propose what a move brings about (see `ledger.domain.decider.Engine.decide`)."""
    match move:
        case FairPlayBets():
            return _place(view, move)
        case FairPlaySpin():
            return _spin(view, draw)
        case _:
            return Refusal(Code.WRONG_GAME, "This is no move of roulette by account type.")


def shifted(number: int, offset: int) -> FairPlayOutcome:
    """The outcome of a number, moved on by the offset: past 36 the wheel begins again at zero.

    Source: rules of roulette with FairPlay, section on offsets.
    """
    pocket = (number + offset) % len(POCKETS)
    colour = outcome(pocket).colour
    return FairPlayOutcome(number=number, offset=offset, pocket=pocket, colour=colour)


def _place(view: RoundView, move: FairPlayBets) -> RoundEvents | Refusal:
    if view.history[1:]:
        return Refusal(RouletteCode.BETS_CLOSED, "The bets of this round are placed; spin.")
    sheet: Sheet = view.sheet
    opened = view.opening
    limits = held_to(sheet, opened.account, opened.own_limits)
    if isinstance(limits, Refusal):
        return limits
    laid = all_laid(lay_line(sheet, ln, f"Bet {at}") for at, ln in enumerate(move.lines, 1))
    if isinstance(laid, Refusal):
        return laid
    positions = position_sums(laid)
    wrong = (*beyond(limits, positions), *unbookable(sheet.pays, positions))
    return foremost(wrong) or placed(view, positions)


def held_to(sheet: Sheet, named: str | None, own_limits: str | None) -> Limits | Refusal:
    """The limits that hold for an account type and a player's own limits, or why none do."""
    account = None if named is None else sheet.accounts.get(named)
    if account is None:
        text = f"The player needs an account type of this table: {', '.join(sheet.accounts)}."
        return Refusal(RouletteCode.UNKNOWN_ACCOUNT, f"{text} The house sets it on the conto.")
    own = own_of(own_limits)
    if isinstance(own, Refusal):
        return own
    if own is not None and not account.own_limits:
        text = "An account of this type has no limits of its own; the house can take them back."
        return Refusal(RouletteCode.OWN_LIMITS_NOT_OFFERED, text)
    return account.limits.with_own(own)


def lay_line(sheet: Sheet, line: FairPlayLine, place: str) -> Stakes | Refusal:
    """The placements that a line names with the minor units on each, or why it names none."""
    if not isinstance(line, NeighboursLine):
        return lay(sheet, line, place)
    straights = around(line.neighbours, sheet.neighbours, place)
    if isinstance(straights, Refusal):
        return straights
    return tuple((bet, line.chip) for bet in straights)


def _spin(view: RoundView, draw: bytes | None) -> RoundEvents | NeedsDraw:
    series = view.opening.series
    mapped = None if draw is None else uniform(draw, len(POCKETS))
    if mapped is None:
        return POOL
    came = shifted(mapped.value, 0 if series is None else series.offset)
    drawn: DrawRecorded[Details] = DrawRecorded(
        **header(view), entropy=mapped.used.hex(), shown=str(came.pocket), details=came
    )
    return (drawn, *settle(view, came.pocket))
