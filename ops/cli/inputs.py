"""What commands are given: read strictly, and refused with the name of the option at fault."""

import sys
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar
from uuid import UUID, uuid4

import orjson
import typer
from pydantic import TypeAdapter, ValidationError

from games import registry
from games.documents import TEXT_MAX, read_json
from games.roulette.fairplay.secret import UserKey
from ledger.domain.days import YEARS
from ledger.domain.events import CorrectionLine
from ledger.domain.ids import PlayerId, Sentence, TableId, Word
from ledger.domain.money import Currency, parse_amount
from ledger.domain.refusals import Refusal
from ledger.seal.notes import MAX_NOTE_SIZE, parse_checkpoint, text_of
from workers.days import bounds

OPTION: Final = "--id"

D = TypeVar("D", date, datetime)
W = TypeVar("W", bound=str)

_PLAYER: Final = TypeAdapter[str](PlayerId)
_SENTENCE: Final = TypeAdapter[str](Sentence)
_TABLE: Final = TypeAdapter[str](TableId)
_WORD: Final = TypeAdapter[str](Word)
_USER_KEY: Final = TypeAdapter[str | None](UserKey)


@lru_cache
def own_id() -> str:
    """The id of this process's command where none is given; it is told when the command fails."""
    return str(uuid4())


def amount_of(text: str) -> int:
    """Minor units of an amount such as 12.50."""
    amount = parse_amount(text)
    if isinstance(amount, Refusal):
        raise typer.BadParameter(amount.message)
    return amount


def player_of(text: str) -> str:
    """A pseudonym."""
    try:
        return _PLAYER.validate_python(text)
    except ValidationError:
        raise typer.BadParameter(
            "Give a pseudonym of up to 40 small letters, digits and hyphens, such as anna-1."
        ) from None


def sentence_of(text: str) -> str:
    """A text of one line, without control characters, that says something."""
    try:
        return _SENTENCE.validate_python(text if text.strip() else "")
    except ValidationError:
        raise typer.BadParameter(
            "Give a text of one line, of up to 500 characters in UTF-8."
        ) from None


def table_of(text: str) -> str:
    """The name of a table."""
    try:
        return _TABLE.validate_python(text)
    except ValidationError:
        raise typer.BadParameter(
            "Give a name of small letters, digits and hyphens, such as roulette-1."
        ) from None


def one_of(choices: Sequence[W]) -> Callable[[str], W]:
    """Reads one of a few words."""

    def read(text: str) -> W:
        for choice in choices:
            if choice == text:
                return choice
        raise typer.BadParameter(f"Give one of these: {', '.join(choices)}.")

    return read


def word_of(text: str) -> str:
    """A name or an id without blanks at its ends, of one line."""
    try:
        return _WORD.validate_python(text if text == text.strip() else "")
    except ValidationError:
        raise typer.BadParameter(
            "Give a word of Latin letters, digits and signs, without blanks at its ends."
        ) from None


def account_of(text: str) -> str:
    """An account type that some packaged sheet has limits for."""
    known = registry.account_types()
    if text not in known:
        raise typer.BadParameter(f"Give an account type: {', '.join(known)}.")
    return text


def user_key_of(text: str) -> str:
    """A player's key for a secret string."""
    try:
        return _USER_KEY.validate_python(text) or ""
    except ValidationError:
        raise typer.BadParameter(
            "Give a key of up to 64 Latin letters and digits, but not the word NotAssigned."
        ) from None


def correction_line_of(text: str) -> CorrectionLine:
    """One amount of a correction, with the accounts that it leaves and reaches."""
    source, _, rest = text.partition(",")
    target, _, amount = rest.partition(",")
    moved = amount_of(amount)
    try:
        return CorrectionLine(source=source, target=target, amount=moved)
    except ValidationError:
        raise typer.BadParameter(
            "Give two accounts and an amount, such as player:anna-1:conto,world:payments,10.00; "
            "there are contos, house:GAME:bank, house:bonus, world:payments and state:duty."
        ) from None


def uuid_of(text: str) -> UUID:
    """A UUID in any of its spellings."""
    try:
        return UUID(text)
    except ValueError:
        raise typer.BadParameter("Give a UUID, as the command that made it printed it.") from None


