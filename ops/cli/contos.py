"""`conto`: a gaming account from its opening on: money, account type, limits, bans, statement."""

from datetime import date, datetime
from typing import Annotated, Any, Final

import typer

from ledger.answers import Answer
from ledger.domain import commands as cmd, conto as con
from ledger.domain.erasure import kept_until
from ledger.domain.events import AnyEntry, ContoOpened, SessionBarred, SessionClosed
from ledger.domain.ids import conto_account, conto_stream
from ledger.domain.money import Currency, format_amount
from ledger.domain.postings import postings
from ledger.domain.refusals import Code, Refusal
from ops.cli.inputs import (
    Actor,
    Amount,
    Channel,
    CommandId,
    CurrencyOption,
    Player,
    Reason,
    account_of,
    day_of,
    document_of,
    end_of,
    sentence_of,
)
from ops.cli.output import Json, answered, emit, fields, out, refuse, table
from ops.cli.wiring import CLERK, desk
from ops.desk import Opening

app = typer.Typer(help="Gaming accounts.", no_args_is_help=True, add_completion=False)

Reference = Annotated[str | None, typer.Option(help="The payment's reference at the provider.")]
Secret = Annotated[
    str | None, typer.Option(parser=sentence_of, metavar="TEXT", help="Kept encrypted.")
]


