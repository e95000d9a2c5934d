"""The rule sheets of the games: JSON documents, read strictly, in their canonical text (G8).

Each states its title, its rules in the players' languages, the source of each rule by document and
section, and in `game` everything that its engine needs.
"""

from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from typing import Annotated, TypeVar

import orjson
from pydantic import ConfigDict, Field, ValidationError

from ledger.domain.decider import SheetError
from ledger.domain.events import Frozen
from ledger.domain.ids import Sentence
from ledger.domain.sheets import SheetHead, canonical, read_head


class Title(Frozen):
    """The game's name as players see it."""

    it: Sentence
    en: Sentence


class Texts(Frozen):
    """The rules as players read them, one sentence or a few in each paragraph."""

    it: Annotated[tuple[Sentence, ...], Field(min_length=1)]
    en: Annotated[tuple[Sentence, ...], Field(min_length=1)]


Ratio = Annotated[str, Field(pattern=r"^[1-9][0-9]*/[1-9][0-9]*$", max_length=200)]
"""An exact positive fraction in lowest terms, such as `36/37`."""


def exact(ratio: str) -> Fraction:
    """The fraction that a sheet writes; raise `SheetError` unless it is in lowest terms."""
    fraction = Fraction(ratio)
    if f"{fraction.numerator}/{fraction.denominator}" != ratio:
        raise SheetError(f"{ratio} is not written in lowest terms")
    return fraction


class Source(Frozen):
    """Where one rule of the sheet stands."""

    rule: Sentence
    document: Sentence
    section: Sentence


class SheetDocument(SheetHead):
    """A whole sheet, less what its game adds; nothing that is not named here may stand in it."""

    model_config = ConfigDict(extra="forbid")
    title: Title
    texts: Texts
    source: Annotated[tuple[Source, ...], Field(min_length=1)]


S = TypeVar("S", bound=SheetDocument)


def read_document(model: type[S], text: str) -> S:
    """Read a sheet's text as its game's document; raise `SheetError` with the places at fault."""
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        places = ", ".join(".".join(map(str, e["loc"])) or "document" for e in error.errors())
        raise SheetError(f"the sheet is wrong at: {places}") from error


@dataclass(frozen=True, slots=True)
class SheetFile:
    """A packaged version of a rule sheet, ready to be published."""

    sheet: str
    version: int
    engine: str
    """Name and version of the engine semantics that it needs."""
    text: str
    """Canonical text: sorted keys, no blanks, UTF-8."""


def packaged(package: str, engine: str | None = None) -> tuple[SheetFile, ...]:
    """The sheets in the folder `sheets` of a package, by id and version; of one engine if named."""
    folder = files(package) / "sheets"
    found = [read_file(f.read_bytes()) for f in folder.iterdir() if f.name.endswith(".json")]
    own = [sheet for sheet in found if engine in (None, sheet.engine)]
    return tuple(sorted(own, key=lambda s: (s.sheet, s.version)))


def read_file(document: bytes) -> SheetFile:
    """Read one sheet document; raise `SheetError` when its common part is wrong."""
    text = canonical(orjson.loads(document))
    head = read_head(text)
    return SheetFile(head.sheet, head.version, head.engine, text)
