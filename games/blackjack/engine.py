"""What Live Blackjack's engine, version 1, knows by itself: its sheets.

Its rounds are a live table's, which deals cards to many sessions; so no session plays one alone.
"""

from dataclasses import dataclass

from games.blackjack import sheet


@dataclass(frozen=True, slots=True)
class BlackjackEngine:
    """Live Blackjack: stateless, so that one value serves every table."""

    game: str = "live-blackjack"
    version: int = 1

    def read_sheet(self, text: str) -> sheet.Sheet:
        """Read a sheet's canonical text; raise `SheetError` if it cannot be played."""
        return sheet.read_sheet(text)
