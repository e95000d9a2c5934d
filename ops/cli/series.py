"""`fairplay`: prepare, show, spin, end, reveal; and verify, which needs no book."""

from datetime import datetime
from typing import Annotated, Any, Final
from uuid import UUID

import typer

from games.roulette.fairplay.secret import NUMBERS_MIN
from ledger.answers import Answer
from ledger.domain import series as ser
from ledger.domain.events import AnyEntry, SeriesExpired, SeriesPrepared, SeriesRevealed
from ledger.domain.events.series import NUMBERS_MAX
from ledger.domain.ids import series_stream
from ledger.domain.refusals import Code, Refusal
from ops.cli.fairplay import app
from ops.cli.inputs import (
    Actor,
    CommandId,
    Player,
    SessionId,
    document_of,
    user_key_of,
    uuid_of,
)
from ops.cli.output import Json, answered, emit, fields, out, refuse, table
from ops.cli.rounds import Bets, story
from ops.cli.wiring import CLERK, desk, fairplay
from ops.fairplay import Bet, Played, Wish

SHEET: Final = "roulette-fairplay"

SeriesId = Annotated[UUID, typer.Argument(parser=uuid_of, metavar="SERIES", help="A UUID.")]


@app.command(epilog="Example: contoposta fairplay prepare anna-1 --numbers 10 --key mykey7")
def prepare(  # noqa: PLR0913 - one option for each thing that a player may wish
    player: Player,
    *,
    numbers: Annotated[
        int, typer.Option(min=NUMBERS_MIN, max=NUMBERS_MAX, help="How many numbers.")
    ] = NUMBERS_MAX,
    key: Annotated[
        str | None,
        typer.Option(parser=user_key_of, metavar="TEXT", help="The player's, of letters, digits."),
    ] = None,
    sheet: Annotated[str, typer.Option(help="The sheet that it is played at.")] = SHEET,
    command_id: CommandId,
    actor: Actor = CLERK,
    as_json: Json = False,
) -> None:
    """Draw and seal the numbers of a series, and show what the house is bound by."""
    answer = fairplay(actor).prepare(Wish(player, sheet, numbers, key), command_id)
    if isinstance(answer, Refusal):
        refuse(answer, as_json=as_json)
    answered(answer, _commitment(answer), as_json=as_json)


def _commitment(answer: Answer) -> str:
    made = [e.event for e in answer.entries if isinstance(e.event, SeriesPrepared)]
    return "\n".join(
        f"Series {e.series}\nMD5      {e.md5}\nSHA-256  {e.sha256}\n"
        "Note both before the first bet." for e in made
    )  # fmt: skip


@app.command(epilog="Example: contoposta fairplay show 0b0e0000-... --json")
def show(series: SeriesId, *, as_json: Json = False) -> None:
    """Show a series: what was committed, its spins, its time; never a number not yet drawn."""
    history = desk().service.history(series_stream(series))
    if not history:
        refuse(Refusal(Code.UNKNOWN_SERIES, "No such series; prepare one."), as_json=as_json)
    document = _document(series, history)
    emit(document, lambda: _print(document), as_json=as_json)


def _document(series: UUID, history: list[AnyEntry]) -> dict[str, Any]:
    prepared = history[0].event
    assert isinstance(prepared, SeriesPrepared)
    spins = fairplay().played(series)
    state = fairplay().state(series)
    told = [e.event.secret for e in history if isinstance(e.event, SeriesRevealed)]
    goes_on = isinstance(state, ser.Series) and not state.is_over
    return {
        "series": str(series),
        "player": prepared.player,
        "sheet": prepared.sheet,
        "state": _word(state, desk().clock()),
        "md5": prepared.md5,
        "sha256": prepared.sha256,
        "alias": prepared.alias,
        "player_key": prepared.user_key,
        "prepared": history[0].recorded.isoformat(),
        "numbers": len(prepared.numbers),
        "next_place": len(spins) + 1 if goes_on else None,
        "offset": spins[-1].offset if spins else 0,
        "due": _due(state, history).isoformat(),
        "secret": told[0] if told else None,
        "spins": [_spin(each) for each in spins],
    }


def _word(state: ser.State, now: datetime) -> str:
    if not isinstance(state, ser.Series) or (now >= state.due and not state.revealed):
        return "expired"
    if state.revealed:
        return "revealed"
    return "over" if state.is_over else "open"


def _due(state: ser.State, history: list[AnyEntry]) -> datetime:
    """When its time is over; of an expired one, when it was."""
    if isinstance(state, ser.Series):
        return state.due
    return next(e.event.due for e in history if isinstance(e.event, SeriesExpired))


def _spin(played: Played) -> dict[str, Any]:
    came = played.outcome
    return {
        "place": played.place,
        "round": str(played.round),
        "offset": played.offset,
        "number": None if came is None else came.number,
        "pocket": None if came is None else came.pocket,
    }


def _print(document: dict[str, Any]) -> None:
    fields({name: value for name, value in document.items() if name != "spins"})
    columns = ("place>", "round", "offset>", "number>", "pocket>")
    out.print(table("Spins", columns, [tuple(each.values()) for each in document["spins"]]))


@app.command(epilog="Example: contoposta fairplay spin 0b0e0000-... 11aa0000-... "
             """'{"bets":[{"chance":"red","amount":"50.00"}]}' --offset 30 """
             "--client 2D")  # fmt: skip
def spin(  # noqa: PLR0913 - one option for each field of the command
    session: SessionId,
    series: SeriesId,
    bets: Bets,
    *,
    offset: Annotated[
        int | None, typer.Option(min=0, max=36, help="Else that of the session's last spin.")
    ] = None,
    client: Annotated[
        str | None, typer.Option(help="The player's program and version, such as 2D.")
    ] = None,
    command_id: CommandId,
    as_json: Json = False,
) -> None:
    """Bet on the next number of a series and draw it.

    Given again with the same --id, a spin that was cut off after its bets goes on to the draw.
    """
    document = document_of(bets)
    if isinstance(document, Refusal):
        refuse(document, as_json=as_json)
    answer = fairplay().spin(Bet(session, series, document, offset, client), command_id)
    if isinstance(answer, Refusal):
        refuse(answer, as_json=as_json)
    answered(answer, story(session, command_id, answer), as_json=as_json)


@app.command(epilog="Example: contoposta fairplay end 0b0e0000-...")
def end(series: SeriesId, *, command_id: CommandId, as_json: Json = False) -> None:
    """End a series before its last number is played; then its secret can be told."""
    answer = fairplay().end(series, command_id)
    answered(answer, "The series has ended; its secret can be told now.", as_json=as_json)


@app.command(epilog="Example: contoposta fairplay reveal 0b0e0000-...")
def reveal(series: SeriesId, *, command_id: CommandId, as_json: Json = False) -> None:
    """Tell the secret string of a series that is over; from then on it stands in the log."""
    answer = fairplay().reveal(series, command_id)
    told = [e.event.secret for e in answer.entries if isinstance(e.event, SeriesRevealed)]
    answered(answer, "\n".join(told), as_json=as_json)
