"""Double entry: what each event moves, from one account to one account (guarantee G1)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from ledger.domain import events as ev
from ledger.domain.ids import (
    HOUSE_BONUS,
    WORLD_PAYMENTS,
    Account,
    bank_account,
    conto_account,
    session_account,
)
from ledger.domain.money import Currency


@dataclass(frozen=True, slots=True)
class Posting:
    """A positive amount that leaves one account and reaches another; it cannot be unbalanced."""

    source: Account
    target: Account
    amount: int
    currency: Currency

    def __post_init__(self) -> None:
        assert self.amount > 0
        assert self.source != self.target


Postings = tuple[Posting, ...]


def _move(source: Account, target: Account, amount: int, currency: Currency) -> Postings:
    return (Posting(source, target, amount, currency),) if amount else ()


def _deposited(_: UUID, e: ev.FundsDeposited) -> Postings:
    return _move(WORLD_PAYMENTS, conto_account(e.player), e.amount, e.currency)


def _withdrawn(_: UUID, e: ev.FundsWithdrawn) -> Postings:
    return _move(conto_account(e.player), WORLD_PAYMENTS, e.amount, e.currency)


def _to_posta(_: UUID, e: ev.FundsTransferredToPosta) -> Postings:
    right = session_account(e.session, "right")
    return _move(conto_account(e.player), right, e.amount, e.currency)


def _to_conto(_: UUID, e: ev.FundsTransferredToConto) -> Postings:
    source = session_account(e.session, e.source)
    return _move(source, conto_account(e.player), e.amount, e.currency)


def _funded(session: UUID, e: ev.PostaFunded) -> Postings:
    bonus = e.transfer == "bonus"
    source = HOUSE_BONUS if bonus else session_account(session, "right")
    return _move(source, session_account(session, "posta"), e.amount, e.currency)


def _bet(session: UUID, e: ev.BetPlaced[Any]) -> Postings:
    posta, stakes = session_account(session, "posta"), session_account(session, "stakes")
    return _move(posta, stakes, e.amount, e.currency)


def _payout(session: UUID, e: ev.PayoutCredited) -> Postings:
    posta, stakes = session_account(session, "posta"), session_account(session, "stakes")
    returned = _move(stakes, posta, e.stake_returned, e.currency)
    return returned + _move(bank_account(e.game), posta, e.winnings, e.currency)


def _refunded(session: UUID, e: ev.BetRefunded) -> Postings:
    posta, stakes = session_account(session, "posta"), session_account(session, "stakes")
    return _move(stakes, posta, e.amount, e.currency)


def _held(session: UUID, e: ev.WinHeld) -> Postings:
    win, stakes = session_account(session, "win"), session_account(session, "stakes")
    returned = _move(stakes, win, e.stake_returned, e.currency)
    return returned + _move(bank_account(e.game), win, e.winnings, e.currency)


def _left(session: UUID, e: ev.StakeLeft) -> Postings:
    """It returns to what was won, and is bet out of it again: a return and a bet of their own."""
    win, stakes = session_account(session, "win"), session_account(session, "stakes")
    return _move(stakes, win, e.amount, e.currency) + _move(win, stakes, e.amount, e.currency)


def _doubling(session: UUID, e: ev.DoubleUpStaked) -> Postings:
    win, stakes = session_account(session, "win"), session_account(session, "stakes")
    return _move(win, stakes, e.at_risk, e.currency)


def _doubled(session: UUID, e: ev.DoubleUpResolved) -> Postings:
    win, stakes = session_account(session, "win"), session_account(session, "stakes")
    bank, back = bank_account(e.game), min(e.at_risk, e.returned)
    return (
        _move(stakes, win, back, e.currency)
        + _move(stakes, bank, e.at_risk - back, e.currency)
        + _move(bank, win, e.returned - back, e.currency)
    )


def _collected(session: UUID, e: ev.WinCollected) -> Postings:
    win, posta = session_account(session, "win"), session_account(session, "posta")
    return _move(win, posta, e.amount, e.currency)


def _imprisoned(session: UUID, e: ev.StakeImprisoned) -> Postings:
    stakes, prison = session_account(session, "stakes"), session_account(session, "prison")
    return _move(stakes, prison, e.amount, e.currency)


def _released(session: UUID, e: ev.PrisonerReleased) -> Postings:
    prison, posta = session_account(session, "prison"), session_account(session, "posta")
    returned = _move(prison, posta, e.returned, e.currency)
    return returned + _move(prison, bank_account(e.game), e.to_bank, e.currency)


def _lost(session: UUID, e: ev.StakeLost) -> Postings:
    stakes = session_account(session, "stakes")
    return _move(stakes, bank_account(e.game), e.amount, e.currency)


def _settled(session: UUID, e: ev.RoundSettled) -> Postings:
    stakes = session_account(session, "stakes")
    return _move(stakes, bank_account(e.game), e.stakes_lost, e.currency)


def _corrected(_: UUID, e: ev.CorrectionPosted) -> Postings:
    return tuple(
        Posting(Account(line.source), Account(line.target), line.amount, e.currency)
        for line in e.lines
    )


_RULES: Final[dict[str, Callable[[UUID, Any], Postings]]] = {
    ev.FundsDeposited.NAME: _deposited,
    ev.FundsWithdrawn.NAME: _withdrawn,
    ev.FundsTransferredToPosta.NAME: _to_posta,
    ev.FundsTransferredToConto.NAME: _to_conto,
    ev.PostaFunded.NAME: _funded,
    ev.BetPlaced.NAME: _bet,
    ev.PayoutCredited.NAME: _payout,
    ev.BetRefunded.NAME: _refunded,
    ev.WinHeld.NAME: _held,
    ev.DoubleUpStaked.NAME: _doubling,
    ev.DoubleUpResolved.NAME: _doubled,
    ev.WinCollected.NAME: _collected,
    ev.StakeImprisoned.NAME: _imprisoned,
    ev.PrisonerReleased.NAME: _released,
    ev.StakeLost.NAME: _lost,
    ev.StakeLeft.NAME: _left,
    ev.RoundSettled.NAME: _settled,
    ev.CorrectionPosted.NAME: _corrected,
}

MOVING: Final = tuple(_RULES)
"""Names on disk of the events that move money."""

_NO_SESSION: Final = UUID(int=0)


def postings(stream: str, event: ev.Event) -> Postings:
    """What an event of a stream moves; empty for events that move nothing."""
    rule = _RULES.get(event.NAME)
    if rule is None:
        return ()
    kind, _, key = stream.partition(":")
    return rule(UUID(key) if kind == "session" else _NO_SESSION, event)
