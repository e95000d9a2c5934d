"""`play`, `round`: rounds through the real service."""

from typing import Annotated, Final
from uuid import UUID

import typer

from ledger.answers import Answer
from ledger.domain import commands as cmd
from ledger.domain.refusals import Refusal
from ops.cli.inputs import CommandId, Reason, SessionId, document_of, uuid_of, word_of
from ops.cli.output import Json, answered, listed, refuse
from ops.cli.story import told
from ops.cli.wiring import desk

app = typer.Typer(add_completion=False)
rounds = typer.Typer(help="Rounds in steps.", no_args_is_help=True, add_completion=False)

RoundId = Annotated[UUID, typer.Argument(parser=uuid_of, metavar="ROUND")]
Leave = Annotated[
    str | None,
    typer.Option(
        "--leave",
        parser=word_of,
        metavar="CHIEF",
        help="At a live table: who lets a bet be placed late or beyond the maximum.",
    ),
]
_MOVE: Final = (
    'A JSON document, @FILE, or - for standard input. At Deuces Wild {"hold":[1,4]}, '
    '{"double_up":{"half":true}}, {"pick":3} or {"collect":true}; at Blackjack {"action":"hit"}; '
    "at roulette as BETS of `play`."
)
Bets = Annotated[str, typer.Argument(help="A JSON document, @FILE, or - for standard input.")]


@app.command(epilog="Example: contoposta play 0b0e0000-... "
             """'{"bets":[{"chance":"red","amount":"5.00"}]}'""")  # fmt: skip
def play(
    session: SessionId,
    bets: Bets,
    *,
    demo: Annotated[
        bool, typer.Option("--demo", help="With demo chips, which are no money and no turnover.")
    ] = False,
    command_id: CommandId,
    as_json: Json = False,
) -> None:
    """Play one round from given bets to its end."""
    document = document_of(bets)
    refused = isinstance(document, Refusal)
    play_it = desk().play_demo if demo else desk().play
    answer = document if refused else play_it(session, document, command_id)
    if isinstance(answer, Refusal):
        refuse(answer, as_json=as_json)
    answered(answer, story(session, answer.command, answer), as_json=as_json)


def story(session: UUID, round_id: UUID, answer: Answer) -> str:
    """What happened, and what the player sees of the round where it goes on."""
    screen = desk().screen(session, round_id)
    seen = [f"  {name.replace('_', ' ')}: {listed(value)}" for name, value in screen.items()]
    return "\n".join([f"Round {round_id}", told(answer), *seen])


@rounds.command("open", epilog="Example: contoposta round open 0b0e0000-... @bets.json")
def open_(
    session: SessionId,
    bets: Bets,
    *,
    command_id: CommandId,
    leave: Leave = None,
    as_json: Json = False,
) -> None:
    """Place bets and leave the round open; its id is the command's."""
    document = document_of(bets)
    move = document if isinstance(document, Refusal) else desk().move(session, document)
    if isinstance(move, Refusal):
        refuse(move, as_json=as_json)
    head = desk().head(command_id)
    answer = desk().handle(cmd.OpenRound(**head, session=session, move=move, leave=leave))
    answered(answer, story(session, answer.command, answer), as_json=as_json)


@rounds.command("move", epilog="Example: contoposta round move 0b0e0000-... 11aa0000-... "
                """'{"hold":[1,4]}'""")  # fmt: skip
def move(  # noqa: PLR0913 - one option for each field of the command
    session: SessionId,
    round_id: RoundId,
    document: Annotated[str, typer.Argument(metavar="MOVE", help=_MOVE)],
    *,
    command_id: CommandId,
    leave: Leave = None,
    as_json: Json = False,
) -> None:
    """Make a player's next move in an open round."""
    asked = document_of(document)
    made = asked if isinstance(asked, Refusal) else desk().further_move(session, round_id, asked)
    if isinstance(made, Refusal):
        refuse(made, as_json=as_json)
    head = desk().head(command_id)
    _continue(
        cmd.ContinueRound(**head, session=session, round=round_id, move=made, leave=leave),
        as_json=as_json,
    )


def _continue(command: cmd.ContinueRound, *, as_json: bool) -> None:
    answer = desk().handle(command)
    answered(answer, story(command.session, command.round, answer), as_json=as_json)


@rounds.command("finish", epilog="Example: contoposta round finish 0b0e0000-... 11aa0000-...")
def finish(
    session: SessionId,
    round_id: RoundId,
    *,
    command_id: CommandId,
    as_json: Json = False,
) -> None:
    """Make the next move that the rules make, such as the spin."""
    made = desk().next_move(session, round_id, command_id)
    if isinstance(made, Refusal):
        refuse(made, as_json=as_json)
    head = desk().head(command_id)
    _continue(
        cmd.ContinueRound(**head, session=session, round=round_id, move=made), as_json=as_json
    )


@rounds.command("void", epilog="Example: contoposta round void SESSION:ROUND SESSION:ROUND "
                '--reason "wheel stopped"')  # fmt: skip
def void(
    refs: Annotated[list[str], typer.Argument(metavar="SESSION:ROUND...")],
    *,
    command_id: CommandId,
    reason: Reason,
    as_json: Json = False,
) -> None:
    """Void open rounds and refund every stake: all of them or none."""
    named = tuple(map(_ref, refs))
    command = cmd.VoidRounds(**desk().head(command_id), rounds=named, reason=reason)
    answered(desk().handle(command), f"Void and refunded: {len(named)}.", as_json=as_json)


def _ref(text: str) -> cmd.RoundRef:
    session, colon, round_id = text.partition(":")
    if not colon:
        raise typer.BadParameter("Give each round as SESSION:ROUND, two UUIDs.")
    return cmd.RoundRef(session=uuid_of(session), round=uuid_of(round_id))


@rounds.command("refund", epilog='Example: contoposta round refund SESSION COMMAND --reason "late"')
def refund(
    session: SessionId,
    placed_by: Annotated[UUID, typer.Argument(parser=uuid_of, metavar="COMMAND")],
    *,
    command_id: CommandId,
    reason: Reason,
    as_json: Json = False,
) -> None:
    """Refund what a command bet; one that is not seen yet will be refused when it comes."""
    command = cmd.RefundBets(
        **desk().head(command_id), session=session, placed_by=placed_by, reason=reason
    )
    answered(desk().handle(command), "The refund is on record.", as_json=as_json)
