"""What happens at a live table: its rounds, outcomes and payments (rulings FR3, FR8, BJ8).

Paying and refunding write the table and all its sessions in one save (G4); a bet writes its session
alone and is guarded by the table's version.
"""

from typing import Any, Final, Literal

from ledger.domain import (
    commands as cmd,
    events as ev,
    maintenance,
    paying,
    table,
)
from ledger.domain.decider import (
    Change,
    Changes,
    Context,
    Decision,
    Handler,
    Handlers,
    NeedsDraw,
    States,
    TableEngine,
    is_dealt,
    is_of_tables,
    is_spun,
)
from ledger.domain.ids import (
    MAINTENANCE,
    StreamName,
    sheet_stream,
    table_stream,
)
from ledger.domain.refusals import Code, Refusal
from ledger.domain.rules import Rules, rules_now


def _reads(command: cmd.TableCommand, _: States) -> tuple[StreamName, ...]:
    return (table_stream(command.table),)


def _reads_all(command: cmd.TableCommand, states: States) -> tuple[StreamName, ...]:
    """The table, its sheet, every session that is seated there, and contos of those that end."""
    return (*_reads_with_sheet(command, states), *paying.reads_seated(command.table, states))


def _reads_with_sheet(command: cmd.TableCommand, states: States) -> tuple[StreamName, ...]:
    stream = table_stream(command.table)
    state = states.get(stream)
    sheet = (sheet_stream(state.sheet),) if isinstance(state, table.Table) else ()
    return (stream, MAINTENANCE, *sheet)


def _one(command: cmd.TableCommand, *events: ev.Event) -> Change:
    return Change(table_stream(command.table), events)


def _table(command: cmd.TableCommand, states: States) -> table.Table | Refusal:
    return table.opened(states[table_stream(command.table)])


def _checked(rules: Rules, limits: str | None) -> TableEngine | Refusal:
    """The engine, where it is one of tables and these can be its limits."""
    engine = rules.engine
    if not is_of_tables(engine):
        return Refusal(Code.TABLE_NOT_OFFERED, "This game is not played at a live table.")
    wrong = (
        None
        if limits is None
        else engine.check_limits(engine.read_sheet(rules.published.text), limits)
    )
    return engine if wrong is None else Refusal(Code.MALFORMED, wrong)


def _reads_opening(command: cmd.OpenTable, _: States) -> tuple[StreamName, ...]:
    return (table_stream(command.table), sheet_stream(command.sheet))


def _open(command: cmd.OpenTable, states: States, context: Context) -> Decision:
    if not isinstance(states[table_stream(command.table)], table.Absent):
        return Refusal(Code.TABLE_ALREADY_OPEN, "A table of this name exists; choose another.")
    rules = rules_now(command.sheet, states, context)
    if isinstance(rules, Refusal):
        return rules
    engine = _checked(rules, command.limits)
    if isinstance(engine, Refusal):
        return engine
    if is_dealt(engine):
        most = engine.seats_max(engine.read_sheet(rules.published.text))
        if command.seats_max > most:
            return Refusal(Code.MALFORMED, f"At {command.sheet} a table has at most {most} seats.")
    opened = ev.TableOpened(
        table=command.table,
        sheet=command.sheet,
        seats_max=command.seats_max,
        limits=command.limits,
        chief=command.chief,
    )
    return (_one(command, opened),)


def _limit(command: cmd.SetTableLimits, states: States, context: Context) -> Decision:
    found = _table(command, states)
    if isinstance(found, Refusal):
        return found
    rules = rules_now(found.sheet, states, context)
    if isinstance(rules, Refusal):
        return rules
    engine = _checked(rules, command.limits)
    if isinstance(engine, Refusal):
        return engine
    return (_one(command, ev.TableLimitsSet(limits=command.limits, chief=command.chief)),)