@app.command("open", epilog='Example: contoposta conto open anna-1 --name "Anna Bianchi"')
def open_(  # noqa: PLR0913 - one option for each field of the command
    player: Player,
    *,
    command_id: CommandId,
    name: Secret = None,
    birth_date: Annotated[
        date | None,
        typer.Option(parser=day_of, metavar="DAY", help="Such as 1980-05-03; kept encrypted."),
    ] = None,
    nickname: Secret = None,
    currency: CurrencyOption = Currency.EUR,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Open a gaming account under a pseudonym."""
    born = None if birth_date is None else birth_date.isoformat()
    given = {"name": name, "birth-date": born, "nickname": nickname}
    personal = {field: value for field, value in given.items() if value}
    answer = desk(actor).open_conto(Opening(player, currency, personal), command_id)
    answered(answer, f"Conto {player} is open, in {currency}.", as_json=as_json)


@app.command(epilog="Example: contoposta conto deposit anna-1 100.00")
def deposit(  # noqa: PLR0913 - one option for each field of the command
    player: Player,
    amount: Amount,
    *,
    command_id: CommandId,
    currency: CurrencyOption = Currency.EUR,
    reference: Reference = None,
    channel: Channel = "desk",
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Book a payment into a conto."""
    command = cmd.Deposit(
        **desk(actor).head(command_id),
        player=player,
        amount=amount,
        currency=currency,
        reference=reference or f"desk-{command_id}",
        channel=channel,
    )
    answer = desk(actor).handle(command)
    answered(answer, f"{format_amount(amount)} {currency} deposited.", as_json=as_json)


@app.command(epilog="Example: contoposta conto withdraw anna-1 50.00")
def withdraw(  # noqa: PLR0913 - one option for each field of the command
    player: Player,
    amount: Amount,
    *,
    command_id: CommandId,
    currency: CurrencyOption = Currency.EUR,
    reference: Reference = None,
    channel: Channel = "desk",
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Pay money out of a conto."""
    command = cmd.Withdraw(
        **desk(actor).head(command_id),
        player=player,
        amount=amount,
        currency=currency,
        reference=reference or f"desk-{command_id}",
        channel=channel,
    )
    answer = desk(actor).handle(command)
    answered(answer, f"{format_amount(amount)} {currency} withdrawn.", as_json=as_json)


@app.command(epilog='Example: contoposta conto suspend anna-1 --reason "two holders"')
def suspend(
    player: Player,
    *,
    command_id: CommandId,
    reason: Reason,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Freeze a conto: no money comes in or goes out but what a session gives back."""
    command = cmd.SuspendConto(**desk(actor).head(command_id), player=player, reason=reason)
    answered(desk(actor).handle(command), f"Conto {player} is suspended.", as_json=as_json)


@app.command(epilog='Example: contoposta conto reinstate anna-1 --reason "papers seen"')
def reinstate(
    player: Player,
    *,
    command_id: CommandId,
    reason: Reason,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Lift a suspension."""
    command = cmd.ReinstateConto(**desk(actor).head(command_id), player=player, reason=reason)
    answered(desk(actor).handle(command), f"Conto {player} is open again.", as_json=as_json)


@app.command(epilog='Example: contoposta conto close anna-1 --reason "asked by the player"')
def close(
    player: Player,
    *,
    command_id: CommandId,
    reason: Reason,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Close an empty conto for good; the time for which its records are kept runs from then."""
    command = cmd.CloseConto(**desk(actor).head(command_id), player=player, reason=reason)
    answered(desk(actor).handle(command), f"Conto {player} is closed.", as_json=as_json)


@app.command(epilog="Example: contoposta conto exclude anna-1 --until 2027-05-31")
def exclude(
    player: Player,
    *,
    command_id: CommandId,
    until: Annotated[
        datetime,
        typer.Option(
            parser=end_of,
            metavar="DAY",
            help="The last day of it (Europe/Rome), or its end, such as 2027-05-31T22:00:00Z.",
        ),
    ],
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Exclude a player: sessions end by their rules, and none begins until it is over."""
    command = cmd.ExcludePlayer(**desk(actor).head(command_id), player=player, until=until)
    answer = desk(actor).handle(command)
    answered(answer, _exclusion(command, answer), as_json=as_json)


def _exclusion(command: cmd.ExcludePlayer, answer: Answer) -> str:
    ended = [e.stream for e in answer.entries if isinstance(e.event, SessionClosed)]
    barred = [e.stream for e in answer.entries if isinstance(e.event, SessionBarred)]
    lines = [f"{command.player} is excluded until {command.until.isoformat()}."]
    lines += [f"Closed: {stream}" for stream in ended]
    lines += [f"Closes when its right is answered: {stream}" for stream in barred]
    return "\n".join(lines)


@app.command(epilog='Example: contoposta conto account anna-1 VIP --reason "asked by the player"')
def account(  # noqa: PLR0913 - one option for each field of the command
    player: Player,
    account_type: Annotated[
        str, typer.Argument(parser=account_of, metavar="TYPE", help="LITE, RESPECT or VIP.")
    ],
    *,
    command_id: CommandId,
    reason: Reason,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Give a player an account type, by which limits differ; it holds from the next session on."""
    head = desk(actor).head(command_id)
    command = cmd.SetAccountType(**head, player=player, account=account_type, reason=reason)
    sentence = f"{player} plays as {account_type} from the next session on."
    answered(desk(actor).handle(command), sentence, as_json=as_json)


@app.command(epilog="Example: contoposta conto limits anna-1 roulette-fairplay "
             """'{"positions":{"straight":{"min":"1.00","max":"80.00"}}}' """
             '--reason "asked by the player"')  # fmt: skip
def limits(  # noqa: PLR0913 - one option for each field of the command
    player: Player,
    sheet: Annotated[str, typer.Argument(help="A sheet's id; `contoposta sheets` lists them.")],
    document: Annotated[
        str,
        typer.Argument(help="A JSON document, @FILE, - for standard input, or none for no limits."),
    ],
    *,
    command_id: CommandId,
    reason: Reason,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Give a player limits of their own at a sheet, or take them back with the word none."""
    own = None if document == NO_LIMITS else _own_limits(sheet, document_of(document))
    if isinstance(own, Refusal):
        refuse(own, as_json=as_json)
    head = desk(actor).head(command_id)
    command = cmd.SetPlayerLimits(**head, player=player, sheet=sheet, limits=own, reason=reason)
    answer = desk(actor).handle(command)
    word = "has no limits of their own" if own is None else "has limits of their own"
    answered(answer, f"{player} {word} at {sheet} from the next session on.", as_json=as_json)


NO_LIMITS: Final = "none"


def _own_limits(sheet: str, document: Any) -> str | Refusal:
    return document if isinstance(document, Refusal) else desk().own_limits(sheet, document)


@app.command(epilog="Example: contoposta conto show anna-1 --json")
def show(player: Player, *, as_json: Json = False) -> None:
    """Show a conto's balance, state, open sessions and holder."""
    document = {"player": player, **_shown(desk().conto(player), as_json=as_json)}
    document["holder"] = _holder(player)
    emit(document, lambda: fields(document), as_json=as_json)


def _shown(state: con.State, *, as_json: bool) -> dict[str, Any]:
    if isinstance(state, con.Absent):
        refuse(Refusal(Code.UNKNOWN_CONTO, "No such conto; open it first."), as_json=as_json)
    if isinstance(state, con.Closed):
        return {"state": "closed", "kept_until": state.at and kept_until(state.at).isoformat()}
    return {
        "state": _word(state),
        "currency": state.currency.value,
        "balance": format_amount(state.balance),
        "account": state.account,
        "own_limits": dict(state.own_limits),
        "excluded_until": state.excluded_until and state.excluded_until.isoformat(),
        "sessions": [str(session) for session in state.sessions],
    }


def _word(state: con.Conto) -> str:
    liberty = con.at_liberty(state, desk().clock())
    if not isinstance(liberty, Refusal):
        return "open"
    return "suspended" if liberty.code is Code.CONTO_SUSPENDED else "excluded"


def _holder(player: str) -> dict[str, str] | str:
    opened = desk().service.history(conto_stream(player))[0].event
    assert isinstance(opened, ContoOpened)
    revealed = desk().vault.reveal(player, opened.personal)
    return "erased" if revealed is None else revealed


@app.command(epilog="Example: contoposta conto statement anna-1")
def statement(player: Player, *, as_json: Json = False) -> None:
    """List every movement of a conto with the balance after it."""
    lines: list[dict[str, Any]] = []
    balance = 0
    for entry in desk().service.history(conto_stream(player)):
        change = _change(player, entry)
        balance += change
        if change:
            lines.append(_line(entry, change, balance))
    if not lines:
        _shown(desk().conto(player), as_json=as_json)

    def human() -> None:
        columns = ("recorded (UTC)", "movement", "amount>", "balance>", "session or reference")
        out.print(table(f"Conto {player}", columns, map(_cells, lines)))

    emit({"player": player, "lines": lines}, human, as_json=as_json)


def _cells(line: dict[str, Any]) -> tuple[Any, ...]:
    of = line["session"] or line["reference"]
    moment = line["recorded"][:19].replace("T", " ")
    return (moment, line["movement"], line["amount"], line["balance"], of)


def _change(player: str, entry: AnyEntry) -> int:
    mine = conto_account(player)
    moved = postings(entry.stream, entry.event)
    return sum(p.amount if p.target == mine else -p.amount for p in moved)


def _line(entry: AnyEntry, change: int, balance: int) -> dict[str, Any]:
    session = getattr(entry.event, "session", None)
    return {
        "version": entry.version,
        "recorded": entry.recorded.isoformat(),
        "movement": entry.event.NAME,
        "amount": format_amount(change),
        "balance": format_amount(balance),
        "session": None if session is None else str(session),
        "reference": getattr(entry.event, "reference", None),
    }
