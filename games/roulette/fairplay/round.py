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
from games.roulette.fairplay.limits import Limits, beyond
from games.roulette.fairplay.sheet import Sheet
from games.roulette.laying import all_laid, lay, placed, position_sums, unbookable
from games.roulette.layout import BY_KIND, Kind, RouletteBet
from games.roulette.refusals import RouletteCode
from games.roulette.round import POOL, settle
from games.roulette.wheel import POCKETS, neighbours, outcome
from ledger.domain.decider import NeedsDraw, RoundEvents, RoundView
from ledger.domain.events import Details, DrawRecorded, RoundOpened
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
    limits = held_to(sheet, move)
    if isinstance(limits, Refusal):
        return limits
    laid = all_laid(lay_line(sheet, ln, f"Bet {at}") for at, ln in enumerate(move.lines, 1))
    if isinstance(laid, Refusal):
        return laid
    positions = position_sums(laid)
    wrong = (*beyond(limits, positions), *unbookable(sheet.pays, positions))
    return foremost(wrong) or placed(view, positions)


def held_to(sheet: Sheet, move: FairPlayBets) -> Limits | Refusal:
    """The limits that hold for a move's bets, or why no such move may be made at all."""
    if move.demo:
        return Refusal(
            RouletteCode.DEMO_ROUND, "A demo round moves no money; the book keeps none of it."
        )
    account = None if move.account is None else sheet.accounts.get(move.account)
    if account is None:
        known = ", ".join(sheet.accounts)
        return Refusal(RouletteCode.UNKNOWN_ACCOUNT, f"Name an account type; there are: {known}.")
    if move.limits is not None and not account.own_limits:
        text = "An account of this type has the sheet's limits and no others."
        return Refusal(RouletteCode.OWN_LIMITS_NOT_OFFERED, text)
    if move.offset and not move.series:
        text = "An offset is taken with an open series only; leave it out or prepare a series."
        return Refusal(RouletteCode.OFFSET_WITHOUT_SERIES, text)
    return account.limits.with_own(move.limits)


def lay_line(sheet: Sheet, line: FairPlayLine, place: str) -> Stakes | Refusal:
    """The placements that a line names with the minor units on each, or why it names none."""
    if not isinstance(line, NeighboursLine):
        return lay(sheet, line, place)
    straights = around(sheet, line.neighbours, place)
    if isinstance(straights, Refusal):
        return straights
    return tuple((bet, line.chip) for bet in straights)


def around(sheet: Sheet, number: int, place: str) -> tuple[RouletteBet, ...] | Refusal:
    """The straights of a number and its neighbours on the wheel."""
    if number not in POCKETS:
        return Refusal(RouletteCode.ILLEGAL_PLACEMENT, f"{place}: the wheel has no such number.")
    straights = BY_KIND[Kind.STRAIGHT]
    return tuple(straights[each] for each in neighbours(number, sheet.neighbours))


def _spin(view: RoundView, draw: bytes | None) -> RoundEvents | NeedsDraw:
    opened = view.history[0]
    assert isinstance(opened, RoundOpened)
    mapped = None if draw is None else uniform(draw, len(POCKETS))
    if mapped is None:
        return POOL
    came = shifted(mapped.value, opened.move.offset or 0)
    drawn: DrawRecorded[Details] = DrawRecorded(
        **header(view), entropy=mapped.used.hex(), shown=str(came.pocket), details=came
    )
    return (drawn, *settle(view, came.pocket))
