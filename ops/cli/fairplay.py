"""`fairplay verify`: check a revealed series with nothing but what its player holds.

No book is needed. Where one is at hand, what stands in it of the series is checked too.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated, Any, Final
from uuid import UUID

import typer

from games.roulette.fairplay.proof import Noted, Prepared, Proof, Spin, Step, prove, spins_of
from games.roulette.fairplay.secret import Commitment
from games.roulette.wheel import POCKETS
from ledger.domain.events.series import NUMBERS_MAX
from ledger.domain.refusals import Code, Refusal
from ops.cli.inputs import line_of, uuid_of
from ops.cli.output import Exit, Json, emit, fields, out, refuse, table

app = typer.Typer(help="FairPlay series of roulette.", no_args_is_help=True, add_completion=False)

_MD5_DIGITS: Final = 32
_SHA256_DIGITS: Final = 64


@dataclass(frozen=True, slots=True)
class Pockets:
    """Numbers of the wheel, in the order of the spins; None where a place was left empty."""

    each: tuple[int | None, ...] = ()


def _digest(digits: int) -> Callable[[str], str]:
    def read(text: str) -> str:
        if re.fullmatch(f"[0-9a-fA-F]{{{digits}}}", text) is None:
            raise typer.BadParameter(f"Give {digits} hexadecimal digits.")
        return text.lower()

    return read


def _offsets(text: str) -> Pockets:
    """Offsets with commas between them, one for each spin."""
    return Pockets(tuple(_pocket(each) for each in _listed(text)))


def _outcomes(text: str) -> Pockets:
    """Pockets with commas between them; an empty place is a spin whose pocket is not known."""
    return Pockets(tuple(_pocket(each) if each else None for each in _listed(text)))


def _listed(text: str) -> list[str]:
    places = text.split(",")
    if len(places) > NUMBERS_MAX:
        raise typer.BadParameter(f"Give at most {NUMBERS_MAX} numbers.")
    return places


def _pocket(text: str) -> int:
    if re.fullmatch("[0-9]{1,2}", text) is None or int(text) not in POCKETS:
        raise typer.BadParameter("Give whole numbers from 0 to 36 with commas, such as 0,30,5.")
    return int(text)


@dataclass(frozen=True, slots=True)
class Shown:
    """What was shown of a series before play, and the spins that are known of it."""

    commitment: Commitment
    spins: tuple[Spin, ...]
    prepared: Prepared | None = None
    """What the book has on record of the string, where it was asked."""


@app.command(epilog="Example: contoposta fairplay verify @revealed.txt --md5 5f36... "
             "--sha256 9a0c... --offsets 0,30,5,15,36 --outcomes 12,0,27,18,26")  # fmt: skip
def verify(  # noqa: PLR0913 - one option for each thing that a player holds
    revealed: Annotated[
        str, typer.Argument(help="The revealed string, @FILE, or - for standard input.")
    ],
    *,
    md5: Annotated[
        str | None,
        typer.Option("--md5", parser=_digest(_MD5_DIGITS), metavar="HEX", help="As shown."),
    ] = None,
    sha256: Annotated[
        str | None,
        typer.Option("--sha256", parser=_digest(_SHA256_DIGITS), metavar="HEX", help="As shown."),
    ] = None,
    offsets: Annotated[
        Pockets | None,
        typer.Option("--offsets", parser=_offsets, metavar="LIST", help="One for each spin."),
    ] = None,
    outcomes: Annotated[
        Pockets | None,
        typer.Option("--outcomes", parser=_outcomes, metavar="LIST", help="Pockets that came."),
    ] = None,
    series: Annotated[
        UUID | None,
        typer.Option(
            parser=uuid_of, metavar="UUID", help="Take all this from the book's events of a series."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Work a revealed series out again and say what that proves; exit code 4 if anything fails.

    With --series its commitment, the offsets and what was drawn come from the book, and the string
    must hold the key that the book has. Hashes that are given too go before those of the book, and
    offsets and outcomes that are given too must be those of the book.
    """
    if (md5 is None) == (series is None) and md5 is None:
        raise typer.BadParameter("Give the --md5 that was shown, or the --series to look up.")
    noted = _noted(offsets, outcomes)
    if series is None:
        spins = tuple(Spin(each.offset or 0, each.pocket) for each in noted)
        shown = Shown(Commitment(md5=str(md5), sha256=sha256), spins)
    else:
        shown = _recorded(series, (md5, sha256), noted, as_json=as_json)
    proof = prove(shown.commitment, line_of(revealed), shown.spins, shown.prepared)
    if isinstance(proof, Refusal):
        refuse(proof, as_json=as_json)
    document = _document(proof)
    emit(document, lambda: _print(document), as_json=as_json)
    if not proof.holds:
        raise typer.Exit(Exit.FOUND)


def _recorded(
    series: UUID, held: tuple[str | None, str | None], noted: tuple[Noted, ...], *, as_json: bool
) -> Shown:
    """What the book has of a series; MD5 and SHA-256 that the player holds go before its own."""
    from ops.cli.wiring import fairplay  # noqa: PLC0415 - a book is needed for this alone

    prepared = fairplay().prepared(series)
    if prepared is None:
        refuse(Refusal(Code.UNKNOWN_SERIES, "The book has no such series."), as_json=as_json)
    commitment = Commitment(md5=held[0] or prepared.md5, sha256=held[1] or prepared.sha256)
    played = fairplay().played(series)
    spins = spins_of((each.offset, each.outcome) for each in played)
    about = (prepared.alias, prepared.user_key, len(prepared.numbers))
    return Shown(commitment, spins, Prepared(*about, noted))


def _noted(offsets: Pockets | None, outcomes: Pockets | None) -> tuple[Noted, ...]:
    """The spins as they are told."""
    told = () if offsets is None else offsets.each
    came = () if outcomes is None else outcomes.each
    if told and came and len(told) != len(came):
        raise typer.BadParameter("Give as many --outcomes as --offsets; leave unknown ones empty.")
    return tuple(Noted(offset, pocket) for offset, pocket in zip_longest(told, came))


def _document(proof: Proof) -> dict[str, Any]:
    return {
        "holds": proof.holds,
        "alias": proof.secret.alias,
        "prepared": proof.secret.prepared.isoformat(),
        "player_key": proof.secret.user_key,
        "spins": [_step(step) for step in proof.steps],
        "statements": [
            {"about": s.about, "standing": s.standing.value, "says": s.says}
            for s in proof.statements
        ],
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "spin": step.place,
        "number": step.number,
        "offset": None if step.spin is None else step.spin.offset,
        "pocket": step.pocket,
        "came": None if step.spin is None else step.spin.pocket,
        "agrees": step.agrees,
    }


def _print(document: dict[str, Any]) -> None:
    fields({name: document[name] for name in ("alias", "prepared", "player_key")})
    columns = ("spin>", "number>", "offset>", "pocket>", "came>", "agrees")
    out.print(table("The series", columns, [tuple(each.values()) for each in document["spins"]]))
    for told in document["statements"]:
        out.print(f"{told['standing'].replace('-', ' '):>10}  {told['about']}: {told['says']}")
    out.print("Nothing failed." if document["holds"] else "Something failed.")
