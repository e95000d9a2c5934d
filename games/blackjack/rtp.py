"""What the game returns: what the sheet declares for each strategy, over all that is bet."""

from games.blackjack.sheet import Sheet
from games.engine import Return


def returns_of(sheet: Sheet) -> tuple[Return, ...]:
    """The declared return of each strategy, per unit bet, whatever the bet was for."""
    return tuple(
        Return(strategy, declared.expected, declared.variance)
        for strategy, declared in sheet.returns.items()
    )
