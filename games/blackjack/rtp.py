"""What the game returns: what the sheet declares for each strategy, over all that is bet."""

from games.blackjack.sheet import Sheet, Strategy
from games.engine import Return


def returns_of(sheet: Sheet) -> tuple[Return, ...]:
    """The declared return of each strategy, per unit bet, whatever the bet was for."""
    return tuple(declared_return(sheet, strategy) for strategy in sheet.returns)


def declared_return(sheet: Sheet, strategy: Strategy) -> Return:
    """What the sheet declares for a strategy."""
    declared = sheet.returns[strategy]
    return Return(strategy, declared.expected, declared.variance)
