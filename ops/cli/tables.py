"""`table`: a live table from its opening to its close, step by step."""

from typing import Annotated, Any, Final

import typer

from ledger.domain import commands as cmd, table as tab
from ledger.domain.events import Details, FeedRef
from ledger.domain.refusals import Refusal
from ops.cli.inputs import CommandId, Reason, TableName, document_of, word_of
from ops.cli.output import (
    Json,
    answered,
    emit,
    fields,
    out,
    refuse,
    table as cards_table,
)
from ops.cli.story import told
from ops.cli.wiring import desk
from ops.pit import read_card, read_limits, read_outcome, read_shuffle, seats_of

app = typer.Typer(help="Live tables.", no_args_is_help=True, add_completion=False)

SEATS: Final = 30
"""How many sit at a table where neither the game nor the clerk says it."""

Chief = Annotated[
    str,
    typer.Option("--chief", parser=word_of, metavar="NAME", help="Who it is that says so."),
]
Limits = Annotated[
    str | None,
    typer.Option(
        "--limits",
        metavar="JSON",
        help='What lies on a position, such as {"min":"1.00","max":"100.00"}; else the sheet\'s.',
    ),
]

Message = Annotated[
    str | None, typer.Option("--message", parser=word_of, metavar="ID", help="The feed's message.")
]
Sequence = Annotated[
    int | None, typer.Option("--sequence", min=0, max=2**31, help="Its place in the feed.")
]
Numbered = Annotated[
    int | None,
    typer.Option(
        "--round", min=1, max=2**31, help="The table's round that it names, by its number."
    ),
]