def _begin(command: cmd.OpenTableRound, states: States, context: Context) -> Decision:
    found = _table(command, states)
    if isinstance(found, Refusal):
        return found
    refusal = maintenance.refusal(states[MAINTENANCE], context.now) or _not_now(found)
    if refusal is not None:
        return refusal
    rules = rules_now(found.sheet, states, context)
    if isinstance(rules, Refusal):
        return rules
    begun = ev.TableRoundOpened(
        round=command.id,
        number=found.rounds + 1,
        rules=rules.published.ref,
        limits=found.limits,
    )
    refunded = paying.refund(found, found.owed, "voided", (states, context))
    count = paying.count_with(ev.BetRefunded, refunded)
    joined = paying.play_on(found, begun, refunded, (states, context))
    if found.owed is None or not count:
        return (*refunded, _one(command, begun), *joined)
    made = ev.RefundsMade(round=found.owed, sessions=count)
    return (*refunded, _one(command, made, begun), *joined)


def _not_now(found: table.Table) -> Refusal | None:
    if found.suspended is not None:
        return Refusal(Code.TABLE_SUSPENDED, f"The table is suspended: {found.suspended}")
    if found.round is not None:
        return Refusal(Code.TABLE_ROUND_IN_PLAY, "A round is in play; settle or void it first.")
    return None


def _in_play(found: table.Table, *phases: table.Phase) -> table.TableRound | Refusal:
    """The round in play in one of these phases, or why there is none."""
    if found.round is None:
        return Refusal(Code.NO_TABLE_ROUND, "No round is in play; open one first.")
    if found.round.phase in phases:
        return found.round
    if found.round.phase == "open":
        return Refusal(Code.BETS_NOT_CLOSED, "Close the bets first.")
    if "told" in phases:
        return Refusal(Code.NO_TABLE_ROUND, "The outcome is not told yet.")
    return Refusal(Code.TABLE_ROUND_IN_PLAY, "The round is beyond that; go on with it.")


def _close_bets(command: cmd.CloseBets, states: States, context: Context) -> Decision:
    found = _table(command, states)
    round_ = found if isinstance(found, Refusal) else _in_play(found, "open")
    if isinstance(round_, Refusal):
        return round_
    engine, _ = paying.judged_by(round_, states, context)
    deals: Literal[True] | None = True if is_dealt(engine) else None
    return (_one(command, ev.BetsClosed(round=round_.round, deals=deals)),)


def _draw(command: cmd.DrawOutcome, states: States, context: Context) -> Decision:
    found = _table(command, states)
    round_ = found if isinstance(found, Refusal) else _in_play(found, "closed")
    if isinstance(round_, Refusal):
        return round_
    engine, sheet = paying.judged_by(round_, states, context)
    if not is_spun(engine):
        return _DEALT
    outcome = engine.draw_outcome(sheet, b"".join(context.entropy) or None)
    if isinstance(outcome, NeedsDraw):
        return outcome
    recorded: ev.Event = ev.OutcomeRecorded(
        round=round_.round,
        shown=outcome.shown,
        details=outcome.details,
        entropy=outcome.used.hex(),
    )
    return (_one(command, recorded),)


_DEALT: Final = Refusal(
    Code.TABLE_NOT_OFFERED, "This game's outcome comes of its cards; deal them one by one."
)


def _hear(command: cmd.HearOutcome, states: States, context: Context) -> Decision:
    """Take in a message of the feed; what cannot count is on record with the reason."""
    found = _table(command, states)
    if isinstance(found, Refusal):
        return found
    why = _unheard(found, command)
    if why is not None:
        refused: ev.Event = ev.FeedMessageRefused(
            feed=command.feed, details=command.outcome, why=why
        )
        return (_one(command, refused),)
    assert found.round is not None
    engine, _ = paying.judged_by(found.round, states, context)
    shown = engine.shown(command.outcome) if is_spun(engine) else None
    if shown is None:
        return Refusal(Code.WRONG_GAME, "This is no outcome of the table's game.")
    recorded: ev.Event = ev.OutcomeRecorded(
        round=found.round.round, shown=shown, details=command.outcome, feed=command.feed
    )
    return (_one(command, recorded),)


def _unheard(found: table.Table, command: cmd.HearOutcome) -> Any:
    """Why a message does not count; None where it does."""
    why = table.reheard(found, command.feed, command.outcome)
    if why is not None:
        return why
    if found.round is None:
        return "late" if found.rounds else "untimely"
    if found.round.phase == "told":
        return "contradictory"
    return None if table.awaits_outcome(found.round) else "untimely"


