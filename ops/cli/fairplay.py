"""`fairplay`: check a revealed series with nothing but what its player holds; no book is needed."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated, Any, Final

import typer

from games.roulette.fairplay.proof import Proof, Spin, Step, prove
from games.roulette.fairplay.secret import Commitment
from games.roulette.wheel import POCKETS
from ledger.domain.events.series import NUMBERS_MAX
from ledger.domain.refusals import Refusal
from ops.cli.inputs import line_of
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


@app.command(epilog="Example: contoposta fairplay verify @revealed.txt --md5 5f36... "
             "--sha256 9a0c... --offsets 0,30,5,15,36 --outcomes 12,0,27,18,26")  # fmt: skip
def verify(  # noqa: PLR0913 - one option for each thing that a player holds
    revealed: Annotated[
        str, typer.Argument(help="The revealed string, @FILE, or - for standard input.")
    ],
    *,
    md5: Annotated[
        str, typer.Option("--md5", parser=_digest(_MD5_DIGITS), metavar="HEX", help="As shown.")
    ],
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
    as_json: Json = False,
) -> None:
    """Work a revealed series out again and say what that proves; exit code 4 if anything fails."""
    spins = _spins(offsets, outcomes)
    proof = prove(Commitment(md5=md5, sha256=sha256), line_of(revealed), spins)
    if isinstance(proof, Refusal):
        refuse(proof, as_json=as_json)
    document = _document(proof)
    emit(document, lambda: _print(document), as_json=as_json)
    if not proof.holds:
        raise typer.Exit(Exit.FOUND)


def _spins(offsets: Pockets | None, outcomes: Pockets | None) -> tuple[Spin, ...]:
    """The spins as they are told; without offsets each is zero."""
    told = () if offsets is None else offsets.each
    came = () if outcomes is None else outcomes.each
    if told and came and len(told) != len(came):
        raise typer.BadParameter("Give as many --outcomes as --offsets; leave unknown ones empty.")
    return tuple(Spin(offset or 0, pocket) for offset, pocket in zip_longest(told, came))


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
