"""Replays: an announced bet that won is laid again out of what it brought.

Source: rules of French roulette, on replaying announced bets "a rifare", "a completare" and "per
il tutto".
"""

from dataclasses import dataclass
from enum import StrEnum

from games.engine import Payout
from games.roulette.french.calls import Call
from games.roulette.french.sheet import Sheet
from games.roulette.payouts import payout
from games.roulette.refusals import RouletteCode
from ledger.domain.refusals import Refusal


class Replay(StrEnum):
    """How an announced bet is laid again."""

    AGAIN = "again"
    """As many chips, all out of the winnings; the stake that won goes back to the player."""
    COMPLETE = "complete"
    """As many chips, of which those that won stay and the others come out of the winnings."""
    WHOLE = "whole"
    """Winnings and stake: the chip is as many times larger as the sheet says."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the announced bet brought, what lies in the new round, and what is left; minor units."""

    credited: int
    chip: int
    """The chip of the new bet."""
    staked: int
    """All that lies in the new round, the chips that stayed included."""
    from_payout: int
    """The part of it that was taken out of the winnings."""

    @property
    def cash(self) -> int:
        """What goes to the player."""
        return self.credited - self.staked


def replay(sheet: Sheet, call: Call, chip: int, pocket: int, how: Replay) -> Replayed | Refusal:
    """Lay an announced bet again after a pocket; refuse where it did not win or cannot be so."""
    times = sheet.whole.get(call.announced or "") if how is Replay.WHOLE else 1
    if times is None:
        offered = ", ".join(sheet.whole) or "none"
        text = f"Only these are replayed for the whole: {offered}."
        return Refusal(RouletteCode.REPLAY_NOT_OFFERED, text)
    brought = _brought(sheet, call, chip, pocket)
    if not brought.credited:
        text = "This number is not covered; an announced bet is replayed when it has won."
        return Refusal(RouletteCode.NOTHING_TO_REPLAY, text)
    staked = times * call.chips * chip
    stays = 0 if how is Replay.AGAIN else brought.stake_returned
    return Replayed(brought.credited, times * chip, staked, staked - stays)


def _brought(sheet: Sheet, call: Call, chip: int, pocket: int) -> Payout:
    """What all parts of the bet bring together."""
    each = [
        payout(part.bet, sheet.pays[part.bet.kind], part.chips * chip, pocket)
        for part in call.parts
    ]
    return Payout(sum(p.winnings for p in each), sum(p.stake_returned for p in each))
