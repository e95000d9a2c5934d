"""The engine of French roulette, version 1, behind the book's `TableEngine` protocol."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from games.documents import malformed
from games.draws import uniform
from games.roulette.french import moves, round as colpo, sheet
from games.roulette.french.table import read_limits, table_of
from games.roulette.round import POOL
from games.roulette.wheel import POCKETS, WheelOutcome, outcome
from ledger.domain.decider import Due, NeedsDraw, Outcome, RoundEvents, RoundView
from ledger.domain.events import Details
from ledger.domain.refusals import Refusal


@dataclass(frozen=True, slots=True)
class FrenchEngine:
    """French roulette: stateless, so that one value serves every table."""

    game: str = "french-roulette"
    version: int = 1

    def read_sheet(self, text: str) -> sheet.Sheet:
        """Read a sheet's canonical text; raise `SheetError` if it cannot be played."""
        return sheet.read_sheet(text)

    def parse(self, document: object) -> Details | Refusal:
        """Read a player's move, such as `{"bets": [..]}` or `{"prison": [..]}`."""
        return moves.parse(document)

    def decide(
        self,
        view: RoundView,
        move: Details,
        draw: bytes | None,  # noqa: ARG002 - the draw is the table's
    ) -> RoundEvents | Refusal | NeedsDraw:
        """Propose the events of a move, or of the outcome that the table tells."""
        return colpo.decide(view, move)

    def next_move(self, view: RoundView) -> Details:
        """Withdraw what is in prison, collect what is held; bets that lie have no such move."""
        return colpo.next_move(view)

    def waits(self, view: RoundView) -> bool:  # noqa: ARG002 - no move follows by the rules alone
        """A round waits for its player or for its table."""
        return True

    def check_limits(self, sheet: sheet.Sheet, limits: str) -> str | None:  # noqa: ARG002 - one range for all
        """A least and a most for the sum on each position."""
        read = read_limits(limits)
        return read.message if isinstance(read, Refusal) else None

    def parse_outcome(self, document: object) -> Details | Refusal:
        """Read a pocket, alone or as `{"pocket": 17}`."""
        pocket = document.get("pocket") if isinstance(document, dict) else document
        if type(pocket) is not int or pocket not in POCKETS:
            return malformed('Write the number that came, from 0 to 36: {"pocket": 17}.')
        return outcome(pocket)

    def draw_outcome(self, sheet: sheet.Sheet, draw: bytes | None) -> Outcome | NeedsDraw:  # noqa: ARG002
        """Map entropy to a pocket, each equally likely."""
        mapped = None if draw is None else uniform(draw, len(POCKETS))
        if mapped is None:
            return POOL
        return Outcome(outcome(mapped.value), str(mapped.value), mapped.used)

    def shown(self, outcome: Details) -> str | None:
        """The pocket."""
        return str(outcome.pocket) if _is_of_the_wheel(outcome) else None

    def awaits_outcome(self, view: RoundView) -> bool:
        """While bets lie; what is in prison can be withdrawn, and what is held collected."""
        return table_of(view).awaits_outcome

    def play_on(self, view: RoundView) -> Details | None:
        """Stakes that won and were not collected are left, where the sheet says so."""
        return moves.FrenchLeft() if table_of(view).left else None

    def in_payment_order(
        self, sheet: sheet.Sheet, outcome: Details, dues: Sequence[Due]
    ) -> Sequence[Due]:
        """Columns, dozens, simple chances, then the others, as the sheet says."""
        assert isinstance(outcome, WheelOutcome)
        return colpo.in_payment_order(sheet, outcome.pocket, dues)


def _is_of_the_wheel(told: Details) -> TypeGuard[WheelOutcome]:
    if not isinstance(told, WheelOutcome) or told.pocket not in POCKETS:
        return False
    return told == outcome(told.pocket)
