"""The refusals of a sum on a position that is out of its range."""

from games.ranges import Range
from games.roulette.layout import Kind
from games.roulette.refusals import RouletteCode
from ledger.domain.money import format_amount
from ledger.domain.refusals import Refusal


def below(bounds: Range, kind: Kind) -> Refusal:
    """The refusal of too little on one position."""
    text = f"On one {kind} lies at least {format_amount(bounds.min)} in all."
    return Refusal(RouletteCode.POSITION_BELOW_MINIMUM, text)


def above(bounds: Range, kind: Kind) -> Refusal:
    """The refusal of too much on one position."""
    text = f"On one {kind} lies at most {format_amount(bounds.max)} in all."
    return Refusal(RouletteCode.POSITION_ABOVE_MAXIMUM, text)
