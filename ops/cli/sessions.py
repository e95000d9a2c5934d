"""`session`: open, topup, bonus, show, disconnect, reconnect, annul, sit, rise, close."""

from datetime import datetime
from typing import Annotated, Any, Final
from uuid import UUID, uuid5

import typer

from ledger.central import Unknown
from ledger.domain import commands as cmd, session as ses
from ledger.domain.ids import NAMESPACE
from ledger.domain.leaving import away_until
from ledger.domain.money import Currency, format_amount
from ledger.domain.refusals import Code, Refusal
from ops.cli.inputs import (
    Actor,
    Amount,
    Channel,
    CommandId,
    Player,
    Reason,
    SessionId,
    TableName,
    amount_of,
    moment_of,
    uuid_of,
)
from ops.cli.output import Exit, Json, answered, emit, fields, out, print_json, refuse, warn
from ops.cli.wiring import CLERK, desk
from ops.desk import Fate

MINUTES_MAX: Final = 365 * 24 * 60
"""The longest time that is a plan."""

LimitLoss = Annotated[
    int | None,
    typer.Option(
        "--limit-loss", parser=amount_of, metavar="AMOUNT", help="Planned: lose no more than this."
    ),
]
LimitMinutes = Annotated[
    int | None,
    typer.Option(
        "--limit-minutes", min=1, max=MINUTES_MAX, help="Planned: begin no round after this time."
    ),
]
LimitIdle = Annotated[
    int | None,
    typer.Option(
        "--limit-idle-minutes",
        min=1,
        max=MINUTES_MAX,
        help="Planned: do nothing at a table that deals for no longer than this.",
    ),
]

app = typer.Typer(help="Sessions of play.", no_args_is_help=True, add_completion=False)


