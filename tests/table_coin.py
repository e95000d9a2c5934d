"""The smallest game of a live table: bets of many sessions on one toss of a coin.

A limit document is `{"max":N}`: the most minor units that one bet may have.
"""

from dataclasses import dataclass
from typing import Any

import orjson

from ledger.domain import events as ev
from ledger.domain.decider import NeedsDraw, Outcome, RoundView
from ledger.domain.events import Details
from ledger.domain.refusals import Code, Refusal
from tests.coin import CoinBets, CoinEngine, CoinOutcome, settle


@dataclass(frozen=True)
class TableCoinEngine(CoinEngine):
    """The toss is the table's; a round is told it."""

    game: str = "coin"
    version: int = 2

    def check_limits(self, sheet: Any, limits: str) -> str | None:  # noqa: ARG002 - the contract's
        """A document with a maximum."""
        return None if set(orjson.loads(limits)) == {"max"} else 'Write {"max": 100}.'

    def draw_outcome(self, sheet: Any, draw: bytes | None) -> Outcome | NeedsDraw:  # noqa: ARG002
        """Even is heads, odd is tails; the last two bytes are thrown again."""
        if not draw or draw[-1] >= 254:
            return NeedsDraw(1)
        side: Any = "tails" if draw[-1] % 2 else "heads"
        return Outcome(CoinOutcome(side=side), side, draw)

    def shown(self, outcome: Details) -> str | None:
        """The side."""
        return outcome.side if isinstance(outcome, CoinOutcome) else None

    def parse_outcome(self, document: object) -> Details | Refusal:
        """A side."""
        if document in ("heads", "tails"):
            return CoinOutcome(side=document)
        return Refusal(Code.MALFORMED, "Heads or tails.")

    def play_on(self, view: RoundView) -> Details | None:  # noqa: ARG002 - the contract's
        """Nothing: what won is credited."""
        return None

    def in_payment_order(self, sheet: Any, outcome: Details, dues: Any) -> Any:  # noqa: ARG002
        """The largest stake of the table first."""
        return sorted(dues, key=lambda due: (-due.placed.amount, due.seat))

    def awaits_outcome(self, view: RoundView) -> bool:  # noqa: ARG002 - the contract's
        """Always: no move ends a round."""
        return True

    def decide(
        self, view: RoundView, move: Details, draw: bytes | None
    ) -> tuple[ev.RoundEvent, ...] | Refusal | NeedsDraw:
        """Place bets within the table's limit, or follow from the outcome."""
        if isinstance(move, CoinOutcome):
            return settle(view, move.side)
        if not isinstance(move, CoinBets):
            return Refusal(Code.WRONG_GAME, "At a table the coin is not the player's.")
        opened = view.history[0]
        assert isinstance(opened, ev.RoundOpened)
        assert opened.table is not None
        most = orjson.loads(opened.table.limits)["max"] if opened.table.limits else 10**9
        if any(line.amount > most for line in move.bets):
            return Refusal(Code.AMOUNT_TOO_LARGE, f"At most {most}.")
        return super().decide(view, move, draw)


TABLE_ENGINES = {"coin/2": TableCoinEngine()}