def _settle(command: cmd.SettleTableRound, states: States, context: Context) -> Decision:
    found = _table(command, states)
    round_ = found if isinstance(found, Refusal) else _in_play(found, "told")
    if isinstance(round_, Refusal):
        return round_
    assert isinstance(found, table.Table)
    paid = paying.pay(found, round_, states, context)
    if not isinstance(paid, tuple):
        return paid
    sessions = paying.count_with(ev.OutcomeTold, paid)
    settled = ev.TableRoundSettled(round=round_.round, sessions=sessions)
    return (*paid, _one(command, settled))


def _void(command: cmd.VoidTableRound, states: States, context: Context) -> Decision:
    found = _table(command, states)
    round_ = (
        found
        if isinstance(found, Refusal)
        else _in_play(found, "open", "closed", "dealing", "told")
    )
    if isinstance(round_, Refusal):
        return round_
    assert isinstance(found, table.Table)
    if round_.phase == "told":
        return Refusal(Code.ROUND_DECIDED, "The outcome is told and is paid: settle the round.")
    if command.refund == "at-once":
        return _voided(command, found, (states, context))
    voided = ev.TableRoundVoided(round=round_.round, reason=command.reason, refund=command.refund)
    return (*paying.let_go(found, round_.round, command.reason, (states, context)),
            _one(command, voided))  # fmt: skip


def _voided(
    command: cmd.VoidTableRound | cmd.SuspendTable,
    found: table.Table,
    known: tuple[States, Context],
    *after: ev.Event,
) -> Changes:
    """Void the round in play and refund its bets at once; what is told of the table after that."""
    assert found.round is not None
    round_id = found.round.round
    refunded = paying.refund(found, round_id, command.reason, known)
    count = paying.count_with(ev.BetRefunded, refunded)
    voided = ev.TableRoundVoided(round=round_id, reason=command.reason, refund="at-once")
    made = ev.RefundsMade(round=round_id, sessions=count)
    return (*refunded, _one(command, voided, made, *after))


def _suspend(command: cmd.SuspendTable, states: States, context: Context) -> Decision:
    """Suspend the table: bets not yet drawn go back, an outcome that is told is paid (FR3)."""
    found = _table(command, states)
    if isinstance(found, Refusal):
        return found
    if found.suspended is not None:
        return Refusal(Code.TABLE_SUSPENDED, "The table is suspended already.")
    suspended = ev.TableSuspended(reason=command.reason, chief=command.chief)
    if found.round is None or found.round.phase == "told":
        return (_one(command, suspended),)
    return _voided(command, found, (states, context), suspended)


def _resume(command: cmd.ResumeTable, states: States, _: Context) -> Decision:
    found = _table(command, states)
    if isinstance(found, Refusal):
        return found
    if found.suspended is None:
        return Refusal(Code.TABLE_NOT_SUSPENDED, "The table is not suspended.")
    return (_one(command, ev.TableResumed(chief=command.chief)),)


def _close(command: cmd.CloseTable, states: States, context: Context) -> Decision:
    found = _table(command, states)
    if isinstance(found, Refusal):
        return found
    if found.round is not None:
        return Refusal(Code.TABLE_IN_USE, "A round is in play; settle or void it first.")
    away = paying.send_away(found, states, context)
    if not isinstance(away, tuple):
        return away
    count = paying.count_with(ev.BetRefunded, away)
    made = () if found.owed is None else (ev.RefundsMade(round=found.owed, sessions=count),)
    left = (ev.SeatLeft(seat=seat.seat, session=seat.session) for seat in found.seats)
    return (*away, _one(command, *left, *made, ev.TableClosed(chief=command.chief)))


HANDLERS: Final[Handlers] = {
    cmd.OpenTable: Handler(_reads_opening, _open),
    cmd.SetTableLimits: Handler(_reads_with_sheet, _limit),
    cmd.OpenTableRound: Handler(_reads_all, _begin),
    cmd.CloseBets: Handler(_reads_with_sheet, _close_bets),
    cmd.DrawOutcome: Handler(_reads_with_sheet, _draw),
    cmd.HearOutcome: Handler(_reads_with_sheet, _hear),
    cmd.SettleTableRound: Handler(_reads_all, _settle),
    cmd.VoidTableRound: Handler(_reads_all, _void),
    cmd.SuspendTable: Handler(_reads_all, _suspend),
    cmd.ResumeTable: Handler(_reads, _resume),
    cmd.CloseTable: Handler(_reads_all, _close),
}
