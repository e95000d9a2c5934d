"""The engine of roulette by account type, version 1, behind the book's `Engine` protocol."""

from dataclasses import dataclass

from games.roulette.fairplay import bets, round as colpo, sheet
from ledger.domain.decider import NeedsDraw, RoundEvents, RoundView
from ledger.domain.events import Details
from ledger.domain.refusals import Refusal


@dataclass(frozen=True, slots=True)
class FairPlayEngine:
    """Roulette by account type: stateless, so that one value serves every player."""

    game: str = "roulette-fairplay"
    version: int = 1

    def read_sheet(self, text: str) -> sheet.Sheet:
        """Read a sheet's canonical text; raise `SheetError` if it cannot be played."""
        return sheet.read_sheet(text)

    def parse(self, document: object) -> Details | Refusal:
        """Read `{"bets": [..]}` as the opening move."""
        return bets.parse(document)

    def decide(
        self, view: RoundView, move: Details, draw: bytes | None
    ) -> RoundEvents | Refusal | NeedsDraw:
        """Propose the events of a move."""
        return colpo.decide(view, move, draw)

    def next_move(self, view: RoundView) -> Details:  # noqa: ARG002 - roulette knows one move on
        """Spin: the only move that the rules make."""
        return bets.SPIN

    def waits(self, view: RoundView) -> bool:  # noqa: ARG002 - as above
        """Bets lie until someone asks for the spin."""
        return True
