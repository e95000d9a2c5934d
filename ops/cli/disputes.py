"""`dispute`: open, add, close, show, list, pack; and `player forget`."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final, get_args
from uuid import UUID

import typer

from ledger.domain.events import Decided, DisputeOpened, Side
from ledger.domain.refusals import Refusal
from ledger.store.reading import named
from ops import bootstrap
from ops.cli.inputs import (
    Actor,
    Channel,
    CommandId,
    Player,
    Reason,
    line_of,
    moment_of,
    one_of,
    player_of,
    sentence_of,
    uuid_of,
    word_of,
)
from ops.cli.output import Json, answered, emit, fields, out, refuse, table
from ops.cli.progress import bar
from ops.cli.wiring import CLERK, desk, settings
from ops.disputes import UNKNOWN, Contact, Decision, Disputes, Saying
from ops.pack.evidence import Wanted, gather
from ops.pack.files import contents, write_folder
from ops.pack.pages import Revealed, reveal
from workers.log import transaction

app = typer.Typer(help="Disputes of players.", no_args_is_help=True, add_completion=False)
players = typer.Typer(help="Players as persons.", no_args_is_help=True, add_completion=False)

SIDES: Final = get_args(Side)
DECISIONS: Final = get_args(Decided)
ERASED: Final = "erased"
"""What stands where something personal was."""


def text_of(text: str) -> str:
    """A text of one line, given as it is, as `@FILE`, or as `-` for standard input."""
    return sentence_of(line_of(text))


DisputeId = Annotated[UUID, typer.Argument(parser=uuid_of, metavar="DISPUTE", help="A UUID.")]
By = Annotated[
    Side, typer.Option("--by", parser=one_of(SIDES), metavar="SIDE", help=f"{', '.join(SIDES)}.")
]
At = Annotated[
    datetime | None,
    typer.Option(parser=moment_of, metavar="MOMENT", help="When it was said, if not now."),
]
_SAID: Final = "In one line, or @FILE, or - for standard input; kept encrypted."


@app.command("open", epilog="Example: contoposta dispute open 0b0e0000-... --by player "
             '--channel mail --claim "I bet on 17"')  # fmt: skip
def open_(  # noqa: PLR0913 - one option for each field of the command
    asked: Annotated[UUID, typer.Argument(parser=uuid_of, metavar="SESSION|ROUND", help="A UUID.")],
    *,
    by: By = "player",
    claim: Annotated[str, typer.Option(parser=text_of, metavar="TEXT", help=_SAID)],
    at: At = None,
    channel: Channel = "desk",
    command_id: CommandId,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Record a claim about a session or a round; its id is the dispute's."""
    said = Saying(by, channel, claim, at)
    answer = _disputes(actor).open(asked, said, command_id)
    if isinstance(answer, Refusal):
        refuse(answer, as_json=as_json)
    answered(answer, f"Dispute {answer.command} is open.", as_json=as_json)


