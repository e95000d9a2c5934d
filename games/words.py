"""What is said of a game's own details, in the players' languages, and how they are drawn in text.

Each game gives its words by the type of the details; the book's events are told elsewhere.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ledger.domain.events import Details
from ledger.domain.money import format_amount

Language = Literal["it", "en"]


@dataclass(frozen=True, slots=True)
class Told:
    """A thing in words of each language, and in lines of text where there is something to draw."""

    it: str
    en: str
    drawing: tuple[str, ...] = ()

    def said(self, language: Language) -> str:
        """The words of a language."""
        return self.it if language == "it" else self.en


Words = Mapping[type[Details], Callable[[Any], Told]]
"""How each type of a game's details is told."""


def plainly(details: Details) -> Told:
    """Details by their values, in the same words in all languages."""
    values = details.words()
    return Told(values, values)


def amount_in(language: Language, minor: int) -> str:
    """Minor units as a language writes them: 1250 is `12,50` in Italian and `12.50` in English."""
    plain = format_amount(minor)
    return plain.replace(".", ",") if language == "it" else plain


def listed(told: list[Told], it: str, en: str) -> Told:
    """Several things in a row, or in each language the word for none."""
    return Told("; ".join(t.it for t in told) or it, "; ".join(t.en for t in told) or en)
