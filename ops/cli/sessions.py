"""`session`: open, topup, show, disconnect, reconnect, annul, close."""

from typing import Annotated, Any
from uuid import UUID, uuid4

import typer

from ledger.central import Unknown
from ledger.domain import commands as cmd, session as ses
from ledger.domain.money import Currency, format_amount
from ledger.domain.participation import due_at
from ledger.domain.refusals import Code, Refusal
from ops.cli.inputs import Actor, Amount, CommandId, Player, SessionId, moment_of
from ops.cli.output import Json, answered, emit, out, refuse
from ops.cli.wiring import CLERK, desk
from ops.desk import Door

app = typer.Typer(help="Sessions of play.", no_args_is_help=True)


@app.command("open", epilog="Example: contoposta session open anna-1 european-roulette-classic 50")
def open_(  # noqa: PLR0913 - one option for each field of the command
    player: Player,
    sheet: Annotated[str, typer.Argument(help="A sheet's id; `contoposta sheets` lists them.")],
    amount: Amount,
    *,
    session: Annotated[str | None, typer.Option(help="The session's UUID; else a new one.")] = None,
    channel: Annotated[str, typer.Option(help="Where it came through.")] = "desk",
    command_id: CommandId = None,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Buy the initial participation right; the session opens when it is validated."""
    key = _session_id(session)
    conto = desk(actor).conto(player)
    command = cmd.RequestParticipation(
        **desk(actor).head(command_id),
        session=key,
        player=player,
        sheet=sheet,
        amount=amount,
        currency=getattr(conto, "currency", Currency.EUR),
        channel=channel,
    )
    _through(desk(actor).buy_right(command), key, as_json=as_json)


def _session_id(text: str | None) -> UUID:
    try:
        return uuid4() if text is None else UUID(text)
    except ValueError:
        raise typer.BadParameter("Give the session as a UUID.") from None


@app.command(epilog="Example: contoposta session topup 0b0e0000-... 25.00")
def topup(  # noqa: PLR0913 - one option for each field of the command
    session: SessionId,
    amount: Amount,
    *,
    channel: Annotated[str, typer.Option(help="Where it came through.")] = "desk",
    command_id: CommandId = None,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Buy a further participation right for an open session."""
    terms = _open(session, as_json=as_json).terms
    command = cmd.RequestParticipation(
        **desk(actor).head(command_id),
        session=session,
        player=terms.player,
        sheet=terms.sheet,
        amount=amount,
        currency=terms.currency,
        channel=channel,
    )
    _through(desk(actor).buy_right(command), session, as_json=as_json)


def _open(session: UUID, *, as_json: bool) -> ses.Open:
    state = ses.opened(desk().session(session))
    if isinstance(state, Refusal):
        refuse(state, as_json=as_json)
    return state


def _through(door: Door, session: UUID, *, as_json: bool) -> None:
    answer, said = door
    if answer.refusal is not None or said is None:
        answered(answer, f"Session {session}: this right was answered before.", as_json=as_json)
    elif isinstance(said, Unknown):
        waits = "The central system has not answered; the money waits and it will be asked again."
        answered(answer, f"Session {session}. {waits}", as_json=as_json)
    else:
        word = type(said.answer).__name__.lower()
        answered(said.outcome, f"Session {session}: the right is {word}.", as_json=as_json)


@app.command(epilog="Example: contoposta session show 0b0e0000-... --json")
def show(session: SessionId, *, as_json: Json = False) -> None:
    """Show what the screen shows: credit, bet box, history; and what is in play."""
    document = _shown(session, desk().session(session), as_json=as_json)

    def human() -> None:
        for field, value in document.items():
            out.print(f"{field:>16}  {'-' if value is None else value}")

    emit(document, human, as_json=as_json)


def _shown(session: UUID, state: ses.State, *, as_json: bool) -> dict[str, Any]:
    if isinstance(state, ses.Absent):
        refuse(Refusal(Code.UNKNOWN_SESSION, "No such session; open one."), as_json=as_json)
    terms = state.terms
    document = {"session": str(session), "player": terms.player, "sheet": terms.sheet}
    match state:
        case ses.Pending():
            return document | {"state": "waits", "right": format_amount(state.right.amount)}
        case ses.Closed():
            end = {"reason": state.reason, "final_posta": format_amount(state.final_posta)}
            return document | {"state": "closed"} | end
        case ses.Open():
            return document | _screen(state)


def _screen(state: ses.Open) -> dict[str, Any]:
    due = due_at(state)
    return {
        "state": "open" if due is None else "disconnected",
        "credit": format_amount(state.posta),
        "bet_box": format_amount(state.bet_box),
        "history": list(state.shown),
        "funded": format_amount(state.funded),
        "waiting_right": None if state.right is None else format_amount(state.right.amount),
        "rounds_in_play": [
            {"round": str(r.round), "at_stake": format_amount(r.at_stake)} for r in state.rounds
        ],
        "expires": None if due is None else due.isoformat(),
    }


@app.command(epilog="Example: contoposta session disconnect 0b0e0000-...")
def disconnect(
    session: SessionId,
    *,
    at: Annotated[str | None, typer.Option(help="When, such as 2026-11-30T09:00:00Z.")] = None,
    command_id: CommandId = None,
    as_json: Json = False,
) -> None:
    """Record that the player's connection was lost."""
    moment = desk().clock() if at is None else moment_of(at)
    command = cmd.DisconnectSession(**desk().head(command_id), session=session, at=moment)
    answered(desk().handle(command), "The time to come back is running.", as_json=as_json)


@app.command(epilog="Example: contoposta session reconnect 0b0e0000-...")
def reconnect(
    session: SessionId, *, command_id: CommandId = None, as_json: Json = False
) -> None:  # fmt: skip
    """Record that the player is back."""
    command = cmd.ReconnectSession(**desk().head(command_id), session=session)
    answered(desk().handle(command), "The player is back.", as_json=as_json)


@app.command(epilog='Example: contoposta session annul 0b0e0000-... --reason "asked twice"')
def annul(
    session: SessionId,
    *,
    reason: Annotated[str, typer.Option(help="Why the request is taken back.")],
    as_json: Json = False,
) -> None:
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


@app.command(epilog="Example: contoposta session close 0b0e0000-...")
def close(
    session: SessionId, *, command_id: CommandId = None, as_json: Json = False
) -> None:  # fmt: skip
    """End a session; the final posta returns to the conto."""
    command = cmd.CloseSession(**desk().head(command_id), session=session)
    answered(desk().handle(command), "The final posta is in the conto.", as_json=as_json)
