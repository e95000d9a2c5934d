"""The gaming account: money comes in, goes to sessions and comes back, never below zero (G2)."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from ledger.domain import commands as cmd, events as ev, payment
from ledger.domain.decider import (
    Change,
    Context,
    Decider,
    Decision,
    Handler,
    Handlers,
    States,
    fold,
)
from ledger.domain.ids import StreamName, conto_stream, payment_stream
from ledger.domain.money import AMOUNT_MAX, Currency, format_amount
from ledger.domain.refusals import Code, Refusal


@dataclass(frozen=True, slots=True)
class Absent:
    """No conto of this name was opened."""


@dataclass(frozen=True, slots=True)
class Conto:
    """An open conto; `balance` in minor units, `sessions` are those that may still give back."""

    player: str
    currency: Currency
    balance: int = 0
    suspended: bool = False
    excluded_until: datetime | None = None
    sessions: tuple[UUID, ...] = ()
    account: str | None = None
    """The account type that the house gave, if any."""
    own_limits: tuple[tuple[str, str], ...] = ()
    """Own limits by sheet, as the game's document."""

    def own_limits_at(self, sheet: str) -> str | None:
        """The player's own limits at a sheet, if the house set some."""
        return dict(self.own_limits).get(sheet)


@dataclass(frozen=True, slots=True)
class Closed:
    """A conto that was closed for good."""

    player: str
    at: datetime | None = None
    """When; the time for which its records are kept runs from here."""


State = Absent | Conto | Closed
START: Final[State] = Absent()


def _credit(state: Conto, e: ev.FundsDeposited) -> Conto:
    return replace(state, balance=state.balance + e.amount)


def _debit(state: Conto, e: ev.FundsWithdrawn) -> Conto:
    return replace(state, balance=state.balance - e.amount)


def _to_posta(state: Conto, e: ev.FundsTransferredToPosta) -> Conto:
    known = e.session in state.sessions
    sessions = state.sessions if known else (*state.sessions, e.session)
    return replace(state, balance=state.balance - e.amount, sessions=sessions)


def _to_conto(state: Conto, e: ev.FundsTransferredToConto) -> Conto:
    gone = tuple(s for s in state.sessions if s != e.session) if e.final else state.sessions
    return replace(state, balance=state.balance + e.amount, sessions=gone)


def _limited(state: Conto, e: ev.PlayerLimitsSet) -> Conto:
    others = tuple(pair for pair in state.own_limits if pair[0] != e.sheet)
    mine = () if e.limits is None else ((e.sheet, e.limits),)
    return replace(state, own_limits=others + mine)


evolve = fold(
    {
        ev.ContoOpened: lambda _, e: Conto(e.player, e.currency),
        ev.FundsDeposited: _credit,
        ev.FundsWithdrawn: _debit,
        ev.FundsTransferredToPosta: _to_posta,
        ev.FundsTransferredToConto: _to_conto,
        ev.ContoSuspended: lambda s, _: replace(s, suspended=True),
        ev.ContoReinstated: lambda s, _: replace(s, suspended=False),
        ev.ContoExcluded: lambda s, e: replace(s, excluded_until=e.until),
        ev.AccountTypeSet: lambda s, e: replace(s, account=e.account),
        ev.PlayerLimitsSet: _limited,
    },
    timed={ev.ContoClosed: lambda s, _, at: Closed(s.player, at)},
)


_SUSPENDED: Final = Refusal(
    Code.CONTO_SUSPENDED, "The conto is suspended; the concession can lift that."
)


def usable(state: State) -> Conto | Refusal:
    """The open conto, or why there is none."""
    if isinstance(state, Absent):
        return Refusal(Code.UNKNOWN_CONTO, "No such conto; open it first.")
    if isinstance(state, Closed):
        return Refusal(Code.CONTO_CLOSED, "The conto is closed for good.")
    return state


def at_liberty(state: State, now: datetime) -> Conto | Refusal:
    """The conto if its holder may pay in and play now, or why not."""
    conto = usable(state)
    if isinstance(conto, Refusal):
        return conto
    if conto.suspended:
        return _SUSPENDED
    if conto.excluded_until is not None and now < conto.excluded_until:
        return Refusal(Code.CONTO_EXCLUDED, f"The player is excluded until {conto.excluded_until}.")
    return conto


def same_currency(conto: Conto, currency: Currency) -> Conto | Refusal:
    """The conto if it is kept in this currency."""
    if conto.currency is not currency:
        return Refusal(Code.WRONG_CURRENCY, f"The conto is kept in {conto.currency}.")
    return conto


def covers(conto: Conto, amount: int) -> Refusal | None:
    """The refusal of taking more than the balance, or None."""
    if amount > conto.balance:
        held = format_amount(conto.balance)
        return Refusal(Code.INSUFFICIENT_CONTO, f"The conto holds {held}; take no more than that.")
    return None


def _reads(command: cmd.ContoCommand, _: States) -> tuple[StreamName, ...]:
    return (conto_stream(command.player),)


def _payment(command: cmd.Deposit | cmd.Withdraw) -> StreamName:
    return payment_stream(command.KIND, command.channel, command.reference)


