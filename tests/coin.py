"""The smallest game that uses every step of a round: bets on one toss of a coin.

One byte decides: even is heads and odd is tails, but 254 and 255 are thrown again, so that a draw
may need more than one piece of entropy. A winning bet pays per unit what the sheet says.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import orjson
from pydantic import Field, TypeAdapter, ValidationError

from ledger.domain import events as ev
from ledger.domain.decider import NeedsDraw, RoundView, SheetError
from ledger.domain.events import Details, Frozen
from ledger.domain.money import Amount
from ledger.domain.refusals import Code, Refusal
from ledger.domain.sheets import SheetHead, canonical

Side = Literal["heads", "tails"]


class CoinLine(Frozen):
    """One bet that a player asks for."""

    side: Side
    amount: Amount


class CoinBets(Details):
    """The move that places bets."""

    type: Literal["coin-bets"] = "coin-bets"
    bets: tuple[CoinLine, ...]


class CoinToss(Details):
    """The move that tosses the coin."""

    type: Literal["coin-toss"] = "coin-toss"


class CoinBet(Details):
    """What a bet is on."""

    type: Literal["coin-bet"] = "coin-bet"
    side: Side


class CoinOutcome(Details):
    """What the coin shows."""

    type: Literal["coin-outcome"] = "coin-outcome"
    side: Side


class Foreign(Details):
    """A move of a game that nobody knows."""

    type: Literal["foreign"] = "foreign"


DETAILS = (CoinBets, CoinToss, CoinBet, CoinOutcome)


class CoinSheet(SheetHead):
    """A sheet of the game: winnings per unit staked."""

    pays: int = Field(ge=1)


_PARSER = TypeAdapter(CoinBets)


@lru_cache
def _read(text: str) -> CoinSheet:
    try:
        return CoinSheet.model_validate_json(text)
    except ValidationError as error:
        raise SheetError("the coin's sheet is wrong") from error


@dataclass(frozen=True)
class CoinEngine:
    """The rules of the toss."""

    game: str = "coin"
    version: int = 1

    def read_sheet(self, text: str) -> CoinSheet:
        """Read a sheet's text."""
        return _read(text)

    def parse(self, document: object) -> Details | Refusal:
        """Read bets such as `{"bets": [{"side": "heads", "amount": 100}]}`."""
        try:
            return _PARSER.validate_json(orjson.dumps(document))
        except (ValidationError, TypeError):
            return Refusal(Code.MALFORMED, "Name a side and an amount.")

    def next_move(self, view: RoundView) -> Details:  # noqa: ARG002 - named by the contract
        """Toss."""
        return CoinToss()

    def waits(self, view: RoundView) -> bool:  # noqa: ARG002 - named by the contract
        """Bets lie until someone asks for the toss."""
        return True

    def decide(
        self, view: RoundView, move: Details, draw: bytes | None
    ) -> tuple[ev.RoundEvent, ...] | Refusal | NeedsDraw:
        """Place bets, or toss and settle."""
        match move:
            case CoinBets():
                return _place(view, move)
            case CoinToss():
                return _toss(view, draw or b"")
            case _:
                return Refusal(Code.WRONG_GAME, "This is a game of coins.")


def _common(view: RoundView) -> dict[str, Any]:
    return {"round": view.round, "game": "coin", "rules": view.rules}


def _placed(view: RoundView) -> list[ev.BetPlaced[Any]]:
    return [e for e in view.history if isinstance(e, ev.BetPlaced)]


def _held(view: RoundView) -> dict[int, int]:
    """What is at stake on each bet, less what was refunded of it."""
    held = {b.bet: b.amount for b in _placed(view)}
    for event in view.history:
        if isinstance(event, ev.BetRefunded):
            held[event.bet] -= event.amount
    return held


def _place(view: RoundView, move: CoinBets) -> tuple[ev.RoundEvent, ...] | Refusal:
    if not move.bets:
        return Refusal(Code.NO_BET, "Bet on a side.")
    first = len(_placed(view)) + 1
    return tuple(
        ev.BetPlaced[CoinBet](
            **_common(view),
            bet=index,
            amount=line.amount,
            currency=view.currency,
            details=CoinBet(side=line.side),
        )
        for index, line in enumerate(move.bets, first)
    )


def _toss(view: RoundView, pool: bytes) -> tuple[ev.RoundEvent, ...] | NeedsDraw:
    if not pool or pool[-1] >= 254:
        return NeedsDraw(1)
    side: Side = "tails" if pool[-1] % 2 else "heads"
    drawn = ev.DrawRecorded[CoinOutcome](
        **_common(view), entropy=pool.hex(), shown=side, details=CoinOutcome(side=side)
    )
    return (drawn, *settle(view, side))


def settle(view: RoundView, side: Side) -> tuple[ev.RoundEvent, ...]:
    """Pay the winning side and end the round."""
    bets, common, held = _placed(view), _common(view), _held(view)
    won = [b.bet for b in bets if b.details.side == side and held[b.bet]]
    payouts = tuple(
        ev.PayoutCredited(
            **common,
            bet=bet,
            winnings=held[bet] * view.sheet.pays,
            stake_returned=held[bet],
            currency=view.currency,
        )
        for bet in won
    )
    settled = ev.RoundSettled(
        **common,
        currency=view.currency,
        staked=sum(b.amount for b in bets),
        winnings=sum(p.winnings for p in payouts),
        stake_returned=sum(p.stake_returned for p in payouts),
        stakes_lost=sum(held.values()) - sum(held[bet] for bet in won),
        refunded=sum(b.amount for b in bets) - sum(held.values()),
        bets=len(bets),
    )
    return (*payouts, settled)


COIN = CoinEngine()
ENGINES = {"coin/1": COIN}


def coin_sheet(
    version: int = 1, *, pays: int = 1, rounds_max: int | None = None, **changes: Any
) -> str:
    """The canonical text of a version of the sheet `coin-flip`, with changes to its head."""
    terms: dict[str, int] = {"right_min": 500, "posta_max": 100_000, "reconnect_seconds": 1200}
    terms |= {} if rounds_max is None else {"rounds_max": rounds_max}
    head = {"sheet": "coin-flip", "version": version, "engine": "coin/1", "currency": "EUR"}
    return canonical({**head, "session": terms, "pays": pays, **changes})
