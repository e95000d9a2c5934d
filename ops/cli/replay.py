"""`replay`: a session or a round told again, step by step, and judged again; it only reads."""

import re
import sys
from typing import Annotated, Final
from uuid import UUID

import typer

from games.words import Language
from ledger.domain.refusals import Code, Refusal
from ops import bootstrap
from ops.cli.inputs import moment_of, one_of, uuid_of
from ops.cli.output import Exit, Json, print_json, refuse
from ops.cli.wiring import settings
from ops.story.document import document
from ops.story.pages import pages
from ops.story.plain import plain
from ops.story.reading import read_case
from ops.story.story import Story, Until, tell
from ops.story.tongue import TONGUES

app = typer.Typer(add_completion=False)

_VERSION: Final = re.compile(r"[1-9][0-9]{0,9}")


def until_of(text: str) -> Until:
    """A version of the session's stream, or a moment."""
    if _VERSION.fullmatch(text):
        return Until(version=int(text))
    return Until(at=moment_of(text))


LanguageOption = Annotated[
    Language,
    typer.Option(
        "--language", parser=one_of(tuple(TONGUES)), metavar="it|en", help="Of the words."
    ),
]


@app.command(epilog="Example: contoposta replay 0b0e0000-... --at 12 --language it")
def replay(
    asked: Annotated[UUID, typer.Argument(parser=uuid_of, metavar="SESSION|ROUND", help="A UUID.")],
    *,
    until: Annotated[
        Until | None,
        typer.Option(
            "--at",
            parser=until_of,
            metavar="TIME|VERSION",
            help="Told up to here: such as 2026-11-30T09:00:00Z, or a version of the session.",
        ),
    ] = None,
    language: LanguageOption = "en",
    as_json: Json = False,
) -> None:
    """Tell a session or a round again, and judge its rounds by the rules of their day.

    Nothing is drawn, written or sent. Exit code 4 when anything was booked otherwise.
    """
    story = told(asked, until or Until(), as_json=as_json)
    tongue = TONGUES[language]
    if as_json:
        print_json(document(story, tongue))
    else:
        _print(plain(pages(story, tongue)))
    if not story.holds:
        raise typer.Exit(Exit.FOUND)


def told(asked: UUID, until: Until, *, as_json: bool) -> Story:
    """The story of a session or a round; a refusal where there is none."""
    given = settings()
    with bootstrap.connected(given) as connection:
        case = read_case(connection, given.book, bootstrap.codec(), asked)
    if case is None:
        unknown = Refusal(Code.UNKNOWN_SESSION, "No session and no round has this id; look it up.")
        refuse(unknown, as_json=as_json)
    return tell(case, until)


def _print(text: str) -> None:
    """Write text in UTF-8 whatever the locale says: a story is the same characters everywhere."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()