def _reads_payment(command: cmd.Deposit | cmd.Withdraw, _: States) -> tuple[StreamName, ...]:
    return (conto_stream(command.player), _payment(command))


def _is_booked(command: cmd.Deposit | cmd.Withdraw, states: States) -> bool:
    return isinstance(states[_payment(command)], payment.Booked)


def _pay(command: cmd.Deposit | cmd.Withdraw, event: ev.Event) -> Decision:
    booked = ev.PaymentBooked(**_fields(command, "player", "channel", "reference"))
    conto = Change(conto_stream(command.player), (event,))
    return (conto, Change(_payment(command), (booked,)))


_BOOKED: Final = Refusal(
    Code.PAYMENT_ALREADY_BOOKED, "This payment is booked already; look up its reference."
)


def _one(command: cmd.ContoCommand, event: ev.Event) -> Decision:
    return (Change(conto_stream(command.player), (event,)),)


def _state(command: cmd.ContoCommand, states: States) -> State:
    state: State = states[conto_stream(command.player)]
    return state


def _open(command: cmd.OpenConto, states: States, _: Context) -> Decision:
    if not isinstance(_state(command, states), Absent):
        return Refusal(Code.CONTO_ALREADY_OPEN, "A conto of this name exists; choose another.")
    return _one(command, ev.ContoOpened(**_fields(command, "player", "currency", "personal")))


def _deposit(command: cmd.Deposit, states: States, context: Context) -> Decision:
    conto = at_liberty(_state(command, states), context.now)
    if isinstance(conto, Refusal):
        return conto
    matching = same_currency(conto, command.currency)
    if isinstance(matching, Refusal):
        return matching
    if _is_booked(command, states):
        return _BOOKED
    if conto.balance + command.amount > AMOUNT_MAX:
        return Refusal(Code.AMOUNT_TOO_LARGE, f"A conto holds at most {format_amount(AMOUNT_MAX)}.")
    return _pay(command, ev.FundsDeposited(**_fields(command, *_PAYMENT)))


def _withdraw(command: cmd.Withdraw, states: States, _: Context) -> Decision:
    conto = usable(_state(command, states))
    if isinstance(conto, Refusal):
        return conto
    if conto.suspended:
        return _SUSPENDED
    matching = same_currency(conto, command.currency)
    if isinstance(matching, Refusal):
        return matching
    if _is_booked(command, states):
        return _BOOKED
    return covers(conto, command.amount) or _pay(
        command, ev.FundsWithdrawn(**_fields(command, *_PAYMENT))
    )


def _suspend(command: cmd.SuspendConto, states: States, _: Context) -> Decision:
    conto = usable(_state(command, states))
    if isinstance(conto, Refusal):
        return conto
    if conto.suspended:
        return Refusal(Code.CONTO_SUSPENDED, "The conto is suspended already.")
    return _one(command, ev.ContoSuspended(player=command.player, reason=command.reason))


def _reinstate(command: cmd.ReinstateConto, states: States, _: Context) -> Decision:
    conto = usable(_state(command, states))
    if isinstance(conto, Refusal):
        return conto
    if not conto.suspended:
        return Refusal(Code.CONTO_NOT_SUSPENDED, "The conto is not suspended.")
    return _one(command, ev.ContoReinstated(player=command.player, reason=command.reason))


def _set_account(command: cmd.SetAccountType, states: States, _: Context) -> Decision:
    conto = usable(_state(command, states))
    if isinstance(conto, Refusal):
        return conto
    return _one(command, ev.AccountTypeSet(**_fields(command, "player", "account", "reason")))


def _set_limits(command: cmd.SetPlayerLimits, states: States, _: Context) -> Decision:
    conto = usable(_state(command, states))
    if isinstance(conto, Refusal):
        return conto
    names = ("player", "sheet", "limits", "reason")
    return _one(command, ev.PlayerLimitsSet(**_fields(command, *names)))


def _close(command: cmd.CloseConto, states: States, _: Context) -> Decision:
    conto = usable(_state(command, states))
    if isinstance(conto, Refusal):
        return conto
    if conto.sessions:
        return Refusal(Code.CONTO_IN_USE, "A session is still open; close it first.")
    if conto.balance:
        return Refusal(Code.CONTO_NOT_EMPTY, "The conto is not empty; withdraw its balance first.")
    return _one(command, ev.ContoClosed(player=command.player, reason=command.reason))


_PAYMENT: Final = ("player", "amount", "currency", "reference", "channel")


def _fields(command: cmd.Command, *names: str) -> dict[str, Any]:
    return {name: getattr(command, name) for name in names}


DECIDER: Final = Decider(START, evolve)
HANDLERS: Final[Handlers] = {
    cmd.OpenConto: Handler(_reads, _open),
    cmd.Deposit: Handler(_reads_payment, _deposit),
    cmd.Withdraw: Handler(_reads_payment, _withdraw),
    cmd.SuspendConto: Handler(_reads, _suspend),
    cmd.ReinstateConto: Handler(_reads, _reinstate),
    cmd.SetAccountType: Handler(_reads, _set_account),
    cmd.SetPlayerLimits: Handler(_reads, _set_limits),
    cmd.CloseConto: Handler(_reads, _close),
}
