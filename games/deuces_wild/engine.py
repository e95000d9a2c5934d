"""The engine of Deuces Wild, version 1: a round's rules behind the book's `Engine` protocol."""

from dataclasses import dataclass

from games.deuces_wild import moves, round as colpo, sheet
from ledger.domain.decider import NeedsDraw, RoundEvents, RoundView
from ledger.domain.events import Details
from ledger.domain.refusals import Refusal


@dataclass(frozen=True, slots=True)
class DeucesEngine:
    """Deuces Wild: stateless, so that one value serves every player."""

    game: str = "deuces-wild"
    version: int = 1

    def read_sheet(self, text: str) -> sheet.Sheet:
        """Read a sheet's canonical text; raise `SheetError` if it cannot be played."""
        return sheet.read_sheet(text)

    def parse(self, document: object) -> Details | Refusal:
        """Read a player's move, such as `{"coins": 5, "coin": "0.25"}`."""
        return moves.parse(document)

    def decide(
        self, view: RoundView, move: Details, draw: bytes | None
    ) -> RoundEvents | Refusal | NeedsDraw:
        """Propose the events of a move."""
        return colpo.decide(view, move, draw)

    def next_move(self, view: RoundView) -> Details:
        """The move that the rules make when the player makes none."""
        return colpo.next_move(view)

    def waits(self, view: RoundView) -> bool:
        """Whether the player is to move."""
        return colpo.waits(view)
