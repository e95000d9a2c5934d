"""Corrections: money moved by two approvers to set right what a command on record did.

Nothing that was recorded is edited. The money of a session is not reached: while it lasts its own
rules void and refund, and after its end all of it is in the conto again (guarantee G9).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from ledger.domain import conto
from ledger.domain.commands import PostCorrection
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
from ledger.domain.events import ContoCorrected, CorrectionPosted
from ledger.domain.ids import (
    StreamName,
    bank_account,
    command_stream,
    conto_stream,
    correction_stream,
    holder_of,
)
from ledger.domain.money import AMOUNT_MAX
from ledger.domain.record import Answered
from ledger.domain.refusals import Code, Refusal


@dataclass(frozen=True, slots=True)
class Unposted:
    """No correction of this id."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A correction as it was posted, for ever."""

    correction: CorrectionPosted


State = Unposted | Posted
START: Final[State] = Unposted()

evolve = fold({CorrectionPosted: lambda _, e: Posted(e)})


def are_two(approvers: tuple[str, str]) -> bool:
    """Whether two people are named: blanks and capitals do not make another one of the same."""
    one, other = (" ".join(name.split()).casefold() for name in approvers)
    return bool(one and other) and one != other


def contos_corrected(correction: UUID, posted: CorrectionPosted) -> Mapping[str, ContoCorrected]:
    """What a correction's lines do to each conto that they touch, by player."""
    sums: dict[str, list[int]] = {}
    for line in posted.lines:
        for place, account in enumerate((line.source, line.target)):
            player = holder_of(account)
            if player is not None:
                sums.setdefault(player, [0, 0])[place] += line.amount
    common: dict[str, Any] = {"correction": correction, "currency": posted.currency}
    return {
        player: ContoCorrected(player=player, debited=debited, credited=credited, **common)
        for player, (debited, credited) in sums.items()
    }


def _players(command: PostCorrection) -> tuple[str, ...]:
    accounts = (account for line in command.lines for account in (line.source, line.target))
    return tuple(dict.fromkeys(p for p in map(holder_of, accounts) if p is not None))


def _reads(command: PostCorrection, _: States) -> tuple[StreamName, ...]:
    contos = map(conto_stream, _players(command))
    return (correction_stream(command.id), command_stream(command.corrects), *contos)


def _unsound(command: PostCorrection, states: States, context: Context) -> Refusal | None:
    """Why nothing may be corrected like this, whatever the contos hold."""
    if not are_two(command.approvers):
        return Refusal(Code.SAME_APPROVER, "Two different people approve of a correction.")
    record = states[command_stream(command.corrects)]
    if not isinstance(record, Answered) or not record.answer.written:
        return Refusal(
            Code.NOTHING_TO_CORRECT, "No command of this id wrote anything; look up what is wrong."
        )
    banks = {bank_account(engine.game).address for engine in context.engines.values()}
    for line in command.lines:
        for account in (line.source, line.target):
            if account.endswith(":bank") and account not in banks:
                return Refusal(Code.NO_SUCH_ACCOUNT, f"There is no account {account}.")
    return None


def _holders(command: PostCorrection, states: States) -> Mapping[str, conto.Conto] | Refusal:
    """The open contos that are touched, by player."""
    holders: dict[str, conto.Conto] = {}
    for player in _players(command):
        found = conto.usable(states[conto_stream(player)])
        if not isinstance(found, Refusal):
            found = conto.same_currency(found, command.currency)
        if isinstance(found, Refusal):
            return found
        holders[player] = found
    return holders


def _lack(command: PostCorrection, holders: Mapping[str, conto.Conto]) -> Refusal | None:
    """Why the lines cannot be booked one after the other, or None (guarantee G2)."""
    now = dict(holders)
    for line in command.lines:
        payer, payee = holder_of(line.source), holder_of(line.target)
        if payer is not None:
            lack = conto.covers(now[payer], line.amount)
            if lack is not None:
                return lack
            now[payer] = replace(now[payer], balance=now[payer].balance - line.amount)
        if payee is not None:
            now[payee] = replace(now[payee], balance=now[payee].balance + line.amount)
            if now[payee].balance > AMOUNT_MAX:
                return conto.TOO_LARGE
    return None


def _post(command: PostCorrection, states: States, context: Context) -> Decision:
    unsound = _unsound(command, states, context)
    if unsound is not None:
        return unsound
    holders = _holders(command, states)
    if isinstance(holders, Refusal):
        return holders
    lack = _lack(command, holders)
    if lack is not None:
        return lack
    posted = _posted(command)
    contos = contos_corrected(command.id, posted)
    return (
        Change(correction_stream(command.id), (posted,)),
        *(Change(conto_stream(player), (event,)) for player, event in contos.items()),
    )


def _posted(command: PostCorrection) -> CorrectionPosted:
    return CorrectionPosted(
        corrects=command.corrects,
        code=command.code,
        reason=command.reason,
        approvers=command.approvers,
        currency=command.currency,
        lines=command.lines,
    )


DECIDER: Final = Decider(START, evolve)
HANDLERS: Final[Handlers] = {PostCorrection: Handler(_reads, _post)}