def day_of(text: str) -> date:
    """A day such as 2026-11-30."""
    try:
        return _of_an_age(date.fromisoformat(text))
    except ValueError:
        raise typer.BadParameter("Give a day such as 2026-11-30.") from None


def moment_of(text: str) -> datetime:
    """A moment in UTC, given with its offset, such as 2026-11-30T10:00:00+01:00."""
    try:
        moment = _of_an_age(datetime.fromisoformat(text))
    except ValueError:
        raise typer.BadParameter("Give a moment such as 2026-11-30T09:00:00Z.") from None
    if moment.tzinfo is None:
        raise typer.BadParameter("Give the offset from UTC too, as in 2026-11-30T09:00:00Z.")
    return moment.astimezone(UTC)


def end_of(text: str) -> datetime:
    """The end of a last day in Europe/Rome, or the moment given, in UTC."""
    try:
        last = _of_an_age(date.fromisoformat(text))
    except ValueError:
        return moment_of(text)
    return bounds(last)[1]


def _of_an_age(when: D) -> D:
    """A date that calendars and time zones can reckon with, or `ValueError`."""
    if when.year not in YEARS:
        raise ValueError
    return when


def document_of(text: str) -> Any:
    """A JSON document given as text, as `@FILE`, or as `-` for standard input; or a refusal."""
    if text == "-":
        return read_json(sys.stdin.buffer.read(TEXT_MAX + 1))
    return read_json(content_of(Path(text[1:]), TEXT_MAX) if text.startswith("@") else text)


def line_of(text: str) -> str:
    """A line given as text, as `@FILE`, or as `-` for standard input, without its line end."""
    if text == "-":
        content = sys.stdin.buffer.read(TEXT_MAX + 1)
    elif text.startswith("@"):
        content = content_of(Path(text[1:]), TEXT_MAX)
    else:
        return text
    return content.decode(errors="replace").removesuffix("\n").removesuffix("\r")


def content_of(path: Path, most: int) -> bytes:
    """As much of a file as it may have, and one byte more; all of it where `most` is negative."""
    try:
        with path.open("rb") as file:
            return file.read(most + 1 if most >= 0 else -1)
    except OSError as error:
        raise typer.BadParameter(f"The file {path} cannot be read: {error.strerror}.") from None


def bytes_of(text: str) -> bytes:
    """The whole of a file."""
    return content_of(Path(text), -1)


def note_of(text: str) -> str:
    """The signed checkpoint note in a file, alone or in the document that `seal --json` printed."""
    content = content_of(Path(text), MAX_NOTE_SIZE)
    try:
        document = orjson.loads(content) if content.startswith(b"{") else {"note": content.decode()}
        note = str(document["note"])
        parse_checkpoint(text_of(note))
    except (LookupError, ValueError):
        raise typer.BadParameter(
            f"The file {text} holds no signed checkpoint; give what seal --json printed."
        ) from None
    return note


Amount = Annotated[int, typer.Argument(parser=amount_of, metavar="AMOUNT", help="Such as 12.50.")]
SessionId = Annotated[UUID, typer.Argument(parser=uuid_of, metavar="SESSION", help="A UUID.")]
Player = Annotated[
    str,
    typer.Argument(
        parser=player_of, metavar="PLAYER", help="The player's pseudonym, such as anna-1."
    ),
]
TableName = Annotated[
    str, typer.Argument(parser=table_of, metavar="TABLE", help="Such as roulette-1.")
]
CommandId = Annotated[
    UUID,
    typer.Option(
        OPTION,
        parser=uuid_of,
        metavar="UUID",
        default_factory=own_id,
        show_default="a new one",
        help="The command's id: given again, the command is answered the same and done once.",
    ),
]
Actor = Annotated[
    str, typer.Option("--actor", parser=word_of, help="Who asks: it stands in the record.")
]
CurrencyOption = Annotated[Currency, typer.Option("--currency", help="EUR or RUR.")]
Channel = Annotated[str, typer.Option("--channel", help="Where it came through.")]
Reason = Annotated[
    str,
    typer.Option(
        "--reason", parser=sentence_of, metavar="TEXT", help="Why; it stands in the record."
    ),
]
