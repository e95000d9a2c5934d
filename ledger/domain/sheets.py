"""Rule sheets as events: a round is judged by the version in force when its bet came (G8)."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Final, Self

import orjson
from pydantic import ConfigDict, Field, ValidationError, model_validator

from ledger.domain.commands import PublishSheet
from ledger.domain.decider import (
    Change,
    Context,
    Decider,
    Decision,
    Handler,
    Handlers,
    SheetError,
    States,
    fold,
)
from ledger.domain.events import Count, Frozen, SheetPublished, SheetRef
from ledger.domain.events.series import NUMBERS_MAX
from ledger.domain.ids import StreamName, Word, sheet_stream
from ledger.domain.money import Amount, Currency
from ledger.domain.refusals import Code, Refusal

TEXT_BYTES_MAX: Final = 64_000
"""Most bytes of a sheet's text inside its event: escaped, it must fit a stored entry."""


class SessionTerms(Frozen):
    """What a sheet says about sessions (rulings C1); amounts in minor units."""

    right_min: Amount
    posta_max: Amount
    reconnect_seconds: Count
    rounds_max: Count = 1
    """How many rounds of a session may be in play at once."""


class SeriesTerms(Frozen):
    """What a sheet says about FairPlay series (rulings HW6, HW7)."""

    numbers_min: Count
    numbers_max: Annotated[int, Field(strict=True, ge=1, le=NUMBERS_MAX)]
    offsets: Count
    """An offset is at least 0 and below this."""
    keep_seconds: Count
    """How long a series can be played on and asked for after its last spin."""
    clients: tuple[Word, ...]
    """Client programs, by name and version, in which an offset may be set."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.numbers_min > self.numbers_max:
            raise ValueError("the fewest numbers are more than the most")
        return self


class SheetHead(Frozen):
    """The part of every sheet that the book itself reads; the rest belongs to the game."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)
    sheet: Word
    version: Count
    engine: Word
    currency: Currency
    session: SessionTerms
    series: SeriesTerms | None = None


@lru_cache(maxsize=256)
def read_head(text: str) -> SheetHead:
    """Read the common part of a sheet's text; raise `SheetError` with the place of the fault."""
    try:
        return SheetHead.model_validate_json(text)
    except ValidationError as error:
        places = ", ".join(".".join(map(str, e["loc"])) or "document" for e in error.errors())
        raise SheetError(f"the sheet's common part is wrong at: {places}") from error


def canonical(document: object) -> str:
    """The canonical text of a sheet: sorted keys, no blanks, UTF-8."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS).decode()


def text_hash(text: str) -> str:
    """SHA-256 in hex of a sheet's canonical text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Published:
    """One published version."""

    ref: SheetRef
    in_force_from: datetime
    engine: str
    text: str


@dataclass(frozen=True, slots=True)
class State:
    """All published versions of one sheet, oldest first; none is ever removed."""

    versions: tuple[Published, ...]


START: Final = State(())


def _published(state: State, e: SheetPublished) -> State:
    ref = SheetRef(sheet=e.sheet, version=e.sheet_version, hash=e.sheet_hash)
    return State((*state.versions, Published(ref, e.in_force_from, e.engine, e.text)))


evolve = fold({SheetPublished: _published})


def in_force(state: State, at: datetime) -> Published | Refusal:
    """The version that was in force at a moment."""
    if not state.versions:
        return Refusal(Code.UNKNOWN_SHEET, "No such sheet is published; `contoposta sheets` lists.")
    for published in reversed(state.versions):
        if published.in_force_from <= at:
            return published
    return Refusal(Code.SHEET_NOT_IN_FORCE, "The sheet is not in force yet.")


def version_of(state: State, ref: SheetRef) -> Published:
    """The published version that a round names; the log cannot name one that was not published."""
    return next(p for p in state.versions if p.ref == ref)


def _reads(command: PublishSheet, _: States) -> tuple[StreamName, ...]:
    return (sheet_stream(command.sheet),)


def _check(command: PublishSheet, context: Context) -> SheetHead:
    if len(orjson.dumps(command.text)) > TEXT_BYTES_MAX:
        raise SheetError(f"its text needs more than {TEXT_BYTES_MAX} bytes as it is stored")
    head = read_head(command.text)
    if (head.sheet, head.version) != (command.sheet, command.sheet_version):
        raise SheetError("the text names another sheet or version than the command")
    if canonical(orjson.loads(command.text)) != command.text:
        raise SheetError("the text is not canonical: sort its keys and leave out blanks")
    if head.engine not in context.engines:
        raise SheetError(f"no engine {head.engine} is installed")
    context.engines[head.engine].read_sheet(command.text)
    return head


def _publish(command: PublishSheet, states: States, context: Context) -> Decision:
    stream = sheet_stream(command.sheet)
    versions = states[stream].versions
    try:
        head = _check(command, context)
    except SheetError as error:
        return Refusal(Code.SHEET_INVALID, f"The sheet may not be published: {error}.")
    earliest = max([context.now, *(p.in_force_from for p in versions)])
    if command.in_force_from < earliest:
        return Refusal(Code.SHEET_INVALID, "A version cannot be in force before now or the last.")
    if command.sheet_version != len(versions) + 1:
        return Refusal(Code.SHEET_VERSION_TAKEN, f"The next version is {len(versions) + 1}.")
    event = SheetPublished(
        sheet=command.sheet,
        sheet_version=command.sheet_version,
        sheet_hash=text_hash(command.text),
        in_force_from=command.in_force_from,
        engine=head.engine,
        text=command.text,
    )
    return (Change(stream, (event,)),)


DECIDER: Final = Decider(START, evolve)
HANDLERS: Final[Handlers] = {PublishSheet: Handler(_reads, _publish)}
