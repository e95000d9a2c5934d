"""What French roulette's engine, version 1, knows by itself: its sheets.

Its rounds are a live table's, which many sessions share; so no session plays one alone.
"""

from dataclasses import dataclass

from games.roulette.french import sheet


@dataclass(frozen=True, slots=True)
class FrenchEngine:
    """French roulette: stateless, so that one value serves every table."""

    game: str = "french-roulette"
    version: int = 1

    def read_sheet(self, text: str) -> sheet.Sheet:
        """Read a sheet's canonical text; raise `SheetError` if it cannot be played."""
        return sheet.read_sheet(text)