@app.command("open", epilog="Example: contoposta session open anna-1 european-roulette-classic 50")
def open_(  # noqa: PLR0913 - one option for each field of the command
    player: Player,
    sheet: Annotated[str, typer.Argument(help="A sheet's id; `contoposta sheets` lists them.")],
    amount: Amount,
    *,
    command_id: CommandId,
    session: Annotated[
        UUID | None,
        typer.Option(parser=uuid_of, metavar="UUID", help="The session's id; else a new one."),
    ] = None,
    limit_loss: LimitLoss = None,
    limit_minutes: LimitMinutes = None,
    limit_idle_minutes: LimitIdle = None,
    channel: Channel = "desk",
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Buy the initial participation right; the session opens when it is validated."""
    conto = desk(actor).conto(player)
    command = cmd.RequestParticipation(
        **desk(actor).head(command_id),
        session=session or uuid5(NAMESPACE, f"session:{command_id}"),
        player=player,
        sheet=sheet,
        amount=amount,
        currency=getattr(conto, "currency", Currency.EUR),
        channel=channel,
        limit_loss=limit_loss,
        limit_seconds=limit_minutes and limit_minutes * 60,
        limit_idle_seconds=limit_idle_minutes and limit_idle_minutes * 60,
    )
    _buy(command, as_json=as_json)


@app.command(epilog="Example: contoposta session topup 0b0e0000-... 25.00")
def topup(  # noqa: PLR0913 - one option for each field of the command
    session: SessionId,
    amount: Amount,
    *,
    command_id: CommandId,
    limit_loss: LimitLoss = None,
    limit_minutes: LimitMinutes = None,
    limit_idle_minutes: LimitIdle = None,
    channel: Channel = "desk",
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Buy a further participation right for an open session; limits can only become stricter."""
    state = desk(actor).session(session)
    if isinstance(state, ses.Absent):
        refuse(NO_SESSION, as_json=as_json)
    command = cmd.RequestParticipation(
        **desk(actor).head(command_id),
        session=session,
        player=state.terms.player,
        sheet=state.terms.sheet,
        amount=amount,
        currency=state.terms.currency,
        channel=channel,
        limit_loss=limit_loss,
        limit_seconds=limit_minutes and limit_minutes * 60,
        limit_idle_seconds=limit_idle_minutes and limit_idle_minutes * 60,
    )
    _buy(command, as_json=as_json)


NO_SESSION = Refusal(Code.UNKNOWN_SESSION, "No such session; open one.")


def _buy(command: cmd.RequestParticipation, *, as_json: bool) -> None:
    """Buy a right and print the answer to the request, and what became of the right."""
    answer, _ = desk(command.actor).buy_right(command)
    if answer.refusal is not None:
        answered(answer, "", as_json=as_json)
    fate = desk(command.actor).fate(command.session, command.id)
    if as_json:
        session = {"session": str(command.session), "right": fate.word, "reason": fate.reason}
        print_json(answer.document() | session)
    else:
        _tell(command.session, fate)
    if fate.is_no:
        raise typer.Exit(Exit.REFUSED)


def _tell(session: UUID, fate: Fate) -> None:
    if fate.is_no:
        warn(f"The right is {fate.word} ({fate.reason}); the money is back in the conto.")
    elif fate.word == Fate.WAITS:
        out.print(f"Session {session}")
        warn("The central system has not answered: the money waits, and it will be asked again.")
    else:
        out.print(f"Session {session}\nThe right is validated; the money is in the posta.")


@app.command(epilog='Example: contoposta session bonus 0b0e0000-... 5.00 --reason "welcome"')
def bonus(
    session: SessionId,
    amount: Amount,
    *,
    command_id: CommandId,
    reason: Reason,
    as_json: Json = False,
) -> None:
    """Give the house's money into the posta; it counts towards the session's maximum."""
    state = desk().session(session)
    if isinstance(state, ses.Absent):
        refuse(NO_SESSION, as_json=as_json)
    currency = state.terms.currency
    command = cmd.GrantBonus(
        **desk().head(command_id), session=session, amount=amount, currency=currency, reason=reason
    )
    sentence = f"{format_amount(amount)} {currency} of bonus are in the posta."
    answered(desk().handle(command), sentence, as_json=as_json)


@app.command(epilog="Example: contoposta session show 0b0e0000-... --json")
def show(session: SessionId, *, as_json: Json = False) -> None:
    """Show what the screen shows: credit, bet box, history; and what is in play."""
    document = _shown(session, desk().session(session), as_json=as_json)
    emit(document, lambda: fields(document), as_json=as_json)


def _shown(session: UUID, state: ses.State, *, as_json: bool) -> dict[str, Any]:
    if isinstance(state, ses.Absent):
        refuse(NO_SESSION, as_json=as_json)
    terms = state.terms
    document = {"session": str(session), "player": terms.player, "sheet": terms.sheet}
    match state:
        case ses.Pending():
            return document | {"state": "waits", "right": format_amount(state.right.amount)}
        case ses.Closed():
            end = {"reason": state.reason, "final_posta": format_amount(state.final_posta)}
            return document | {"state": "closed"} | end
        case ses.Open():
            seen = [desk().screen(session, r.round) for r in state.rounds]
            return document | _screen(state, seen)


def _screen(state: ses.Open, seen: list[dict[str, Any]]) -> dict[str, Any]:
    due, limits, until = away_until(state), state.terms.limits, state.terms.plays_until
    connection = "open" if due is None else "disconnected"
    return {
        "state": "barred" if state.terms.is_barred else connection,
        "credit": format_amount(state.posta),
        "bet_box": format_amount(state.bet_box),
        "win_box": format_amount(state.win_box),
        "history": list(state.shown),
        "funded": format_amount(state.funded),
        "waiting_right": None if state.right is None else format_amount(state.right.amount),
        "rounds_in_play": [
            {"round": str(r.round), "at_stake": format_amount(r.at_stake)}
            | ({"in_prison": format_amount(r.in_prison)} if r.in_prison else {})
            | screen
            for r, screen in zip(state.rounds, seen, strict=True)
        ],
        "expires": None if due is None else due.isoformat(),
        "limit_loss": None if limits.loss is None else format_amount(limits.loss),
        "limit_idle_minutes": limits.idle_seconds and limits.idle_seconds // 60,
        "plays_until": None if until is None else until.isoformat(),
        "account": state.terms.account,
        "own_limits": state.terms.own_limits,
        "offset": state.offset,
        "table": state.table,
        "seat": None if state.place is None else state.place.seat,
    }


@app.command(epilog="Example: contoposta session disconnect 0b0e0000-...")
def disconnect(
    session: SessionId,
    *,
    command_id: CommandId,
    at: Annotated[
        datetime | None,
        typer.Option(
            parser=moment_of, metavar="MOMENT", help="Such as 2026-11-30T09:00:00Z; else now."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Record that the player's connection was lost."""
    answer = desk().disconnect(session, at, command_id)
    answered(answer, "The time to come back is running.", as_json=as_json)


@app.command(epilog="Example: contoposta session reconnect 0b0e0000-...")
def reconnect(session: SessionId, *, command_id: CommandId, as_json: Json = False) -> None:
    """Record that the player is back."""
    command = cmd.ReconnectSession(**desk().head(command_id), session=session)
    answered(desk().handle(command), "The player is back.", as_json=as_json)


@app.command(epilog='Example: contoposta session annul 0b0e0000-... --reason "asked twice"')
def annul(session: SessionId, *, reason: Reason, as_json: Json = False) -> None:
    """Take back a right that the central system has not validated."""
    said = desk().annul(session, reason)
    if said is None:
        refuse(Refusal(Code.UNKNOWN_PARTICIPATION, "No right waits here."), as_json=as_json)
    if isinstance(said, Unknown):
        unknown = {"accepted": False, "unknown": said.why}
        emit(unknown, lambda: out.print("No answer yet; ask again later."), as_json=as_json)
        return
    word = type(said.answer).__name__.lower()
    answered(said.outcome, f"The central system's word: {word}.", as_json=as_json)


@app.command(epilog="Example: contoposta session sit 0b0e0000-... roulette-1 --seat 3")
def sit(
    session: SessionId,
    table: TableName,
    *,
    command_id: CommandId,
    seat: Annotated[
        int | None, typer.Option(min=1, max=cmd.SEATS_MAX, help="Else the first that is free.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Sit down at a live table."""
    head = desk().head(command_id)
    answer = desk().handle(cmd.TakeSeat(**head, session=session, table=table, seat=seat))
    answered(answer, f"The session sits at {table}.", as_json=as_json)


@app.command(epilog="Example: contoposta session rise 0b0e0000-...")
def rise(session: SessionId, *, command_id: CommandId, as_json: Json = False) -> None:
    """Leave the live table."""
    command = cmd.LeaveSeat(**desk().head(command_id), session=session)
    answered(desk().handle(command), "The seat is free.", as_json=as_json)


@app.command(epilog="Example: contoposta session close 0b0e0000-...")
def close(session: SessionId, *, command_id: CommandId, as_json: Json = False) -> None:
    """End a session; the final posta returns to the conto."""
    command = cmd.CloseSession(**desk().head(command_id), session=session)
    answered(desk().handle(command), "The final posta is in the conto.", as_json=as_json)
