"""`correction`: what was booked wrongly is set right by a linked correction, never edited."""

from typing import Annotated, Any, Final, get_args
from uuid import UUID

import typer

from ledger.domain import commands as cmd
from ledger.domain.correction import Posted
from ledger.domain.events.correction import CorrectionCode, CorrectionLine
from ledger.domain.ids import correction_stream
from ledger.domain.money import Currency, format_amount
from ledger.domain.refusals import Code, Refusal
from ops.cli.inputs import (
    Actor,
    CommandId,
    CurrencyOption,
    Reason,
    correction_line_of,
    uuid_of,
    word_of,
)
from ops.cli.output import Json, answered, emit, fields, out, refuse, table
from ops.cli.wiring import CLERK, desk

app = typer.Typer(
    help="Corrections, linked to what they correct.", no_args_is_help=True, add_completion=False
)

CODES: Final = get_args(CorrectionCode)
APPROVERS: Final = 2


def code_of(text: str) -> str:
    """A published reason code."""
    if text not in CODES:
        raise typer.BadParameter(f"Give a code: {', '.join(CODES)}.")
    return text


@app.command(
    epilog="Example: contoposta correction post COMMAND --code booked-twice --approver ada "
    "--approver bruno --line player:anna-1:conto,world:payments,10.00 --reason 'paid once'"
)
def post(  # noqa: PLR0913 - one option for each field of the command
    corrects: Annotated[
        UUID, typer.Argument(parser=uuid_of, metavar="COMMAND", help="What was wrong, by its id.")
    ],
    *,
    command_id: CommandId,
    code: Annotated[str, typer.Option(parser=code_of, metavar="CODE", help=", ".join(CODES))],
    approver: Annotated[
        list[str], typer.Option(parser=word_of, metavar="NAME", help="Give two, who differ.")
    ],
    line: Annotated[
        list[CorrectionLine],
        typer.Option(parser=correction_line_of, metavar="FROM,TO,AMOUNT", help="Repeatable."),
    ],
    reason: Reason,
    currency: CurrencyOption = Currency.EUR,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Move money between contos, banks and the world, to set right what a command did."""
    if len(approver) != APPROVERS:
        raise typer.BadParameter("Give --approver twice, with two names.")
    command = cmd.PostCorrection(
        **desk(actor).head(command_id),
        corrects=corrects,
        code=code,  # type: ignore[arg-type] # one of the codes, as `code_of` saw to
        reason=reason,
        approvers=(approver[0], approver[1]),
        currency=currency,
        lines=tuple(line),
    )
    answer = desk(actor).handle(command)
    answered(answer, f"Correction {answer.command} is posted.", as_json=as_json)


@app.command(epilog="Example: contoposta correction show CORRECTION")
def show(
    correction: Annotated[UUID, typer.Argument(parser=uuid_of, metavar="CORRECTION")],
    *,
    as_json: Json = False,
) -> None:
    """Show a correction: what it corrects, why, who approved of it, and what it moved."""
    state = desk().service.state(correction_stream(correction))
    if not isinstance(state, Posted):
        refusal = Refusal(Code.NOTHING_TO_CORRECT, "No correction of this id was posted.")
        refuse(refusal, as_json=as_json)
    posted = state.correction
    lines = [_told(line) for line in posted.lines]
    document: dict[str, Any] = {
        "correction": str(correction),
        **posted.model_dump(mode="json", exclude={"lines"}),
    }
    made = table("Lines", ("from", "to", "amount>"), [tuple(line.values()) for line in lines])

    def human() -> None:
        fields(document)
        out.print(made)

    emit(document | {"lines": lines}, human, as_json=as_json)


def _told(line: CorrectionLine) -> dict[str, str]:
    return {"from": line.source, "to": line.target, "amount": format_amount(line.amount)}
