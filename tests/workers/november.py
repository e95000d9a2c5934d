"""The end of a November whose figures are worked by hand, at two families of European roulette.

Friday 27: anna brings 100.00 and bets 1.00 on 17 and 5.00 on red; 17, a black number, comes and
brings 36.00; she ends with 130.00. Monday 30: bruno brings 500.00 and bets 50.00 on 17, which
comes and brings 1,800.00, and plays on. Anna brings 100.00, is given 7.00, sees 2.00 void, and
loses 5.00 on red by zero; the house ends her session with 102.00. Tuesday 1: bruno loses 50.00
on red and ends with 2,200.00; 10.00 of a deposit of anna's are taken back by a correction.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from ledger.domain import commands as cmd
from ledger.domain.events import CorrectionLine
from ledger.domain.money import Currency
from tests.workers.history import PREMIUM, Casino, red, straight

FRIDAY = datetime(2026, 11, 27, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class November:
    """The casino on Thursday morning, 3 December, and what tests look for in it."""

    casino: Casino
    first: UUID
    """Anna's session of Friday, her one of Monday, and bruno's over the month's end."""
    second: UUID
    over: UUID
    large: UUID
    """Bruno's round of Monday."""
    deposit: UUID
    correction: UUID


def november_at(casino: Casino) -> November:
    """Play it; the casino was opened on Friday morning."""
    casino.player("anna")
    first = casino.sit("anna")
    casino.play(first, 17, straight(17), red("5.00"))
    casino.send(cmd.CloseSession, session=first)
    casino.wait(days=3)
    casino.player("bruno")
    over = casino.sit("bruno", 50_000, sheet=PREMIUM, channel="app")
    large = casino.play(over, 17, straight(17, "50.00"))
    second = casino.sit("anna")
    bonus = {"amount": 700, "currency": Currency.EUR, "reason": "welcome"}
    casino.send(cmd.GrantBonus, session=second, **bonus)
    casino.void(second, casino.open_round(second, straight(17, "1.00"), straight(18, "1.00")))
    casino.play(second, 0, red("5.00"))
    casino.send(cmd.CloseSession, session=second, reason="operator")
    _decided(casino)
    casino.wait(days=1)
    casino.play(over, 2, red("50.00"))
    casino.send(cmd.CloseSession, session=over)
    deposit, correction = _corrected(casino)
    casino.wait(days=2)
    casino.seal()
    return November(casino, first, second, over, large, deposit, correction)


def _decided(casino: Casino) -> None:
    """What the house decided on Monday."""
    casino.send(cmd.SetAccountType, player="bruno", account="RESPECT", reason="asked")
    casino.send(cmd.SetAccountType, player="bruno", account="VIP", reason="earned")
    casino.send(cmd.SuspendConto, player="anna", reason="two holders")
    casino.send(cmd.ReinstateConto, player="anna", reason="cleared")
    hour = timedelta(hours=1)
    starts = casino.now + hour
    casino.send(cmd.AnnounceMaintenance, starts=starts, ends=starts + hour, reason="new switch")


def _corrected(casino: Casino) -> tuple[UUID, UUID]:
    """A deposit that was booked 10.00 too high, and its correction."""
    payment = {"reference": "pay-9", "channel": "card", "currency": Currency.EUR}
    deposit = casino.send(cmd.Deposit, player="anna", amount=11_000, **payment).command
    line = CorrectionLine(source="player:anna:conto", target="world:payments", amount=1_000)
    why = {"code": "wrong-amount", "reason": "=110 for 100", "approvers": ("ada", "bruno")}
    correction = casino.send(
        cmd.PostCorrection, corrects=deposit, **why, currency=Currency.EUR, lines=(line,)
    )
    return deposit, correction.command
