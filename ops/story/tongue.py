"""The languages in which a story is told: everything that is said stands in one file for each."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Final

import orjson

from games.words import Language

Clauses = tuple[str, ...]
"""What is said of one event. Each clause names fields of the event and how they are shown, such as
`{amount:money}`; a clause is left out when a field that it names is absent, empty or false."""


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language."""

    language: Language
    clauses: Mapping[str, Clauses]
    """By the name of the event."""
    words: Mapping[str, str]
    """By the value of a field that has few values."""
    labels: Mapping[str, str]
    """Headings and sentences around the story; `{0}` is what they are about."""

    def label(self, name: str, *values: object) -> str:
        """A heading or a sentence with what it is about."""
        return self.labels[name].format(*values)


def _read(language: Language) -> Tongue:
    document = orjson.loads((files("ops.story") / f"{language}.json").read_bytes())
    clauses = {name: tuple(said) for name, said in document["clauses"].items()}
    return Tongue(language, clauses, document["words"], document["labels"])


ITALIAN: Final = _read("it")
ENGLISH: Final = _read("en")
TONGUES: Final[Mapping[Language, Tongue]] = MappingProxyType({"it": ITALIAN, "en": ENGLISH})