@app.command(epilog='Example: contoposta dispute add 0b0e0000-... --by house --note "we look"')
def add(  # noqa: PLR0913 - one option for each field of the command
    dispute: DisputeId,
    *,
    by: By = "house",
    note: Annotated[str, typer.Option(parser=text_of, metavar="TEXT", help=_SAID)],
    at: At = None,
    channel: Channel = "desk",
    command_id: CommandId,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Record a contact: what was asked, answered or handed in."""
    answer = _disputes(actor).add(dispute, Saying(by, channel, note, at), command_id)
    if isinstance(answer, Refusal):
        refuse(answer, as_json=as_json)
    answered(answer, "The contact is on record.", as_json=as_json)


@app.command(epilog="Example: contoposta dispute close 0b0e0000-... --decider maria "
             '--decision dismissed --reason "the round followed the rules"')  # fmt: skip
def close(  # noqa: PLR0913 - one option for each field of the command
    dispute: DisputeId,
    *,
    decider: Annotated[
        str, typer.Option(parser=word_of, metavar="NAME", help="Who decided, of the house.")
    ],
    decision: Annotated[
        Decided,
        typer.Option(parser=one_of(DECISIONS), metavar="WORD", help=f"{', '.join(DECISIONS)}."),
    ],
    reason: Annotated[str, typer.Option(parser=text_of, metavar="TEXT", help=_SAID)],
    command_id: CommandId,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Decide a dispute; the decision is final."""
    answer = _disputes(actor).close(dispute, Decision(decider, decision, reason), command_id)
    if isinstance(answer, Refusal):
        refuse(answer, as_json=as_json)
    answered(answer, f"The dispute is decided: {decision}.", as_json=as_json)


@app.command(epilog="Example: contoposta dispute show 0b0e0000-...")
def show(dispute: DisputeId, *, as_json: Json = False) -> None:
    """Show a dispute: what it is about, its contacts, and how it was decided."""
    player = _disputes().player_of(dispute)
    if player is None:
        refuse(UNKNOWN, as_json=as_json)
    steps = _disputes().course(player, dispute)
    opened = steps[0].event
    assert isinstance(opened, DisputeOpened)
    document = {
        "dispute": str(dispute),
        "player": player,
        "session": str(opened.session),
        "round": None if opened.round is None else str(opened.round),
        "state": "open" if _disputes().is_open(player, dispute) else "closed",
        "contacts": [_contact(step) for step in steps],
    }
    emit(document, lambda: _print(document), as_json=as_json)


def _contact(step: Contact) -> dict[str, Any]:
    return {
        "event": step.event.NAME,
        "at": step.at.isoformat(),
        "recorded": step.entry.recorded.isoformat(),
        "by": step.by,
        "channel": step.channel,
        "decision": step.decision,
        "text": ERASED if step.text is None else step.text,
    }


def _print(document: dict[str, Any]) -> None:
    fields({name: value for name, value in document.items() if name != "contacts"})
    columns = ("when (UTC)", "event", "by", "channel", "said")
    out.print(table("Contacts", columns, map(_cells, document["contacts"])))


def _cells(contact: dict[str, Any]) -> tuple[Any, ...]:
    moment = contact["at"][:19].replace("T", " ")
    event = contact["decision"] or contact["event"]
    return moment, event, contact["by"], contact["channel"], contact["text"]


@app.command("list", epilog="Example: contoposta dispute list anna-1")
def list_(
    player: Annotated[
        str | None,
        typer.Argument(parser=player_of, metavar="[PLAYER]", help="Else of all players."),
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """List disputes, of one player or of all, oldest first."""
    rows = [
        {
            "dispute": str(event.dispute),
            "player": event.player,
            "session": str(event.session),
            "round": None if event.round is None else str(event.round),
            "opened": recorded.isoformat(),
            "state": "open" if _disputes().is_open(event.player, event.dispute) else "closed",
        }
        for recorded, event in _opened()
        if player in (None, event.player)
    ]
    made = table("Disputes", tuple(_COLUMNS), [tuple(row.values()) for row in rows])
    emit(rows, lambda: out.print(made), as_json=as_json)


_COLUMNS: Final = ("dispute", "player", "session", "round", "opened", "state")


def _opened() -> list[tuple[datetime, DisputeOpened]]:
    """Every claim, and when it was recorded."""
    given = settings()
    with bootstrap.connected(given) as connection, transaction(connection, frozen=True) as cursor:
        entries = named(cursor, given.book, bootstrap.codec(), DisputeOpened.NAME)
    return [(e.recorded, e.event) for e in entries if isinstance(e.event, DisputeOpened)]


@app.command(epilog="Example: contoposta dispute pack 0b0e0000-... --out files")
def pack(
    dispute: DisputeId,
    *,
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where its folder is made.")],
    checkpoint: Annotated[
        int | None, typer.Option(min=1, metavar="SIZE", help="Of how many events; else the newest.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make the file of a dispute: a PDF and a folder with story, rules, proofs and checkpoint.

    The same checkpoint gives the same bytes, until the player is forgotten.
    """
    name = f"dispute-{dispute}"
    if (folder / name).exists():
        raise typer.BadParameter(f"{folder / name} is there already; name another folder.")
    found = _revealed(dispute, checkpoint)
    if isinstance(found, Refusal):
        refuse(found, as_json=as_json)
    path = write_folder(folder, name, contents(found))
    document = {"folder": str(path), "holds": found.evidence.story.holds}
    emit(document, lambda: out.print(str(path)), as_json=as_json)


def _revealed(dispute: UUID, size: int | None) -> Revealed | Refusal:
    given = settings()
    player = _disputes().player_of(dispute)
    if player is None:
        return UNKNOWN
    with bootstrap.connected(given) as connection, bar() as shown:
        task = shown.add_task("proving", total=None)
        keys = bootstrap.trust(given).keys
        wanted = Wanted(player, dispute, size, keys, lambda more: shown.advance(task, more))
        evidence = gather(connection, given.book, bootstrap.codec(), wanted)
    if isinstance(evidence, Refusal):
        return evidence
    return reveal(evidence, desk().vault)


@players.command(epilog='Example: contoposta player forget anna-1 --reason "ten years are over"')
def forget(
    player: Player,
    *,
    reason: Reason,
    command_id: CommandId,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Erase what is personal of a player, ten years after the conto was closed; it is final."""
    answer = _disputes(actor).forget(player, reason, command_id)
    sentence = f"{player} is forgotten: the key is destroyed, the records stay."
    answered(answer, sentence, as_json=as_json)


def _disputes(actor: str = CLERK) -> Disputes:
    return Disputes(desk(actor))