@app.command("open", epilog="Example: contoposta table open roulette-1 french-roulette --chief ada")
def open_(  # noqa: PLR0913 - one option for each field of the command
    table: TableName,
    sheet: Annotated[str, typer.Argument(help="A sheet's id; `contoposta sheets` lists them.")],
    *,
    command_id: CommandId,
    chief: Chief,
    limits: Limits = None,
    seats: Annotated[
        int | None, typer.Option(min=1, max=cmd.SEATS_MAX, help="How many sit there.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Open a live table under a rule sheet."""
    command = cmd.OpenTable(
        **desk().head(command_id),
        table=table,
        sheet=sheet,
        seats_max=seats or seats_of(desk(), sheet) or SEATS,
        limits=_limits(sheet, limits, as_json=as_json),
        chief=chief,
    )
    _do(command, "The table is open.", as_json=as_json)


@app.command(epilog="Example: contoposta table limits roulette-1 "
             """'{"min":"2.00","max":"50.00"}' --chief ada""")  # fmt: skip
def limits(
    table: TableName,
    document: Annotated[
        str, typer.Argument(metavar="LIMITS", help="As --limits of `table open`, or: none.")
    ],
    *,
    command_id: CommandId,
    chief: Chief,
    as_json: Json = False,
) -> None:
    """Announce other limits; they hold from the next round on."""
    state = desk().table(table)
    sheet = state.sheet if isinstance(state, tab.Table) else None
    told = None if document == "none" or sheet is None else document
    text = _limits(str(sheet), told, as_json=as_json)
    head = desk().head(command_id)
    command = cmd.SetTableLimits(**head, table=table, limits=text, chief=chief)
    _do(command, "The limits hold from the next round on.", as_json=as_json)


@app.command("round", epilog="Example: contoposta table round roulette-1")
def round_(table: TableName, *, command_id: CommandId, as_json: Json = False) -> None:
    """Open a round for bets."""
    command = cmd.OpenTableRound(**desk().head(command_id), table=table)
    _do(command, f"Round {command.id} is open for bets.", as_json=as_json)


@app.command("close-bets", epilog="Example: contoposta table close-bets roulette-1")
def close_bets(table: TableName, *, command_id: CommandId, as_json: Json = False) -> None:
    """Take no further bet: rien ne va plus."""
    command = cmd.CloseBets(**desk().head(command_id), table=table)
    _do(command, "No bet is taken any more.", as_json=as_json)


@app.command(epilog="""Example: contoposta table outcome roulette-1 '{"pocket":17}' """
             "--message m-81 --sequence 81")  # fmt: skip
def outcome(  # noqa: PLR0913 - one option for each field of the command
    table: TableName,
    document: Annotated[
        str | None, typer.Argument(metavar="[OUTCOME]", help="What the studio's feed tells.")
    ] = None,
    *,
    command_id: CommandId,
    message: Message = None,
    sequence: Sequence = None,
    number: Numbered = None,
    as_json: Json = False,
) -> None:
    """Record what the feed tells, or draw the outcome here when nothing is told."""
    head = {**desk().head(command_id), "table": table}
    feed = _feed(message, sequence, number, told=document)
    if document is None or feed is None:
        _do(cmd.DrawOutcome(**head), "The outcome is drawn.", as_json=as_json)
        return
    read = read_outcome(desk(), table, document_of(document))
    if isinstance(read, Refusal):
        refuse(read, as_json=as_json)
    command = cmd.HearOutcome(**head, feed=feed, outcome=read)
    _hear(command, "The outcome is recorded.", as_json=as_json)


def _feed(
    message: str | None, sequence: int | None, number: int | None, *, told: object
) -> FeedRef | None:
    """The message of the feed, given with what it tells; None where nothing is told."""
    if told is None:
        if (message, sequence, number) != (None, None, None):
            raise typer.BadParameter("Give what the message of the feed tells.")
        return None
    if message is None or sequence is None:
        raise typer.BadParameter("Give the message of the feed: --message and --sequence.")
    return FeedRef(message=message, sequence=sequence, round=number)


def _hear(command: cmd.Command, sentence: str, *, as_json: bool) -> None:
    """Hand in what a feed may have told; say what came of it, or why its message does not count."""
    answer = desk().handle(command)
    why = next((w for e in answer.entries if (w := getattr(e.event, "why", None))), None)
    done = "\n".join(filter(None, (sentence, told(answer))))
    answered(answer, f"The message changes nothing: {why}." if why else done, as_json=as_json)


@app.command(epilog="Example: contoposta table shuffle blackjack-1")
def shuffle(  # noqa: PLR0913 - one option for each field of the command
    table: TableName,
    cut: Annotated[
        str | None, typer.Argument(metavar="[CUT]", help="How many cards the feed tells before it.")
    ] = None,
    *,
    command_id: CommandId,
    message: Message = None,
    sequence: Sequence = None,
    number: Numbered = None,
    as_json: Json = False,
) -> None:
    """Shuffle the shoe; the place of the cutting card is drawn here when nothing is told."""
    feed = _feed(message, sequence, number, told=cut)
    read = None if cut is None else read_shuffle(desk(), table, document_of(cut))
    message_told = _told(feed, read, as_json=as_json)
    command = cmd.ShuffleShoe(**desk().head(command_id), table=table, told=message_told)
    _hear(command, "The shoe is shuffled.", as_json=as_json)


@app.command(epilog="Example: contoposta table deal blackjack-1 8h --message m-7 --sequence 7")
def deal(  # noqa: PLR0913 - one option for each field of the command
    table: TableName,
    card: Annotated[
        str | None, typer.Argument(metavar="[CARD]", help="What the feed tells, such as 8h.")
    ] = None,
    *,
    command_id: CommandId,
    message: Message = None,
    sequence: Sequence = None,
    number: Numbered = None,
    as_json: Json = False,
) -> None:
    """Deal the next card, to whom it belongs; it is drawn here when nothing is told."""
    feed = _feed(message, sequence, number, told=card)
    read = None if card is None else read_card(desk(), table, card)
    message_told = _told(feed, read, as_json=as_json)
    command = cmd.DealCard(**desk().head(command_id), table=table, told=message_told)
    _hear(command, "The card is dealt.", as_json=as_json)


def _told(
    feed: FeedRef | None, read: Details | Refusal | None, *, as_json: bool
) -> cmd.Told | None:
    """What a message tells, as it was read; ends where it cannot be read."""
    if isinstance(read, Refusal):
        refuse(read, as_json=as_json)
    return None if feed is None or read is None else cmd.Told(feed=feed, details=read)


@app.command("pass-turn", epilog="Example: contoposta table pass-turn blackjack-1")
def pass_turn(table: TableName, *, command_id: CommandId, as_json: Json = False) -> None:
    """Let the rules act for a seat whose time is over, or whose player is away."""
    command = cmd.PassTurn(**desk().head(command_id), table=table)
    _hear(command, "The rules acted for the seat in turn.", as_json=as_json)


@app.command(epilog="Example: contoposta table settle roulette-1")
def settle(table: TableName, *, command_id: CommandId, as_json: Json = False) -> None:
    """Pay every bet of the round, in one save."""
    command = cmd.SettleTableRound(**desk().head(command_id), table=table)
    _do(command, "The round is paid.", as_json=as_json)


@app.command(epilog='Example: contoposta table void roulette-1 --reason "the ball fell out"')
def void(
    table: TableName,
    *,
    command_id: CommandId,
    reason: Reason,
    next_round: Annotated[
        bool, typer.Option("--next-round", help="Refund when the next round begins, not now.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Void the round in play and refund its bets."""
    command = cmd.VoidTableRound(
        **desk().head(command_id),
        table=table,
        reason=reason,
        refund="next-round" if next_round else "at-once",
    )
    _do(command, "The round is void.", as_json=as_json)


@app.command(epilog='Example: contoposta table suspend roulette-1 --chief ada --reason "no signal"')
def suspend(
    table: TableName, *, command_id: CommandId, chief: Chief, reason: Reason, as_json: Json = False
) -> None:
    """Open no round until the table is resumed; the one in play is void and refunded."""
    command = cmd.SuspendTable(**desk().head(command_id), table=table, reason=reason, chief=chief)
    _do(command, "The table is suspended.", as_json=as_json)


@app.command(epilog="Example: contoposta table resume roulette-1 --chief ada")
def resume(
    table: TableName, *, command_id: CommandId, chief: Chief, as_json: Json = False
) -> None:  # fmt: skip
    """Let rounds be opened again."""
    command = cmd.ResumeTable(**desk().head(command_id), table=table, chief=chief)
    _do(command, "Rounds may be opened.", as_json=as_json)


@app.command(epilog="Example: contoposta table close roulette-1 --chief ada")
def close(
    table: TableName, *, command_id: CommandId, chief: Chief, as_json: Json = False
) -> None:  # fmt: skip
    """Close a table for good, between two rounds; who sits there leaves it."""
    command = cmd.CloseTable(**desk().head(command_id), table=table, chief=chief)
    _do(command, "The table is closed for good.", as_json=as_json)


@app.command(epilog="Example: contoposta table show roulette-1 --json")
def show(table: TableName, *, as_json: Json = False) -> None:
    """Show a table: its round, its seats, its limits, and the last message of its feed."""
    found = tab.opened(desk().table(table))
    if isinstance(found, Refusal):
        refuse(found, as_json=as_json)
    document, cards = _shown(found), desk().cards(table)
    emit(document | cards, lambda: _draw(document, cards), as_json=as_json)


def _draw(document: dict[str, Any], cards: dict[str, Any]) -> None:
    """A table for people: its fields, and the cards that lie there."""
    fields(document)
    if not cards:
        return
    turn = cards["turn"] or {"seat": None, "hand": None, "may": []}
    rows: list[tuple[Any, ...]] = [("dealer", "", *_hand(cards["dealer"]), "")]
    for box in cards["boxes"]:
        for number, hand in enumerate(box["hands"], 1):
            in_turn = (box["seat"], number) == (turn["seat"], turn["hand"])
            may = ", ".join(turn["may"]) if in_turn else ""
            rows.append((f"seat {box['seat']}", number, *_hand(hand), may))
    out.print(cards_table("Cards", ("", "hand>", "cards", "total>", "in turn"), rows))


def _hand(hand: dict[str, Any]) -> tuple[str, Any]:
    return " ".join(hand["cards"]), hand["total"]


def _shown(found: tab.Table) -> dict[str, Any]:
    round_ = found.round
    in_play = {
        "round": None if round_ is None else str(round_.round),
        "phase": None if round_ is None else round_.phase,
        "outcome": None if round_ is None else round_.shown,
    }
    return {
        "table": found.table,
        "sheet": found.sheet,
        "chief": found.chief,
        "limits": found.limits,
        "state": "open" if found.suspended is None else f"suspended: {found.suspended}",
        **in_play,
        "rounds": found.rounds,
        "refunds_owed": None if found.owed is None else str(found.owed),
        "last_sequence": None if not found.heard else found.last_sequence,
        "seats_max": found.seats_max,
        "seats": [
            {"seat": seat.seat, "session": str(seat.session), "player": seat.player}
            for seat in found.seats
        ],
    }


def _limits(sheet: str, text: str | None, *, as_json: bool) -> str | None:
    """The limits as the book keeps them; ends where the sheet's game cannot read them."""
    if text is None:
        return None
    read = read_limits(desk(), sheet, document_of(text))
    if isinstance(read, Refusal):
        refuse(read, as_json=as_json)
    return read


def _do(command: cmd.Command, sentence: str, *, as_json: bool) -> None:
    answered(desk().handle(command), sentence, as_json=as_json)
