"""What pages are made of, however they are printed: as PDF, or as text."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that names what follows, on one of two levels."""

    text: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text that flows; it is printed as it is, no character is markup."""

    text: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """Lines whose characters stand below each other, such as a drawing or a signed note."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns that every page repeats; a name that ends in `>` is aligned right."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class NewPage:
    """What follows begins on a page of its own."""


Part = Heading | Paragraph | Fixed | Table | NewPage


def fitted(wanted: Sequence[int], width: int, least: Sequence[int] = ()) -> list[int]:
    """The width of each column that wants so much; where all is too much, the widest give way.

    No column gets less than its `least` while that leaves something to every other.
    """
    if least and sum(wanted) > width >= sum(least):
        more = fitted([w - n for w, n in zip(wanted, least, strict=True)], width - sum(least))
        return [n + m for n, m in zip(least, more, strict=True)]
    share = width // len(wanted)
    while sum(min(each, share + 1) for each in wanted) <= width and share < max(wanted):
        share += 1
    return [min(each, share) for each in wanted]
